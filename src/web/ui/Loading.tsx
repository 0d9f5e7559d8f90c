// Pale lines where lines will be, after 150 ms (the delay stands in the style); no shimmer.
export function Loading({ label = "Loading", lines = [92, 70, 81] }: { label?: string; lines?: number[] }) {
  return (
    <div className="ghosts" role="status">
      <span className="sr">{label}</span>
      {lines.map((width, at) => (
        <div key={at} className="ghost" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
