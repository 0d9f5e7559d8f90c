// The user's memory: one object a user, the only writer of its repository. Wiring only; each room's functions do the work.
import { Agent, type Connection, type ConnectionContext } from "agents";
import { randomBytes } from "node:crypto";
import type { Change, MemoryEvent, MemoryState, MirrorBody } from "../../shared/protocol.ts";
import { AppError, refusalOf } from "../../shared/errors.ts";
import type { DreamApi, DreamVerb } from "../dream/api.ts";
import type { Dreams } from "../dream/dreams.ts";
import { oneAlarm, openDreams } from "../dreaming.ts";
import type { Env } from "../env.ts";
import { VERSION } from "../version.ts";
import { logFailure } from "../log.ts";
import { capOf, installationAt, isHosted, ownFetchOf, usdOf } from "../hosted.ts";
import { forgettingRoom, openForgetting } from "../forgetting.ts";
import { priceFor, userModel } from "../model/models.ts";
import type { OwnModel } from "../model/choose.ts";
import type { Model, Reservation, Settlement } from "../model/types.ts";
import { openTransfer, transferAnswer, TRANSFER_PATH, type OpenTransfer, type TransferDoor } from "../transfer/transfer.ts";
import { accountRoom, answerRoom, type AccountApi } from "./account.ts";
import { hasAccount } from "./account-tables.ts";
import type { Answer, At, EntriesAsk, GraphAsk, HistoryAsk, MemoryCoreApi, RevertAsk, WriteOptions } from "./api.ts";
import { Blocks } from "./blocks.ts";
import { check } from "./check.ts";
import { commitDetail } from "./commit-detail.ts";
import type { LandedCommit, MemoryContext } from "./context.ts";
import type { ConversationApi } from "./conversation-api.ts";
import { answerConversation, conversationRoom } from "./conversations.ts";
import { eraseAll, ERASE_AGAIN_S, ERASE_WAIT_MS, isErasing, noteHighWater, type Erasing } from "./erase.ts";
import { deleteEverything } from "./delete-everything.ts";
import { forgetFacts, type Forgetting } from "./forget.ts";
import { answerForgetting } from "./forget-api.ts";
import { answerGit, callerOf } from "./git-door.ts";
import { graph } from "./graph.ts";
import { INSTALLATION, INSTALLATION_ROOMS, installationRoom, type InstallationApi } from "./installation.ts";
import { reserve, settle, spentUsd } from "./ledger.ts";
import { lift, writeLifting } from "./lift.ts";
import { historyPage } from "./log-view.ts";
import { modelKeyView, ownEndpoint, type OwnEndpoint } from "./model-key.ts";
import { openMemory } from "./open.ts";
import { projectionHead } from "./project.ts";
import { entries, entry, files, readFile } from "./read.ts";
import { Mirror } from "./mirror.ts";
import { addressesOf } from "./mirror-resolve.ts";
import { ensureProjected, rebuildSlice, rebuildState, startRebuild } from "./rebuild.ts";
import { revert } from "./revert.ts";
import { migrate } from "./schema.ts";
import { presentName, secretsOf } from "./secret-box.ts";
import { allOpen, type Ended } from "./sessions.ts";
import { readSettings } from "./settings.ts";
import { closeSession, guardFrames, sessionTags } from "./sockets.ts";
import { takeBack } from "./take-back.ts";
import { write } from "./writer.ts";

/** Milliseconds between two reports of an object to the installation. */
const REPORT_EVERY_MS = 60 * 60_000;

/** What is asked before there is an account. */
const MAY_BE_FIRST: ReadonlySet<string> = new Set<keyof AccountApi>(["register", "taken"]);

const EMPTY: MemoryState = {
  head: null,
  entries: 0,
  files: 0,
  dream: null,
  proposals: 0,
  inbox: 0,
  spentUsd: 0,
  capUsd: 0,
  rebuilding: false,
};

/** Seconds after which an import is looked at again while it runs. */
const IMPORT_AGAIN_S = 30;

/** A read's value, or the refusal it threw: an error loses its class on the way between objects, data does not. */
function answered<T>(read: () => T): Answer<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { ok: false, ...refusal };
  }
}

