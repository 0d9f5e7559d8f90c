// The bullet of a line. Its parent carries data-state; the word for screen readers stands before the text.
import type { LineState } from "../lib/line.ts";
import { STATE_WORD } from "../lib/line.ts";

export function Mark() {
  return <span className="mark" aria-hidden="true" />;
}

export function StateWord({ state }: { state: LineState }) {
  return STATE_WORD[state] === "" ? null : <span className="sr">{STATE_WORD[state]}</span>;
}

/** Where a line is held back: a hatched strip, never its words. */
export function Redacted() {
  return (
    <>
      <span className="sr">a line that you asked to forget</span>
      <span className="redact" aria-hidden="true" />
    </>
  );
}
