// One entry line: `<indent><bullet> text [key: value; key: value]`, read and written as format.md, section Entry, says.
// Knows nothing of files, sections or the meaning of a key.

/** Key and value pairs in their order; keys in lower case, a repeated key keeps all its values. */
export type Meta = readonly (readonly [key: string, value: string])[];

/** One bullet on one line. */
export interface EntryLine {
  /** White space characters before the bullet; a tab counts as one. */
  indent: number;
  bullet: "-" | "*" | "+";
  text: string;
  meta: Meta;
  /** The indent as it is written, only where it is not all spaces. */
  lead?: string;
}

/** The keys of the format, in the order in which the writer adds them. */
export const KEY_ORDER: readonly string[] = [
  "id",
  "source",
  "added",
  "since",
  "until",
  "closed",
  "why",
  "replaces",
  "slot",
  "scope",
  "checked",
  "pin",
  "depends",
  "on",
  "expires",
  "removed",
  "match",
];

/** Keys of which each value is a field of its own. */
export const REPEATABLE_KEYS: ReadonlySet<string> = new Set(["source", "depends"]);

const BULLET = /^([ \t]*)([-*+])(?=[ \t]|$)/;
const FIRST_KEY = /[A-Za-z][A-Za-z0-9_-]*:(?!\/\/)/y;
const NEXT_KEY = /([ \t]*)([A-Za-z][A-Za-z0-9_-]*):(?!\/\/)([ \t]?)/y;

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Without white space (space and tab) at either end. */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Where the balanced group that ends before `end` opens, or -1. Never looks before `from`. */
function groupStart(line: string, from: number, end: number): number {
  if (line.charCodeAt(end - 1) !== 93) return -1;
  let depth = 0;
  for (let at = end - 1; at >= from; at -= 1) {
    const code = line.charCodeAt(at);
    if (code === 93) depth += 1;
    else if (code === 91) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function startsWithKey(line: string, at: number): boolean {
  FIRST_KEY.lastIndex = at;
  return FIRST_KEY.test(line);
}

/** The pairs of one group's content, which starts with a key and has balanced brackets. */
function readPairs(content: string): [string, string][] {
  const pairs: [string, string][] = [];
  const colon = content.indexOf(":");
  let key = content.slice(0, colon).toLowerCase();
  let valueFrom = colon + 1;
  let depth = 0;
  for (let at = valueFrom; at < content.length; at += 1) {
    const code = content.charCodeAt(at);
    if (code === 91) depth += 1;
    else if (code === 93) depth -= 1;
    else if (code === 59 && depth === 0) {
      NEXT_KEY.lastIndex = at + 1;
      const next = NEXT_KEY.exec(content);
      if (next === null || (next[1] === "" && next[3] === "")) continue;
      pairs.push([key, trimBlanks(content.slice(valueFrom, at))]);
      key = (next[2] as string).toLowerCase();
      valueFrom = NEXT_KEY.lastIndex;
      at = valueFrom - 1;
    }
  }
  pairs.push([key, trimBlanks(content.slice(valueFrom))]);
  return pairs;
}

/** Splits what stands behind a bullet into text and metadata. Time grows with the length alone. */
export function splitText(line: string): { text: string; meta: Meta } {
  let end = line.length;
  const groups: [string, string][][] = [];
  for (;;) {
    while (end > 0 && isBlank(line.charCodeAt(end - 1))) end -= 1;
    const start = groupStart(line, 0, end);
    if (start < 0 || !startsWithKey(line, start + 1)) break;
    groups.push(readPairs(line.slice(start + 1, end - 1)));
    end = start;
  }
  return { text: trimBlanks(line.slice(0, end)), meta: groups.reverse().flat() };
}

/** Reads one line, given without its line end; null where it is no entry. */
export function parseEntryLine(line: string): EntryLine | null {
  const match = BULLET.exec(line);
  if (match === null) return null;
  const lead = match[1] as string;
  const { text, meta } = splitText(line.slice(match[0].length));
  const entry: EntryLine = { indent: lead.length, bullet: match[2] as EntryLine["bullet"], text, meta };
  if (lead.includes("\t")) entry.lead = lead;
  return entry;
}

/** The indent of an entry as text. */
export function leadOf(entry: Pick<EntryLine, "indent" | "lead">): string {
  return entry.lead !== undefined && entry.lead.length === entry.indent ? entry.lead : " ".repeat(entry.indent);
}

/**
 * The writer's form of an entry, without a line end. It reads back as the same entry: a text or value that would bring in
 * another line or key is made harmless first, as writerText and writerValue say.
 */
export function formatEntryLine(entry: EntryLine): string {
  const { text, meta } = entry;
  const parts = [leadOf(entry) + entry.bullet];
  if (text !== "") parts.push(text.includes("\n") || splitText(text).meta.length > 0 ? writerText(text) : text);
  if (meta.length > 0) parts.push(`[${meta.map(([key, value]) => `${key}: ${writerValue(value)}`).join("; ")}]`);
  return parts.length === 1 ? `${parts[0]} ` : parts.join(" ");
}

/** The value of a key that has one: of several the last. */
export function metaValue(meta: Meta, key: string): string | undefined {
  for (let at = meta.length - 1; at >= 0; at -= 1) {
    const pair = meta[at] as readonly [string, string];
    if (pair[0] === key) return pair[1];
  }
  return undefined;
}

/** All values of a key, in their order. */
export function metaValues(meta: Meta, key: string): string[] {
  return meta.filter(([name]) => name === key).map(([, value]) => value);
}

function rank(key: string): number {
  const at = KEY_ORDER.indexOf(key);
  return at < 0 ? KEY_ORDER.length : at;
}

/** A value as the writer may put it into a group: one line, balanced brackets, nothing that would start another pair. */
export function writerValue(value: string): string {
  const line = trimBlanks(value.replace(/[\r\n]+/g, " "));
  const read = readPairs(`k: ${line}`);
  let depth = 0;
  let balanced = true;
  for (const char of line) {
    if (char === "[") depth += 1;
    else if (char === "]") depth -= 1;
    if (depth < 0) balanced = false;
  }
  const level = balanced && depth === 0 ? line : line.replace(/\[/g, "%5B").replace(/\]/g, "%5D");
  return read.length === 1 && level === line ? line : level.replace(/;/g, ",");
}

/**
 * Sets keys: a present one in place (of a repeated one the last), new ones at the end of the list in the order of the
 * format's table. A null takes all values of a key away. An array is all the values of a repeatable key.
 */
export function setMetaFields(meta: Meta, fields: Readonly<Record<string, string | null | readonly string[]>>): Meta {
  let result: (readonly [string, string])[] = [...meta];
  const fresh: [string, string][] = [];
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) {
      result = result.filter(([name]) => name !== key);
    } else if (typeof value === "string") {
      const at = result.findLastIndex(([name]) => name === key);
      if (at >= 0) result[at] = [key, writerValue(value)];
      else fresh.push([key, writerValue(value)]);
    } else {
      const values = value.map(writerValue);
      const places = result.flatMap(([name], at) => (name === key ? [at] : []));
      if (places.length === 0) {
        fresh.push(...values.map((one): [string, string] => [key, one]));
        continue;
      }
      // The values take the places that the key has; what is left over stands behind the last of them.
      const last = places[places.length - 1] as number;
      const next: (readonly [string, string])[] = [];
      let used = 0;
      result.forEach((pair, at) => {
        if (pair[0] !== key) {
          next.push(pair);
          return;
        }
        if (used < values.length) next.push([key, values[used++] as string]);
        if (at === last) while (used < values.length) next.push([key, values[used++] as string]);
      });
      result = next;
    }
  }
  fresh.sort((a, b) => rank(a[0]) - rank(b[0]));
  return [...result, ...fresh];
}

/** Sets one key, in place where it is present, else at the end; null takes it away. For several new keys use setMetaFields. */
export function setMeta(meta: Meta, key: string, value: string | null): Meta {
  return setMetaFields(meta, { [key]: value });
}

/** Sets all values of a repeatable key. */
export function setMetaValues(meta: Meta, key: string, values: readonly string[]): Meta {
  return setMetaFields(meta, { [key]: values });
}

/** A text as the writer stores it: one trimmed line, with a full stop behind a last group that would read as metadata. */
export function writerText(text: string): string {
  const line = text.replace(/[\s\u0085]*[\r\n\u0085\u2028\u2029][\s\u0085]*/g, " ").trim();
  return splitText(line).meta.length > 0 ? `${line}.` : line;
}
