// Which files hold tombstones: forgotten.md at the root, forgotten/2.md and on.

const FORGOTTEN = /^forgotten(?:\.md|\/[1-9][0-9]*\.md)$/i;

/** Whether a path is one of the tombstone files. Any case: a twin of that name is none that others may write either. */
export function isForgottenPath(path: string): boolean {
  return FORGOTTEN.test(path.normalize("NFC"));
}

/** The path of the nth tombstone file, from 1. */
export function forgottenPath(n: number): string {
  return n === 1 ? "forgotten.md" : `forgotten/${n}.md`;
}
