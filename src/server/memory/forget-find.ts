// Which lines a request to forget means: by id, or by words against the entries. One clear match is removed; several are candidates.
import { baseName, subjectOf } from "../../shared/document.ts";
import { findLinks } from "../../shared/links.ts";
import { normalText } from "../../shared/normal.ts";
import { isMarkdown } from "../../shared/paths.ts";
import { covers } from "../../shared/tombstone.ts";
import { queryTokens, searchTokens } from "../../shared/words.ts";
import { stateWhere } from "./clock-sql.ts";
import { todayOf, type MemoryContext } from "./context.ts";
import { findText } from "./fulltext.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import { linkBase } from "./project.ts";
import { currentById, currentByRids, fileAt, filesAt, versionsAt, type FileVersion, type Version } from "./rows.ts";
import { withRelatives } from "./word-forms.ts";

type Ctx = Pick<MemoryContext, "sql" | "now" | "zone">;

/** What a request fits. */
export interface Found {
  lines: Version[];
  /** Lines that fit as well as others: nothing of them is removed before one is named. */
  candidates: Version[];
  /** Files that go as a whole. */
  files: string[];
  /** The statement that was asked for, where it is perhaps only a part of the line found. */
  part: string | null;
}

const NOTHING: Found = { lines: [], candidates: [], files: [], part: null };

/** Entries that one query brings back to choose from. */
const CANDIDATES_MAX = 20;
/** Hits of the full text that are looked at. */
const HITS_MAX = 2_000;
/** Share of a query's words that a line must hold to be shown as a candidate where none holds all. */
const NEAR_SHARE = 0.5;
/** From this weight a word may stand for another. */
const FORM_WEIGHT = 0.8;

const ASKING = [
  /^(?:please|kindly|can you|could you|would you|bitte)[\s,]+/iu,
  /^(?:forget|delete|erase|remove|unlearn|drop|wipe|vergiss|lösche?|oublie[zr]?|supprime[zr]?|efface[zr]?|olvida|borra)(?!\p{L})[\s,:]*/iu,
  /^(?:everything|all|anything|whatever|alles|tout|todo)(?!\p{L})(?:\s+(?:that|which|you|i|we|know|have|told|said|was)(?!\p{L}))*\s*/iu,
  /^(?:the (?:fact|thing|line|part) )(?:that|about|on)?\s*/iu,
  /^(?:that|dass|que)\s+(?=\S+\s)/iu,
  /^(?:what|whatever) (?:i|we|you) (?:told|said|know|have|mentioned|wrote|saved|kept)(?: (?:to )?(?:you|me))?\s*/iu,
  /^(?:you|i) (?:know|told|said|have)(?: you| me)?\s+(?=about|on)/iu,
  /^(?:about|on|concerning|regarding|of|über|von|sur|sobre)(?!\p{L})\s*/iu,
];

