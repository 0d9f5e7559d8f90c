// A conversation's line to the server: its frames while it is open, and the messages that this tab sends.
import type { AgentClient } from "agents/client";
import type { ChatBody, ChatFrame, ThreadDetail } from "../../shared/protocol.ts";
import { api, refusal, Trouble, troubleOf } from "../lib/api.ts";
import { LOCAL_USER, openSocket } from "../lib/live.ts";
import { invalidate } from "../lib/resource.ts";
import { readEvents } from "../lib/sse.ts";
import { createStore, kept, type Store } from "../lib/store.ts";
import { applyFrame, blank, EMPTY_TALK, isWriting, LOCAL, type Talk } from "./frames.ts";

export interface RoomState {
  id: string | null;
  detail: ThreadDetail | null;
  talk: Talk;
  /** The conversation could not be read. */
  trouble: Trouble | null;
  /** A message could not be sent: it is kept, with the reason. */
  unsent: { body: ChatBody; trouble: Trouble } | null;
  sending: boolean;
  /** When the answer that is being written began, in milliseconds. */
  since: number | null;
}

const unsentKey = (id: string | null): string => `reverie.unsent.${id ?? "new"}`;

/** The message that an earlier window could not send. */
function readUnsent(id: string | null): RoomState["unsent"] {
  try {
    const body = JSON.parse(kept.get(unsentKey(id)) ?? "null") as ChatBody | null;
    return body && typeof body.message === "string"
      ? { body, trouble: new Trouble("offline", "It was not sent before this page was left. It is kept here.") }
      : null;
  } catch {
    return null;
  }
}

export class Room {
  readonly state: Store<RoomState>;
  private socket: AgentClient | null = null;
  private opening = false;
  private users = 0;
  private queue: ChatFrame[] = [];
  private frame = 0;
  /** While this tab's own request streams the answer, the socket's frames would double it. */
  private streaming = false;
  /** Called once, when a new conversation has got its name. */
  onNamed: ((id: string) => void) | null = null;

  constructor(id: string | null) {
    this.state = createStore<RoomState>({
      id,
      detail: null,
      talk: EMPTY_TALK,
      trouble: null,
      unsent: readUnsent(id),
      sending: false,
      since: null,
    });
  }

  private patch(part: Partial<RoomState>): void {
    this.state.set((old) => ({ ...old, ...part }));
  }

  /** What could not be sent outlives the window; what is temporary does not. */
  private keepUnsent(body: ChatBody | null): void {
    kept.set(unsentKey(this.state.get().id), body === null || body.temporary ? null : JSON.stringify(body));
  }

  /** A view shows this conversation: read it, and listen. */
  open(): () => void {
    this.users += 1;
    if (this.users === 1 && this.state.get().id !== null) {
      if (!this.streaming) void this.read();
      void this.listen();
    }
    return () => {
      this.users -= 1;
      if (this.users === 0) {
        this.socket?.close();
        this.socket = null;
      }
    };
  }

  /** Reads the conversation anew. */
  async read(): Promise<void> {
    const { id } = this.state.get();
    if (id === null) return;
    try {
      const detail = await api.thread(id);
      if (this.streaming) return;
      const writing = detail.items.some((one) => one.status === "writing");
      this.state.set((old) => ({
        ...old,
        detail,
        trouble: null,
        talk: { items: detail.items, loaded: detail.loaded, failure: old.talk.failure },
        since: writing ? (old.since ?? Date.now()) : null,
      }));
    } catch (error) {
      this.patch({ trouble: troubleOf(error) });
    }
  }

  private async listen(): Promise<void> {
    const { id } = this.state.get();
    if (id === null || this.socket || this.opening) return;
    this.opening = true;
    const socket = await openSocket("chat-agent", `${LOCAL_USER}.${id}`).catch(() => null);
    this.opening = false;
    if (!socket) return;
    if (this.users === 0) {
      socket.close();
      return;
    }
    let again = false;
    socket.addEventListener("open", () => {
      if (again && !this.streaming) void this.read();
      again = true;
    });
    socket.addEventListener("message", (message: MessageEvent) => {
      if (this.streaming || typeof message.data !== "string") return;
      const frame = frameOf(message.data, null);
      if (frame) this.take(frame);
    });
    this.socket = socket;
  }

  /** Frames are drawn at most once a picture: an answer of a thousand words must not redraw a thousand times. */
  private take(frame: ChatFrame): void {
    this.queue.push(frame);
    if (frame.type !== "delta") this.flush();
    else this.frame ||= requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const frames = this.queue;
    this.queue = [];
    if (frames.length === 0) return;
    this.state.set((old) => {
      const talk = frames.reduce(applyFrame, old.talk);
      const writing = isWriting(talk);
      return { ...old, talk, since: writing ? (old.since ?? Date.now()) : old.sending ? old.since : null };
    });
    for (const frame of frames) {
      if (frame.type === "snapshot") this.name(frame.thread);
      if (frame.type === "done") {
        if (frame.reply?.thread) this.name(frame.reply.thread);
        invalidate("threads");
        if (this.state.get().id !== null && !this.streaming) void this.read();
      }
    }
  }

  private name(id: string): void {
    if (this.state.get().id !== null) return;
    this.patch({ id });
    rooms.set(id, this);
    if (fresh === this) fresh = null;
    this.onNamed?.(id);
    invalidate("threads");
  }

