// Brings one Markdown file in: its lines are dressed, what stands here is left out, what may not enter is held back. Makes a text; lands nothing.
import { isDay, isPartialDate } from "../../shared/clock.ts";
import {
  HISTORY,
  parseDocument,
  serialiseDocument,
  type Document,
  type DocumentEntry,
  type DocumentLine,
} from "../../shared/document.ts";
import { formatEntryLine, metaValue, metaValues, setMetaFields, type Meta } from "../../shared/entry.ts";
import { stripInvisible } from "../../shared/invisible.ts";
import { ENTRY_MAX_BYTES } from "../../shared/limits.ts";
import { normalText } from "../../shared/normal.ts";
import { utf8Length } from "../../shared/paths.ts";
import { parseSource } from "../../shared/source.ts";
import type { MemoryContext } from "../memory/context.ts";
import { isClosedEntry } from "../memory/entry-diff.ts";
import { currentById } from "../memory/rows.ts";
import { documentAt, standingPath, textAt } from "./documents-at.ts";
import { addLines, addProse } from "./lay.ts";
import { screen } from "./screen.ts";
import type { Tally } from "./tally.ts";

export interface IncomingFile {
  n: number;
  path: string;
  text: string;
  /** The day it was written, where that is known. */
  day: string | null;
}

/** What all files of one import share. */
export interface Incoming {
  ctx: MemoryContext;
  id: string;
  today: string;
  /** Ids that this import has given or taken over. */
  ids: Set<string>;
  tally: Tally;
  /** Tombstones that held something back. */
  stones: string[];
}

const MARKER = /^(<{7}|>{7}|\|{7})(?= |\r?$)/gm;
const WHOLE_DAYS = new Set(["added", "closed", "checked"]);
const PARTIAL_DAYS = new Set(["since", "until", "on", "expires"]);
/** Keys that only this app writes; by another hand they say nothing. */
const OWN_KEYS = new Set(["removed", "match"]);
/** The prefix of a key whose value is none that the format knows: it is kept, and means nothing. */
const ODD = "x-";

/** The keys of a line as they can stand here: what is odd is kept under another name. */
function fitMeta(meta: Meta): Meta {
  const since = metaValue(meta, "since");
  const until = metaValue(meta, "until");
  const crossed = since !== undefined && until !== undefined && isPartialDate(since) && isPartialDate(until) && since > until;
  const odd = (key: string, value: string): boolean =>
    OWN_KEYS.has(key) ||
    (WHOLE_DAYS.has(key) && !isDay(value)) ||
    (PARTIAL_DAYS.has(key) && !isPartialDate(value)) ||
    (key === "until" && crossed) ||
    (key === "id" && !/^[a-z0-9]{4,12}$/.test(value)) ||
    ((key === "slot" || key === "scope") && !/^[a-z0-9-]{1,60}$/.test(value)) ||
    (key === "why" && value !== "changed" && value !== "wrong") ||
    (key === "source" && parseSource(value) === null);
  return meta.map(([key, value]) => (odd(key, value) ? ([`${ODD}${key}`, value] as const) : ([key, value] as const)));
}

function freshId({ ctx, ids }: Incoming): string {
  for (;;) {
    const id = ctx.randomId();
    if (ids.has(id) || ctx.sql.exec("SELECT 1 FROM ids WHERE id = ?", id).toArray().length > 0) continue;
    ids.add(id);
    return id;
  }
}

/** What becomes of a line with an id: it stands here, its id is taken, or it may keep it. */
function knownAs(incoming: Incoming, entry: DocumentEntry): "stands" | "taken" | "free" {
  const id = metaValue(entry.meta, "id");
  if (id === undefined) return "free";
  if (incoming.ids.has(id)) return "taken";
  if (currentById(incoming.ctx.sql, id)) return "stands";
  const past = incoming.ctx.sql
    .exec<{ text: string }>(
      "SELECT p.text FROM ids i JOIN entry_past p ON p.rid = i.rid WHERE i.id = ? AND p.held = 0 ORDER BY p.ended DESC LIMIT 1",
      id,
    )
    .toArray()[0];
  return past && normalText(past.text) !== normalText(entry.text) ? "taken" : "free";
}

/** The line as the writer would have written it: with an id, a day and its source. */
function dressed(incoming: Incoming, { n, day }: IncomingFile, entry: DocumentEntry, keepsId: boolean): string {
  const meta = fitMeta(keepsId ? entry.meta : entry.meta.filter(([key]) => key !== "id"));
  const id = metaValue(meta, "id") ?? freshId(incoming);
  incoming.ids.add(id);
  return formatEntryLine({
    ...entry,
    meta: setMetaFields(meta, {
      id,
      ...(metaValues(meta, "source").length === 0 ? { source: [`import/${incoming.id}#${n}`] } : {}),
      ...(metaValue(meta, "added") === undefined ? { added: day ?? incoming.today } : {}),
    }),
  });
}

