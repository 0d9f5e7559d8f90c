// All dreams of a memory: asks for one, runs it in checkpointed steps, ends it. Knows time, memory and model through DreamDeps alone.
import { logFailure } from "../log.ts";
import { AppError } from "../../shared/errors.ts";
import { DREAM_BEAT_MS, DREAM_LEASE_MS, DREAM_RETRY_MS, DREAM_SHIFT_MS } from "../../shared/limits.ts";
import type { DreamDetail, DreamEstimate, DreamStatus, DreamView, MemoryState, Page } from "../../shared/protocol.ts";
import type { DreamVerb } from "./api.ts";
import { step } from "./dreamer.ts";
import { dropItems, hasNews, pullInbox, retrySetAside } from "./inbox.ts";
import { endDream, failDream, landDream } from "./end.ts";
import { addLog } from "./log.ts";
import { compareStep } from "./rewordings.ts";
import { canTidy, estimate, prepare } from "./prepare.ts";
import { accept, expire, noteReverted, reject, undo } from "./proposals.ts";
import { detailOf, viewOf } from "./report.ts";
import { nextDue } from "./schedule.ts";
import type { DreamDeps, DreamRow } from "./types.ts";

const LIST_MAX = 200;

/** The dreams of one memory. One of them runs at a time. */
export class Dreams {
  readonly #deps: DreamDeps;
  #running: { id: string; abort: AbortController; done: Promise<void> } | null = null;

  constructor(deps: DreamDeps) {
    this.#deps = deps;
  }

