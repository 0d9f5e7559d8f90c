// What rules can tidy without a model: equal entries joined, ended ones moved to History, links mended, orphans indexed, MEMORY.md kept
// to its budget. Pure, and idempotent: on a memory that it has tidied it plans nothing.
import { estimateTokenCount } from "tokenx";
import { MEMORY_FILE_MAX_BYTES, MEMORY_FILE_MAX_LINES, MEMORY_FILE_TOKENS } from "../../shared/limits.ts";
import type { Edit } from "../../shared/protocol.ts";
import type { DreamEntry, JanitorView } from "./types.ts";

/** A change and the sentence that gives its reason. */
export interface Tidied {
  edit: Edit;
  reason: string;
}

const MEMORY = "MEMORY.md";
/** Orphans of one folder that stand in MEMORY.md themselves; more get an index file of their own, so that MEMORY.md stays short. */
const ORPHANS_IN_MEMORY = 5;
/** Keys in which two entries with the same text may differ and still be one fact. */
const NOT_THE_FACT = new Set(["id", "source", "added", "checked", "replaces"]);

/** All that the rules would do to this memory. */
export function tidy(view: JanitorView): Tidied[] {
  const gone = new Set<string>();
  const index = indexing(view);
  return [...joins(view, gone), ...endings(view, gone), ...mends(view, gone), ...index, ...budget(view, gone, index)];
}

/** Entries that say the same become one: the oldest stays, and gets the sources of all. */
function joins(view: JanitorView, gone: Set<string>): Tidied[] {
  const found: Tidied[] = [];
  for (const group of view.equal) {
    const bySubject = new Map<string, DreamEntry[]>();
    for (const entry of group) {
      if (entry.id === null || entry.pin) continue;
      const key = `${subjectOf(entry.path)}\n${factKey(entry)}`;
      bySubject.set(key, [...(bySubject.get(key) ?? []), entry]);
    }
    for (const same of bySubject.values()) {
      if (same.length < 2) continue;
      const ordered = [...same].sort(
        (a, b) => (a.added ?? "9999").localeCompare(b.added ?? "9999") || a.path.localeCompare(b.path) || a.line - b.line,
      );
      for (const entry of ordered.slice(1)) gone.add(entry.id!);
      found.push({ edit: { op: "merge", ids: ordered.map((entry) => entry.id!) }, reason: "These lines say the same." });
    }
  }
  return found;
}

/** The subject of a file: in these folders each file has its own, everywhere else it is the user. */
export function subjectOf(path: string): string {
  return /^(?:people|places|projects)\//.test(path) ? path : "";
}

function factKey(entry: DreamEntry): string {
  return JSON.stringify(
    entry.meta.filter(([key]) => !NOT_THE_FACT.has(key)).sort((a, b) => (a[0] + a[1] < b[0] + b[1] ? -1 : 1)),
  );
}

/** Entries whose `until` has come move to History. */
function endings(view: JanitorView, gone: Set<string>): Tidied[] {
  const ended = view.overdue.filter((entry) => entry.id !== null && !entry.pin && entry.until !== null && !gone.has(entry.id));
  for (const entry of ended) gone.add(entry.id!);
  return ended.map((entry) => ({
    edit: { op: "close", id: entry.id!, until: entry.until!, why: "changed" },
    reason: `It was true until ${entry.until}.`,
  }));
}

/** Links to a file that has moved lead to its new place. A link that nobody can mend stays as it is. */
function mends(view: JanitorView, gone: Set<string>): Tidied[] {
  const texts = new Map<string, { entry: DreamEntry; text: string }>();
  for (const { entry, link, to } of view.broken) {
    if (to === null || entry.id === null || entry.pin || gone.has(entry.id)) continue;
    const text = texts.get(entry.id)?.text ?? entry.text;
    texts.set(entry.id, { entry, text: relink(text, link, to) });
  }
  return [...texts.values()]
    .filter(({ entry, text }) => text !== entry.text)
    .map(({ entry, text }) => ({
      edit: { op: "reword" as const, id: entry.id!, text },
      reason: "The file that it links to has moved.",
    }));
}

