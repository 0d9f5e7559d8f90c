// What the memory looks like from outside: entries, files, commits, graph, search.
import * as z from "zod/mini";
import { Kind, Path, State } from "./common.ts";

const text = z.string();
const maybe = z.nullable(z.string());

/** A line of the memory as every reading path shows it; absent values are null. */
export const EntryView = z.object({
  id: maybe,
  path: text,
  line: z.number(),
  section: maybe,
  text,
  meta: z.array(z.tuple([text, text])),
  state: State,
  since: maybe,
  until: maybe,
  added: maybe,
  closed: maybe,
  why: maybe,
  on: maybe,
  expires: maybe,
  slot: maybe,
  scope: maybe,
  sources: z.array(text),
  replaces: maybe,
  pin: z.boolean(),
  /** Something that it depends on has changed and nobody has confirmed it since. */
  toCheck: z.boolean(),
  uses: z.number(),
  lastUsed: maybe,
  /** The reader's one line: text, since when, and what was true before. */
  chain: text,
});
export type EntryView = z.infer<typeof EntryView>;

export const FileView = z.object({ path: text, bytes: z.number(), entries: z.number() });
export type FileView = z.infer<typeof FileView>;

export const MemoryView = z.object({ head: maybe, files: z.array(FileView) });
export type MemoryView = z.infer<typeof MemoryView>;

/** A file gets another name, and with it perhaps another folder; links to it follow. */
export const RenameBody = z.object({ to: Path, tz: z.optional(z.string().check(z.maxLength(80))) });
export type RenameBody = z.infer<typeof RenameBody>;

/** A file read: its Markdown, its entries, and what links here. */
export const FileContent = z.object({
  path: text,
  head: maybe,
  text,
  tokens: z.number(),
  entries: z.array(EntryView),
  backlinks: z.array(z.object({ path: text, line: z.number(), text })),
  links: z.array(z.object({ link: text, label: text, path: maybe, line: z.number() })),
});
export type FileContent = z.infer<typeof FileContent>;

const counts = z.object({ added: z.number(), changed: z.number(), closed: z.number(), removed: z.number(), moved: z.number() });
export const CommitView = z.object({
  commit: text,
  parents: z.array(text),
  at: text,
  kind: Kind,
  ref: maybe,
  summary: text,
  entries: counts,
  costUsd: z.nullable(z.number()),
});
export type CommitView = z.infer<typeof CommitView>;

/** One line of a diff by entry. `heldBack`: a tombstone covers it, so its words stay away. */
export const EntryChange = z.object({
  verb: z.enum(["added", "changed", "closed", "reopened", "removed", "moved"]),
  id: maybe,
  path: text,
  fromPath: maybe,
  section: maybe,
  before: maybe,
  after: maybe,
  metaBefore: z.array(z.tuple([text, text])),
  metaAfter: z.array(z.tuple([text, text])),
  state: State,
  heldBack: z.boolean(),
});
export type EntryChange = z.infer<typeof EntryChange>;

export const CommitDetail = z.extend(CommitView, {
  message: text,
  author: text,
  trailers: z.array(z.tuple([text, text])),
  changes: z.array(EntryChange),
  /** Line diff per file, as hunks of unified diff text. */
  files: z.array(z.object({ path: text, status: z.enum(["added", "changed", "removed"]), patch: text })),
});
export type CommitDetail = z.infer<typeof CommitDetail>;

export const GraphNode = z.object({ path: text, title: text, folder: text, entries: z.number(), links: z.number() });
export const GraphView = z.object({
  nodes: z.array(GraphNode),
  links: z.array(z.object({ from: text, to: text, closed: z.boolean() })),
  broken: z.array(z.object({ from: text, link: text })),
});
export type GraphNode = z.infer<typeof GraphNode>;
export type GraphView = z.infer<typeof GraphView>;

/** A hit of the search over entries, notes or conversations. */
export const SearchHit = z.object({
  in: z.enum(["entries", "notes", "conversations"]),
  score: z.number(),
  text,
  /** Ranges [from, to] of the matched words in `text`. */
  marks: z.array(z.tuple([z.number(), z.number()])),
  entry: z.nullable(EntryView),
  thread: z.nullable(z.object({ id: text, title: text, message: text, at: text, role: text, before: maybe, after: maybe })),
  note: z.nullable(z.object({ id: text, title: text })),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const CheckView = z.object({
  ok: z.boolean(),
  head: maybe,
  objects: z.number(),
  checked: z.number(),
  next: maybe,
  problems: z.array(text),
});
export type CheckView = z.infer<typeof CheckView>;
