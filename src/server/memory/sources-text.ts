// A source as a file of Markdown: the cited messages of a conversation under an anchor each, or a note. Pure.
import { Buffer } from "node:buffer";
import type { MessageRow } from "./transcripts.ts";
import type { NoteRow } from "./notes.ts";

/** Bytes of one such file: what a pack object may have elsewhere, and more than anybody reads. */
export const SOURCE_FILE_MAX_BYTES = 1024 * 1024;

/** The message numbers behind `#m9`, in their order; other anchors (of imports by other hands) stand behind them as they are. */
export function sortParts(parts: readonly string[]): string[] {
  const numberOf = (part: string) => (/^m[1-9]\d{0,6}$/.test(part) ? Number(part.slice(1)) : Number.MAX_SAFE_INTEGER);
  return [...parts].sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1));
}

/** A line of a quotation. Quoted, a text can neither end its place nor make an anchor of its own. */
function quote(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The instant as the person's clock showed it. */
function clock(at: number, zone: string): string {
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    }).format(at);
  try {
    return `${format(zone)} (${zone})`;
  } catch {
    return `${format("UTC")} (UTC)`;
  }
}

const GONE = "This message is not here: it was deleted, or it was never part of this memory.";

/** One conversation. `messages` maps each cited anchor to its message, or to null where there is none. */
export function conversationFile(
  title: string | null,
  messages: ReadonlyMap<string, Pick<MessageRow, "role" | "text" | "at" | "zone"> | null>,
): string {
  const parts = [`# ${(title === null ? "" : oneLine(title)) || "Conversation"}\n`];
  let bytes = 0;
  for (const [part, message] of messages) {
    const body =
      message === null
        ? GONE
        : `${message.role === "user" ? "User" : "Assistant"}, ${clock(message.at, message.zone)}:\n\n${quote(message.text)}`;
    bytes += Buffer.byteLength(body);
    parts.push(
      `\n## ${part}\n\n${bytes > SOURCE_FILE_MAX_BYTES ? "Left out: this conversation is too long for one file." : body}\n`,
    );
  }
  return parts.join("");
}

/** One note; null = it was deleted. */
export function noteFile(note: Pick<NoteRow, "title" | "text"> | null): string {
  if (note === null) return "# Note\n\nThis note is not here: it was deleted, or it was never part of this memory.\n";
  const text = note.text.replace(/\r\n?/g, "\n").replace(/\n*$/, "\n");
  return `# ${oneLine(note.title) || "Note"}\n\n${text}`;
}
