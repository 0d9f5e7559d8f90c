// Held back, refused: a broken ring with a bar. Lucide has none like it.
export function HeldIcon() {
  return (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.25" strokeDasharray="2 2" />
      <path d="M5.5 8h5" />
    </svg>
  );
}
