// Two pencils: words that came are underlined in blue, words that went are struck; the rest stands as it is.
import { diffWordsWithSpace } from "diff";
import { Line } from "../markdown/Markdown.tsx";

/** Unchanged words between two changes that are so few belong to the change, once a line has SHREDS changes: shreds cannot be read. */
const ISLAND_WORDS = 2;
const SHREDS = 3;
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

type Segment = { same: string } | { struck: string; added: string };

function segmentsOf(parts: ReturnType<typeof diffWordsWithSpace>): Segment[] {
  const segments: Segment[] = [];
  for (const part of parts) {
    const last = segments[segments.length - 1];
    if (!part.added && !part.removed) segments.push({ same: part.value });
    else if (last && "struck" in last) {
      if (part.removed) last.struck += part.value;
      else last.added += part.value;
    } else segments.push({ struck: part.removed ? part.value : "", added: part.added ? part.value : "" });
  }
  return segments;
}

/** Changes with hardly anything between them become one. */
function joined(segments: Segment[], islandWords: number): Segment[] {
  const out: Segment[] = [];
  segments.forEach((segment, at) => {
    const last = out[out.length - 1];
    if ("same" in segment) {
      const words = segment.same.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
      if (last && "struck" in last && at < segments.length - 1 && words <= islandWords) {
        last.struck += segment.same;
        last.added += segment.same;
      } else out.push(segment);
    } else if (last && "struck" in last) {
      last.struck += segment.struck;
      last.added += segment.added;
    } else out.push({ ...segment });
  });
  return out;
}

/** The words of both texts, in reading order, struck before added. What is not struck is the text after, what is not added the one before. */
export function wordPieces(before: string, after: string): Piece[] {
  const parts = diffWordsWithSpace(before, after);
  const changed = parts.filter((part) => part.added || part.removed).reduce((sum, part) => sum + part.value.length, 0);
  if (changed > REWRITTEN_SHARE * (before.length + after.length)) {
    return [
      { text: before, kind: "struck" },
      { text: " ", kind: "same" },
      { text: after, kind: "added" },
    ];
  }
  const segments = segmentsOf(parts);
  const shreds = segments.filter((segment) => "struck" in segment).length >= SHREDS;
  return joined(segments, shreds ? ISLAND_WORDS : 0).flatMap((segment): Piece[] => {
    if ("same" in segment) return [{ text: segment.same, kind: "same" }];
    const { struck, added } = segment;
    const gap = struck !== "" && added !== "" && !/\s$/.test(struck) && !/^\s/.test(added);
    return [
      ...(struck ? [{ text: struck, kind: "struck" } as const] : []),
      ...(gap ? [{ text: " ", kind: "same" } as const] : []),
      ...(added ? [{ text: added, kind: "added" } as const] : []),
    ];
  });
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