  /** Sends a message. What could not be sent stays in the state with its reason. */
  async send(body: ChatBody): Promise<void> {
    const { id } = this.state.get();
    const full: ChatBody = {
      ...body,
      tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(id === null ? {} : { thread: id }),
    };
    this.streaming = true;
    this.keepUnsent(null);
    const local = {
      ...blank(`${LOCAL}${Date.now()}`, new Date().toISOString()),
      role: "user" as const,
      text: body.message,
      pasted: body.pasted ?? [],
      status: "done" as const,
    };
    this.state.set((old) => {
      const from = body.replaces ? old.talk.items.findIndex((one) => one.id === body.replaces) : -1;
      const items = from < 0 ? old.talk.items : old.talk.items.slice(0, from);
      return {
        ...old,
        sending: true,
        unsent: null,
        since: Date.now(),
        talk: { ...old.talk, failure: null, items: [...items, local] },
      };
    });
    try {
      if (id === null) {
        // The conversation gets its name first, so that its answer can be stopped, and found again after a reload.
        const made = await api.addThread({
          ...(body.temporary ? { temporary: true } : {}),
          ...(body.scope ? { scope: body.scope } : {}),
        });
        full.thread = made.id;
        this.name(made.id);
      }
      await this.stream("/api/chat", full);
    } catch (error) {
      const trouble = troubleOf(error);
      const mine = this.state.get().talk.items.some((one) => one.id.startsWith(LOCAL));
      if (mine) this.keepUnsent(body);
      this.state.set((old) => ({
        ...old,
        // A message that the server has is the conversation's; one that it does not have is still the writer's.
        unsent: mine ? { body, trouble } : null,
        talk: mine
          ? { ...old.talk, items: old.talk.items.filter((one) => !one.id.startsWith(LOCAL)) }
          : { ...old.talk, failure: { code: trouble.code, text: trouble.message } },
      }));
    } finally {
      this.flush();
      this.streaming = false;
      this.patch({ sending: false, since: null });
      if (this.state.get().id !== null) {
        if (this.users > 0) void this.listen();
        void this.read();
      }
      invalidate("threads");
    }
  }

  private async stream(path: string, body: object): Promise<void> {
    let response: Response;
    try {
      response = await fetch(path, {
        method: "POST",
        headers: { accept: "text/event-stream", "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
        body: JSON.stringify(body),
      });
    } catch {
      throw new Trouble("offline", "The server cannot be reached. Your message is kept here.");
    }
    if (!response.ok || !response.body) throw await refusal(response);
    let ended = false;
    for await (const { event, data } of readEvents(response.body)) {
      const frame = frameOf(data, event);
      if (!frame) continue;
      this.take(frame);
      if (frame.type === "done" || frame.type === "error") ended = true;
    }
    if (!ended) throw new Trouble("broken", "The line was cut while the answer was written. What was said so far is kept.");
  }

  /** Stops the answer; what is written so far stays. */
  async stop(): Promise<void> {
    const { id } = this.state.get();
    if (id === null) return;
    try {
      await api.stop(id);
    } catch (error) {
      this.state.set((old) => ({
        ...old,
        talk: { ...old.talk, failure: { code: troubleOf(error).code, text: troubleOf(error).message } },
      }));
    }
  }

  /** Asks for the last answer anew. */
  async regenerate(): Promise<void> {
    const { id } = this.state.get();
    if (id === null || this.streaming) return;
    this.streaming = true;
    this.state.set((old) => {
      const last = old.talk.items[old.talk.items.length - 1];
      const items = last?.role === "assistant" ? old.talk.items.slice(0, -1) : old.talk.items;
      return { ...old, since: Date.now(), sending: true, talk: { ...old.talk, failure: null, items } };
    });
    try {
      await this.stream(`/api/threads/${id}/regenerate`, {});
    } catch (error) {
      const trouble = troubleOf(error);
      this.state.set((old) => ({ ...old, talk: { ...old.talk, failure: { code: trouble.code, text: trouble.message } } }));
    } finally {
      this.flush();
      this.streaming = false;
      this.patch({ sending: false, since: null });
      await this.read();
    }
  }

  /** Gives an unsent message up. */
  dropUnsent(): void {
    this.keepUnsent(null);
    this.patch({ unsent: null });
  }
}

/** Reads a frame; with the name of its event where the data has no type of its own. */
function frameOf(data: string, event: string | null): ChatFrame | null {
  try {
    const value = JSON.parse(data) as { type?: string };
    if (typeof value !== "object" || value === null) return null;
    if (typeof value.type === "string")
      return /^(snapshot|user|start|delta|action|recalled|done|error)$/.test(value.type) ? (value as ChatFrame) : null;
    return event && event !== "message" ? ({ type: event, ...value } as ChatFrame) : null;
  } catch {
    return null;
  }
}

const rooms = new Map<string, Room>();
let fresh: Room | null = null;

/** The room of a conversation; without an id, the one of the conversation that has not begun. */
export function roomOf(id: string | null): Room {
  if (id === null) return (fresh ??= new Room(null));
  let room = rooms.get(id);
  if (!room) {
    room = new Room(id);
    rooms.set(id, room);
  }
  return room;
}

/** The next conversation that begins is a new one, whatever was left of the last. */
export function newRoom(): void {
  fresh = null;
}

/** Forgets what this tab knows of a conversation. */
export function leaveRoom(id: string): void {
  rooms.delete(id);
}
