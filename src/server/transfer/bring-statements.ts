// Brings a list of statements in: what is new stands in files by source and day, in one commit; the rest is told with its reason.
import { parseDocument, serialiseDocument, type Document } from "../../shared/document.ts";
import { newDocument } from "../../shared/edit-document.ts";
import { normalText } from "../../shared/normal.ts";
import type { Outcome } from "../../shared/protocol.ts";
import { dayIn } from "../../shared/zone.ts";
import { headOf, type MemoryContext } from "../memory/context.ts";
import { newDocumentTitle } from "../memory/new-file.ts";
import { documentAt, standingPath, textAt } from "./documents-at.ts";
import { landFiles } from "./land.ts";
import { addLines } from "./lay.ts";
import { screen } from "./screen.ts";
import { citedNumbers, standingStatement } from "./standing.ts";
import { homesFor, lineOf, readStatements, type Statement } from "./statements.ts";
import type { Tally } from "./tally.ts";

export interface BringRequest {
  id: string;
  items: readonly unknown[];
  at: number;
  zone: string;
  apply: boolean;
}

/** The statements that are new here; what stands already is told. */
function freshOnes(ctx: MemoryContext, id: string, statements: readonly Statement[], tally: Tally): Statement[] {
  const cited = citedNumbers(ctx, id);
  const seen = new Set<string>();
  return statements.filter((statement) => {
    const { n, text, scope, on, slot, since, saidOn } = statement;
    const path = statement.path === null ? "imported.md" : standingPath(ctx, statement.path);
    const key = [
      normalText(text),
      path.startsWith("imported") ? "" : path,
      scope,
      on,
      slot === null ? "" : (since ?? saidOn),
    ].join("\n");
    const standing = cited.has(n) ? null : standingStatement(ctx, { text, path, scope, on, slot, since, saidOn });
    if (!cited.has(n) && standing === null && !seen.has(key)) {
      seen.add(key);
      return true;
    }
    const why = cited.has(n)
      ? "It was imported before."
      : standing
        ? `It stands in ${standing.path}.`
        : "The list says it already, further up.";
    tally.add({ n, what: "statement", fate: "duplicate", name: text, why, path: standing?.path ?? null });
    return false;
  });
}

/** Previews or lands a list. What is held back is told line by line; the rest lands in one commit or, where the gate refuses, not at all. */
export function bringStatements(ctx: MemoryContext, { id, items, at, zone, apply }: BringRequest, tally: Tally): Outcome {
  const today = dayIn(at, zone);
  const { statements, refused } = readStatements(items, today, zone);
  for (const { n, text, why } of refused) tally.add({ n, what: "statement", fate: "refused", name: text, why });
  const fresh = freshOnes(ctx, id, statements, tally);
  const homeless = fresh.filter(({ path }) => path === null);
  const homeAt = homesFor(homeless.length, id);
  const homes = new Map(homeless.map((statement, index) => [statement, homeAt(index)]));
  const byPath = new Map<string, Statement[]>();
  for (const statement of fresh) {
    const path = standingPath(ctx, homes.get(statement) ?? statement.path!);
    byPath.set(path, [...(byPath.get(path) ?? []), statement]);
  }
  const files = new Map<string, string>();
  const stones: string[] = [];
  const used = new Set<string>();
  const newId = (): string => {
    for (;;) {
      const one = ctx.randomId();
      if (used.has(one) || ctx.sql.exec("SELECT 1 FROM ids WHERE id = ?", one).toArray().length > 0) continue;
      used.add(one);
      return one;
    }
  };
  for (const [path, list] of byPath) {
    const lines = linesBySection(list, (statement) => lineOf(statement, newId(), `import/${id}#${statement.n}`));
    const before = textAt(ctx, path);
    const document = documentAt(ctx, path) ?? newFileFor(path, id, today);
    const after = serialiseDocument(addLines(document, lines));
    const screened = screen(ctx, path, before, after, id);
    const out = new Map(screened.held.map((held) => [held.n, held]));
    const whole = screened.text === null ? screened.held[0]! : null;
    for (const { n, text } of list) {
      const held = whole ?? out.get(n);
      if (held) stones.push(...held.stones);
      tally.add({ n, what: "statement", fate: held?.fate ?? "lands", name: text, why: held?.why ?? null, path });
    }
    const landing = list.some(({ n }) => !out.has(n));
    if (screened.text !== null && landing) files.set(path, screened.text);
  }
  tally.counts.files = files.size;
  return landFiles(ctx, { id, files, base: headOf(ctx), at, zone, apply, stones });
}

/** A file for statements without a place of their own says when they came. */
function newFileFor(path: string, id: string, today: string): Document {
  return path.startsWith(`imported/${id}`) ? parseDocument(`# Imported on ${today}\n`) : newDocument(newDocumentTitle(path));
}

function linesBySection(list: readonly Statement[], line: (statement: Statement) => string) {
  const sections = new Map<string | null, string[]>();
  for (const statement of list) {
    const lines = sections.get(statement.section) ?? [];
    lines.push(line(statement));
    sections.set(statement.section, lines);
  }
  return [...sections].map(([section, lines]) => ({ section, lines }));
}
