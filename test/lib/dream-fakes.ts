// A small memory, inbox and store for the dream loop in plain Node: rules as the writer has them, without git. Time and model are scripted.
import { DREAM_MAX_USD } from "../../src/shared/limits.ts";
import { normalText } from "../../src/shared/normal.ts";
import { dayIn } from "../../src/shared/zone.ts";
import type { Change, DreamLogLine, Edit, EntryChange, MemoryEvent, Outcome } from "../../src/shared/protocol.ts";
import type { Model, ModelAnswer, ModelCall } from "../../src/server/model/types.ts";
import { coverage, termsOf } from "../../src/server/dream/grounds.ts";
import { linkOnly } from "../../src/server/dream/janitor.ts";
import type {
  DreamDeps,
  DreamEntry,
  DreamMemory,
  DreamRow,
  DreamSettings,
  DreamStore,
  InboxItem,
  InboxSource,
  InboxText,
  Rejection,
  Step,
  StoredChange,
} from "../../src/server/dream/types.ts";

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Rows in memory. Everything that goes in or out is copied, as SQL would. */
export function fakeStore(): DreamStore & { snapshot(): () => void } {
  const dreams = new Map<string, DreamRow>();
  const steps = new Map<string, Step[]>();
  const logs = new Map<string, DreamLogLine[]>();
  const changes = new Map<string, StoredChange[]>();
  const items = new Map<string, InboxItem>();
  let rejections: Rejection[] = [];
  const values = new Map<string, string>();
  const maps: Map<string, unknown>[] = [dreams, steps, logs, changes, items, values];
  const byTime = () => [...dreams.values()].sort((a, b) => b.startedAt - a.startedAt);
  const byAge = (a: InboxItem, b: InboxItem) => a.at - b.at || (a.ref < b.ref ? -1 : 1);
  return {
    dream: (id) => (dreams.has(id) ? copy(dreams.get(id)!) : null),
    saveDream: (row) => void dreams.set(row.id, copy(row)),
    dreams: (limit, before) =>
      copy(
        byTime()
          .filter((row) => before === undefined || row.startedAt < before)
          .slice(0, limit),
      ),
    active: () =>
      copy(
        byTime()
          .reverse()
          .find(({ status }) => status === "queued" || status === "running") ?? null,
      ),
    withStatus: (status) =>
      copy(
        byTime()
          .reverse()
          .filter((row) => row.status === status),
      ),
    steps: (id) => copy(steps.get(id) ?? []),
    saveStep(id, n, step) {
      const list = steps.get(id) ?? [];
      list[n] = copy(step);
      steps.set(id, list);
    },
    dropSteps: (id) => void steps.delete(id),
    log: (id) => copy(logs.get(id) ?? []),
    addLog: (id, line) => void logs.set(id, [...(logs.get(id) ?? []), line]),
    saveLog: (id, lines) => void logs.set(id, copy(lines)),
    changes: (id) => copy(changes.get(id) ?? []),
    saveChanges: (id, list) => void changes.set(id, copy(list)),
    item: (ref) => copy(items.get(ref) ?? null),
    saveItem: (item) => void items.set(item.ref, copy(item)),
    items: (state, limit) =>
      copy(
        [...items.values()]
          .filter((item) => item.state === state)
          .sort(byAge)
          .slice(0, limit),
      ),
    itemsOf: (dream) => copy([...items.values()].filter((item) => item.dream === dream).sort(byAge)),
    count: (state) => [...items.values()].filter((item) => item.state === state).length,
    rejections: (since) => copy(rejections.filter(({ at }) => at >= since).reverse()),
    addRejection: (rejection) => void rejections.push(copy(rejection)),
    replaceRejections: (map) => void (rejections = rejections.flatMap((one) => map(copy(one)) ?? [])),
    snapshot() {
      const saved = maps.map((map) => new Map([...map].map(([key, value]) => [key, copy(value)])));
      const turned = copy(rejections);
      return () => {
        maps.forEach((map, at) => {
          map.clear();
          for (const [key, value] of saved[at]!) map.set(key, value);
        });
        rejections = turned;
      };
    },
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
  };
}

