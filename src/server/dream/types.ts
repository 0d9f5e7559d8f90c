// What the dream room needs from the rest, and the shapes that it keeps. Everything comes in through these interfaces, so that the
// loop runs in plain Node with a scripted model and in workerd with the real memory.
import type { Model, ModelAnswer, ModelMessage } from "../model/types.ts";
import type {
  Change,
  DreamLogLine,
  DreamStatus,
  Edit,
  EntryChange,
  EntryView,
  MemoryEvent,
  Outcome,
} from "../../shared/protocol.ts";

/** An entry as the dreamer sees it. `typed`: the user's own hand, or saved in a chat from typed words. */
export type DreamEntry = EntryView & { typed: boolean };

/** A dry run: what a Change would do to head, without doing it. */
export interface Judged {
  outcome: Outcome;
  changes: EntryChange[];
}

/** What the rules of the janitor look at. Each list holds only what may need work, never the whole memory. */
export interface JanitorView {
  /** Groups of entries (none closed, none removed) with the same normalised text and the same scope and `on`. */
  equal: DreamEntry[][];
  /** Entries whose `until` is not after today and which are not closed yet. */
  overdue: DreamEntry[];
  /** Entries with a link that leads nowhere, and where its file went; `to` null = nobody knows. */
  broken: { entry: DreamEntry; link: string; to: string | null }[];
  /** Files that nothing links to, MEMORY.md and forgotten files aside. */
  orphans: string[];
  /** All entries of MEMORY.md outside History. */
  memory: DreamEntry[];
  /** Its title: lines under that stand in no section. */
  title: string | null;
  /** Entries of index files (`index.md`, `people/index.md`) that are nothing but a link. */
  indexed: DreamEntry[];
}

/** The memory, as far as a dream needs it. All of it is synchronous: a landing is one turn of the event loop. */
export interface DreamMemory {
  head(): string | null;
  /** Entries that are open or upcoming, bullets that are nothing but a link aside. */
  openCount(): number;
  entry(id: string): DreamEntry | null;
  /** A file with its entries outside History, in file order; null where there is none. */
  file(path: string): { path: string; title: string | null; entries: DreamEntry[] } | null;
  /** Open, upcoming and past entries that share words with the text, best first. */
  search(query: string, limit: number): DreamEntry[];
  /** Files of people, places and projects whose subject the text names, and the targets of those entries' links. */
  filesNamed(text: string, limit: number): string[];
  /** Paths that the entries of a file link to. */
  linksOf(path: string): string[];
  /** Entries that cite this source. */
  entriesFrom(source: string): DreamEntry[];
  /** Entries that cite this source and were closed since. */
  endedFrom(source: string): DreamEntry[];
  /** Closed entries that hold all words of the text. */
  endedLike(text: string): DreamEntry[];
  janitor(): JanitorView;
  /** Entries that no prompt or tool used since `before` (YYYY-MM-DD), longest unused first. */
  unused(before: string, limit: number): DreamEntry[];
  /** Plans whose day has passed since `after` (YYYY-MM-DD). */
  passed(after: string, limit: number): DreamEntry[];
  /** Forgotten texts that share 40 to 79 % of their words with a text that would stand at this path. Those that were erased nobody knows. */
  nearForgotten(text: string, path: string): string[];
  judge(change: Change): Judged;
  write(change: Change): Outcome;
  /** Changes of a commit, from its diff. */
  changesOf(commit: string): EntryChange[];
  /** Reverts a commit by rebase; later edits stay. */
  revert(commit: string): Outcome;
  /** The commit that a dream has made, by its trailer; null where it has not landed. */
  commitOfDream(id: string): string | null;
  /** The dream that made a commit; null for all others. */
  dreamOfCommit(commit: string): string | null;
  /** Lets the branch `dream/<id>` lead to what a dream has written. In the caller's transaction. */
  markDream(id: string, commit: string): void;
}

/** One message or note that waits for a dream. */
export interface InboxText {
  ref: string;
  role: "user" | "assistant" | "note";
  /** Milliseconds. */
  at: number;
  zone: string;
  text: string;
  /** Ranges [from, to) in UTF-16 units that the user did not type: pasted, quoted, fenced. A note is untyped as a whole. */
  untyped: [number, number][];
}

/** Where the inbox comes from. */
export interface InboxSource {
  /** User messages since the cursor (a row number, 0 = from the start), in the order of their rows. Never those said while memory was off or read only, or in a temporary conversation. */
  messagesSince(cursor: number, limit: number): { items: { ref: string; at: number }[]; cursor: number };
  /** Notes that no dream has read as they stand, with a number that grows with each save. */
  notes(): { ref: string; at: number; version: number }[];
  /** A dream has read a note as it stood at this version. */
  noteRead(ref: string, version: number): void;
  /** The text behind a reference; null where it was deleted. */
  text(ref: string): InboxText | null;
  /** The assistant's message before this one, as context; null without one. */
  before(ref: string): InboxText | null;
}

export type ItemState = "new" | "taken" | "settled" | "set-aside";

/** A row of the inbox. The words stay in the transcripts. */
export interface InboxItem {
  ref: string;
  at: number;
  /** Of a note: the version that waits. 0 for messages. */
  version: number;
  state: ItemState;
  tries: number;
  dream: string | null;
  outcome: string | null;
}

/** One change of a dream: the edit, why, and what speaks for it. */
export interface Planned {
  n: number;
  edit: Edit;
  by: "janitor" | "model";
  reason: string;
  evidence: string[];
  /** Entries that it touches, with a print of how they stood when it was judged. */
  seen: Record<string, string>;
  /** Set where it may not land unattended, and why. */
  needsYes: string | null;
  /** The text of an entry that the model added in this dream and may still change: `new1`. */
  handle: string | null;
}

