// The name with its mark: a sun at the horizon.
export function Wordmark() {
  return (
    <>
      <svg
        width="22"
        height="14"
        viewBox="0 0 22 14"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M1 11.5h20" />
        <path className="sun" d="M6.5 11.5a4.5 4.5 0 0 1 9 0" />
      </svg>
      Reverie
    </>
  );
}