export class MemoryAgent extends Agent<Env, MemoryState> implements MemoryCoreApi, DreamApi, TransferDoor {
  override initialState = EMPTY;
  #memory: MemoryContext | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.onMessage = guardFrames(this.onMessage.bind(this), Date.now);
  }

  override getConnectionTags(_connection: Connection, { request }: ConnectionContext): string[] {
    return sessionTags(request);
  }

  /** The memory core, opened at its first use: a constructor does nothing that can be slow. */
  get memory(): MemoryContext {
    if (this.#memory) return this.#memory;
    const { storage } = this.ctx;
    this.#memory = openMemory({
      sql: storage.sql,
      transact: (run) => storage.transactionSync(run),
      now: () => Date.now(),
      secrets: secretsOf(this.env),
      landed: (commit) => this.#landed(commit),
    });
    if (ensureProjected(this.#memory) === "rebuilding") void this.schedule(0, "continueRebuild", {}, { idempotent: true });
    if (isErasing(this.#memory.sql)) void this.schedule(1, "continueErase", {}, { idempotent: true });
    return this.#memory;
  }

  /** Open tabs read the state; only this object writes it. */
  override validateStateChange(_next: MemoryState, source: unknown): void {
    if (source !== "server") throw new AppError("forbidden", "The state of a memory is not a client's to set.");
  }

  #landed(commit: LandedCommit): void {
    noteHighWater(this.ctx.storage.sql, this.ctx.storage.sql.databaseSize);
    this.tell({ type: "commit", ...commit });
    this.refreshState();
    this.mirror.landed();
  }

  /** Tells all open tabs that something changed. */
  tell(event: MemoryEvent): void {
    this.broadcast(JSON.stringify(event));
  }

  /** US dollars a month: the user's cap; on the operator's key, within what the operator allows each user. */
  #capUsd(own = this.#paysOwn()): number {
    const { capUsd } = readSettings(this.memory.sql);
    return own ? capUsd : Math.min(capUsd, usdOf(this.env.CAP_USD) ?? Infinity);
  }

  #paysOwn(): boolean {
    return isHosted(this.env) && modelKeyView(this.memory.sql, secretsOf(this.env)).url !== null;
  }

  /** The user's own endpoint, key and all, for the objects of the same user. No route hands it out. */
  async ownModel(): Promise<Answer<OwnEndpoint | null>> {
    return answered(() => (isHosted(this.env) ? ownEndpoint(this.memory.sql, secretsOf(this.env)) : null));
  }

  #own(): OwnModel | null {
    const own = isHosted(this.env) ? ownEndpoint(this.memory.sql, secretsOf(this.env)) : null;
    return own && { ...own, fetch: ownFetchOf(this.env) };
  }

  #blocks: Blocks | null = null;
  get blocks(): Blocks {
    const { sql, now } = this.memory;
    return (this.#blocks ??= new Blocks({
      sql,
      now,
      cap: capOf(this.env),
      grant: async (month, usd, capUsd, neededUsd) => (await installationAt(this.env)).grant(month, usd, capUsd, neededUsd),
      giveBack: async (month, usd) => {
        const given = installationAt(this.env).then((all) => all.giveBack(month, usd));
        // Nobody's call fails because a remainder could not be given back.
        await given.catch((error: unknown) => logFailure("A remainder was not given back", error));
      },
    }));
  }

  /** Brings the display values up to date; sends them only where they differ. */
  refreshState(): void {
    const head = projectionHead(this.memory);
    const next = {
      ...this.state,
      head: head?.oid ?? null,
      entries: head?.entries ?? 0,
      files: head?.files ?? 0,
      rebuilding: rebuildState(this.memory.sql).rebuilding,
      spentUsd: spentUsd(this.memory.sql, Date.now()),
      capUsd: this.#capUsd(),
      ...this.#dreams?.display(),
    };
    if (JSON.stringify(next) !== JSON.stringify(this.state)) this.setState(next);
  }

  // Core: write and read.
  async write(change: Change, options: WriteOptions = {}) {
    return write(this.memory, change, options);
  }
  async revert(commit: string, ask: RevertAsk, options: WriteOptions = {}) {
    const outcome = revert(this.memory, commit, ask, options);
    if (outcome.ok && !ask.entries?.length && !ask.paths?.length) this.dreams.noteReverted(commit);
    return outcome;
  }
  async files(at: At) {
    return answered(() => files(this.memory, at));
  }
  async readFile(path: string, at: At = {}) {
    return answered(() => readFile(this.memory, path, at));
  }
  async entries(ask: EntriesAsk) {
    return answered(() => entries(this.memory, ask));
  }
  async entry(id: string) {
    return answered(() => entry(this.memory, id));
  }
  async graph(ask: GraphAsk) {
    return answered(() => graph(this.memory, ask));
  }
  async historyPage(ask: HistoryAsk) {
    return answered(() => historyPage(this.memory, ask));
  }
  async commitDetail(commit: string) {
    return answered(() => commitDetail(this.memory, commit));
  }

  // Conversations, notes, settings, search and costs: all through one door.
  #conversations: ConversationApi | null = null;
  async conversation(method: string, args: unknown[]): Promise<Answer<unknown>> {
    this.#conversations ??= conversationRoom({
      ctx: this.memory,
      write: (change, { lift }) => writeLifting(this.memory, change, lift),
      forget: (ask) => forgetFacts(this.forgetter, { ...ask, actor: "user" }),
      lift: (stones, said) => lift(this.memory, { ...said, stones, restore: true, actor: "user" }),
      takeBack: (commits, at, zone, source) => takeBack(this.memory, commits, at, zone, source),
      cap: (own) => this.#capUsd(own),
      paysOwn: () => this.#paysOwn(),
      tell: (event) => this.tell(event),
      spent: () => this.refreshState(),
    });
    if (method === "reserveCall") {
      const refused = await this.blocks.setAside(args[0] as Reservation);
      if (refused) return { ok: true, value: refused };
    }
    const answer = answerConversation(this.#conversations, method, args);
    if (method === "reserveCall" || method === "settleCall") await this.blocks.giveBack(Date.now());
    // Another zone, another rhythm: the next dream is due at another time.
    if (method === "patchSettings") this.dreams.rearm();
    return answer;
  }

  // Forgetting: the request, the tombstones as their owner reads them, receipts.
  #forgetting: Forgetting | null = null;
  get forgetter(): Forgetting {
    // Opened before anything is written: their tables are not to be made inside somebody's transaction.
    const { dreams } = this;
    return (this.#forgetting ??= openForgetting({ ctx: this.memory, dreams: () => dreams }));
  }
  async forgetting(method: string, args: unknown[]): Promise<Answer<unknown>> {
    return answerForgetting(
      forgettingRoom(this.forgetter, {
        runErase: () => this.#runErase(),
        deleteEverything: (confirm) => this.#deleteEverything(confirm),
      }),
      method,
      args,
    );
  }
  async #deleteEverything(confirm: string) {
    const { storage } = this.ctx;
    const { transact, now, randomId } = this.memory;
    const active = this.dreams.display().dream;
    if (active) this.dreams.cancel(active.id);
    await this.dreams.idle();
    await this.#erasing;
    const dropped = () => {
      this.#memory = this.#dreams = this.#conversations = this.#forgetting = this.#mirror = this.#account = this.#transfer = null;
      this.#blocks = null;
      this.refreshState();
    };
    const open = hasAccount(storage.sql) ? allOpen(storage.sql) : [];
    const deleted = await deleteEverything(
      { sql: storage.sql, transact, now, randomId, dropped, size: () => storage.sql.databaseSize, rest: () => storage.sync() },
      confirm,
    );
    for (const { id } of await this.listSchedules()) await this.cancelSchedule(id);
    this.#closeSockets(open);
    return deleted;
  }

  // Erasing: slices, one after the other, by whoever waits for them or by an alarm; what is saved meanwhile comes in between.
  #erasing: Promise<void> | null = null;
  get eraser(): Erasing {
    const chat = (thread: string) => this.env.ChatAgent.getByName(`${this.name}.${thread}`);
    return {
      ctx: this.memory,
      size: () => this.ctx.storage.sql.databaseSize,
      scrubThread: async (thread) => void (await chat(thread).scrub()),
    };
  }
  async #runErase(): Promise<void> {
    await this.schedule(1, "continueErase", {}, { idempotent: true });
    this.#erasing ??= eraseAll(this.eraser, () => this.refreshState())
      .catch((error: unknown) => logFailure("An erase was stopped; it goes on later", error))
      .finally(() => (this.#erasing = null));
    await Promise.race([this.#erasing, new Promise((resolve) => setTimeout(resolve, ERASE_WAIT_MS))]);
  }
  /** Goes on with an erase after an eviction; comes back until it has ended. */
  async continueErase(): Promise<void> {
    if (!isErasing(this.memory.sql)) return;
    try {
      await this.#runErase();
    } finally {
      if (isErasing(this.memory.sql)) await this.schedule(ERASE_AGAIN_S, "continueErase", {}, { idempotent: true });
    }
  }

  // The account: who may open this memory.
  #account: AccountApi | null = null;
  readonly #sessionAlarm = oneAlarm(this, () => Date.now(), "endSessions");
  get accounts(): AccountApi {
    const { sql, transact, now, randomId } = this.memory;
    return (this.#account ??= accountRoom({
      sql,
      transact,
      now,
      randomId,
      random: (count) => randomBytes(count),
      user: this.name,
      secrets: secretsOf(this.env),
      loopback: this.env.MIRROR_LOOPBACK === "yes",
      ended: (sessions) => this.#closeSockets(sessions),
      wakeAt: (at) => void this.#sessionAlarm(at),
    }));
  }
  /** An id that names nobody is answered before anything is made for it. */
  async account(method: keyof AccountApi, args: unknown[]): Promise<Answer<unknown>> {
    if (!MAY_BE_FIRST.has(method) && !hasAccount(this.ctx.storage.sql)) {
      return method === "admit"
        ? { ok: true, value: { ok: false, code: "unauthorized" } }
        : { ok: false, code: "unauthorized", message: "That opens no memory here." };
    }
    if (method === "admit") this.ctx.waitUntil(this.#report());
    return answerRoom(this.accounts, method, args);
  }
  #reportedAt = 0;
  /** Tells the installation its size about once an hour, after its keys are sealed with the present secret. */
  async #report(): Promise<void> {
    const { sql } = this.ctx.storage;
    if (Date.now() - this.#reportedAt < REPORT_EVERY_MS || !hasAccount(sql)) return;
    this.#reportedAt = Date.now();
    try {
      const secrets = secretsOf(this.env);
      this.memory.keyring();
      ownEndpoint(sql, secrets);
      const objects = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM git_objects").one().n;
      await (
        await installationAt(this.env)
      ).report(this.name, { objects, bytes: sql.databaseSize, secret: presentName(secrets) });
    } catch (error) {
      logFailure("An object could not tell its size", error);
    }
  }
  #closeSockets(sessions: readonly Ended[]): void {
    for (const { session, threads } of sessions) {
      closeSession((tag) => this.getConnections(tag), session);
      for (const thread of threads) {
        const chat = this.env.ChatAgent.getByName(`${this.name}.${thread}`);
        this.ctx.waitUntil(
          Promise.resolve(chat.closeSession(session)).catch((error: unknown) => logFailure("A socket was not closed", error)),
        );
      }
    }
  }
  async endSessions(): Promise<void> {
    if (hasAccount(this.ctx.storage.sql)) this.accounts.sweep();
  }

  // The installation: only the object of the reserved name answers.
  #installation: InstallationApi | null = null;
  async installation(method: keyof InstallationApi, args: unknown[]): Promise<Answer<unknown>> {
    if (this.name !== INSTALLATION) return { ok: false, code: "not-found", message: "There is no such thing to ask for." };
    const { storage } = this.ctx;
    if (!this.#installation) {
      migrate(storage.sql, (run) => storage.transactionSync(run), INSTALLATION_ROOMS);
      this.#installation = installationRoom({ sql: storage.sql, now: () => Date.now() });
    }
    return answerRoom(this.#installation, method, args);
  }

  // Import and export: one door.
  #transfer: OpenTransfer | null = null;
  get transfer(): OpenTransfer {
    return (this.#transfer ??= openTransfer({
      ctx: this.memory,
      version: VERSION,
      pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
      talked: (thread) => {
        this.tell({ type: "thread", id: thread });
        this.refreshState();
      },
      git: {
        fetch: (url, init) => fetch(url, init),
        resolve: this.env.AUTH_SECRET ? addressesOf : null,
        loopback: this.env.MIRROR_LOOPBACK === "yes",
      },
      later: (seconds) => void this.schedule(seconds, "continueImports", {}, { idempotent: true }),
      report: (error) => logFailure("An import or export failed.", error),
    }));
  }
  async transferring(method: string, args: unknown[]): Promise<Answer<unknown>> {
    return transferAnswer(this.transfer.calls, method, args);
  }
  /** Not awaited by the alarm: an import that takes minutes holds up no other job of this object. */
  async continueImports(): Promise<void> {
    void this.transfer.resume().then(async (left) => {
      if (left) await this.schedule(IMPORT_AGAIN_S, "continueImports", {}, { idempotent: true });
    });
  }

  // Git: clone and fetch, streamed from rows; a push through the gate.
  override async onRequest(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(TRANSFER_PATH)) return this.transfer.answer(request);
    if (!pathname.startsWith("/git/")) return new Response("There is nothing here.", { status: 404 });
    return answerGit(this.memory, request, callerOf(request));
  }

  #mirror: Mirror | null = null;
  /** The mirror: main, pushed to a server of the user's choice after each commit. */
  get mirror(): Mirror {
    return (this.#mirror ??= this.#openMirror());
  }
  #openMirror(): Mirror {
    const secrets = secretsOf(this.env);
    const wakeAt = oneAlarm(this, () => Date.now(), "mirrorAlarm");
    return new Mirror({
      ctx: this.memory,
      fetch: (url, init) => fetch(url, init),
      secrets,
      loopback: this.env.MIRROR_LOOPBACK === "yes",
      // In local mode the owner of the machine names the address; nobody else can.
      resolve: secrets.length > 0 ? addressesOf : null,
      wakeAt: (at) => void wakeAt(at),
      report: (error) => logFailure("A push to the mirror failed", error),
    });
  }
  async mirrorView() {
    return answered(() => this.mirror.view());
  }
  async setMirror(body: MirrorBody) {
    return answered(() => this.mirror.set(body));
  }
  async dropMirror() {
    return answered(() => this.mirror.drop());
  }
  /** Not awaited: an alarm that waits for another server holds up every other job of this object. */
  async mirrorAlarm(): Promise<void> {
    void this.mirror.tick();
  }

  // Core: check and rebuild.
  async check(cursor?: string) {
    return answered(() => check(this.memory, cursor));
  }
  async rebuild() {
    const started = answered(() => startRebuild(this.memory));
    await this.continueRebuild();
    return started;
  }
  /** One slice of a rebuild, then the next by an alarm, so that reads and writes come in between. */
  async continueRebuild(): Promise<void> {
    const done = rebuildSlice(this.memory);
    this.refreshState();
    if (!done) await this.schedule(0, "continueRebuild", {}, { idempotent: true });
  }

  // Dreams: one alarm carries their looks, whatever runs is detached from it.
  /** Replaced in tests; the installation's model otherwise. */
  dreamModel: Model | null = null;
  #dreams: Dreams | null = null;
  #armed: Promise<void> = Promise.resolve();
  readonly #arm = oneAlarm(this, () => Date.now());

  get dreams(): Dreams {
    if (this.#dreams) return this.#dreams;
    const ctx = this.memory;
    const wishes = () => ({ ...readSettings(ctx.sql), own: this.#own() });
    const ledger = {
      reserve: async (call: Reservation) => {
        const refused = await this.blocks.setAside(call);
        const reserved = refused ?? reserve(ctx.sql, call, this.#capUsd(call.own === true));
        await this.blocks.giveBack(call.at);
        return reserved;
      },
      settle: async (id: number, call: Settlement) => {
        settle(ctx.sql, id, call);
        await this.blocks.giveBack(ctx.now());
      },
    };
    const model = userModel(this.env, wishes, ledger, ctx.now);
    return (this.#dreams = openDreams({
      ctx,
      model: (call) => (this.dreamModel ?? model)(call),
      price: (tokensIn, tokensOut) => priceFor(this.env, wishes(), "dream", tokensIn, tokensOut),
      tell: (event) => {
        this.tell(event);
        this.refreshState();
      },
      wakeAt: (at) => void (this.#armed = this.#arm(at)),
    }));
  }

  /** Awaits no alarm: one that was asked for before the start waits for the start itself. */
  override onStart(): void {
    // Hosted, an object is woken by whoever sends an id; without an account it is nobody's, and nothing is made in it.
    if (this.env.AUTH_SECRET && !hasAccount(this.ctx.storage.sql)) return;
    this.dreams.recover();
  }
  async dreamAlarm(): Promise<void> {
    this.dreams.tick();
    await this.#armed;
  }
  async startDream(options: { mode?: "automatic" | "review"; retry?: boolean }) {
    return answered(() => this.dreams.request({ trigger: "user", ...options }));
  }
  async dreamEstimate() {
    return answered(() => this.dreams.estimate());
  }
  async dreamsPage(query: { limit: number; cursor?: string }) {
    return answered(() => this.dreams.list(query));
  }
  async dreamDetail(id: string) {
    return answered(() => this.dreams.detail(id));
  }
  async answerDream(id: string, verb: DreamVerb, changes?: number[]) {
    return answered(() => this.dreams.answer(id, verb, changes));
  }
}