/** A change that was refused as it was called. */
export interface HeldBack {
  code: string;
  message: string;
  reason: string;
  evidence: string[];
  path: string;
  id: string | null;
  /** What it would have said; null where the words must not be kept (forgotten, secret). */
  text: string | null;
}

/** One answered model call and what it led to: the checkpoint from which a killed dream goes on. */
export interface Step {
  answer: Pick<ModelAnswer, "text" | "toolCalls" | "finish">;
  /** Null until the tools have run. */
  results: { id: string; text: string }[] | null;
}

export type StoredChangeStatus = "landed" | "proposed" | "accepted" | "rejected" | "held-back";

/** A change as the report keeps it. */
export interface StoredChange {
  n: number;
  edit: Edit | null;
  by: "janitor" | "model";
  seen: Record<string, string>;
  reason: string;
  evidence: string[];
  status: StoredChangeStatus;
  heldBack: string | null;
  changes: EntryChange[];
}

/** A dream. Kept as one document; the texts of its prompt and answers go when it ends. */
export interface DreamRow {
  id: string;
  status: DreamStatus;
  trigger: "alarm" | "user";
  mode: "automatic" | "review";
  zone: string;
  startedAt: number;
  endedAt: number | null;
  base: string | null;
  lease: { holder: string; until: number } | null;
  cancel: boolean;
  phase: "queued" | "model" | "compare" | "land" | "ended";
  /** It only tidies: the rules had so much to do that the inbox is left to the dream behind it. */
  tidyOnly: boolean;
  /** The model that answered. */
  model: string | null;
  prompt: ModelMessage[] | null;
  promptTokens: number;
  planned: Planned[];
  heldBack: HeldBack[];
  /** Plans of which it is known whether they say again what was forgotten, and how many of them were a question to the model. */
  compared: { plans: number[]; asked: number };
  finished: boolean;
  /** Why the loop ended without `finish`; null while it runs or after `finish`. */
  stop: { code: string; message: string } | null;
  idle: number;
  nudged: boolean;
  /** Prints of tool calls already answered, so that a repeat costs nothing. */
  asked: string[];
  read: number;
  inbox: number;
  /** What became of its items, once it has ended (while it runs the inbox knows). */
  items: { ref: string; state: ItemState; outcome: string | null }[];
  summary: string;
  commits: string[];
  undone: boolean;
  calls: number;
  tokensIn: number;
  tokensOut: number;
  usd: number | null;
  unpriced: boolean;
  tokensLearned: number;
  /** Ids of the lines that it was shown as unused: being on that list is no reason to close one. */
  unused?: string[];
  /** What landed without a yes and took something away: counts against the week. */
  taken: number;
  error: { code: string; message: string } | null;
}

/** A change that the user turned down, or took back. */
export interface Rejection {
  at: number;
  op: string;
  ids: string[];
  path: string | null;
  text: string | null;
}

/** Rows of the dream room. Synchronous, like SQL in a Durable Object. */
export interface DreamStore {
  dream(id: string): DreamRow | null;
  saveDream(row: DreamRow): void;
  /** Newest first. */
  dreams(limit: number, before?: number): DreamRow[];
  /** The dream that is queued or running. */
  active(): DreamRow | null;
  withStatus(status: DreamStatus): DreamRow[];
  steps(id: string): Step[];
  saveStep(id: string, n: number, step: Step): void;
  dropSteps(id: string): void;
  log(id: string): DreamLogLine[];
  addLog(id: string, line: DreamLogLine): void;
  /** Replaces a log, for a forget. */
  saveLog(id: string, lines: DreamLogLine[]): void;
  changes(id: string): StoredChange[];
  saveChanges(id: string, changes: StoredChange[]): void;
  item(ref: string): InboxItem | null;
  saveItem(item: InboxItem): void;
  /** Items in a state, oldest first. */
  items(state: ItemState, limit: number): InboxItem[];
  itemsOf(dream: string): InboxItem[];
  count(state: ItemState): number;
  rejections(since: number): Rejection[];
  addRejection(rejection: Rejection): void;
  /** Takes rejections out or replaces them, for a forget. */
  replaceRejections(map: (rejection: Rejection) => Rejection | null): void;
  get(key: string): string | null;
  set(key: string, value: string): void;
}

export interface DreamSettings {
  mode: "automatic" | "review" | "off";
  everyHours: number;
  nightly: boolean;
  unusedDays: number;
  maxUsd: number;
  instructions: string;
  rewordings: boolean;
  zone: string;
  /** Whether memory may be written at all. */
  memory: "on" | "read-only" | "off";
}

/** Everything a dream works with. */
export interface DreamDeps {
  store: DreamStore;
  memory: DreamMemory;
  inbox: InboxSource;
  model: Model;
  /** Runs a function in one transaction: all that it wrote stays, or, when it throws, nothing. May be nested. */
  atomic: <T>(work: () => T) => T;
  now: () => number;
  /** 8 of a-z0-9. */
  randomId: () => string;
  settings: () => DreamSettings;
  broadcast: (event: MemoryEvent) => void;
  /** US dollars of so many tokens with the dream model; null = no known price. */
  price: (tokensIn: number, tokensOut: number) => number | null;
  /** What the ledger holds for `dream/<id>`, cancelled and failed calls included. */
  spent: (ref: string) => { calls: number; tokensIn: number; tokensOut: number; usd: number | null };
  /** Asks for a look (`Dreams.tick`) at this moment, in milliseconds; one at a time, the last one counts. */
  wakeAt: (at: number) => void;
}
