// What a forget does to the files: which lines go, which lose a part, which files are left with nothing, which longer lines only a person can judge.
import { parseDocument, type Document } from "../../shared/document.ts";
import { removeEntries, replaceEntry } from "../../shared/edit-document.ts";
import type { Meta } from "../../shared/entry.ts";
import { findLinks } from "../../shared/links.ts";
import { isMarkdown } from "../../shared/paths.ts";
import { covers, type Fact } from "../../shared/tombstone.ts";
import type { MemoryContext } from "./context.ts";
import { Draft } from "./draft.ts";
import { cutPart, type Cut } from "./forget-cut.ts";
import { linking, subjectAt, type Found } from "./forget-find.ts";
import { judgeOf } from "./forget-judge.ts";
import { proseWords, standingEntries, standingProse, type ProseLine } from "./forget-memory.ts";
import type { Look } from "./forget-places.ts";
import { sentencesOf } from "./redact.ts";
import { currentByRids, type Version } from "./rows.ts";
import { matchFor, namesFor } from "./tombstone-key.ts";
import { linesOfVersions } from "./view.ts";

/** A fact that gets a tombstone. `version`: the line that it was, or from which it was cut. */
export interface ForgottenFact extends Fact {
  version: Version;
  /** Only a part of the line: the line stays, under its id. */
  part: boolean;
}

export interface ForgetPlan {
  facts: ForgottenFact[];
  /** Lines that go without a tombstone: they were nothing but a link to a file that goes. */
  links: Version[];
  /** Lines that lose a part: what is left of each. */
  cuts: Map<number, { version: Version; left: string }>;
  prose: ProseLine[];
  /** Files that go as a whole. */
  files: string[];
  /** Longer lines that state it, of which no sentence would be left. */
  candidates: Version[];
}

const SUBJECTS = /^(?:people|places|projects)\//;

/** Whether a line is nothing but a link. */
export function isLink(text: string): boolean {
  const links = findLinks(text);
  return links.length === 1 && /^\[\[[^[\]]*\]\][.\s]*$/.test(text.trim());
}

/** Plans a forget. Reads; writes nothing. */
export function planForget(ctx: MemoryContext, found: Found): ForgetPlan {
  const plan: ForgetPlan = {
    facts: [],
    links: [],
    cuts: new Map(),
    prose: [],
    files: [...found.files],
    candidates: [...found.candidates],
  };
  const taken = new Set<number>();
  const take = (version: Version) => {
    if (taken.has(version.rid)) return;
    taken.add(version.rid);
    if (isLink(version.text)) plan.links.push(version);
    else plan.facts.push({ text: version.text, subject: subjectAt(ctx, version.path), version, part: false });
  };
  for (const version of found.lines) {
    const subject = subjectAt(ctx, version.path);
    const cut: Cut =
      found.part === null
        ? { kind: "whole" }
        : cutPart(
            version.text,
            (sentence) =>
              covers({ text: found.part!, subject }, { text: sentence, subject }) ||
              covers({ text: found.part! }, { text: sentence, subject }),
          );
    lay(plan, version, subject, cut, take);
  }
  cascade(ctx, plan, taken, take);
  const gone = emptied(ctx, plan);
  plan.files.push(...gone.filter((path) => !plan.files.includes(path)));
  for (const version of linking(ctx, plan.files)) if (isLink(version.text)) take(version);
  plan.candidates = plan.candidates.filter(({ rid }) => !taken.has(rid));
  return plan;
}

function lay(plan: ForgetPlan, version: Version, subject: string | null, cut: Cut, take: (version: Version) => void): void {
  if (cut.kind === "whole") take(version);
  else if (cut.kind === "stuck") plan.candidates.push(version);
  else {
    plan.cuts.set(version.rid, { version, left: cut.left });
    plan.facts.push({ text: cut.gone, subject, version, part: true });
  }
}

/** A look for facts before they have a tombstone. */
export function lookFor(ctx: MemoryContext, facts: readonly Fact[]): Pick<Look, "judge" | "texts"> {
  const ring = ctx.keyring();
  const stones = facts.map((fact, at) => ({
    id: `f${at}`,
    match: matchFor(ring, fact, namesFor(ctx.sql, fact.text)),
    replaces: null,
  }));
  return { judge: judgeOf(ring, stones), texts: facts.map(({ text }) => text) };
}

