// The open line to the MemoryAgent: its display state, and the events that say what to read anew.
import type { AgentClient } from "agents/client";
import type { MemoryEvent, MemoryState } from "../../shared/protocol.ts";
import { invalidate, invalidateAll } from "./resource.ts";
import { signedOut } from "./session.ts";
import { createStore, useStore } from "./store.ts";

/** The one user of a memory without sign-in. */
export const LOCAL_USER = "me";
/** Milliseconds without a line before the page says so: a short cut heals before anybody reads the sentence. */
const OFFLINE_AFTER_MS = 2_500;

/** Milliseconds between two tries to open a cut line, the first and the longest: back within five seconds whatever the try before took. */
const RETRY_FROM_MS = 300;
const RETRY_TO_MS = 2_000;

const memory = createStore<MemoryState | null>(null);
const offlineSince = createStore<number | null>(null);
const lastEvent = createStore<MemoryEvent | null>(null);

let client: AgentClient | null = null;
let lost: ReturnType<typeof setTimeout> | undefined;
let everOpen = false;

/** What an event makes out of date. */
function heard(event: MemoryEvent): void {
  if (event.type === "commit")
    invalidate("memory", "file:", "entries:", "entry:", "graph:", "history:", "commit:", "forgotten", "about", "search:");
  else if (event.type === "thread") invalidate("threads", `thread:${event.id}`);
  else if (event.type === "note") invalidate("notes", `note:${event.id}`);
  else if (event.type === "dream") {
    if (!event.line) invalidate("dreams", `dream:${event.id}`, "estimate");
  }
  lastEvent.set(event);
  for (const listener of listeners) listener(event);
}

const listeners = new Set<(event: MemoryEvent) => void>();

/** Hears every event of the memory until the returned function is called. */
export function onMemoryEvent(listener: (event: MemoryEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A socket to one of the user's agents. Its code comes after the first screen: that one needs no open line. */
export async function openSocket(
  agent: string,
  name: string,
  onState: (state: unknown) => void = () => {},
): Promise<AgentClient> {
  const { AgentClient } = await import("agents/client");
  return new AgentClient({
    agent,
    name,
    host: location.host,
    minReconnectionDelay: RETRY_FROM_MS,
    maxReconnectionDelay: RETRY_TO_MS,
    onStateUpdate: onState,
    onIdentityChange: () => {},
  });
}

let connecting = false;

/** Opens the line. Called once, when the app starts. */
export async function connect(): Promise<void> {
  // A browser that nobody knows is given no line; the page comes anew once somebody has signed in.
  if (connecting || signedOut.get() || location.pathname === "/sign-in") return;
  connecting = true;
  try {
    client = await openSocket("memory-agent", LOCAL_USER, (state) => memory.set(state as MemoryState));
    // The door may have been shut while the code for the line was on its way.
    if (signedOut.get()) client.close();
  } catch {
    // The page came, its code for the line did not: without a line there is still all that a click can read.
    connecting = false;
    offlineSince.set(Date.now());
    return;
  }
  client.addEventListener("open", () => {
    clearTimeout(lost);
    lost = undefined;
    offlineSince.set(null);
    // What happened while the line was cut is unknown.
    if (everOpen) invalidateAll();
    everOpen = true;
  });
  client.addEventListener("close", () => {
    lost ??= setTimeout(() => offlineSince.set(Date.now() - OFFLINE_AFTER_MS), OFFLINE_AFTER_MS);
  });
  client.addEventListener("message", (message: MessageEvent) => {
    if (typeof message.data !== "string") return;
    try {
      const data = JSON.parse(message.data) as { type?: string };
      if (data.type === "commit" || data.type === "thread" || data.type === "dream" || data.type === "note")
        heard(data as MemoryEvent);
    } catch {
      // A frame of another kind.
    }
  });
}

signedOut.subscribe(() => client?.close());

/** Tries the line at once instead of waiting for the next attempt. */
export function reconnect(): void {
  if (client) client.reconnect();
  else void connect();
}

/** The display state of the memory; null until the line is open. */
export function useMemoryState(): MemoryState | null {
  return useStore(memory);
}

/** When the line was cut (milliseconds), or null while it stands. */
export function useOfflineSince(): number | null {
  return useStore(offlineSince);
}
