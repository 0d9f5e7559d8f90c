// What the memory core of a MemoryAgent answers, for the Worker's routes and the other objects. Types only.
import type { Refusal } from "../../shared/errors.ts";
import type {
  Actor,
  Change,
  CheckView,
  CommitDetail,
  CommitView,
  EntryView,
  FileContent,
  GraphView,
  Kind,
  MemoryView,
  Outcome,
  Page,
  State,
} from "../../shared/protocol.ts";

/** A point of system time: a commit, or the end of a day in the user's zone. Neither = now. */
export interface At {
  ref?: string;
  knownAt?: string;
}

export interface EntriesAsk extends At {
  q?: string;
  /** Only these entries, wherever they stand. */
  ids?: string[];
  path?: string;
  slot?: string;
  scope?: string;
  /** Absent: open and upcoming. `all` is all but tombstones. */
  state?: (State | "all")[];
  /** A day of valid time: only what was true then, whatever its state today. */
  asOf?: string;
  limit?: number;
  cursor?: string;
}

export interface HistoryAsk {
  path?: string;
  entry?: string;
  kind?: Kind;
  /** Words that came or went in the commit. */
  text?: string;
  limit?: number;
  cursor?: string;
}

export interface GraphAsk extends At {
  asOf?: string;
}

export interface WriteOptions {
  /** The same key with the same change gives the same answer and writes once. */
  idempotencyKey?: string;
}

export interface RevertAsk {
  /** Ids, or normalised texts where a line has none. */
  entries?: string[];
  paths?: string[];
  actor: Actor;
  at: number;
  zone: string;
}

/** One entry with the values of its slot over time and the commits that touched it. */
export interface EntryDetail extends EntryView {
  timeline: EntryView[];
  history: CommitView[];
}

/** A read that may find nothing: the refusal travels as data, because an error loses its class on the way between objects. */
export type Answer<T> = { ok: true; value: T } | ({ ok: false } & Refusal);

export interface MemoryCoreApi {
  write(change: Change, options?: WriteOptions): Promise<Outcome>;
  revert(commit: string, ask: RevertAsk, options?: WriteOptions): Promise<Outcome>;
  files(at: At): Promise<Answer<MemoryView>>;
  readFile(path: string, at: At): Promise<Answer<FileContent>>;
  entries(ask: EntriesAsk): Promise<Answer<Page<EntryView>>>;
  entry(id: string): Promise<Answer<EntryDetail>>;
  graph(ask: GraphAsk): Promise<Answer<GraphView>>;
  historyPage(ask: HistoryAsk): Promise<Answer<Page<CommitView>>>;
  commitDetail(commit: string): Promise<Answer<CommitDetail>>;
  check(cursor?: string): Promise<Answer<CheckView>>;
  /** Starts a rebuild of the projection in slices; reads are answered meanwhile. */
  rebuild(): Promise<Answer<{ rebuilding: boolean; done: number; of: number }>>;
}
