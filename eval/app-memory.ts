// The strategy "memory": the real app on a data folder of its own. Takes conversations in, lets the app dream until nothing waits, asks through its chat.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ChatReply, Costs, DreamDetail, DreamEstimate, EntryView, LedgerRow, Page } from "../src/shared/protocol.ts";
import { all, call } from "../test/lib/api.ts";
import { MESSAGE_STEP_MS, type Case, type Question, type Session } from "./cases.ts";
import { EvalProblem } from "./problem.ts";
import type { Purpose, Spending } from "./spending.ts";
import type { Asker } from "./strategies.ts";

/** Starts the built app on a data folder; as scripts/serve.mjs exports it. */
export type Serve = (options: {
  port: number;
  data: string;
  env: Record<string, string | undefined>;
}) => Promise<{ url: string; stop: () => Promise<void> }>;

/** Bytes of conversations that one import request carries. */
const IMPORT_BATCH_BYTES = 1024 * 1024;
/** Milliseconds between two looks at a running dream. */
const LOOK_MS = 100;
/** Dreams in a row that work nothing off: more would spend money without an end. */
const DREAMS_WITHOUT_PROGRESS = 5;
/** The section of links that the app keeps itself: no facts. */
const INDEX = "Index";
/** The app's own monthly cap, where the evaluation has none: the largest that its settings take. */
const APP_CAP_USD = 10_000;

/** How far a case's memory has come. */
export interface Learned {
  dreams: number;
  messages: number;
  /** Messages that three dreams could not work off. */
  setAside: number;
  entries: number;
  /** Changes that wait for a person's yes. */
  proposed: number;
}

export interface MemoryOptions {
  serve: Serve;
  spending: Spending;
  model: string;
  one: Case;
  /** Folder that the data folders stand in. */
  folder: string;
  say: (line: string) => void;
  /** What an earlier run has done, and who writes down what this one does. */
  takenIn: boolean;
  learned: boolean;
  done: (step: MemoryStep) => void;
}

/** A step that need not be taken again, as long as the data folder stands. */
export type MemoryStep = { done: "taken-in" } | { done: "learned"; learned: Learned };

/** A folder name for any case id. */
function folderOf(id: string): string {
  const digest = createHash("sha256").update(id).digest("hex").slice(0, 8);
  return `${id.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40)}-${digest}`;
}