/** The same facts wherever else they stand: in MEMORY.md, in another file, in a longer line, in prose. */
function cascade(ctx: MemoryContext, plan: ForgetPlan, taken: Set<number>, take: (version: Version) => void): void {
  if (plan.facts.length === 0) return;
  const look = { ...lookFor(ctx, plan.facts), cited: [], citedNotes: [], asked: null, touched: new Set<string>() };
  for (const version of standingEntries(ctx, look)) {
    if (taken.has(version.rid) || plan.cuts.has(version.rid)) continue;
    const subject = subjectAt(ctx, version.path);
    lay(
      plan,
      version,
      subject,
      cutPart(version.text, (sentence) => look.judge.states(sentence, subject)),
      take,
    );
  }
  const files = new Set(plan.files);
  plan.prose.push(...standingProse(ctx, look).filter(({ path }) => !files.has(path)));
}

const removedLines = (plan: ForgetPlan): Version[] => [
  ...plan.facts.filter(({ part }) => !part).map(({ version }) => version),
  ...plan.links,
];

/** Files about somebody or something that are left with their title and nothing else. */
function emptied(ctx: MemoryContext, plan: ForgetPlan): string[] {
  const paths = new Set(removedLines(plan).map(({ path }) => path));
  return [...paths].filter((path) => {
    if (!SUBJECTS.test(path) || plan.files.includes(path)) return false;
    const draft = new Draft(ctx);
    takeOut(ctx, draft, { ...plan, links: plan.links, files: [] }, path);
    const document = draft.document(path);
    return document !== null && document.lines.every(({ kind }) => kind === "heading" || kind === "blank");
  });
}

/** Takes the lines and parts of one file out of the draft. */
function takeOut(ctx: MemoryContext, draft: Draft, plan: ForgetPlan, path: string): void {
  let document = draft.document(path);
  if (!document) return;
  const gone = removedLines(plan).filter((version) => version.path === path);
  const cuts = [...plan.cuts.values()].filter(({ version }) => version.path === path);
  const lines = linesOfVersions(ctx, [...gone, ...cuts.map(({ version }) => version)], null);
  for (const { version, left } of cuts) document = replaceEntry(document, lines.get(version)!, { text: left });
  document = withoutProse(
    document,
    plan.prose.filter((line) => line.path === path),
    plan,
  );
  // Prose that goes leaves an empty line in its place until here, so that the numbers of the entries still hold.
  document = removeEntries(document, new Set(gone.map((version) => lines.get(version)!)), true);
  draft.put(path, document);
}

function withoutProse(document: Document, prose: readonly ProseLine[], plan: ForgetPlan): Document {
  if (prose.length === 0) return document;
  const at = new Map(prose.map((line) => [line.line, line]));
  const lines = document.lines.map((line, index) =>
    at.has(index + 1) ? { ...line, text: withoutSentences(line.text, plan) } : line,
  );
  return parseDocument(document.bom + lines.map(({ text, end }) => text + end).join(""));
}

/** A line of prose without the sentences that state one of the facts. */
function withoutSentences(text: string, plan: ForgetPlan): string {
  const words = proseWords(text);
  const lead = text.slice(0, text.length - text.trimStart().length + (text.trimStart().length - words.length));
  const kept = sentencesOf(words).filter(
    (sentence) =>
      !plan.facts.some(
        (fact) => covers(fact, { text: sentence.text, subject: fact.subject ?? null }) || covers(fact, { text: sentence.text }),
      ),
  );
  return kept.length === 0 ? "" : lead + kept.map((sentence) => sentence.text).join(" ");
}

/** Lays a plan on a draft: everything but the tombstones. */
export function layForget(ctx: MemoryContext, draft: Draft, plan: ForgetPlan): void {
  const files = new Set(plan.files);
  const paths = new Set([
    ...removedLines(plan).map(({ path }) => path),
    ...[...plan.cuts.values()].map(({ version }) => version.path),
    ...plan.prose.map(({ path }) => path),
  ]);
  for (const path of paths) {
    if (files.has(path)) continue;
    if (isMarkdown(path)) takeOut(ctx, draft, plan, path);
    else
      draft.put(
        path,
        draft
          .text(path)!
          .split("\n")
          .map((line, at) =>
            plan.prose.some((one) => one.path === path && one.line === at + 1) ? withoutSentences(line, plan) : line,
          )
          .join("\n"),
      );
  }
  for (const path of files) draft.put(path, null);
}

/** The sources that the lines of a plan cite. */
export function sourcesOf(plan: ForgetPlan): string[] {
  return [
    ...new Set(
      plan.facts.flatMap(({ version }) =>
        (JSON.parse(version.meta) as Meta).filter(([key]) => key === "source").map(([, value]) => value),
      ),
    ),
  ];
}

/** Lines that a plan takes away or shortens, as they stand. */
export function touchedLines(ctx: Pick<MemoryContext, "sql">, plan: ForgetPlan): Version[] {
  return currentByRids(ctx.sql, [
    ...new Set([...plan.facts.map(({ version }) => version.rid), ...plan.links.map(({ rid }) => rid)]),
  ]);
}
