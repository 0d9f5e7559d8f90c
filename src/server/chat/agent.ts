// One conversation: its turns one after the other, its stream, its open tabs. A shell: what a turn does is in turn.ts, what is kept is the MemoryAgent's.
import { Agent, callable, type Connection, type ConnectionContext } from "agents";
import { AppError, refusalOf, STATUS, type Refusal } from "../../shared/errors.ts";
import { TURN_QUEUE_MAX } from "../../shared/limits.ts";
import type {
  Action,
  ChatFrame,
  ChatReply,
  MessageView,
  ThreadDetail,
  ThreadView,
  TurnContext,
  TurnEnd,
  Usage,
} from "../../shared/protocol.ts";
import { queryTokens } from "../../shared/words.ts";
import type { Env } from "../env.ts";
import { logFailure } from "../log.ts";
import { ownFetchOf } from "../hosted.ts";
import { conversationsOf, type ConversationDoor, type Conversations } from "../memory/conversation-api.ts";
import type { MemoryAgent } from "../memory/agent.ts";
import { randomIdFrom } from "../memory/context.ts";
import { closeSession, guardFrames, sessionTags } from "../memory/sockets.ts";
import type { Begun } from "../memory/turns.ts";
import type { OwnModel } from "../model/choose.ts";
import { modelFor, userModel } from "../model/models.ts";
import type { Model, ModelMessage } from "../model/types.ts";
import { jobOf, parseBody } from "./body.ts";
import {
  addWaiting,
  clearInFlight,
  countWaiting,
  createInFlight,
  dropDraft,
  dropViews,
  dropWaiting,
  keepView,
  keptViews,
  keptWindow,
  nextWaiting,
  readDraft,
  startTemporary,
  temporaryThread,
  writeDraft,
  type Draft,
  type Job,
} from "./in-flight.ts";
import type { ToolMemory } from "./ports.ts";
import { buildPrompt, recalledBlock, type Reach } from "./prompt.ts";
import { relevantOf } from "./relevance.ts";
import { scrubRows } from "./scrub.ts";
import { untypedRanges } from "./spans.ts";
import { standingOf } from "./standing.ts";
import { summarise } from "./summary.ts";
import { toolsFor } from "./tool-table.ts";
import { runCard, runTool, type ToolTurn } from "./tools.ts";
import { runTurn, type TurnResult } from "./turn.ts";

/** Frames of one turn for whoever asked for it. */
type Sink = (frame: ChatFrame) => void;

interface Waiter {
  resolve(reply: ChatReply): void;
  reject(error: unknown): void;
  sink: Sink | null;
}

/** Characters after which the draft is written again: an eviction loses at most so many, which the answer's second try brings back. */
const CHECKPOINT_CHARS = 512;
/** Messages of a temporary conversation that its prompt holds. */
const TEMPORARY_WINDOW = 40;
const BROKEN: { code: string; message: string } = {
  code: "unavailable",
  message:
    "The answer was broken off when the app restarted. What it had saved by then is shown. Press Continue to let it go on.",
};

