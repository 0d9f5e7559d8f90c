// Entries with children, text and code inside them, edited by the app's own document edits on both sides: every entry
// stands once, under what it hung on, and what was inside an entry is still there.

import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument, serialiseDocument, type Document } from "../document.ts";
import { insertEntry, moveToHistory, moveToSection, removeEntries, replaceEntry } from "../edit-document.ts";
import { metaValue } from "../entry.ts";
import { rebase } from "../rebase.ts";

const RUNS = process.env["SOAK"] ? 20_000 : 300;

const shape = fc.array(fc.tuple(fc.nat(2), fc.nat(9)), { minLength: 2, maxLength: 14 });

function write(parts: readonly (readonly [number, number])[]): string {
  const lines = ["# T", ""];
  let depth = -1;
  parts.forEach(([deeper, extra], at) => {
    if (extra === 0 && at > 0) {
      lines.push("", `## S${at}`, "");
      depth = -1;
    }
    depth = deeper === 0 ? 0 : Math.min(depth + 1, depth + deeper - 1, 3);
    depth = Math.max(depth, 0);
    const lead = "  ".repeat(depth);
    lines.push(`${lead}- entry ${at} [id: b${String(at).padStart(3, "0")}]`);
    if (extra === 1) lines.push(`${lead}  detail of ${at}`);
    if (extra === 2) lines.push(`${lead}  \`\`\``, `${lead}  - code of ${at}`, `${lead}  \`\`\``);
    if (extra === 3) lines.push("");
  });
  return `${lines.join("\n")}\n`;
}

const operations = fc.array(fc.tuple(fc.nat(6), fc.nat(100), fc.nat(100)), { maxLength: 5 });

function edit(text: string, side: string, list: readonly (readonly [number, number, number])[]): string {
  let document = parseDocument(text);
  list.forEach(([kind, pick, other], at) => {
    const entry = document.entries[pick % Math.max(1, document.entries.length)];
    if (entry === undefined) return;
    const words = { text: `${side} ${at}`, meta: [["id", `${side}${String(at).padStart(3, "0")}`]] as const };
    if (kind === 0) document = insertEntry(document, words, { parent: entry.line }).document;
    else if (kind === 1) document = insertEntry(document, words, { section: entry.section }).document;
    else if (kind === 2) document = removeEntries(document, new Set([entry.line]));
    else if (kind === 3) document = moveToHistory(document, entry.line).document;
    else if (kind === 4)
      document = moveToSection(document, entry.line, document.headings[other % document.headings.length]?.text ?? null).document;
    else if (kind === 5) document = replaceEntry(document, entry.line, { text: `${entry.text} by ${side}` });
    else document = insertEntry(document, words, { section: `New ${other % 2}` }).document;
  });
  return serialiseDocument(document);
}

const idAt = (document: Document, line: number | null) => {
  const entry = document.entries.find((one) => one.line === line);
  return entry === undefined ? null : (metaValue(entry.meta, "id") ?? null);
};
const byId = (document: Document) => new Map(document.entries.map((entry) => [metaValue(entry.meta, "id") as string, entry]));

test("two sides edit one tree", () => {
  let added = 0;
  let conflictCount = 0;
  fc.assert(
    fc.property(shape, operations, operations, (parts, mineEdits, theirEdits) => {
      const base = write(parts);
      const [mine, theirs] = [edit(base, "m", mineEdits), edit(base, "t", theirEdits)];
      const { files, conflicts } = rebase(
        new Map([["a.md", base]]),
        new Map([["a.md", mine]]),
        new Map([["a.md", theirs]]),
        "2026-10-08",
      );
      const text = files.get("a.md") ?? "";
      const result = parseDocument(text);
      const standing = byId(result);
      expect(standing.size).toBe(result.entries.length);
      conflictCount += conflicts.length;
      const [before, m, t] = [base, mine, theirs].map((one) => parseDocument(one)) as [Document, Document, Document];
      const named = new Set(conflicts.map((one) => one.entry));
      for (const side of [m, t]) {
        for (const [id, entry] of byId(side)) {
          if (byId(before).has(id)) continue;
          added += 1;
          const now = standing.get(id);
          expect(now, `${id} in\n${text}`).toBeDefined();
          let above = entry.parent;
          while (above !== null && !standing.has(idAt(side, above) as string))
            above = side.entries.find((one) => one.line === above)?.parent ?? null;
          expect(idAt(result, now?.parent ?? null), `parent of ${id} in\n${text}`).toBe(idAt(side, above));
        }
      }
      for (const [id, entry] of byId(before)) {
        const [inMine, inTheirs] = [byId(m).get(id), byId(t).get(id)];
        if (inMine && inTheirs) expect(standing.has(id), `${id} in\n${text}`).toBe(true);
        else if (!named.has(id)) expect(standing.has(id), `${id} in\n${text}`).toBe(false);
        const says = standing.get(id)?.text;
        if (inMine && inTheirs && !named.has(id)) expect([inMine.text, inTheirs.text]).toContain(says);
        if (inMine && inTheirs && inMine.text !== entry.text && inTheirs.text !== entry.text)
          expect(named.has(id) || inMine.text === inTheirs.text).toBe(true);
      }
      if (conflicts.some((one) => one.entry === null)) return;
      const lines = (document: string) =>
        document
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => /^(?:detail|- code)/.test(line))
          .sort();
      expect(lines(text)).toEqual(lines(base));
    }),
    { numRuns: RUNS },
  );
  console.log(`${RUNS} pairs of edited trees: ${added} added entries at their place, ${conflictCount} conflicts`);
}, 3_600_000);
