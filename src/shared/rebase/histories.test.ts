// Random histories of three writers: what stands in the files at the end is what a plain set of entries, merged by the
// stated rules, says.

import { expect, test } from "vitest";
import { parseDocument } from "../document.ts";
import { metaValue, metaValues } from "../entry.ts";
import { rebase, type FileSet } from "../rebase.ts";

const TODAY = "2026-10-08";
const SEEDS = Number(process.env["SEEDS"] ?? (process.env["SOAK"] ? 100 : 3));
const OPERATIONS = Number(process.env["OPERATIONS"] ?? (process.env["SOAK"] ? 10_000 : 600));

interface Fact {
  file: string;
  section: string;
  text: string;
  since: string;
  sources: string[];
  closed: string;
  /** Lines without an id are named by their text. */
  bare: boolean;
}
type Model = Map<string, Fact>;

/** mulberry32: small, seeded, good enough to pick operations. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const FILES = ["MEMORY.md", "people/a.md", "people/b.md", "projects/c.md"];
const SECTIONS = ["", "Work", "Home"];
const SECTION_ORDER = ["", "Work", "Home", "History"];

function lineOf(name: string, fact: Fact): string {
  const pairs = [
    ...(fact.bare ? [] : [`id: ${name}`]),
    ...fact.sources.map((source) => `source: ${source}`),
    ...(fact.since ? [`since: ${fact.since}`] : []),
    ...(fact.closed ? [`closed: ${fact.closed}`, "why: changed"] : []),
  ];
  return `- ${fact.text}${pairs.length > 0 ? ` [${pairs.join("; ")}]` : ""}`;
}

/** Files as a writer would leave them: History and files without entries are not there. */
function write(model: Model, forgotten: ReadonlySet<string>): FileSet {
  const files = new Map<string, string>();
  for (const file of FILES) {
    const facts = [...model].filter(([, fact]) => fact.file === file);
    if (facts.length === 0) continue;
    const parts = SECTION_ORDER.flatMap((section) => {
      const lines = facts.filter(([, fact]) => fact.section === section).map(([name, fact]) => lineOf(name, fact));
      if (lines.length === 0) return section === "" || section === "History" ? [] : [`## ${section}`];
      return section === "" ? [lines.join("\n")] : [`## ${section}`, lines.join("\n")];
    });
    files.set(file, `${[`# ${file}`, ...parts].join("\n\n")}\n`);
  }
  if (forgotten.size > 0) {
    const stones = [...forgotten].map(
      (name) => `- (forgotten) [id: t${name}; removed: ${TODAY}; match: k1.00; replaces: ${name}]`,
    );
    files.set("forgotten.md", `# Forgotten\n\n${stones.join("\n")}\n`);
  }
  return files;
}

function read(files: FileSet): { facts: Map<string, string>; count: number } {
  const facts = new Map<string, string>();
  let count = 0;
  for (const [path, text] of files) {
    if (path === "forgotten.md") continue;
    const document = parseDocument(text);
    for (const entry of document.entries) {
      count += 1;
      const section = entry.section === document.title ? "" : entry.section;
      const name = metaValue(entry.meta, "id") ?? `text:${entry.text}`;
      facts.set(
        name,
        JSON.stringify([
          path,
          section,
          entry.text,
          metaValue(entry.meta, "since") ?? "",
          metaValues(entry.meta, "source").sort(),
          metaValue(entry.meta, "closed") ?? "",
        ]),
      );
    }
  }
  return { facts, count };
}

function shown(model: Model): Map<string, string> {
  return new Map(
    [...model].map(([name, fact]) => [
      fact.bare ? `text:${fact.text}` : name,
      JSON.stringify([fact.file, fact.section, fact.text, fact.since, [...fact.sources].sort(), fact.closed]),
    ]),
  );
}

/** The rules, said once more, over plain facts. */
function mergeModels(
  base: Model,
  mine: Model,
  theirs: Model,
  forgotten: ReadonlySet<string>,
): { model: Model; conflicts: Set<string> } {
  const model: Model = new Map();
  const conflicts = new Set<string>();
  for (const name of new Set([...base.keys(), ...theirs.keys(), ...mine.keys()])) {
    if (forgotten.has(name)) continue;
    const [b, m, t] = [base.get(name), mine.get(name), theirs.get(name)];
    if (b === undefined || (m === undefined && t === undefined)) {
      const fact = t ?? m;
      if (b === undefined && fact !== undefined) model.set(name, fact);
      continue;
    }
    const says = (fact: Fact) => JSON.stringify([fact.text, fact.since, [...fact.sources], fact.closed]);
    if (m === undefined || t === undefined) {
      const kept = (m ?? t) as Fact;
      if (says(kept) !== says(b)) {
        conflicts.add(name);
        if (t !== undefined) model.set(name, t);
      }
      continue;
    }
    const merged = { ...t };
    let clash = false;
    for (const key of ["text", "since", "closed"] as const) {
      if (m[key] === b[key] || m[key] === t[key]) continue;
      if (t[key] === b[key]) merged[key] = m[key];
      else clash = true;
    }
    merged.sources = [
      ...t.sources.filter((one) => !b.sources.includes(one) || m.sources.includes(one)),
      ...m.sources.filter((one) => !b.sources.includes(one) && !t.sources.includes(one)),
    ];
    const result: Fact = clash ? { ...t } : merged;
    const moved = (fact: Fact) => fact.file !== b.file || fact.section !== b.section;
    const towards = clash && (m.section === "History") !== (t.section === "History") ? t : moved(t) ? t : m;
    result.file = towards.file;
    result.section = towards.section;
    if (moved(m) && moved(t) && result.closed !== "") result.section = "History";
    if (clash) conflicts.add(name);
    model.set(name, result);
  }
  return { model, conflicts };
}

interface Writer {
  base: { model: Model; forgotten: Set<string> };
  model: Model;
  forgotten: Set<string>;
}

function run(seed: number): { landings: number; conflicts: number } {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let counter = 0;
  const head = { model: new Map() as Model, forgotten: new Set<string>() };
  const snapshot = () => ({ model: new Map(head.model), forgotten: new Set(head.forgotten) });
  const writers = [0, 1, 2].map((): Writer => ({ base: snapshot(), ...snapshot() }));
  let landings = 0;
  let conflictCount = 0;

  const operate = (writer: Writer): void => {
    const { model } = writer;
    const name = model.size > 0 ? pick([...model.keys()]) : "";
    const fact = model.get(name);
    const kind = random();
    counter += 1;
    if (fact === undefined || kind < (model.size > 120 ? 0.1 : 0.35)) {
      const bare = random() < 0.15;
      const key = bare ? `bare ${seed} ${counter}` : `k${counter.toString(36).padStart(6, "0")}`;
      model.set(key, {
        file: pick(FILES),
        section: pick(SECTIONS),
        text: bare ? key : `Fact ${counter}`,
        since: "",
        sources: [`note/n${counter}`],
        closed: "",
        bare,
      });
    } else if (kind < 0.5) {
      if (!fact.bare) model.set(name, { ...fact, text: `${fact.text.split(",")[0]}, edit ${counter}` });
    } else if (kind < 0.6) {
      model.set(name, { ...fact, since: `20${10 + Math.floor(random() * 15)}` });
    } else if (kind < 0.67) {
      model.set(name, { ...fact, sources: random() < 0.5 ? [...fact.sources, `note/s${counter}`] : fact.sources.slice(1) });
    } else if (kind < 0.77) {
      model.delete(name);
    } else if (kind < 0.87) {
      model.set(name, { ...fact, file: pick(FILES), section: fact.closed ? "History" : pick(SECTIONS) });
    } else if (kind < 0.985) {
      if (!fact.closed) model.set(name, { ...fact, closed: `2026-0${1 + Math.floor(random() * 9)}-01`, section: "History" });
      else model.set(name, { ...fact, closed: "", section: pick(SECTIONS) });
    } else if (!fact.bare) {
      model.delete(name);
      writer.forgotten.add(name);
    }
  };

  const land = (writer: Writer): void => {
    const forgotten = new Set([...head.forgotten, ...writer.forgotten]);
    const { model, conflicts } = mergeModels(writer.base.model, writer.model, head.model, forgotten);
    const result = rebase(
      write(writer.base.model, writer.base.forgotten),
      write(writer.model, writer.forgotten),
      write(head.model, head.forgotten),
      TODAY,
    );
    const got = read(result.files);
    expect(Object.fromEntries(got.facts)).toEqual(Object.fromEntries(shown(model)));
    expect(got.count).toBe(model.size);
    expect(new Set(result.conflicts.filter((one) => one.entry !== null).map((one) => one.entry))).toEqual(
      new Set(
        [...conflicts].map((name) =>
          (model.get(name) ?? writer.base.model.get(name))?.bare ? (model.get(name) ?? writer.base.model.get(name))?.text : name,
        ),
      ),
    );
    expect(result.conflicts.filter((one) => one.kind === "prose" || one.kind === "file")).toEqual([]);
    for (const name of forgotten) expect([...result.files.values()].join("\n")).toContain(`replaces: ${name}]`);
    head.model = model;
    head.forgotten = forgotten;
    writer.base = snapshot();
    writer.model = new Map(model);
    writer.forgotten = new Set(forgotten);
    landings += 1;
    conflictCount += conflicts.size;
  };

  for (let step = 0; step < OPERATIONS; step += 1) {
    const writer = pick(writers);
    operate(writer);
    if (random() < 0.08) land(writer);
  }
  for (const writer of writers) land(writer);
  return { landings, conflicts: conflictCount };
}

test("the files at the end are what the rules make of a plain set of entries", () => {
  let landings = 0;
  let conflicts = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    try {
      const one = run(seed);
      landings += one.landings;
      conflicts += one.conflicts;
    } catch (cause) {
      throw new Error(`Seed ${seed} failed.`, { cause });
    }
  }
  console.log(`${SEEDS} histories of ${OPERATIONS} operations: ${landings} landings, ${conflicts} conflicts, 0 lost`);
  expect(landings).toBeGreaterThan(SEEDS * 20);
}, 3_600_000);
