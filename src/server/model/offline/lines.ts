// Lines of memory as a prompt and the tools show them: "text (chain) {id}", with a path and a state word where they come from a tool.

export interface Before {
  text: string;
  from?: string;
  to?: string;
}

export interface MemoryLine {
  id: string | null;
  /** Without `.md`; null = MEMORY.md. */
  path: string | null;
  /** As it is stored, links and all. */
  raw: string;
  /** What a reader sees of it. */
  text: string;
  state: "open" | "upcoming" | "past" | "closed";
  /** Closed because it was never true: no answer about the past. */
  wrong?: true;
  since?: string;
  until?: string;
  on?: string;
  expires?: string;
  before: Before[];
}

const DATE = String.raw`\d{4}(?:-\d\d){0,2}`;
const KEY = new RegExp(`^(since|from|until|on|in|was on|was in|expires|expired|closed)(?: on| in)? (${DATE})`);
/** Words of a chain that name a key otherwise. */
const NAMED: Record<string, string> = {
  from: "since",
  closed: "until",
  in: "on",
  "was on": "on",
  "was in": "on",
  expired: "expires",
};
const CHAIN =
  /^(?:since |from |until |on \d|in \d|was on |was never true|no longer true|expire[sd] |before(?: that)?: |next: |then: |may be out of date: |closed |to be checked|\d{4}(?:-\d\d)*(?: to |$|;|,))/;
const SPAN = new RegExp(`^(${DATE}) to (${DATE})$`);
const BETWEEN = new RegExp(`(?<=${DATE}); (?:before: )?`);
const DATED = new RegExp(`^(.*?),? (?:(?:since |from )?(${DATE}) to (${DATE})|(?:until|to) (${DATE})|since (${DATE}))$`);
const STATE = /^(upcoming|past|closed|wrong|to be checked|open): /;
const PATH = /^((?:[\p{L}\p{M}\p{N}_.-]+\/)+[\p{L}\p{M}\p{N}_. -]+?|MEMORY(?:\.md)?|[\p{L}\p{N}_-]+\.md): /u;

/** Text before the chain, and the chain: the last balanced bracket, where it speaks of dates. */
function cutChain(text: string): [string, string] {
  if (!text.endsWith(")")) return [text, ""];
  let depth = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    if (text[i] === ")") depth++;
    else if (text[i] === "(" && --depth === 0) {
      const inside = text.slice(i + 1, -1);
      return CHAIN.test(inside) && i > 0 ? [text.slice(0, i).trimEnd(), inside] : [text, ""];
    }
  }
  return [text, ""];
}

/** Parts of a chain that are about other lines: what was before, what comes next, what may be out of date. */
const OTHERS = /(?:^|; )(before(?: that)?|next|then|may be out of date): /;

function readChain(chain: string, line: MemoryLine): void {
  const [head = "", ...rest] = chain.split(OTHERS);
  for (const part of head.split(/; |, /)) {
    const key = KEY.exec(part.trim());
    if (key) Object.assign(line, { [NAMED[key[1]!] ?? key[1]!]: key[2] });
    const span = SPAN.exec(part.trim());
    if (span) Object.assign(line, { since: span[1], until: span[2] });
    if (/^(?:no longer true|was never true)$/.test(part.trim())) line.state = "closed";
    if (part.trim() === "was never true") line.wrong = true;
  }
  for (let at = 0; at + 1 < rest.length; at += 2) {
    if (!rest[at]!.startsWith("before")) continue;
    for (const part of rest[at + 1]!.split(BETWEEN)) {
      const dated = DATED.exec(part.trim());
      const text = (dated?.[1] ?? part).replace(/,$/, "").trim();
      const [from, to] = [dated?.[2] ?? dated?.[5], dated?.[3] ?? dated?.[4]];
      if (text) line.before.push({ text: plainLinks(text), ...(from ? { from } : {}), ...(to ? { to } : {}) });
    }
  }
}

/** Links as a reader sees them; a link that only points at a file is dropped. */
export function plainLinks(text: string): string {
  return text
    .replace(/(?::|\s[–—-])?\s*\[\[people\/[^\]|]+\]\]$/u, "")
    .replace(/\[\[([^\]|]+)\|([^\]]+)\]\]/g, (_, __, label: string) => label)
    .replace(/\[\[people\/([^\]|]+)\]\]/g, (_, path: string) =>
      path
        .replace(/\.md$/, "")
        .split("-")
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(" "),
    )
    .trim();
}

/** Reads one line; null where it holds no text. */
export function readLine(written: string, path: string | null): MemoryLine | null {
  let rest = written.trim().replace(/^[-*+]\s+/, "");
  let where = path;
  const tool = PATH.exec(rest);
  if (path === null && tool) {
    where = tool[1]!.replace(/\.md$/, "");
    rest = rest.slice(tool[0].length);
  }
  let state: MemoryLine["state"] = "open";
  let wrong = false;
  for (let word = STATE.exec(rest); word; word = STATE.exec(rest)) {
    if (word[1] === "upcoming" || word[1] === "past" || word[1] === "closed") state = word[1];
    else if (word[1] === "wrong") {
      state = "closed";
      wrong = true;
    }
    rest = rest.slice(word[0].length);
  }
  const id = /\s*\{([a-z0-9]{4,12})\}$/.exec(rest);
  if (id) rest = rest.slice(0, id.index);
  // A file read whole shows its metadata instead of a chain.
  const meta = /\s*\[((?:id|source|added|since|until|closed|why|slot|on|expires|replaces|scope|pin)\s*:[^\]]*)\]$/.exec(rest);
  if (meta) rest = rest.slice(0, meta.index);
  const [raw, chain] = cutChain(rest.trim());
  if (!raw) return null;
  const line: MemoryLine = {
    id: id?.[1] ?? null,
    path: where === "MEMORY" ? null : where,
    raw,
    text: plainLinks(raw),
    state,
    ...(wrong ? { wrong } : {}),
    before: [],
  };
  readChain(chain, line);
  if (meta) {
    for (const pair of meta[1]!.split(/;\s*/)) {
      const [key = "", value = ""] = pair.split(/:\s*(.*)/s);
      if (key === "id") line.id = value;
      else if (/^(?:since|until|on|expires)$/.test(key)) Object.assign(line, { [key]: value });
      else if (key === "closed") line.state = "closed";
      else if (key === "why" && value === "wrong") line.wrong = true;
    }
  }
  return line;
}

/** All lines of a tool's answer or of a memory block. */
export function readLines(block: string, path: string | null): MemoryLine[] {
  const found: MemoryLine[] = [];
  let history = false;
  for (const written of block.split("\n")) {
    if (/^\s*#/.test(written)) history = /^\s*##\s+History/i.test(written);
    if (!/\{[a-z0-9]{4,12}\}\s*$/.test(written) && !/^\s*[-*+]\s/.test(written)) continue;
    const line = readLine(written, path);
    if (line && history) line.state = "closed";
    if (line) found.push(line);
  }
  return found;
}

/** Whether a line is nothing but a link: an index, no fact. */
export const isIndex = (line: MemoryLine): boolean => /^\s*\[\[[^\]]+\]\]\s*$/.test(line.raw);

/** `people/gregor-stahl` for "Gregor Stahl": lower case, NFC, letters of any script. */
export function personPath(name: string): string {
  const slug = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’.]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return `people/${slug || "unnamed"}`;
}

/** "Gregor Stahl" for `people/gregor-stahl`. */
export const nameOfPath = (path: string): string =>
  path
    .replace(/^.*\//, "")
    .replace(/\.md$/, "")
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
