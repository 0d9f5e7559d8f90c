// The sign of a change, in the bullet's place: it came, changed, closed, moved, went back, stays, is held back.
export type SignName = "added" | "changed" | "closed" | "removed" | "reopened" | "moved" | "back" | "stays" | "held";

const PATHS: Record<Exclude<SignName, "held">, string> = {
  added: "M8 3.5v9M3.5 8h9",
  changed: "M3 9c1.5-3 3.5-3 5-1s3.5 2 5-1",
  closed: "M4 8h8",
  removed: "m4.5 4.5 7 7m0-7-7 7",
  reopened: "M8 3.5v9M3.5 8h9",
  moved: "M3 8h10M9.5 4.5 13 8l-3.5 3.5",
  back: "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5l3-3M3 6.5l3 3",
  stays: "M4 6.5h8M4 9.5h8",
};

export function Sign({ of }: { of: SignName }) {
  return (
    <span className={of === "held" ? "sign held" : "sign"} aria-hidden="true">
      <svg className="i" viewBox="0 0 16 16">
        {of === "held" ? (
          <>
            <circle cx="8" cy="8" r="5.25" strokeDasharray="2 2" />
            <path d="M5.5 8h5" />
          </>
        ) : (
          <path d={PATHS[of]} />
        )}
      </svg>
    </span>
  );
}
