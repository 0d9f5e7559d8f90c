// Two pencils: words that came are underlined in blue, words that went are struck; the rest stands as it is.
import { diffWordsWithSpace } from "diff";
import { Line } from "../markdown/Markdown.tsx";

/** Above this share of changed words a diff is noise: the old line is struck whole and the new one stands behind it. */
const REWRITTEN_SHARE = 0.75;

export interface Piece {
  text: string;
  kind: "same" | "added" | "struck";
}

/** Whether so little is left of a text that the other is a new sentence. */
export function isRewritten(before: string, after: string): boolean {
  return wordPieces(before, after).every((piece) => piece.kind !== "same" || piece.text.trim() === "");
}

/** The words of both texts, in reading order, struck before added; neighbouring changes are joined over a single space. */
export function wordPieces(before: string, after: string): Piece[] {
  const parts = diffWordsWithSpace(before, after);
  const changed = parts.filter((part) => part.added || part.removed).reduce((sum, part) => sum + part.value.length, 0);
  if (changed > REWRITTEN_SHARE * (before.length + after.length)) {
    return [{ text: before, kind: "struck" }, { text: " ", kind: "same" }, { text: after, kind: "added" }];
  }
  const pieces: Piece[] = [];
  let struck = "";
  let added = "";
  const flush = () => {
    if (struck) pieces.push({ text: struck, kind: "struck" });
    if (struck && added && !/\s$/.test(struck) && !/^\s/.test(added)) pieces.push({ text: " ", kind: "same" });
    if (added) pieces.push({ text: added, kind: "added" });
    struck = "";
    added = "";
  };
  parts.forEach((part, at) => {
    if (part.removed) struck += part.value;
    else if (part.added) added += part.value;
    else {
      const next = parts[at + 1];
      // One blank between two changed words belongs to the change: "a b" to "c d" is one stroke, not two.
      if (/^\s+$/.test(part.value) && (struck || added) && next && (next.added || next.removed)) {
        struck += struck ? part.value : "";
        added += added ? part.value : "";
        return;
      }
      flush();
      pieces.push({ text: part.value, kind: "same" });
    }
  });
  flush();
  return pieces;
}

export function WordDiff({ before, after }: { before: string; after: string }) {
  if (before === after) return <Line text={after} />;
  return (
    <>
      {wordPieces(before, after).map((piece, at) => {
        if (piece.kind === "same") return <span key={at}>{piece.text}</span>;
        const lead = /^\s*/.exec(piece.text)?.[0] ?? "";
        const tail = /\s*$/.exec(piece.text)?.[0] ?? "";
        const words = piece.text.trim();
        if (words === "") return <span key={at}>{piece.text}</span>;
        return (
          <span key={at}>
            {lead}
            {piece.kind === "added" ? (
              <ins>
                <span className="sr">added </span>
                {words}
              </ins>
            ) : (
              <del>
                <span className="sr">struck </span>
                {words}
              </del>
            )}
            {tail}
          </span>
        );
      })}
    </>
  );
}