/** The words of a request without the asking: of `forget everything about the boat` it is `the boat`. */
export function wordsOf(query: string): string {
  let text = query
    .normalize("NFC")
    .trim()
    .replace(/^["'“„«]+|["'”“»]+$/g, "");
  for (let before = ""; before !== text;) {
    before = text;
    for (const pattern of ASKING) text = text.replace(pattern, "").trim();
  }
  return text.replace(/[.!?。！？]+$/u, "").trim();
}

const WHOLE =
  /^(?:everything|all(?: of (?:it|this|that))?|it|it all|me|myself|(?:the |my )?(?:whole |entire )?memory|alles|tout|todo)?$/iu;

/** Whether a request means the whole memory: that alone asks first. */
export function meansEverything(query: string): boolean {
  return WHOLE.test(wordsOf(query));
}

/** Words of a query, each with what may stand for it. */
function groupsOf(words: string): Set<string>[] {
  const groups = new Map<string, Set<string>>();
  for (const { term, weight, asked } of withRelatives(queryTokens(words))) {
    if (weight >= FORM_WEIGHT) groups.set(asked, (groups.get(asked) ?? new Set()).add(term));
  }
  return [...groups.values()];
}

const isLive = (version: Version): boolean => version.removed === 0 && version.held === 0 && !isForgottenName(version.path);

const nameOf = ({ path, title }: Pick<FileVersion, "path" | "title">): string =>
  path === MEMORY_FILE ? "" : `${baseName(path).replace(/[-_]+/g, " ")} ${title ?? ""}`;

/** Files in whose name or title one of the tokens stands. */
function filesNaming(ctx: Ctx, tokens: readonly string[]): FileVersion[] {
  const wanted = new Set(tokens);
  return filesAt(ctx.sql, null).filter(
    (file) => !isForgottenName(file.path) && searchTokens(nameOf(file)).some((token) => wanted.has(token)),
  );
}

/** Lines that hold words of the query, in their text, their slot or their file's name, with the share of its words that they hold. */
function scored(ctx: Ctx, groups: readonly ReadonlySet<string>[]): { version: Version; share: number }[] {
  const tokens = [...new Set(groups.flatMap((group) => [...group]))];
  const rids = new Set(findText(ctx.sql, "entries_fts", tokens, { limit: HITS_MAX }).map(({ rowid }) => rowid));
  const titles = new Map<string, string>();
  for (const file of filesNaming(ctx, tokens)) {
    titles.set(file.path, nameOf(file));
    for (const { rid } of ctx.sql.exec<{ rid: number }>("SELECT rid FROM entries WHERE path = ? LIMIT ?", file.path, HITS_MAX))
      rids.add(rid);
  }
  const slots = ctx.sql
    .exec<{ slot: string }>("SELECT DISTINCT slot FROM entries WHERE slot IS NOT NULL")
    .toArray()
    .map(({ slot }) => slot);
  const named = slots.filter((slot) => searchTokens(slot.replace(/-/g, " ")).some((token) => tokens.includes(token)));
  for (const { rid } of ctx.sql.exec<{ rid: number }>(
    "SELECT rid FROM entries WHERE slot IN (SELECT value FROM json_each(?)) LIMIT ?",
    JSON.stringify(named),
    HITS_MAX,
  ))
    rids.add(rid);
  return currentByRids(ctx.sql, [...rids])
    .filter(isLive)
    .map((version) => {
      const own = new Set(
        searchTokens(`${version.text} ${(version.slot ?? "").replace(/-/g, " ")} ${titles.get(version.path) ?? ""}`),
      );
      return { version, share: groups.filter((group) => [...group].some((token) => own.has(token))).length / groups.length };
    })
    .filter(({ share }) => share > 0);
}

/** The subject of a file that stands; null = the user. */
export function subjectAt(ctx: Pick<MemoryContext, "sql">, path: string): string | null {
  return subjectOf(path, { title: fileAt(ctx.sql, null, path)?.title ?? null });
}

/** How many facts some lines are: those that say the same of the same subject are one. */
function countFacts(ctx: Ctx, versions: readonly Version[]): number {
  return new Set(versions.map((version) => `${subjectAt(ctx, version.path) ?? ""}\n${normalText(version.text)}`)).size;
}

/** Whether a query states what a line says, so that a tombstone of it would cover the line. */
function states(query: string, version: Version, subject: string | null): boolean {
  return (
    covers({ text: query, subject }, { text: version.text, subject }) || covers({ text: query }, { text: version.text, subject })
  );
}

/** Lines that words mean. */
export function findByWords(ctx: Ctx, query: string): Found {
  const words = wordsOf(query);
  const groups = groupsOf(words);
  if (groups.length === 0) return NOTHING;
  const hits = scored(ctx, groups);
  const name = normalText(words);
  const equal = hits.filter(({ version }) => normalText(version.text) === name).map(({ version }) => version);
  if (equal.length > 0 && countFacts(ctx, equal) === 1) return { ...NOTHING, lines: equal };
  const whole = hits.filter(({ share }) => share === 1).map(({ version }) => version);
  for (const versions of [openOf(ctx, whole), whole]) {
    if (versions.length === 0) continue;
    const stating = versions.filter((version) => states(words, version, subjectAt(ctx, version.path)));
    // A whole statement that one line makes, and that others only touch, names that line.
    const wanted = stating.length > 0 && countFacts(ctx, stating) === 1 ? stating : versions;
    if (countFacts(ctx, wanted) > 1) return { ...NOTHING, candidates: wanted.slice(0, CANDIDATES_MAX) };
    return { ...NOTHING, lines: wanted, part: stating.length > 0 ? words : null };
  }
  const near = hits.filter(({ share }) => share >= NEAR_SHARE).sort((a, b) => b.share - a.share);
  const best = near[0]?.share ?? 0;
  return {
    ...NOTHING,
    candidates: near
      .filter(({ share }) => share === best)
      .slice(0, CANDIDATES_MAX)
      .map(({ version }) => version),
  };
}

function openOf(ctx: Ctx, versions: readonly Version[]): Version[] {
  const rids = JSON.stringify(versions.map(({ rid }) => rid));
  const where = [
    { sql: "rid IN (SELECT value FROM json_each(?))", bindings: [rids] },
    stateWhere(["open", "upcoming", "past"], todayOf(ctx)),
  ];
  const open = new Set([...versionsAt(ctx.sql, null, where)].map(({ rid }) => rid));
  return versions.filter(({ rid }) => open.has(rid));
}

const SUBJECTS = /^(?:people|places|projects)\//;

/** Everything about a person, a place, a project or a topic: its file as a whole, and every line that names it. */
export function findAll(ctx: Ctx, query: string): Found {
  const words = wordsOf(query);
  const groups = groupsOf(words);
  if (groups.length === 0) return NOTHING;
  const files = filesOfSubject(ctx, words);
  const lines = new Map<number, Version>();
  for (const path of files) for (const version of linesOf(ctx, path)) lines.set(version.rid, version);
  for (const version of linking(ctx, files)) lines.set(version.rid, version);
  // Somebody else whose name shares a word with this one is not meant.
  const others = new Set(
    files.length === 0
      ? []
      : filesNaming(
          ctx,
          groups.flatMap((group) => [...group]),
        )
          .map(({ path }) => path)
          .filter((path) => SUBJECTS.test(path) && !files.includes(path)),
  );
  for (const { version, share } of scored(ctx, groups))
    if (share === 1 && !others.has(version.path)) lines.set(version.rid, version);
  return {
    ...NOTHING,
    lines: [...lines.values()].sort((a, b) => (a.path === b.path ? a.rid - b.rid : a.path < b.path ? -1 : 1)),
    files,
  };
}

/** The live lines of a file. */
function linesOf(ctx: Ctx, path: string): Version[] {
  return [...versionsAt(ctx.sql, null, [{ sql: "path = ?", bindings: [path] }])].filter(isLive);
}

/** The files whose subject a query names: by its whole name, else by words of it. */
function filesOfSubject(ctx: Ctx, words: string): string[] {
  const wanted = new Set(searchTokens(words.replace(/^(?:my|our|the)\s+/iu, "")));
  const named = filesAt(ctx.sql, null)
    .filter(({ path }) => SUBJECTS.test(path) && isMarkdown(path))
    .map(({ path, title }) => ({
      path,
      names: [baseName(path).replace(/[-_]+/g, " "), title ?? ""]
        .map((name) => new Set(searchTokens(name)))
        .filter((name) => name.size > 0),
    }));
  const fits = (name: ReadonlySet<string>) => [...wanted].every((token) => name.has(token));
  const exact = named.filter(({ names }) => names.some((name) => name.size === wanted.size && fits(name)));
  return (exact.length > 0 ? exact : named.filter(({ names }) => names.some(fits))).map(({ path }) => path);
}

/** Lines of other files that link to one of these. */
export function linking(ctx: Ctx, files: readonly string[]): Version[] {
  const found: Version[] = [];
  for (const path of files) {
    const base = linkBase(path);
    for (const source of ctx.sql.exec<{ path: string }>("SELECT DISTINCT path FROM links WHERE base = ?", base).toArray()) {
      if (files.includes(source.path)) continue;
      const leads = (link: string) => link === path || `${link}.md` === path || (!link.includes("/") && linkBase(link) === base);
      found.push(
        ...linesOf(ctx, source.path).filter(
          (version) => version.linked === 1 && findLinks(version.text).some((link) => leads(link.path)),
        ),
      );
    }
  }
  return found;
}

/** The line of an id; of one that stands twice in its file, both. */
export function findById(ctx: Ctx, id: string): Version[] {
  const version = currentById(ctx.sql, id);
  return version ? linesOf(ctx, version.path).filter((one) => one.id === id) : [];
}