export class ChatAgent extends Agent<Env> {
  static override options = { sendIdentityOnConnect: true };
  /** Replaced in tests; the installation's model otherwise. */
  model: Model | null = null;
  readonly #waiters = new Map<number, Waiter>();
  #running: { draft: Draft | null; stop: AbortController; sink: Sink | null; checkpoint: number } | null = null;
  #draining: Promise<void> | null = null;
  #recovered: Promise<void> = Promise.resolve();
  #summing: Promise<void> = Promise.resolve();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.onMessage = guardFrames(this.onMessage.bind(this), Date.now);
  }

  override getConnectionTags(_connection: Connection, { request }: ConnectionContext): string[] {
    return sessionTags(request);
  }

  /** The session has ended: whoever looks on by it looks on no longer. Gives back how many. */
  async closeSession(session: string): Promise<number> {
    return closeSession((tag) => this.getConnections(tag), session);
  }

  /** No client sets the state of a conversation: there is none. */
  override validateStateChange(_next: unknown, source: unknown): void {
    if (source !== "server") throw new AppError("forbidden", "The state of a conversation is not a client's to set.");
  }

  get #thread(): string {
    return this.name.slice(this.name.lastIndexOf(".") + 1);
  }

  get #user(): string {
    return this.name.slice(0, this.name.lastIndexOf("."));
  }

  get #rows() {
    return this.ctx.storage.sql;
  }

  get #memory(): Conversations {
    return conversationsOf(this.env.MemoryAgent.getByName(this.#user) as unknown as ConversationDoor);
  }

  override onStart(): void {
    createInFlight(this.#rows);
    this.#recovered = this.#recover();
  }

  // An answer that was being written when the object went away is marked as broken off; what waited behind it goes on.
  async #recover(): Promise<void> {
    if (readDraft(this.#rows)) {
      await this.#breakOff();
      const first = nextWaiting(this.#rows);
      if (first) dropWaiting(this.#rows, first.n);
    }
    if (nextWaiting(this.#rows)) this.#drain();
  }

  // Stores what stands of an answer that nobody writes any more.
  async #breakOff(): Promise<void> {
    const draft = readDraft(this.#rows);
    if (!draft) return;
    const view = await this.#store(draft, {
      text: draft.text,
      actions: draft.actions,
      usage: draft.usage,
      status: "broken",
      error: BROKEN,
      toolless: false,
    });
    if (view) this.#send({ type: "done", message: view, reply: this.#replyOf(draft, view, null) });
  }

  override async onConnect(connection: Connection, _ctx: ConnectionContext): Promise<void> {
    await this.#recovered;
    connection.send(JSON.stringify({ type: "snapshot", thread: this.#thread, writing: this.#writing() } satisfies ChatFrame));
  }

  /** Requests of the Worker; a browser's do not come here (their path is another). */
  override async onRequest(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== "/turn" || request.method !== "POST")
      return refused({ code: "not-found", message: "There is nothing here." });
    try {
      await this.#recovered;
      const job = (await request.json()) as Job;
      if ((request.headers.get("accept") ?? "").includes("text/event-stream")) return this.#stream(job);
      return Response.json(await this.#enqueue(job, null), { headers: { "x-thread": this.#thread } });
    } catch (error) {
      return refused(refusalOr(error));
    }
  }

  #stream(job: Job): Response {
    const encoder = new TextEncoder();
    let closed = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const write: Sink = (frame) => {
          if (!closed) controller.enqueue(encoder.encode(`event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`));
        };
        const end = (): void => {
          if (!closed) controller.close();
          closed = true;
        };
        this.#enqueue(job, write).then(end, (error: unknown) => {
          const { code, message } = refusalOr(error);
          write({ type: "error", message: null, code, text: message });
          end();
        });
      },
      // Whoever listened has gone; the answer is written all the same, and the next tab sees it.
      cancel: () => {
        closed = true;
      },
    });
    return new Response(body, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-thread": this.#thread },
    });
  }

  /** Makes this a temporary conversation: kept nowhere but here. */
  async beginTemporary(scope: string | null, at: number): Promise<ThreadView> {
    const now = new Date(at).toISOString();
    const thread: ThreadView = {
      id: this.#thread,
      title: "Temporary conversation",
      createdAt: now,
      updatedAt: now,
      messages: 0,
      pinned: false,
      scope,
      temporary: true,
      answering: false,
    };
    startTemporary(this.#rows, thread);
    return thread;
  }

  /** The temporary conversation that this is, or null. */
  async temporaryDetail(): Promise<ThreadDetail | null> {
    await this.#recovered;
    const temporary = temporaryThread(this.#rows);
    if (!temporary) return null;
    const items = keptViews(this.#rows);
    return { ...temporary.thread, messages: items.length, answering: this.#running !== null, items, loaded: { lines: 0, of: 0 } };
  }

  /** The answer that is being written, or null. */
  async inFlight(): Promise<MessageView | null> {
    await this.#recovered;
    return this.#writing();
  }

  /** The conversation was deleted: stop, and keep nothing. */
  async clear(): Promise<void> {
    this.#running?.stop.abort();
    clearInFlight(this.#rows);
    await this.#draining;
    clearInFlight(this.#rows);
  }

  /** Overwrites what an erase has taken out of the memory: drafts and waiting messages that lie deleted in this object's file. */
  async scrub(): Promise<void> {
    await this.#recovered;
    await this.#draining;
    const { storage } = this.ctx;
    await scrubRows(
      storage.sql,
      (run) => storage.transactionSync(run),
      () => storage.sync(),
    );
  }

  /** Answers a card. Waits for the answer that it stands in. */
  async answerCard(
    card: string,
    accept: boolean,
  ): Promise<{ ok: true; message: string; action: Action } | ({ ok: false } & Refusal)> {
    try {
      await this.#recovered;
      if (readDraft(this.#rows)?.actions.some((action) => action.card === card)) await this.#draining;
      const waiting = await this.#memory.waitingCard(this.#thread, card);
      const { asked, scope, action } = waiting;
      const outcome = accept
        ? await runCard(this.#tools(), action, {
            thread: this.#thread,
            message: asked.id,
            at: asked.at,
            zone: asked.zone,
            model: () => "",
            head: null,
            scope,
          })
        : null;
      const answered = await this.#memory.answerCard(this.#thread, card, accept, outcome);
      this.#send({ type: "action", message: answered.message, action: answered.action });
      if (outcome && !outcome.ok) return outcome;
      return { ok: true, ...answered };
    } catch (error) {
      return { ok: false, ...refusalOr(error) };
    }
  }

  /** Sends a message over the socket; the answer comes as frames. */
  @callable()
  async send(body: unknown): Promise<{ queued: boolean; ahead: number }> {
    await this.#recovered;
    const job = jobOf(parseBody(body, this.#hosted), Date.now());
    const ahead = countWaiting(this.#rows);
    this.#enqueue(job, null).catch((error: unknown) => {
      const { code, message } = refusalOr(error);
      this.#send({ type: "error", message: null, code, text: message });
    });
    return { queued: ahead > 0, ahead };
  }

  /** Stops the answer that is being written; what is there stays. */
  @callable()
  async stop(): Promise<{ stopped: boolean }> {
    const running = this.#running;
    running?.stop.abort();
    return { stopped: running !== null };
  }

  /** Lets an answer that broke off go on; what it had saved stays. */
  @callable()
  async resume(reply: string): Promise<ChatReply> {
    return this.#enqueue({ do: "again", reply: String(reply), how: "resume" }, null);
  }

  /** Writes the last answer anew; what the old one had saved is taken back. */
  @callable()
  async regenerate(reply: string): Promise<ChatReply> {
    return this.#enqueue({ do: "again", reply: String(reply), how: "regenerate" }, null);
  }

  get #hosted(): boolean {
    return Boolean(this.env.AUTH_SECRET);
  }

  #writing(): MessageView | null {
    const draft = this.#running?.draft ?? null;
    return draft
      ? viewOf(draft, { text: draft.text, actions: draft.actions, usage: draft.usage, status: "writing", error: null })
      : null;
  }

  #send(frame: ChatFrame): void {
    this.broadcast(JSON.stringify(frame));
    this.#running?.sink?.(frame);
  }

  async #enqueue(job: Job, sink: Sink | null): Promise<ChatReply> {
    if (countWaiting(this.#rows) >= TURN_QUEUE_MAX) {
      throw new AppError(
        "rate-limited",
        `${TURN_QUEUE_MAX} messages wait for an answer here already. Wait for one, or stop it.`,
        { waiting: TURN_QUEUE_MAX },
      );
    }
    const n = addWaiting(this.#rows, job);
    const answered = new Promise<ChatReply>((resolve, reject) => this.#waiters.set(n, { resolve, reject, sink }));
    this.#drain();
    return answered;
  }

  #drain(): void {
    if (this.#draining) return;
    this.#draining = this.keepAliveWhile(async () => {
      for (let next = nextWaiting(this.#rows); next; next = nextWaiting(this.#rows)) await this.#runJob(next.n, next.job);
    }).finally(() => {
      this.#draining = null;
      if (nextWaiting(this.#rows)) this.#drain();
    });
    this.ctx.waitUntil(this.#draining);
  }

  async #runJob(n: number, job: Job): Promise<void> {
    const waiter = this.#waiters.get(n);
    this.#waiters.delete(n);
    this.#running = { draft: null, stop: new AbortController(), sink: waiter?.sink ?? null, checkpoint: 0 };
    try {
      // Left behind by a turn whose answer could not be stored.
      await this.#breakOff();
      const reply = await this.#turn(job);
      waiter?.resolve(reply);
    } catch (error) {
      if (!refusalOf(error)) logFailure("A turn could not begin", error);
      waiter?.reject(error);
    } finally {
      this.#running = null;
      dropWaiting(this.#rows, n);
    }
  }

  async #turn(job: Job): Promise<ChatReply> {
    const temporary = temporaryThread(this.#rows);
    const begun = await this.#begin(job, temporary);
    const { context } = begun;
    if (begun.answered) return this.#replyOf({ message: context.message.id }, begun.answered, context.head);
    const own = await this.#own();
    const wishes = { chatModel: context.chatModel, dreamModel: null, own };
    const reach: Reach = temporary ? "temporary" : context.memory;
    const model =
      this.model ??
      userModel(
        this.env,
        () => wishes,
        this.#ledger(),
        () => Date.now(),
      );
    if (temporary) keepView(this.#rows, context.message);
    const done = [...takenBackAction(context), ...begun.done];
    const draft: Draft = {
      message: context.message.id,
      reply: context.reply,
      at: Date.parse(context.message.at),
      zone: context.zone,
      text: "",
      actions: done,
      recalled: context.recalled,
      usage: null,
    };
    this.#running!.draft = draft;
    writeDraft(this.#rows, draft);
    this.#send({ type: "user", message: context.message });
    this.#send({ type: "start", message: draft.reply, at: context.message.at });
    await this.#filterRecalled(model, context, draft);
    this.#send({
      type: "recalled",
      message: draft.reply,
      recalled: draft.recalled,
      loaded: { lines: context.loaded.lines.length, of: context.loaded.of },
    });
    const result = await this.#answer(model, context, reach, draft, begun.done);
    draft.text = result.text;
    const view =
      (await this.#store(draft, { ...result, actions: draft.actions })) ?? viewOf(draft, { ...result, actions: draft.actions });
    const reply = this.#replyOf(draft, view, this.#lastHead(draft) ?? context.head);
    this.#send({ type: "done", message: view, reply });
    if (begun.summaryDue) this.#summing = this.#sum(model, begun.summaryDue);
    return reply;
  }

  async #begin(
    job: Job,
    temporary: ReturnType<typeof temporaryThread>,
  ): Promise<Begun & { done: Action[]; answered: MessageView | null }> {
    if (job.do === "again") {
      if (temporary)
        throw new AppError("not-found", "A temporary conversation keeps no answers to write anew. Send the message again.");
      return { ...(await this.#memory.beginAgain(this.#thread, job.reply, job.how)), answered: null };
    }
    const start = { ...job.start, thread: this.#thread };
    if (!temporary) {
      const begun = await this.#memory.beginTurn(start);
      return { ...begun, done: begun.done ?? [], answered: begun.answered ?? null };
    }
    if (start.replaces) dropViews(this.#rows, Number(start.replaces.slice(1)));
    const window = keptWindow(keptViews(this.#rows), TEMPORARY_WINDOW);
    return { ...(await this.#memory.beginTurn(start, { ...temporary, window })), done: [], answered: null };
  }

  async #filterRecalled(model: Model, context: TurnContext, draft: Draft): Promise<void> {
    const { message } = context;
    const typed = untypedRanges(message.text, message.pasted).reduce(
      (left, [from, to]) => left - (to - from),
      message.text.length,
    );
    if (!context.relevance || context.recalled.length === 0 || typed <= 0) return;
    context.recalled = await relevantOf(model, `thread/${this.#thread}`, message.text, context.recalled, (ms) =>
      AbortSignal.timeout(ms),
    );
    draft.recalled = context.recalled;
  }

  async #answer(model: Model, context: TurnContext, reach: Reach, draft: Draft, done: readonly Action[]): Promise<TurnResult> {
    const running = this.#running!;
    const tools = toolsFor(reach === "on" ? "all" : reach === "read-only" ? "reading" : "none");
    const prompt = buildPrompt(context, reach, tools);
    const around = [
      context.loaded.lines.map((line) => line.chain).join("\n"),
      recalledBlock(context.recalled),
      context.summary ?? "",
      ...context.window.filter(({ role }) => role === "assistant").map(({ text }) => text),
    ].join("\n");
    let modelName = modelFor(this.env, { chatModel: context.chatModel, dreamModel: null }, "chat").model;
    const turn: ToolTurn = {
      thread: this.#thread,
      message: context.message.id,
      at: draft.at,
      zone: context.zone,
      scope: context.thread.scope,
      reach: reach === "on" ? "all" : reach === "read-only" ? "reading" : "none",
      standing: standingOf(context.message, context.window, around, queryTokens),
      model: () => modelName,
      head: context.head,
      cardId: () => randomIdFrom((count) => crypto.getRandomValues(new Uint8Array(count))),
    };
    const memory = this.#tools();
    const messages: ModelMessage[] = [...prompt.messages, ...replayed(done)];
    return runTurn(
      { ref: `thread/${this.#thread}`, messages, tools, parts: prompt.parts },
      {
        signal: running.stop.signal,
        model: async (call) => {
          const answer = await model(call);
          modelName = answer.model;
          return answer;
        },
        run: (call) => runTool(memory, turn, call),
        onText: (text) => {
          draft.text += text;
          if (draft.text.length - running.checkpoint >= CHECKPOINT_CHARS) {
            running.checkpoint = draft.text.length;
            writeDraft(this.#rows, draft);
          }
          this.#send({ type: "delta", message: draft.reply, text });
        },
        onAction: (action) => {
          draft.actions.push(action);
          writeDraft(this.#rows, draft);
          this.#send({ type: "action", message: draft.reply, action });
        },
      },
    );
  }

  /** Stores the answer where it belongs, then lets the draft go. */
  async #store(draft: Draft, result: Omit<TurnResult, "text"> & { text: string }): Promise<MessageView | null> {
    let view: MessageView | null;
    if (temporaryThread(this.#rows)) {
      view = viewOf(draft, result);
      keepView(this.#rows, view);
    } else {
      const { text, actions, usage, status, error } = result;
      const end: TurnEnd = {
        thread: this.#thread,
        reply: draft.reply,
        text,
        at: draft.at,
        zone: draft.zone,
        actions,
        recalled: draft.recalled,
        usage,
        status,
        error,
      };
      view = await this.#memory.finishTurn(end);
    }
    dropDraft(this.#rows);
    return view;
  }

  #replyOf(draft: { message: string }, view: MessageView, head: string | null): ChatReply {
    const usage: Usage = view.usage ?? { model: "", tokensIn: 0, cachedIn: 0, tokensOut: 0, usd: 0, ms: 0 };
    return {
      thread: this.#thread,
      message: draft.message,
      reply: view.text,
      actions: view.actions,
      recalled: view.recalled,
      usage,
      head,
      ...(view.error ? { error: view.error } : {}),
    };
  }

  #lastHead(draft: Draft): string | null {
    for (const { outcome } of [...draft.actions].reverse()) if (outcome.ok && "head" in outcome) return outcome.head;
    return null;
  }

  // Behind the answer, never before it: the next turn has it, or the one after.
  async #sum(model: Model, due: NonNullable<Begun["summaryDue"]>): Promise<void> {
    try {
      await this.keepAliveWhile(async () => {
        const text = await summarise(model, `thread/${this.#thread}`, due.previous, due.messages);
        if (text !== "") await this.#memory.keepSummary(this.#thread, { to: due.to, guard: due.guard }, text);
      });
    } catch (error) {
      // Nothing is lost: the messages are kept, and the next turn asks again.
      if (!refusalOf(error)) logFailure("A summary failed", error);
    }
  }

  /** Resolves when nothing is being answered or summarised; for tests. */
  async settled(): Promise<void> {
    await this.#recovered;
    while (this.#draining) await this.#draining;
    await this.#summing;
  }

  /** The user's own model, where they have one. Asked for with each turn: it is never kept here. */
  async #own(): Promise<OwnModel | null> {
    if (!this.#hosted) return null;
    const memory = this.env.MemoryAgent.getByName(this.#user) as unknown as Pick<MemoryAgent, "ownModel">;
    const answer = await memory.ownModel();
    if (!answer.ok) throw new AppError(answer.code, answer.message, answer.details);
    return answer.value && { ...answer.value, fetch: ownFetchOf(this.env) };
  }

  #ledger() {
    const memory = this.#memory;
    return { reserve: memory.reserveCall, settle: memory.settleCall };
  }

  #tools(): ToolMemory {
    const memory = this.#memory;
    return {
      write: (change, wish) => memory.writeFromChat(change, wish.lift),
      forget: (ask) => memory.forgetFromChat(ask),
      lift: (stones, said) => memory.liftFromChat([...stones], said),
      recall: (ask) => memory.recall(ask),
      readLines: async (path, at, zone) => {
        const file = await memory.fileLines(path, at, zone);
        return file ? { ...file, prose: "" } : null;
      },
      readSource: (ref) => memory.sourceText(ref),
      entry: (id) => memory.entryOf(id),
    };
  }
}

function refusalOr(error: unknown): Refusal {
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  logFailure("A conversation failed", error);
  return { code: "unavailable", message: "Something failed in the app. Your message is kept where it was accepted; try again." };
}

function refused({ code, message, details }: Refusal): Response {
  return Response.json({ error: details ? { code, message, details } : { code, message } }, { status: STATUS[code] });
}

function viewOf(draft: Draft, part: Pick<MessageView, "text" | "actions" | "usage" | "status" | "error">): MessageView {
  return {
    id: draft.reply,
    role: "assistant",
    text: part.text,
    at: new Date(draft.at).toISOString(),
    zone: draft.zone,
    pasted: [],
    actions: part.actions,
    recalled: draft.recalled,
    usage: part.usage,
    status: part.status,
    error: part.error,
    secrets: [],
  };
}

/** Dropping a turn is said as the first action of the new answer. */
function takenBackAction(context: TurnContext): Action[] {
  const back = context.takenBack;
  if (!back) return [];
  return [{ tool: "take_back", input: { lines: back.lines, commit: back.commit }, outcome: { ok: true, text: back.sentence } }];
}

/** What a broken-off answer had done already, as the model said and saw it, so that it is not done twice. */
function replayed(done: readonly Action[]): ModelMessage[] {
  if (done.length === 0) return [];
  return [
    {
      role: "assistant",
      content: null,
      tool_calls: done.map((action, at) => ({
        id: `done_${at + 1}`,
        type: "function",
        function: { name: action.tool, arguments: JSON.stringify(action.input) },
      })),
    },
    ...done.map((action, at): ModelMessage => {
      const { outcome } = action;
      const said = !outcome.ok
        ? `Not saved (${outcome.code}): ${outcome.message}`
        : "text" in outcome
          ? outcome.text
          : `Done already: ${outcome.entries.map(({ entry }) => entry.text).join("; ")}`;
      return { role: "tool", tool_call_id: `done_${at + 1}`, content: said };
    }),
  ];
}
