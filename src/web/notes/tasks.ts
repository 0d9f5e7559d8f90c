// Task lists in Markdown: the n-th box of a text, set or cleared. Pure.
import { parseDocument } from "../../shared/document.ts";

const TASK = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(\](?:\s|$))/;

/** The text with its n-th task (from 0) turned; boxes in code do not count. */
export function toggleTask(text: string, n: number): string {
  const { lines, bom } = parseDocument(text);
  let at = -1;
  return (
    bom +
    lines
      .map((line) => {
        if (line.kind === "fence" || line.kind === "front" || !TASK.test(line.text)) return line.text + line.end;
        at += 1;
        return (
          (at === n
            ? line.text.replace(
                TASK,
                (_, open: string, mark: string, close: string) => `${open}${mark === " " ? "x" : " "}${close}`,
              )
            : line.text) + line.end
        );
      })
      .join("")
  );
}
