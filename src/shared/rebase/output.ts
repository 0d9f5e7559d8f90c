// The lines of a merged file, their bytes, and the proof that they read as what they are meant to be.

import { BlockReader } from "../blocks.ts";
import { readLines, type DocumentLine } from "../document.ts";
import type { EntryNode } from "./nodes.ts";
import { changedBy, sameValue, type FilePlan } from "./plan.ts";
import type { FileVersion, Item } from "./read.ts";

/** A line of the result with the blank lines above it. */
export interface Out {
  kind: Item["kind"];
  text: string;
  end: DocumentLine["end"];
  lead: readonly { text: string; end: DocumentLine["end"] }[];
  node: EntryNode | null;
}

/** What a line is meant to be. */
type Kind = Item["kind"] | "blank";

/** The version of a file whose way counts for something that belongs to the whole of it. */
function versionBy<T>(plan: FilePlan, of: (version: FileVersion) => T): FileVersion | null {
  const { base, mine, theirs } = plan.versions;
  if (mine === null || theirs === null) return theirs ?? mine;
  if (base === null) return theirs;
  return changedBy(of(base), of(mine), of(theirs), sameValue) === "mine" ? mine : theirs;
}

/** The usual line end of the merged file. */
export function usualEnd(plan: FilePlan): "\n" | "\r\n" {
  return versionBy(plan, (version) => version.end)?.end ?? "\n";
}

/** A line's end in the merged file: the usual one of the version that it comes from becomes the usual one here. */
export function endIn(plan: FilePlan, line: DocumentLine, from: FileVersion): DocumentLine["end"] {
  return line.end === "" || line.end === from.end ? usualEnd(plan) : line.end;
}

/** The bytes of the lines, with what the file's end and start are like. */
export function bytesOf(plan: FilePlan, outs: readonly Out[]): { text: string; kinds: Kind[] } {
  const flat: { text: string; end: string }[] = [];
  const kinds: Kind[] = [];
  const add = (line: { text: string; end: string }, kind: Kind) => {
    flat.push(line);
    kinds.push(kind);
  };
  for (const out of outs) {
    for (const blank of out.lead) add(blank, "blank");
    add(out, out.kind);
  }
  const tail = versionBy(plan, (version) => version.tail.length);
  for (const line of tail?.tail ?? []) add({ text: line.text, end: endIn(plan, line, tail as FileVersion) }, "blank");
  const closed = versionBy(plan, (version) => version.closed)?.closed ?? true;
  const last = flat[flat.length - 1];
  if (last !== undefined && !closed) flat[flat.length - 1] = { text: last.text, end: "" };
  const bom = versionBy(plan, (version) => version.bom)?.bom ?? "";
  return { text: bom + flat.map((line) => line.text + line.end).join(""), kinds };
}

/** Indexes of the lines that do not read as what they are. */
export function misread(text: string, kinds: readonly Kind[]): number[] {
  const wrong: number[] = [];
  readLines(text).lines.forEach((line, at) => {
    const wanted = kinds[at];
    const is = line.kind === "entry" || line.kind === "heading" ? line.kind : "prose";
    if (wanted === "blank" ? is !== "prose" : is !== wanted) wrong.push(at);
  });
  return wrong;
}

/** Closes code that would swallow a heading or an entry behind it. */
export function withClosedCode(outs: readonly Out[], end: DocumentLine["end"]): Out[] {
  const result: Out[] = [];
  const reader = new BlockReader();
  let number = 0;
  const read = (text: string) => reader.next(text, (number += 1));
  for (const out of outs) {
    const mark = reader.openMark;
    if (mark !== null && out.kind !== "prose") {
      const trial = reader.copy();
      for (const blank of out.lead) trial.next(blank.text, 0);
      if (trial.next(out.text, 0) === "fence") {
        read(mark);
        result.push({ kind: "prose", text: mark, end, lead: [], node: null });
      }
    }
    for (const blank of out.lead) read(blank.text);
    read(out.text);
    result.push(out);
  }
  return result;
}
