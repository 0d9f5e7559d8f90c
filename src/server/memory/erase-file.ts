// What a file of an old commit becomes in an erase: the same bytes without the lines and sentences that state what is erased. Pure.
import { Buffer } from "node:buffer";
import { parseDocument, serialiseDocument, subjectOf } from "../../shared/document.ts";
import { removeEntries, replaceEntry } from "../../shared/edit-document.ts";
import { metaValue } from "../../shared/entry.ts";
import { findLinks } from "../../shared/links.ts";
import { isMarkdown } from "../../shared/paths.ts";
import { cutPart } from "./forget-cut.ts";
import type { Judge } from "./forget-judge.ts";
import { withoutPaths } from "./forget-json.ts";
import { proseWords } from "./forget-memory.ts";
import { isForgottenName } from "./gate-files.ts";
import { redactText, sentencesOf } from "./redact.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(data: Uint8Array): string | null {
  try {
    return utf8.decode(data);
  } catch {
    return null;
  }
}

/** The file without it: the same array where nothing changes, null where the file goes. */
export function eraseFile(path: string, data: Uint8Array, judge: Judge): Uint8Array | null {
  if (judge.paths.includes(path)) return null;
  if (isForgottenName(path)) return data;
  const text = textOf(data);
  if (text === null) return data;
  const next = isMarkdown(path) ? erasedDocument(path, text, judge) : erasedLines(text, judge);
  return next === text ? data : Buffer.from(next);
}

/** A line that is nothing but a link to a file that goes. */
function isLinkTo(text: string, paths: readonly string[]): boolean {
  if (paths.length === 0 || !/^\[\[[^[\]]*\]\][.\s]*$/.test(text.trim())) return false;
  return findLinks(text).some((link) =>
    paths.some((path) => path === link.path || path === `${link.path}.md` || path.endsWith(`/${link.path}.md`)),
  );
}

function erasedDocument(path: string, text: string, judge: Judge): string {
  const named =
    [...judge.ids].some((id) => text.includes(id)) || judge.paths.some((one) => text.includes(one.replace(/^.*\/|\.md$/g, "")));
  if (!named && !judge.mayState(text)) return text;
  let document = parseDocument(text);
  const subject = subjectOf(path, document);
  const states = (sentence: string) => judge.states(sentence, subject);
  const gone = new Set<number>();
  const parts = new Map<number, string>();
  for (const entry of document.entries) {
    const id = metaValue(entry.meta, "id");
    if ((id !== undefined && judge.ids.has(id)) || isLinkTo(entry.text, judge.paths)) gone.add(entry.line);
    else if (entry.text !== "" && states(entry.text)) {
      const cut = cutPart(entry.text, states);
      if (cut.kind === "cut") parts.set(entry.line, cut.left);
      else gone.add(entry.line);
    }
  }
  for (const [line, left] of parts) document = replaceEntry(document, line, { text: left });
  const lines = document.lines.map((line) => {
    if (line.kind === "entry" || line.kind === "blank") return line;
    const words = proseWords(line.text);
    if (words === "" || !sentencesOf(words).some((sentence) => states(sentence.text))) return line;
    const kept = sentencesOf(words).filter((sentence) => !states(sentence.text));
    return {
      ...line,
      text:
        kept.length === 0
          ? ""
          : line.text.slice(0, line.text.lastIndexOf(words)) + kept.map((sentence) => sentence.text).join(" "),
    };
  });
  if (lines.some((line, at) => line !== document.lines[at]))
    document = parseDocument(document.bom + lines.map((line) => line.text + line.end).join(""));
  if (gone.size > 0) document = removeEntries(document, gone, true);
  return serialiseDocument(document);
}

function erasedLines(text: string, judge: Judge): string {
  if (!judge.mayState(text)) return text;
  return text
    .split("\n")
    .map((line) =>
      sentencesOf(line).some((sentence) => judge.states(sentence.text))
        ? sentencesOf(line)
            .filter((sentence) => !judge.states(sentence.text))
            .map((sentence) => sentence.text)
            .join(" ")
        : line,
    )
    .join("\n");
}

/** A commit's message without it. */
export function eraseMessage(text: string, judge: Judge): string {
  const named = withoutPaths(text, judge.paths);
  return redactText(named, (sentence) => judge.states(sentence))?.text ?? named;
}