/** The text with the path of one link replaced; heading and label stay. */
export function relink(text: string, link: string, to: string): string {
  const target = to.replace(/\.md$/, "");
  return text.replace(/\[\[([^[\]]*)\]\]/g, (whole, inside: string) => {
    const [, path = "", rest = ""] = /^([^#|]*)(.*)$/s.exec(inside) ?? [];
    return path.trim().normalize("NFC") === link.normalize("NFC") ? `[[${target}${rest}]]` : whole;
  });
}

/** The lines by which files that a dream makes are found, so that the next dream has nothing to add. */
export function indexFor(view: JanitorView, paths: readonly string[]): Tidied[] {
  return indexing({ ...view, orphans: [...paths] });
}

/** Files that nothing links to get a line: in MEMORY.md where they are few, else in an index file of their folder, and that in MEMORY.md. */
function indexing(view: JanitorView): Tidied[] {
  const byFolder = new Map<string, string[]>();
  for (const path of [...view.orphans].sort()) {
    const slash = path.lastIndexOf("/");
    const folder = slash < 0 ? "" : path.slice(0, slash);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), path]);
  }
  const listed = new Set([...view.memory, ...view.indexed].flatMap((entry) => linkOnly(entry.text) ?? []));
  const indexFiles = new Set(view.indexed.map((entry) => entry.path));
  const found: Tidied[] = [];
  const add = (path: string, section: string | undefined, target: string, reason: string): void => {
    const link = target.replace(/\.md$/, "");
    if (listed.has(link)) return;
    listed.add(link);
    found.push({ edit: { op: "add", path, ...(section ? { section } : {}), text: `[[${link}]]`, sources: [] }, reason });
  };
  for (const [folder, paths] of byFolder) {
    const index = folder === "" ? "index.md" : `${folder}/index.md`;
    const plain = paths.filter((path) => path !== index);
    if (plain.length > ORPHANS_IN_MEMORY || indexFiles.has(index)) {
      for (const path of plain) add(index, undefined, path, "Nothing linked to this file.");
      add(MEMORY, "Index", index, "It lists the files that nothing else links to.");
    } else {
      for (const path of paths) add(MEMORY, "Index", path, "Nothing linked to this file.");
    }
  }
  return found;
}

/** The path that an entry names which is nothing but a link; null for other texts. */
export function linkOnly(text: string): string | null {
  const inside = /^\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|[^[\]]*)?\]\]$/.exec(text.trim());
  return inside ? inside[1]!.trim().replace(/\.md$/, "") : null;
}

/** Tokens of a line as it is loaded into a prompt. */
const tokensOf = (text: string): number => estimateTokenCount(`- ${text}`) + 1;
const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength + 3;

/** Lines that MEMORY.md has over its budget go to a file of their section: the least used first, never a pinned one; a link stays behind. */
function budget(view: JanitorView, gone: Set<string>, index: readonly Tidied[]): Tidied[] {
  const lines = view.memory.filter(
    (entry) => entry.state !== "closed" && entry.state !== "removed" && !(entry.id && gone.has(entry.id)),
  );
  const texts = [
    ...lines.map((entry) => entry.text),
    ...index.flatMap(({ edit }) => (edit.op === "add" && edit.path === MEMORY ? [edit.text] : [])),
  ];
  let tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  let bytes = texts.reduce((sum, text) => sum + bytesOf(text), 0);
  let count = texts.length;
  const over = (): boolean => tokens > MEMORY_FILE_TOKENS || count > MEMORY_FILE_MAX_LINES || bytes > MEMORY_FILE_MAX_BYTES;
  if (!over()) return [];

  const movable = lines
    .filter((entry) => entry.id !== null && !entry.pin && linkOnly(entry.text) === null)
    .sort(
      (a, b) =>
        a.uses - b.uses ||
        (a.lastUsed ?? "").localeCompare(b.lastUsed ?? "") ||
        (a.added ?? "").localeCompare(b.added ?? "") ||
        a.line - b.line,
    );
  const linked = new Set(texts.flatMap((text) => linkOnly(text) ?? []));
  const found: Tidied[] = [];
  const links: Tidied[] = [];
  for (const entry of movable) {
    if (!over()) break;
    const section = entry.section === view.title ? null : entry.section;
    const path = homeOf(section);
    const link = path.replace(/\.md$/, "");
    if (!linked.has(link)) {
      linked.add(link);
      tokens += tokensOf(`[[${link}]]`);
      bytes += bytesOf(`[[${link}]]`);
      count += 1;
      links.push({
        edit: {
          op: "add",
          path: MEMORY,
          ...(section && !/^index$/i.test(section) ? { section } : {}),
          text: `[[${link}]]`,
          sources: [],
        },
        reason: "Lines that are seldom used moved there.",
      });
    }
    tokens -= tokensOf(entry.text);
    bytes -= bytesOf(entry.text);
    count -= 1;
    found.push({
      edit: { op: "move", id: entry.id!, path },
      reason: "MEMORY.md was over its budget, and this line is seldom used.",
    });
  }
  return [...found, ...links];
}

/** The file for lines of a section of MEMORY.md. In `about/` the subject stays the user. */
function homeOf(section: string | null): string {
  const slug = (section ?? "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const short = [...slug].slice(0, 40).join("").replace(/-+$/, "");
  return short === "" || short === "index" || short === "history" ? "about/more.md" : `about/${short}.md`;
}