  /** To be called once when the object starts: what an earlier run of it was doing is nobody's now. */
  recover(): void {
    const row = this.#deps.store.active();
    // What this object itself began, before its start was through, is not an earlier one's.
    if (row?.lease && this.#running?.id !== row.id) this.#deps.store.saveDream({ ...row, lease: null });
    this.rearm();
  }

  /**
   * Asks for a dream. While one is queued or running, the answer is that one. Throws `read-only` while memory is read only or off.
   * `retry` takes up again what was set aside.
   */
  request(options: { trigger: "alarm" | "user"; mode?: "automatic" | "review"; retry?: boolean }): {
    id: string;
    status: DreamStatus;
  } {
    const { store, settings } = this.#deps;
    const running = store.active();
    if (running) {
      this.#start(running.id);
      return { id: running.id, status: running.status };
    }
    const { memory, mode, zone } = settings();
    if (memory !== "on")
      throw new AppError("read-only", "The memory is not being written to. Switch it on in Settings to dream.");
    if (options.retry) retrySetAside(store);
    const last = store.dreams(1)[0]?.startedAt ?? 0;
    const row: DreamRow = {
      id: this.#freshId(),
      status: "queued",
      trigger: options.trigger,
      mode: options.mode ?? (mode === "review" ? "review" : "automatic"),
      zone,
      // Two dreams never share their moment: lists and weeks are counted by it.
      startedAt: Math.max(this.#deps.now(), last + 1),
      endedAt: null,
      base: null,
      lease: null,
      cancel: false,
      phase: "queued",
      tidyOnly: false,
      model: null,
      prompt: null,
      promptTokens: 0,
      planned: [],
      heldBack: [],
      compared: { plans: [], asked: 0 },
      finished: false,
      stop: null,
      idle: 0,
      nudged: false,
      asked: [],
      read: 0,
      inbox: 0,
      items: [],
      summary: "",
      commits: [],
      undone: false,
      calls: 0,
      tokensIn: 0,
      tokensOut: 0,
      usd: null,
      unpriced: false,
      tokensLearned: 0,
      taken: 0,
      error: null,
    };
    store.saveDream(row);
    store.set("last", String(this.#deps.now()));
    this.#tell(row);
    this.#start(row.id);
    return { id: row.id, status: row.status };
  }

  #freshId(): string {
    for (;;) {
      const id = this.#deps.randomId();
      if (!this.#deps.store.dream(id)) return id;
    }
  }

  /** Messages, notes, tokens and price of a dream started now. */
  estimate(): DreamEstimate {
    return estimate(this.#deps);
  }

  /** Resolves when nothing of this object runs any more: the dream has ended, or handed over to its next alarm. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running.done;
  }

  /** A run is detached: whoever started it has long been answered. */
  #start(id: string): void {
    if (this.#running) return;
    const abort = new AbortController();
    const running = { id, abort, done: Promise.resolve() };
    this.#running = running;
    running.done = this.#run(id, abort.signal)
      .catch((error: unknown) => this.#deps.atomic(() => failDream(this.#deps, id, error)))
      .catch((error: unknown) => logFailure("A dream could not be ended", error))
      .finally(() => {
        if (this.#running === running) this.#running = null;
        this.#goOn(id);
        this.rearm();
      });
    this.#deps.wakeAt(this.#deps.now() + DREAM_BEAT_MS);
  }

  /** Behind a dream that only tidied comes the one that reads the inbox. */
  #goOn(id: string): void {
    try {
      const { store, inbox, settings } = this.#deps;
      const row = store.dream(id);
      if (row?.tidyOnly && row.status === "landed" && settings().memory === "on" && hasNews(store, inbox))
        this.request({ trigger: row.trigger, mode: row.mode });
    } catch (error) {
      logFailure("The dream behind a tidying could not begin", error);
    }
  }

  async #run(id: string, signal: AbortSignal): Promise<void> {
    const { store, now } = this.#deps;
    const holder = this.#deps.randomId();
    const began = now();
    const held = (): boolean => store.dream(id)?.lease?.holder === holder;
    const first = store.dream(id);
    if (!first || first.endedAt !== null) return;
    if (first.lease && first.lease.until > now()) return;
    store.saveDream({ ...first, status: "running", lease: { holder, until: now() + DREAM_LEASE_MS } });
    for (;;) {
      const row = store.dream(id);
      if (!row || row.endedAt !== null || !held()) return;
      store.saveDream({ ...row, lease: { holder, until: now() + DREAM_LEASE_MS } });
      if (row.phase === "queued") {
        this.#deps.atomic(() => this.#prepare(id));
        // Other work of the object goes first: the request that asked for this dream is answered before the model is.
        await Promise.resolve();
        continue;
      }
      if (row.phase === "land") return this.#deps.atomic(() => landDream(this.#deps, id));
      if (now() - began > DREAM_SHIFT_MS) {
        store.saveDream({ ...store.dream(id)!, lease: null });
        return;
      }
      const comparing = row.phase === "compare";
      const progress = comparing ? await compareStep(this.#deps, id, held, signal) : await step(this.#deps, id, held, signal);
      if (progress === "lost") return;
      const after = store.dream(id)!;
      const phase = progress === "more" ? row.phase : comparing ? "land" : "compare";
      store.saveDream({ ...after, read: after.inbox, phase });
      if (after.read !== after.inbox) this.#tell(after);
    }
  }

  #prepare(id: string): void {
    const row = this.#deps.store.dream(id)!;
    prepare(this.#deps, row);
    this.#deps.store.saveDream(row);
    const joined = row.planned.filter(({ edit }) => edit.op === "merge").length;
    if (row.planned.length > 0) {
      addLog(
        this.#deps,
        id,
        joined > 0
          ? `Joined ${joined === 1 ? "one pair of equal lines" : `${joined} groups of equal lines`}, without a model`
          : "Tidied up, without a model",
        null,
      );
    }
    if (row.inbox > 0) addLog(this.#deps, id, `Reading ${row.inbox === 1 ? "one message" : `${row.inbox} messages`}`, null);
    this.#tell(row);
  }

  #tell(row: DreamRow): void {
    this.#deps.broadcast({ type: "dream", id: row.id, status: row.status });
  }

  /** Stops a dream: nothing of it lands, its items wait again, log and cost stay. */
  cancel(id: string): DreamView {
    const row = this.#row(id);
    if (row.endedAt !== null) throw new AppError("conflict", "This dream has ended already.");
    row.cancel = true;
    this.#deps.atomic(() => endDream(this.#deps, row, "cancelled", [], false));
    if (this.#running?.id === id) this.#running.abort.abort();
    return this.view(id);
  }

  #row(id: string): DreamRow {
    const row = this.#deps.store.dream(id);
    if (!row) throw new AppError("not-found", "There is no such dream.");
    return row;
  }

  /** Dreams, newest first. */
  list(query: { limit: number; cursor?: string }): Page<DreamView> {
    const limit = Math.min(query.limit, LIST_MAX);
    const before = query.cursor === undefined ? undefined : Number(query.cursor);
    const rows = this.#deps.store.dreams(limit + 1, Number.isFinite(before) ? before : undefined);
    const items = rows.slice(0, limit);
    return {
      items: items.map((row) => viewOf(this.#deps, row)),
      next: rows.length > limit ? String(items.at(-1)!.startedAt) : null,
    };
  }

  view(id: string): DreamView {
    return viewOf(this.#deps, this.#row(id));
  }

  /** The page of a dream. Throws `not-found`. */
  detail(id: string): DreamDetail {
    return detailOf(this.#deps, this.#row(id));
  }

  /** What the user answers to a dream. Throws the refusal. */
  answer(id: string, verb: DreamVerb, changes?: readonly number[]): DreamDetail {
    switch (verb) {
      case "accept":
        return this.accept(id, changes);
      case "reject":
        return this.reject(id, changes);
      case "undo":
        return this.undo(id);
      case "cancel":
        this.cancel(id);
        return this.detail(id);
    }
  }

  accept(id: string, changes?: readonly number[]): DreamDetail {
    const refused = this.#deps.atomic(() => accept(this.#deps, id, changes));
    if (refused) throw new AppError(refused.code, refused.message, refused.details);
    return this.detail(id);
  }

  reject(id: string, changes?: readonly number[]): DreamDetail {
    this.#deps.atomic(() => reject(this.#deps, id, changes));
    return this.detail(id);
  }

  undo(id: string): DreamDetail {
    this.#deps.atomic(() => undo(this.#deps, id));
    return this.detail(id);
  }

  /** A commit was reverted from the history: where a dream had made it, its changes are not repeated. */
  noteReverted(commit: string): void {
    const dream = this.#deps.memory.dreamOfCommit(commit);
    if (dream !== null) noteReverted(this.#deps, dream, commit);
  }

  /** What waits: new items, items set aside with their tries, and why. */
  waiting(): { news: number; setAside: { ref: string; tries: number; reason: string | null }[] } {
    pullInbox(this.#deps.store, this.#deps.inbox);
    return {
      news: this.#deps.store.count("new"),
      setAside: this.#deps.store.items("set-aside", LIST_MAX).map(({ ref, tries, outcome }) => ({ ref, tries, reason: outcome })),
    };
  }

  /** The display values of open tabs. */
  display(): Pick<MemoryState, "dream" | "proposals" | "inbox"> {
    const row = this.#deps.store.active();
    return {
      dream: row && { id: row.id, status: row.status, read: row.read, inbox: row.inbox },
      proposals: this.#deps.store.withStatus("proposed").length,
      inbox: this.waiting().news,
    };
  }

  /** Messages or notes are gone: nothing of them waits any more. */
  forgetRefs(refs: readonly string[]): void {
    dropItems(this.#deps.store, refs);
  }

  /** Takes words out of everything that dreams keep. `clean` gives a value without them, or null where it has none of them. */
  redact(clean: <T>(value: T) => T | null): void {
    const { store } = this.#deps;
    for (let before: number | undefined; ;) {
      const page = store.dreams(50, before);
      for (const row of page) {
        const next = clean(row);
        if (next) store.saveDream({ ...next, id: row.id });
        const changes = store.changes(row.id);
        const cleaned = clean(changes);
        // A change whose words were forgotten is no proposal any more.
        if (cleaned) {
          store.saveChanges(
            row.id,
            cleaned.map((change, at) =>
              change.status === "proposed" && JSON.stringify(change) !== JSON.stringify(changes[at])
                ? { ...change, status: "held-back" as const, heldBack: "You asked to forget this.", edit: null }
                : change,
            ),
          );
        }
        // Log lines name files, and a file may be called after what was forgotten.
        const log = clean(store.log(row.id));
        if (log) store.saveLog(row.id, log);
        store.steps(row.id).forEach((one, n) => {
          const without = clean(one);
          if (without) store.saveStep(row.id, n, without);
        });
      }
      const oldest = page.at(-1);
      if (page.length < 50 || !oldest) break;
      before = oldest.startedAt;
    }
    store.replaceRejections((rejection) => clean(rejection) ?? rejection);
  }

  /**
   * What the alarm does: goes on with a dream that nobody runs, begins one that is due and has something to do, lets old proposals lapse. Never
   * throws and returns at once; the next look is armed before it does.
   */
  tick(): void {
    try {
      expire(this.#deps);
      const active = this.#deps.store.active();
      if (active) this.#start(active.id);
      else if (this.#deps.now() >= this.dueAt()) this.#begin();
    } catch (error) {
      logFailure("The look for a dream failed", error);
      this.#noteFailure();
    }
    this.rearm();
  }

  #begin(): void {
    const { store, settings, inbox, now } = this.#deps;
    const { mode, memory } = settings();
    if (mode !== "off" && memory === "on" && (hasNews(store, inbox) || canTidy(this.#deps))) this.request({ trigger: "alarm" });
    else store.set("last", String(now()));
  }

  #noteFailure(): void {
    try {
      const { store, now } = this.#deps;
      store.set("fails", String(Number(store.get("fails") ?? 0) + 1));
      store.set("failed-at", String(now()));
      store.set("last", String(now()));
    } catch (error) {
      logFailure("The failure could not be noted", error);
    }
  }

  /** When the next look is due, in milliseconds. */
  dueAt(): number {
    const { store, settings, now } = this.#deps;
    const past = (key: string, absent: number): number => {
      const moment = store.get(key);
      // A clock that was ahead for a while has left moments that have not come yet: nothing would be due for as long.
      if (moment !== null && Number(moment) <= now()) return Number(moment);
      const value = moment === null ? absent : now();
      if (moment !== null || key === "last") store.set(key, String(value));
      return value;
    };
    return nextDue(
      { last: past("last", now()), fails: Number(store.get("fails") ?? 0), failedAt: past("failed-at", 0) },
      settings(),
    );
  }

  /** Arms the next look: soon while a dream runs, else when one is due. To be called after a change of the settings too. */
  rearm(): void {
    const { now, store, wakeAt } = this.#deps;
    try {
      const active = store.active();
      wakeAt(active ? now() + (this.#running ? DREAM_BEAT_MS : 0) : Math.max(this.dueAt(), now()));
    } catch (error) {
      logFailure("The next dream could not be planned", error);
      wakeAt(now() + DREAM_RETRY_MS);
    }
  }
}
