// What an import says about itself, in sentences. Pure.
import type { ImportItem, ImportView } from "../../shared/protocol.ts";
import { count, listed, sentence } from "../lib/words.ts";

/** Lines of a pasted list: one fact each, without the marks of other programs. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "").trim())
    .filter((line) => line !== "");
}

/** What would land, as a noun: `412 lines in nine files and 38 conversations`. Empty where nothing would. */
export function landing({ counts, kind }: ImportView): string {
  const { lands, files, conversations, messages, notes, calls } = counts;
  const parts: string[] = [];
  if (kind === "statements" && lands > 0) parts.push(count(lands, "line"));
  else if (files > 0) parts.push(count(files, "file"));
  if (conversations > 0) parts.push(`${count(conversations, "conversation")} with ${count(messages, "message")}`);
  if (notes > 0) parts.push(count(notes, "note"));
  if (calls > 0) parts.push(count(calls, "model call"));
  return listed(parts);
}

/** The sentences under the first one: what stands here, what is held back, what was replaced. */
export function remarks({ counts, kind, deadTombstones }: ImportView): string[] {
  const part = kind === "statements" ? "line" : "part";
  const { duplicates, forgotten, secrets, refused, skipped, redacted } = counts;
  const said: string[] = [];
  if (duplicates > 0) said.push(`${sentence(count(duplicates, part))} ${duplicates === 1 ? "stands" : "stand"} here already.`);
  if (forgotten > 0)
    said.push(
      `${sentence(count(forgotten, "line"))} ${forgotten === 1 ? "says" : "say"} what you asked to forget, and ${forgotten === 1 ? "stays" : "stay"} out.`,
    );
  if (secrets > 0)
    said.push(
      `${sentence(count(secrets, "line"))} ${secrets === 1 ? "holds" : "hold"} a secret, and ${secrets === 1 ? "stays" : "stay"} out.`,
    );
  if (refused > 0) said.push(`${sentence(count(refused, part))} cannot be kept as ${refused === 1 ? "it is" : "they are"}.`);
  if (redacted > 0) said.push(`In ${count(redacted, "message")} words are replaced: secrets, or what you asked to forget.`);
  if (skipped > 0)
    said.push(
      `${sentence(count(skipped, "file"))} ${skipped === 1 ? "is" : "are"} no text, and ${skipped === 1 ? "is" : "are"} left out.`,
    );
  if (deadTombstones.length > 0)
    said.push(
      `${sentence(count(deadTombstones.length, "tombstone"))} came without ${deadTombstones.length === 1 ? "its" : "their"} key, and ${deadTombstones.length === 1 ? "keeps" : "keep"} nothing out: bring the archive again with its passphrase to wake ${deadTombstones.length === 1 ? "it" : "them"}.`,
    );
  return said;
}

/** How a part is marked: its bullet and the word before it for those who do not see it. */
export function stateOf({ fate }: ImportItem): { state: "open" | "held" | "wrong" | "past"; word: string } {
  if (fate === "lands") return { state: "open", word: "would be kept" };
  if (fate === "forgotten" || fate === "secret") return { state: "held", word: "held back" };
  if (fate === "refused") return { state: "wrong", word: "not kept" };
  return { state: "past", word: "here already" };
}
