// Import and export on the wire: what is asked, and what an import says about itself before and after it lands.
import * as z from "zod/mini";

export const ImportKind = z.enum(["conversations", "memory", "statements", "export"]);
export type ImportKind = z.infer<typeof ImportKind>;

/** POST /api/import as JSON. Items are read one by one, so that one that makes no sense does not keep the others out. */
export const ImportBody = z.object({
  kind: z.enum(["conversations", "memory", "statements"], "kind is conversations, memory or statements."),
  items: z._default(z.array(z.unknown(), "items is a list."), []),
  /** A public git repository over https: its notes are read like those of an archive (kind `memory`, without items). */
  url: z.optional(z.string().check(z.maxLength(2000))),
  /** Absent or false: only the preview. */
  apply: z.optional(z.boolean()),
  tz: z.optional(z.string().check(z.maxLength(80))),
});
export type ImportBody = z.infer<typeof ImportBody>;

/** What becomes of a part of an import. `duplicate`: it stands here already. `forgotten` and `secret` are held back; `refused` cannot be kept as it is; `skipped` is none of an import's business. */
export const Fate = z.enum(["lands", "duplicate", "forgotten", "secret", "refused", "skipped"]);
export type Fate = z.infer<typeof Fate>;

export const ImportItem = z.object({
  /** Its number in the list or the archive, from 1: the `n` of `import/<id>#<n>`. */
  n: z.number(),
  what: z.enum(["statement", "file", "line", "conversation", "note", "tombstone"]),
  /** Its text, title or path; null where its words are held back. */
  name: z.nullable(z.string()),
  fate: Fate,
  why: z.nullable(z.string()),
  /** Where it stands or would stand: a file and its line, or a conversation. */
  path: z.nullable(z.string()),
  line: z.nullable(z.number()),
  thread: z.nullable(z.string()),
});
export type ImportItem = z.infer<typeof ImportItem>;

export const ImportCounts = z.object({
  /** By fate: statements, lines of files, conversations and notes. */
  lands: z.number(),
  duplicates: z.number(),
  forgotten: z.number(),
  secrets: z.number(),
  refused: z.number(),
  skipped: z.number(),
  files: z.number(),
  conversations: z.number(),
  /** Messages that are new here, and those in which words were replaced: secrets, and what was forgotten. */
  messages: z.number(),
  redacted: z.number(),
  notes: z.number(),
  /** Calls of models out of the ledger of an export, that are new here. */
  calls: z.number(),
});
export type ImportCounts = z.infer<typeof ImportCounts>;

export const ImportView = z.object({
  id: z.string(),
  kind: z.nullable(ImportKind),
  status: z.enum(["reading", "preview", "applying", "applied", "failed"]),
  /** Parts done and parts in all; `of` null while nobody knows. */
  progress: z.object({ done: z.number(), of: z.nullable(z.number()) }),
  counts: ImportCounts,
  /** At most 200 of them: first what is held back or refused. */
  items: z.array(ImportItem),
  /** The one commit of an import that brought lines; null where it brought none, or before it landed. */
  commit: z.nullable(z.string()),
  head: z.nullable(z.string()),
  /** Ids of tombstones that came without their key: they keep nothing out. */
  deadTombstones: z.array(z.string()),
  /** The archive holds a key that a passphrase opens. */
  needsPassphrase: z.boolean(),
  /** Why it failed, or what else is to be said. */
  message: z.nullable(z.string()),
});
export type ImportView = z.infer<typeof ImportView>;

/** POST /api/imports/:id/apply */
export const ApplyImportBody = z.object({ passphrase: z.optional(z.string().check(z.maxLength(1000))) });
/** POST /api/export */
export const ExportBody = z.object({ passphrase: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))) });
