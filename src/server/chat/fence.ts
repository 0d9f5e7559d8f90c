// Fences around text that is data and no instruction. What stands inside can neither close a fence nor open one. Pure.
import { untypedRanges } from "./spans.ts";

/** Names of our fences and of the roles that some models take for markup. */
const NAMES = "memory|recalled|pasted|source|file|summary|system|assistant|user|tool|developer|im_start|im_end|instructions?";
const TAG = new RegExp(String.raw`[<＜﹤‹](?=[\s/|\\]*(?:${NAMES})\b)`, "giu");
/** Control tokens of chat templates: <|im_start|>, [INST], <<SYS>>. */
const TEMPLATE = /<(?=\||<)|\[(?=\/?INST\])/gu;

/** Text whose tags of these names are no tags any more: `<` becomes `‹`. All else stays as it is. */
export function escapeTags(text: string): string {
  return text.replace(TAG, "‹").replace(TEMPLATE, (sign) => (sign === "[" ? "⟦" : "‹"));
}

/** One line of a fence: no line breaks, no tags. */
export function fenceLine(text: string): string {
  return escapeTags(text.replace(/[\r\n\u0085\u2028\u2029]+/g, " ")).trim();
}

/** The user's message as the prompt holds it: what was not typed stands between `<pasted>` and `</pasted>`. */
export function fencedMessage(text: string, pasted: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [from, to] of untypedRanges(text, pasted)) {
    parts.push(escapeTags(text.slice(at, from)), "<pasted>", escapeTags(text.slice(from, to)), "</pasted>");
    // A block's last line end belongs behind the fence, so that typed text starts on its own line.
    if (text[to - 1] === "\n") parts.push("\n");
    at = to;
  }
  parts.push(escapeTags(text.slice(at)));
  return parts.join("");
}
