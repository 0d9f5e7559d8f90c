// One conversation as Markdown, to copy or to keep. Pure but for the two doors at the end.
import type { MessageView } from "../../shared/protocol.ts";
import { stamp } from "../lib/dates.ts";

/** The conversation as a Markdown file. */
export function threadMarkdown(title: string, items: readonly MessageView[]): string {
  const turns = items.map((one) => `**${one.role === "user" ? "You" : "Reverie"}**, ${stamp(one.at)}\n\n${one.text}`);
  return `# ${title}\n\n${turns.join("\n\n")}\n`;
}

/** Hands a text to the reader as a file. */
export function download(name: string, text: string, type = "text/markdown"): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A title as the name of a file. */
export function fileNameOf(title: string): string {
  return (
    title
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "conversation"
  ).toLowerCase();
}
