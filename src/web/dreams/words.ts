// What a dream says of itself on the screens. Pure.
import type { DreamChange, DreamEstimate, DreamView } from "../../shared/protocol.ts";
import { pathName } from "../lib/paths.ts";
import { count, dollars, figures, inProse, inWords, listed, sentence } from "../lib/words.ts";

/** Title of a dream: its summary without the full stop, or what it is doing. */
export function dreamTitle(dream: DreamView): string {
  if (dream.status === "queued" || dream.status === "running") return "Dreaming";
  if (dream.status === "failed") return "It did not end";
  if (dream.status === "cancelled") return "Stopped";
  if (dream.status === "nothing") return "Nothing to change";
  const summary = dream.summary.trim().replace(/\.$/, "");
  if (summary !== "") return inProse(summary);
  return dream.status === "proposed" ? "Waits for you" : "Put in order";
}

/** `+1 ~2 –2 ›1` of a dream. */
export function dreamSigns({ counts }: DreamView): string {
  const parts = [
    ["+", counts.added],
    ["~", counts.merged],
    ["–", counts.closed],
    ["›", counts.moved],
  ] as const;
  return parts.flatMap(([sign, n]) => (n > 0 ? [`${sign}${n}`] : [])).join(" ") || "0";
}

/** The same in words. */
export function dreamWords({ counts }: DreamView): string {
  const parts = [
    ["added", counts.added],
    ["joined", counts.merged],
    ["closed", counts.closed],
    ["moved", counts.moved],
  ] as const;
  return parts.flatMap(([word, n]) => (n > 0 ? [`${n} ${word}`] : [])).join(", ") || "nothing changed";
}

/** The sentence under the title of a report: where it was, and what was held back. */
export function reportSentence(dream: DreamView, changes: readonly DreamChange[]): string {
  const landed = changes.filter((one) => one.status === "landed" || one.status === "accepted");
  const files = [...new Set(landed.map((one) => pathName(one.change.path)))];
  const shown = files.length > 4 ? [...files.slice(0, 3), `${inWords(files.length - 3)} other files`] : files;
  const where = files.length === 0 ? "No line was changed." : `In ${listed(shown)}.`;
  const held = dream.counts.heldBack;
  return held > 0 ? `${where} ${sentence(inWords(held))} held back.` : where;
}

/** What a dream would read and about what that costs: `6 messages wait, about $0.004`. */
export function estimateText(estimate: DreamEstimate): string {
  const { messages, notes, usd } = estimate;
  if (messages + notes === 0)
    return "Nothing new waits. A dream would only look for doubles and lapsed dates, which costs nothing.";
  const parts = [messages > 0 ? figures(messages, "message") : "", notes > 0 ? figures(notes, "note") : ""]
    .filter(Boolean)
    .join(" and ");
  const verb = messages + notes === 1 ? "waits" : "wait";
  return `${parts} ${verb}, ${usd === null ? "at a price that is not known" : usd === 0 ? "at no cost" : `about ${dollars(usd)}`}`;
}

/** What was given up on for now. */
export function asideText(n: number): string {
  return n === 1
    ? "One message was set aside: three dreams could not read it."
    : `${sentence(inWords(n))} messages were set aside: three dreams could not read them.`;
}

/** What is being read, as a sentence. */
export function readingSentence(dream: DreamView): string {
  if (dream.status === "queued") return "It begins in a moment.";
  const what =
    dream.inbox === 0
      ? "Looking through the memory for doubles and lapsed dates."
      : `Reading ${count(dream.inbox, "message or note", "messages and notes")}.`;
  return `${what} Nothing is written until it has ended.`;
}