type Line = DreamEntry;

/** A line of the fake memory, with what a test wants to say about it. */
export function line(id: string, path: string, text: string, more: Partial<DreamEntry> = {}): DreamEntry {
  const meta: [string, string][] = [["id", id], ...(more.sources ?? []).map((source): [string, string] => ["source", source])];
  for (const key of ["added", "since", "until", "slot", "scope", "on"] as const) if (more[key]) meta.push([key, more[key]!]);
  return {
    id,
    path,
    line: 1,
    section: null,
    text,
    meta,
    state: "open",
    since: null,
    until: null,
    added: "2026-01-01",
    closed: null,
    why: null,
    on: null,
    expires: null,
    slot: null,
    scope: null,
    sources: [],
    replaces: null,
    pin: false,
    toCheck: false,
    uses: 0,
    lastUsed: null,
    chain: text,
    typed: false,
    ...more,
  };
}

/** A memory of lines with the writer's rules: unknown ids, pins, tombstones, slots; a commit a write; reverts by id. */
export class FakeMemory implements DreamMemory {
  lines: Line[] = [];
  /** Texts that were forgotten: no write brings them back. */
  forgotten: string[] = [];
  commits: { id: string; dream: string | null; before: Line[]; after: Line[]; actor: string }[] = [];
  branches = new Map<string, string>();
  #ids = 0;
  #today: () => string;

  constructor(today: () => string) {
    this.#today = today;
  }

