// Where tombstones stand: forgotten.md at the root, forgotten/2.md and on (format, Tombstones).

/** The path of the nth tombstone file, from 1. */
export function forgottenPath(n: number): string {
  return n === 1 ? "forgotten.md" : `forgotten/${n}.md`;
}
