// Two hands, one line: yours, theirs, and both together where their changes do not meet; never a merge that nobody saw.
import { diffWordsWithSpace } from "diff";
import type { LineState } from "../lib/line.ts";
import { pathName } from "../lib/paths.ts";
import { Mark } from "../ui/Mark.tsx";
import { WordDiff } from "../ui/WordDiff.tsx";

export interface Clash {
  before: string;
  mine: string;
  /** Null: the line is gone on their side. */
  theirs: string | null;
}

interface Hunk {
  from: number;
  to: number;
  text: string;
}

function hunksOf(before: string, after: string): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  for (const part of diffWordsWithSpace(before, after)) {
    const last = hunks[hunks.length - 1];
    if (part.removed) {
      if (last && last.to === at) last.to += part.value.length;
      else hunks.push({ from: at, to: at + part.value.length, text: "" });
      at += part.value.length;
    } else if (part.added) {
      if (last && last.to === at) last.text += part.value;
      else hunks.push({ from: at, to: at, text: part.value });
    } else at += part.value.length;
  }
  return hunks;
}

/** Both changes of one line laid over each other; null where they touch the same words. */
export function bothOf({ before, mine, theirs }: Clash): string | null {
  if (theirs === null) return null;
  const left = hunksOf(before, mine);
  const right = hunksOf(before, theirs);
  for (const a of left) {
    for (const b of right) {
      if (a.from <= b.to && b.from <= a.to) return null;
    }
  }
  let text = "";
  let at = 0;
  for (const hunk of [...left, ...right].sort((a, b) => a.from - b.from)) {
    text += before.slice(at, hunk.from) + hunk.text;
    at = hunk.to;
  }
  return text + before.slice(at);
}

interface Props {
  path: string;
  clash: Clash;
  state: LineState;
  keep: (text: string) => void;
  anew: () => void;
  leave: () => void;
}

export function TwoHands({ path, clash, state, keep, anew, leave }: Props) {
  const both = bothOf(clash);
  const row = (text: string, whose: string) => (
    <p className="bullet" data-state={state} dir="auto">
      <Mark />
      <WordDiff before={clash.before} after={text} /> <span className="meta">{whose}</span>
    </p>
  );
  return (
    <div className="slip" role="group" aria-label="Changed in the meantime" style={{ marginTop: 0 }}>
      <p className="verb">
        <span>
          <b>Changed in the meantime</b> in {pathName(path)}
        </span>
      </p>
      {row(clash.mine, "yours")}
      {clash.theirs === null ? (
        <p className="why">The line is not there any more: it was closed, moved or forgotten.</p>
      ) : (
        row(clash.theirs, "theirs")
      )}
      {both === null ? null : row(both, "both")}
      <p className="acts">
        {both === null ? null : (
          <button type="button" className="act strong" onClick={() => keep(both)}>
            Keep both
          </button>
        )}
        <button type="button" className={both === null ? "act strong" : "act"} onClick={() => keep(clash.mine)}>
          Keep mine
        </button>
        <button type="button" className="act" onClick={leave}>
          Keep theirs
        </button>
        <button type="button" className="act" onClick={anew}>
          Write it anew
        </button>
      </p>
    </div>
  );
}