  nearForgotten(text: string): string[] {
    return this.forgotten.filter((gone) => coverage(gone, [text]) >= 0.4 && coverage(gone, [text]) < 0.8);
  }
  head(): string | null {
    return this.commits.at(-1)?.id ?? null;
  }
  openCount(): number {
    return this.lines.filter((one) => (one.state === "open" || one.state === "upcoming") && linkOnly(one.text) === null).length;
  }
  entry(id: string): DreamEntry | null {
    return copy(this.lines.find((one) => one.id === id) ?? null);
  }
  file(path: string) {
    const entries = this.lines.filter((one) => one.path === path && one.state !== "closed");
    return this.lines.some((one) => one.path === path) ? { path, title: null, entries: copy(entries) } : null;
  }
  search(query: string, limit: number): DreamEntry[] {
    const wanted = termsOf(query);
    const score = (one: Line) => [...termsOf(one.text)].filter((term) => wanted.has(term)).length;
    return copy(
      this.lines
        .filter((one) => one.state !== "closed" && score(one) > 0)
        .sort((a, b) => score(b) - score(a))
        .slice(0, limit),
    );
  }
  filesNamed(text: string, limit: number): string[] {
    const words = termsOf(text);
    const named = [...new Set(this.lines.map(({ path }) => path))].filter(
      (path) => path.startsWith("people/") && [...termsOf(path.slice(7).replace(".md", ""))].every((term) => words.has(term)),
    );
    return named.slice(0, limit);
  }
  linksOf(path: string): string[] {
    return this.lines
      .filter((one) => one.path === path)
      .flatMap((one) => [...one.text.matchAll(/\[\[([^\]|#]+)/g)].map((match) => `${match[1]}.md`));
  }
  entriesFrom(source: string): DreamEntry[] {
    return copy(this.lines.filter((one) => one.sources.includes(source) && one.state !== "closed"));
  }
  endedFrom(source: string): DreamEntry[] {
    return copy(this.lines.filter((one) => one.sources.includes(source) && one.state === "closed"));
  }
  endedLike(text: string): DreamEntry[] {
    return copy(this.lines.filter((one) => one.state === "closed" && coverage(text, [one.text]) === 1));
  }
  janitor() {
    const live = this.lines.filter((one) => one.state !== "closed");
    const groups = new Map<string, Line[]>();
    for (const one of live) {
      const key = JSON.stringify([normalText(one.text), one.scope, one.on]);
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const paths = new Set(this.lines.map(({ path }) => path));
    const targets = new Set([...paths].flatMap((path) => this.linksOf(path)));
    return copy({
      equal: [...groups.values()].filter((group) => group.length > 1),
      overdue: live.filter((one) => one.until !== null && one.until <= this.#today()),
      broken: [],
      orphans: [...paths].filter((path) => path !== "MEMORY.md" && !targets.has(path)),
      memory: live.filter((one) => one.path === "MEMORY.md"),
      title: "Memory",
      indexed: live.filter((one) => /(?:^|\/)index\.md$/.test(one.path)),
    });
  }
  unused(before: string, limit: number): DreamEntry[] {
    return copy(this.lines.filter((one) => one.state === "open" && (one.lastUsed ?? one.added ?? "") < before).slice(0, limit));
  }
  passed(): DreamEntry[] {
    return [];
  }
  commitOfDream(id: string): string | null {
    return this.commits.find(({ dream }) => dream === id)?.id ?? null;
  }
  markDream(id: string, commit: string): void {
    this.branches.set(`dream/${id}`, commit);
  }
  dreamOfCommit(commit: string): string | null {
    return this.commits.find(({ id }) => id === commit)?.dream ?? null;
  }
  changesOf(commit: string): EntryChange[] {
    const found = this.commits.find(({ id }) => id === commit)!;
    return diff(found.before, found.after);
  }

  judge(change: Change) {
    const after = copy(this.lines);
    const refusal = this.#apply(after, change);
    if (refusal) return { outcome: refusal, changes: [] };
    return {
      outcome: { ok: true as const, commit: null, head: this.head() ?? "", entries: [] },
      changes: diff(this.lines, after),
    };
  }

  write(change: Change): Outcome {
    const before = copy(this.lines);
    const after = copy(this.lines);
    const refusal = this.#apply(after, change);
    if (refusal) return refusal;
    if (diff(before, after).length === 0) return { ok: true, commit: null, head: this.head() ?? "", entries: [] };
    this.lines = after;
    const id = String(this.commits.length + 1).padStart(40, "0");
    this.commits.push({ id, dream: change.dream ?? null, before, after: copy(after), actor: change.actor });
    return { ok: true, commit: id, head: id, entries: [] };
  }

  revert(commit: string): Outcome {
    const { before, after } = this.commits.find(({ id }) => id === commit)!;
    const now = copy(this.lines);
    for (const change of diff(before, after)) {
      const old = before.find(({ id }) => id === change.id);
      const at = this.lines.findIndex(({ id }) => id === change.id);
      if (old === undefined && at >= 0) this.lines.splice(at, 1);
      else if (old && at >= 0) this.lines[at] = copy(old);
      else if (old) this.lines.push(copy(old));
    }
    const id = String(this.commits.length + 1).padStart(40, "0");
    this.commits.push({ id, dream: null, before: now, after: copy(this.lines), actor: "user" });
    return { ok: true, commit: id, head: id, entries: [] };
  }

  #apply(lines: Line[], change: Change): (Outcome & { ok: false }) | null {
    const no = (code: "not-found" | "pinned" | "forgotten" | "conflict", message: string) => ({
      ok: false as const,
      code,
      message,
    });
    const find = (id: string) => lines.find((one) => one.id === id && one.state !== "removed");
    const close = (one: Line, until: string | null, why: string) => {
      one.state = "closed";
      one.closed = this.#today();
      one.why = why;
      if (why === "changed") one.until = until ?? one.until ?? this.#today();
      one.section = "History";
    };
    const covered = (text: string) => this.forgotten.some((gone) => coverage(gone, [text]) >= 0.8);
    for (const edit of (change.edits ?? []) as Edit[]) {
      if ("text" in edit && edit.text !== undefined && covered(edit.text))
        return no("forgotten", "The user asked to forget this.");
      if (edit.op === "add") {
        const path = edit.path ?? "MEMORY.md";
        if (edit.slot) {
          const open = lines.find((one) => one.slot === edit.slot && one.state === "open");
          if (open?.pin) return no("pinned", "The line is pinned.");
          if (open) close(open, edit.since ?? edit.saidOn ?? null, "changed");
        }
        this.#ids += 1;
        lines.push(
          line(`n${String(this.#ids).padStart(7, "0")}`, path, edit.text, {
            sources: edit.sources ?? [],
            added: edit.saidOn ?? this.#today(),
            slot: edit.slot ?? null,
            since: edit.since ?? null,
            on: edit.on ?? null,
          }),
        );
        continue;
      }
      const ids = edit.op === "merge" ? edit.ids : [edit.id];
      for (const id of ids) {
        const one = find(id);
        if (!one) return no("not-found", `There is no line ${id}.`);
        if (one.pin && change.actor !== "user") return no("pinned", "The line is pinned.");
      }
      const one = find(ids[0]!)!;
      if (edit.op === "close") {
        if (one.state === "closed") return no("conflict", "The line is closed already.");
        close(one, edit.until ?? null, edit.why);
      } else if (edit.op === "revise") {
        if (one.state === "closed") return no("conflict", "The line is closed already.");
        close(one, edit.since ?? null, edit.why);
        this.#ids += 1;
        lines.push(
          line(`n${String(this.#ids).padStart(7, "0")}`, one.path, edit.text ?? "", {
            sources: edit.sources ?? [],
            added: edit.saidOn ?? this.#today(),
            slot: one.slot,
            replaces: one.id,
          }),
        );
      } else if (edit.op === "merge") {
        const others = ids.slice(1).map((id) => find(id)!);
        one.sources = [...new Set([...one.sources, ...others.flatMap(({ sources }) => sources)])];
        if (edit.text !== undefined) one.text = edit.text;
        for (const other of others) lines.splice(lines.indexOf(other), 1);
      } else if (edit.op === "move") {
        one.path = edit.path;
        one.section = edit.section ?? null;
      } else if (edit.op === "reword") one.text = edit.text;
    }
    return null;
  }
}

function diff(before: Line[], after: Line[]): EntryChange[] {
  const changes: EntryChange[] = [];
  const of = (verb: EntryChange["verb"], old: Line | undefined, next: Line | undefined): EntryChange => {
    const one = next ?? old!;
    return {
      verb,
      id: one.id,
      path: one.path,
      fromPath: old && old.path !== one.path ? old.path : null,
      section: one.section,
      before: old?.text ?? null,
      after: next?.text ?? null,
      metaBefore: old?.meta ?? [],
      metaAfter: next?.meta ?? [],
      state: one.state,
      heldBack: false,
    };
  };
  for (const old of before) {
    const next = after.find(({ id }) => id === old.id);
    if (!next) changes.push(of("removed", old, undefined));
    else if (next.state === "closed" && old.state !== "closed") changes.push(of("closed", old, next));
    else if (next.text !== old.text || JSON.stringify(next.sources) !== JSON.stringify(old.sources))
      changes.push(of("changed", old, next));
    else if (next.path !== old.path || next.section !== old.section) changes.push(of("moved", old, next));
  }
  for (const next of after) if (!before.some(({ id }) => id === next.id)) changes.push(of("added", undefined, next));
  return changes;
}

/** Messages of a fake transcript. */
export class FakeInbox implements InboxSource {
  messages: (InboxText & { learn: boolean })[] = [];
  noteRows: (InboxText & { version: number; read: number })[] = [];

  say(ref: string, text: string, at: number, more: Partial<InboxText & { learn: boolean }> = {}): void {
    this.messages.push({ ref, role: "user", at, zone: "UTC", text, untyped: [], learn: true, ...more });
  }
  messagesSince(cursor: number, limit: number) {
    const rows = this.messages
      .map((message, at) => ({ ...message, row: at + 1 }))
      .filter(({ row, role, learn }) => row > cursor && role === "user" && learn);
    const items = rows.slice(0, limit);
    return { items: items.map(({ ref, at }) => ({ ref, at })), cursor: items.at(-1)?.row ?? cursor };
  }
  notes() {
    return this.noteRows.filter(({ version, read }) => version > read).map(({ ref, at, version }) => ({ ref, at, version }));
  }
  noteRead(ref: string, version: number): void {
    const note = this.noteRows.find((one) => one.ref === ref);
    if (note && note.version === version) note.read = version;
  }
  text(ref: string): InboxText | null {
    return (
      this.messages.find((one) => one.ref === ref && (one.learn || one.role === "assistant")) ??
      this.noteRows.find((one) => one.ref === ref) ??
      null
    );
  }
  before(ref: string): InboxText | null {
    const at = this.messages.findIndex((one) => one.ref === ref);
    const one = this.messages[at - 1];
    return one?.role === "assistant" ? one : null;
  }
}

/** An answer of a scripted model. */
export function answer(calls: [name: string, input: unknown][], more: Partial<ModelAnswer> = {}): ModelAnswer {
  return {
    text: "",
    finish: calls.length > 0 ? "tool_calls" : "stop",
    model: "scripted",
    tokensIn: 1_000,
    cachedIn: 0,
    tokensOut: 100,
    reasoning: 0,
    usd: 0.001,
    ms: 1,
    toolCalls: calls.map(([name, input], at) => ({
      id: `c${at}`,
      name,
      arguments: typeof input === "string" ? input : JSON.stringify(input),
    })),
    ...more,
  };
}

export type Script = (call: ModelCall, n: number) => ModelAnswer | Promise<ModelAnswer>;

export interface FakeWorld {
  deps: DreamDeps;
  memory: FakeMemory;
  inbox: FakeInbox;
  store: DreamStore;
  events: MemoryEvent[];
  calls: ModelCall[];
  settings: DreamSettings;
  clock: { now: number };
  wakes: number[];
  script: Script;
}

export const FINISH: [string, unknown] = ["finish", { summary: "Done." }];

/** A whole world for a dream, on a Monday in 2026. */
export function fakeWorld(script: Script = () => answer([FINISH])): FakeWorld {
  const clock = { now: Date.UTC(2026, 9, 5, 12) };
  const memory = new FakeMemory(() => dayIn(clock.now, "UTC"));
  const inbox = new FakeInbox();
  const store = fakeStore();
  let ids = 0;
  const world: FakeWorld = {
    memory,
    inbox,
    store,
    events: [],
    calls: [],
    clock,
    wakes: [],
    script,
    settings: {
      mode: "automatic",
      everyHours: 4,
      nightly: true,
      unusedDays: 60,
      maxUsd: DREAM_MAX_USD,
      instructions: "",
      rewordings: false,
      zone: "UTC",
      memory: "on",
    },
    deps: undefined as unknown as DreamDeps,
  };
  const model: Model = async (call) => {
    world.calls.push(copy({ ...call, signal: undefined, onDelta: undefined }));
    return world.script(call, world.calls.length);
  };
  world.deps = {
    store,
    memory,
    inbox,
    model,
    atomic(work) {
      const restore = store.snapshot();
      const [lines, commits] = [copy(memory.lines), [...memory.commits]];
      try {
        return work();
      } catch (error) {
        restore();
        memory.lines = lines;
        memory.commits = commits;
        throw error;
      }
    },
    now: () => clock.now,
    randomId: () => `d${String((ids += 1)).padStart(7, "0")}`,
    settings: () => world.settings,
    broadcast: (event) => void world.events.push(event),
    price: (tokensIn, tokensOut) => (tokensIn + tokensOut * 4) / 1e6,
    spent: (ref) => {
      const row = store.dream(ref.slice("dream/".length));
      return {
        calls: row?.calls ?? 0,
        tokensIn: row?.tokensIn ?? 0,
        tokensOut: row?.tokensOut ?? 0,
        usd: row?.unpriced ? null : (row?.usd ?? 0),
      };
    },
    wakeAt: (at) => void world.wakes.push(at),
  };
  return world;
}
