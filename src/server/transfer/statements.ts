// A plain list of statements as lines of files: in the order they were said, each with its source and the dates it came with.
import { checkDates, isDay, isPartialDate } from "../../shared/clock.ts";
import { formatEntryLine, setMetaFields, writerText, type Meta } from "../../shared/entry.ts";
import { IMPORT_FILE_LINES } from "../../shared/limits.ts";
import { stripInvisible } from "../../shared/invisible.ts";
import { checkPath, isForgottenFile, pathKey } from "../../shared/paths.ts";
import { mapSlot, slotName } from "../../shared/slots.ts";
import { dayIn } from "../../shared/zone.ts";

/** One statement, ready to stand in a file. */
export interface Statement {
  n: number;
  text: string;
  path: string | null;
  section: string | null;
  /** The day it was said, or that of the import. */
  saidOn: string;
  slot: string | null;
  scope: string | null;
  since: string | null;
  until: string | null;
  on: string | null;
  expires: string | null;
}

/** A list read item by item: what is none says why. */
export interface ReadStatements {
  statements: Statement[];
  refused: { n: number; text: string; why: string }[];
}

const DATES = ["since", "until", "on", "expires"] as const;

const field = (item: Record<string, unknown>, ...names: string[]): unknown =>
  names.map((name) => item[name]).find((value) => value !== undefined && value !== null && value !== "");

/** The day that a value names: a day, an instant in ISO, seconds or milliseconds since 1970. */
export function dayOf(value: unknown, zone: string): string | null {
  const ms = instantOf(value);
  if (typeof value === "string" && isDay(value.trim())) return value.trim();
  return ms === null ? null : dayIn(ms, zone);
}

/** The instant that a value names, in milliseconds, or null. */
export function instantOf(value: unknown): number | null {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) {
    // Ten digits are seconds until the year 2286; exports use both.
    const ms = value < 1e11 ? value * 1000 : value;
    return ms < 8.64e15 ? Math.round(ms) : null;
  }
  // A date that no calendar has would be rolled over into the next month.
  if (typeof value !== "string" || !isDay(value.trim().slice(0, 10))) return null;
  const ms = Date.parse(value.trim().replace(" ", "T"));
  return Number.isFinite(ms) ? ms : null;
}

function readOne(item: unknown, n: number, today: string, zone: string): Statement | string {
  const given: Record<string, unknown> =
    typeof item === "string"
      ? { text: item }
      : item !== null && typeof item === "object"
        ? (item as Record<string, unknown>)
        : {};
  const raw = field(given, "text", "statement", "fact", "content", "memory");
  if (typeof raw !== "string") return "A statement is a text, or {text, at?, since?, until?, on?, slot?, path?}.";
  const text = writerText(stripInvisible(raw.replace(/\0/g, "")).replace(/^\s*(?:[-*+•]|\d{1,4}[.)])\s+/, ""));
  if (text === "") return "It has no words.";
  const said = field(given, "at", "saidOn", "said", "added", "date", "created_at", "createdAt", "timestamp");
  const saidOn = said === undefined ? today : dayOf(said, zone);
  if (saidOn === null) return `“${String(said).slice(0, 40)}” is not a date. Write one like 2026-03-14.`;
  const dates: Record<(typeof DATES)[number], string | null> = { since: null, until: null, on: null, expires: null };
  for (const key of DATES) {
    const value = field(given, key);
    if (value === undefined) continue;
    const date = isPartialDate(value) ? (value as string) : dayOf(value, zone);
    if (date === null) return `${key} “${String(value).slice(0, 40)}” is not a date. Write 2026, 2026-03 or 2026-03-14.`;
    dates[key] = date;
  }
  const wrong = checkDates(DATES.flatMap((key) => (dates[key] === null ? [] : [[key, dates[key]] as const])));
  if (wrong) return wrong.refusal.message;
  const path = field(given, "path", "file");
  const named = typeof path === "string" ? pathOf(path) : null;
  if (named !== null) {
    const checked = checkPath(named);
    if (!checked.ok) return `“${named.slice(0, 100)}” cannot be the name of a file. ${checked.rule}`;
    if (isForgottenFile(pathKey(named))) return `${named} lists what was forgotten. Only forgetting and lifting change it.`;
  }
  const scope = field(given, "scope");
  if (scope !== undefined && !(typeof scope === "string" && /^[a-z0-9-]{1,60}$/.test(scope)))
    return "A scope is written with a-z, 0-9 and -.";
  const section = field(given, "section");
  return {
    n,
    text,
    path: named,
    section:
      typeof section === "string" && section.trim() !== "" && section.trim() !== "History" ? section.trim().slice(0, 200) : null,
    saidOn,
    slot: slotOf(field(given, "slot")),
    scope: typeof scope === "string" ? scope : null,
    ...dates,
  };
}

function slotOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const answer = mapSlot(value);
  if (answer.kind === "many") return null;
  return answer.kind === "slot" ? answer.slot : slotName(value).slice(0, 60) || null;
}

function pathOf(path: string): string {
  const clean = path
    .trim()
    .normalize("NFC")
    .replace(/^\.?\/+/, "");
  return /\.md$/i.test(clean) ? clean : `${clean}.md`;
}

/** Reads a list. Statements come back in the order in which they were said; of one day in the order of the list. */
export function readStatements(items: readonly unknown[], today: string, zone: string): ReadStatements {
  const read: ReadStatements = { statements: [], refused: [] };
  items.forEach((item, at) => {
    const one = readOne(item, at + 1, today, zone);
    if (typeof one !== "string") read.statements.push(one);
    else read.refused.push({ n: at + 1, text: typeof item === "string" ? item : "", why: one });
  });
  read.statements.sort((a, b) => (a.saidOn < b.saidOn ? -1 : a.saidOn > b.saidOn ? 1 : a.n - b.n));
  return read;
}

/** The line of a statement. */
export function lineOf(statement: Statement, id: string, source: string): string {
  const { text, saidOn: added, slot, scope, since, until, on, expires } = statement;
  const meta: Meta = setMetaFields([], { id, source: [source], added, since, until, slot, scope, on, expires });
  return formatEntryLine({ indent: 0, bullet: "-", text, meta });
}

/** The files for statements that name none: one, or several of a size that every later save can afford. */
export function homesFor(count: number, id: string): (at: number) => string {
  const files = Math.ceil(count / IMPORT_FILE_LINES);
  const digits = String(files).length;
  return (at) =>
    files <= 1
      ? `imported/${id}.md`
      : `imported/${id}-${String(Math.floor(at / IMPORT_FILE_LINES) + 1).padStart(digits, "0")}.md`;
}