/** The day that the front matter of a note gives, as most programs write it. */
function frontDay(document: Pick<Document, "lines">): string | null {
  for (const { kind, text } of document.lines) {
    if (kind !== "front") return null;
    const match = /^(?:created|date|created[_ -]?(?:at|on|time)|date created)\s*:\s*["']?(\d{4}-\d{2}-\d{2})/i.exec(text);
    if (match && isDay(match[1])) return match[1]!;
  }
  return null;
}

/** A text as it can rest in git: no NUL, no half characters, no marks of a merge. */
function cleanText(text: string): string {
  const whole = text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/\0/g, "")
    .replace(MARKER, "\\$1");
  const [first = "", ...rest] = whole.split("\n");
  const bom = first.startsWith("\ufeff");
  return [bom ? stripInvisible(first.slice(1)) : stripInvisible(first), ...rest.map(stripInvisible)].join("\n");
}

/** A file as it would stand, and by how much the memory grows with it. */
interface Brought {
  path: string;
  text: string;
  files: number;
  bytes: number;
}

/**
 * The text that a file would have with this one laid on it, without what may not enter; null where nothing is new. Tells the tally
 * what became of it.
 */
export function bringFile(incoming: Incoming, file: IncomingFile): Brought | null {
  const { ctx, id, tally } = incoming;
  const path = standingPath(ctx, file.path);
  const document = parseDocument(cleanText(file.text));
  const day = frontDay(document) ?? file.day;
  const dated = { ...file, day: day !== null && day <= incoming.today ? day : null };
  const standing = documentAt(ctx, path);
  const before = textAt(ctx, path);
  if (before === file.text) {
    tally.add({ n: file.n, what: "file", fate: "duplicate", name: path, why: "It stands here, word for word.", path });
    return null;
  }
  const names = new Map<string, number>();
  for (const entry of standing?.entries ?? []) names.set(normalText(entry.text), (names.get(normalText(entry.text)) ?? 0) + 1);
  const drop = new Set<number>();
  const lines = document.lines.map((line): DocumentLine => ({ ...line }));
  let same = 0;
  for (const entry of document.entries) {
    if (entry.text === "" && entry.meta.length === 0) continue;
    const known = knownAs(incoming, entry);
    const name = normalText(entry.text);
    const twin = known !== "stands" && (names.get(name) ?? 0) > 0;
    if (known === "stands" || twin) {
      if (twin) names.set(name, names.get(name)! - 1);
      drop.add(entry.line);
      same++;
      continue;
    }
    const line = dressed(incoming, dated, entry, known === "free");
    // A bullet that is longer than a fact can be is prose.
    lines[entry.line - 1]!.text = utf8Length(line) > ENTRY_MAX_BYTES ? entry.text : line;
  }
  const merged = standing
    ? mergeInto(standing, document, lines, drop)
    : serialiseDocument({ bom: document.bom, lines: lines.filter((_, at) => !drop.has(at + 1)) });
  if (merged === before) {
    tally.add({ n: file.n, what: "file", fate: "duplicate", name: path, why: "All its lines stand here.", path });
    return null;
  }
  const { text, held } = screen(ctx, path, before, merged, id);
  for (const one of held) {
    incoming.stones.push(...one.stones);
    const line = one.line === 0 ? null : one.line;
    tally.add({
      n: file.n,
      what: line === null ? "file" : "line",
      fate: one.fate,
      why: one.why,
      path: line === null ? null : path,
      line,
    });
  }
  for (let count = 0; count < same; count++) tally.counts.duplicates++;
  if (text === null || text === before || (before === null && saysNothing(text, document))) return null;
  tally.add({ n: file.n, what: "file", fate: "lands", name: path, path });
  return { path, text, files: before === null ? 1 : 0, bytes: utf8Length(text) - utf8Length(before ?? "") };
}

/** A file of which only the title is left has lost everything that it came with. */
function saysNothing(text: string, came: Document): boolean {
  const left = parseDocument(text);
  return (
    left.entries.length === 0 && came.entries.length > 0 && left.lines.every(({ kind }) => kind === "heading" || kind === "blank")
  );
}

/** New lines of a file behind those that stand, section by section; other lines that are new at its end. */
function mergeInto(standing: Document, document: Document, lines: readonly DocumentLine[], drop: ReadonlySet<number>): string {
  const sections = new Map<string | null, string[]>();
  const title = document.headings[0];
  const kept = new Set<number>();
  for (const entry of document.entries) {
    if (drop.has(entry.line) || (entry.text === "" && entry.meta.length === 0)) continue;
    const under = title?.level === 1 && entry.heading === title.line ? null : entry.section;
    const section = isClosedEntry(entry) ? HISTORY : under === HISTORY ? null : under;
    const list = sections.get(section) ?? [];
    // Without its parent a child stands by itself.
    const child = entry.parent !== null && kept.has(entry.parent);
    const text = lines[entry.line - 1]!.text;
    list.push(child ? text : text.trimStart());
    kept.add(entry.line);
    sections.set(section, list);
  }
  const prose = new Set(standing.lines.map(({ text }) => text.trim()));
  const fresh = document.lines.flatMap(({ kind, text, owner }, at) =>
    (kind === "text" || kind === "fence") && text.trim() !== "" && !prose.has(text.trim()) && !(owner !== null && drop.has(owner))
      ? [lines[at]!.text]
      : [],
  );
  const additions = [...sections].map(([section, list]) => ({ section, lines: list }));
  return serialiseDocument(addProse(addLines(standing, additions), fresh));
}