/** The app with one case's memory. */
export class AppMemory implements Asker {
  readonly #options: MemoryOptions;
  readonly #data: string;
  #app: { url: string; stop: () => Promise<void> } | null = null;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.#data = join(options.folder, folderOf(options.one.id));
  }

  /** Starts the app and teaches it the case's conversations; what an earlier run has done is not done again. */
  async prepare(): Promise<void> {
    const { takenIn, learned, done } = this.#options;
    const goesOn = takenIn && existsSync(this.#data);
    if (!goesOn) this.#remove();
    await this.#start();
    if (!goesOn) {
      await this.#takeIn();
      done({ done: "taken-in" });
    }
    if (!goesOn || !learned) done({ done: "learned", learned: await this.#learn() });
  }

  #remove(): void {
    rmSync(this.#data, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const { serve, spending, model } = this.#options;
    mkdirSync(this.#data, { recursive: true });
    this.#app = await serve({
      port: 0,
      data: this.#data,
      env: {
        OPENAI_BASE_URL: spending.endpoint.baseUrl,
        OPENAI_API_KEY: spending.endpoint.apiKey,
        CHAT_MODEL: model,
        DREAM_MODEL: model,
        MODEL_PRICES: spending.endpoint.prices,
      },
    });
    await this.#takeOver("learn", null);
    // Dreams begin when they are asked for, so that every question meets the same memory.
    await this.#send("PATCH", "/api/settings", { zone: "UTC", memory: "on", dream: { mode: "off" } });
  }

  /** Brings the case's conversations in, each message on its own day. No model is called. */
  async #takeIn(): Promise<void> {
    for (const items of batches(this.#options.one.sessions)) {
      const body = { kind: "conversations", items, apply: true, tz: "UTC" };
      const { counts } = await this.#send<{ counts: { refused: number } }>("POST", "/api/import", body);
      if (counts.refused > 0)
        throw new EvalProblem(`The import refused ${counts.refused} conversations of ${this.#options.one.id}.`);
    }
  }

  /** Dreams until nothing waits. What an earlier run had learned is not learned twice. */
  async #learn(): Promise<Learned> {
    const { one, say } = this.#options;
    let retry = true;
    let without = 0;
    for (;;) {
      await this.#keepCap();
      const { messages, notes } = await this.#send<DreamEstimate>("POST", "/api/dream", { dryRun: true });
      if (messages + notes === 0 && !retry) break;
      const started = await this.#send<{ id: string }>("POST", "/api/dream", { mode: "automatic", ...(retry ? { retry } : {}) });
      retry = false;
      const dream = await this.#ended(started.id);
      await this.#takeOver("learn", null);
      if (dream.status === "failed" || dream.status === "cancelled") {
        if (dream.error?.code === "cap-reached") throw this.#options.spending.capReached();
        throw new EvalProblem(`A dream failed: ${dream.error?.message ?? dream.summary}`);
      }
      say(`  dreamed over ${dream.inbox} messages: ${dream.summary || dream.status}`);
      const worked = dream.changes.length > 0 || dream.items.some(({ state }) => state === "settled" || state === "set-aside");
      without = worked ? 0 : without + 1;
      if (without >= DREAMS_WITHOUT_PROGRESS)
        throw new EvalProblem(`${without} dreams in a row worked off none of the messages that wait, so learning was stopped.`);
    }
    const dreams = await all<DreamDetail>(this.#url, "/api/dreams");
    const details = await Promise.all(dreams.map(({ id }) => this.#send<DreamDetail>("GET", `/api/dreams/${id}`)));
    const entries = (await all<EntryView>(this.#url, "/api/entries")).filter(({ section }) => section !== INDEX);
    const aside = new Set(
      details.flatMap(({ items }) => items.filter(({ state }) => state === "set-aside").map(({ ref }) => ref)),
    );
    return {
      dreams: dreams.length,
      messages: one.sessions.reduce((sum, { messages }) => sum + messages.length, 0),
      setAside: aside.size,
      entries: entries.length,
      proposed: details.reduce((sum, { changes }) => sum + changes.filter(({ status }) => status === "proposed").length, 0),
    };
  }

  /** Asks in a conversation of its own, at the question's own time, without leaving anything behind. */
  async ask(question: Question): Promise<string> {
    await this.#keepCap();
    // No question may teach the next one: nothing is saved, and the conversation is deleted.
    await this.#send("PATCH", "/api/settings", { memory: "read-only" });
    const { at, text } = question;
    const body = { message: text, at: new Date(at).toISOString(), tz: "UTC" };
    const reply = await this.#send<ChatReply>("POST", "/api/chat", body).finally(() => this.#takeOver("ask", question.id));
    await this.#send("DELETE", `/api/threads/${reply.thread}`);
    if (reply.error?.code === "cap-reached") throw this.#options.spending.capReached();
    if (reply.error) throw new EvalProblem(reply.error.message);
    return reply.reply.trim();
  }

  /** Stops the app; a case that is done needs its data folder no more. */
  async close(done: boolean): Promise<void> {
    await this.#app?.stop();
    this.#app = null;
    if (done) this.#remove();
  }

  get #url(): string {
    if (!this.#app) throw new Error("The app of this case is not running.");
    return this.#app.url;
  }

  /** The app may spend what is left of the evaluation's cap, on top of what it has spent. */
  async #keepCap(): Promise<void> {
    const { leftUsd } = this.#options.spending;
    const { spentUsd, reservedUsd } = await this.#send<Costs>("GET", "/api/costs");
    const capUsd = leftUsd === null ? APP_CAP_USD : Math.min(APP_CAP_USD, spentUsd + reservedUsd + leftUsd);
    await this.#send("PATCH", "/api/settings", { capUsd });
  }

  async #ended(id: string): Promise<DreamDetail> {
    for (;;) {
      const dream = await this.#send<DreamDetail>("GET", `/api/dreams/${id}`);
      if (dream.endedAt !== null) return dream;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Writes down what the app's ledger has that is not written down yet. */
  async #takeOver(phase: Purpose["phase"], question: string | null): Promise<void> {
    const { one, spending } = this.#options;
    const rows: LedgerRow[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Page<LedgerRow> = await this.#send("GET", `/api/costs/calls?limit=200${cursor ? `&cursor=${cursor}` : ""}`);
      rows.push(...page.items);
      cursor = page.next;
    }
    spending.takeOver({ strategy: "memory", case: one.id, phase, question }, rows);
  }

  async #send<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, body: answer } = await call<T & { error?: { message: string } }>(this.#url, method, path, body);
    if (status >= 400) throw new EvalProblem(`${method} ${path.split("?")[0]}: ${answer.error?.message ?? `status ${status}`}`);
    return answer;
  }
}

interface ImportItem {
  id: string;
  title: string;
  messages: { id: string; role: string; at: string; text: string }[];
}

/** Sessions as the import takes them, in requests of bounded size. */
export function batches(sessions: readonly Session[], maxBytes = IMPORT_BATCH_BYTES): ImportItem[][] {
  const made: ImportItem[][] = [];
  let current: ImportItem[] = [];
  let bytes = 0;
  for (const { id, title, at, messages } of sessions) {
    const item: ImportItem = {
      id,
      title,
      messages: messages.map(({ role, text }, n) => ({
        id: `m${n + 1}`,
        role,
        at: new Date(at + n * MESSAGE_STEP_MS).toISOString(),
        text,
      })),
    };
    const size = Buffer.byteLength(JSON.stringify(item));
    if (current.length > 0 && bytes + size > maxBytes) {
      made.push(current);
      current = [];
      bytes = 0;
    }
    current.push(item);
    bytes += size;
  }
  if (current.length > 0) made.push(current);
  return made;
}
