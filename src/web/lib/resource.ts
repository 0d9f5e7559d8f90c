// What the screens have read from the server, by key: shared between views, read anew when the memory says that it changed.
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { Trouble, troubleOf } from "./api.ts";

interface Slot {
  data: unknown;
  error: Trouble | null;
  loading: AbortController | null;
  /** Ends when the reading that is under way has ended, well or not. */
  running: Promise<void> | null;
  stale: boolean;
  version: number;
  load: ((signal: AbortSignal) => Promise<unknown>) | null;
  listeners: Set<() => void>;
}

export interface Resource<T> {
  data: T | undefined;
  error: Trouble | null;
  /** Reading for the first time: nothing to show yet. */
  loading: boolean;
  reload: () => void;
}

/** Answers that nobody shows are kept up to this number, so that Back is instant and a long session stays small. */
const KEPT_MAX = 120;

const slots = new Map<string, Slot>();

function slotOf(key: string): Slot {
  let slot = slots.get(key);
  if (!slot) {
    slot = {
      data: undefined,
      error: null,
      loading: null,
      running: null,
      stale: true,
      version: 0,
      load: null,
      listeners: new Set(),
    };
    slots.set(key, slot);
    if (slots.size > KEPT_MAX) {
      for (const [old, kept] of slots) {
        if (kept.listeners.size === 0 && old !== key) {
          slots.delete(old);
          if (slots.size <= KEPT_MAX) break;
        }
      }
    }
  }
  return slot;
}

function tell(slot: Slot): void {
  slot.version += 1;
  for (const listener of slot.listeners) listener();
}

function start(key: string): void {
  const slot = slotOf(key);
  if (!slot.load) return;
  slot.loading?.abort();
  const controller = new AbortController();
  slot.loading = controller;
  slot.stale = false;
  slot.running = slot.load(controller.signal).then(
    (data) => {
      if (slot.loading !== controller) return;
      slot.loading = null;
      slot.data = data;
      slot.error = null;
      tell(slot);
    },
    (error: unknown) => {
      if (slot.loading !== controller) return;
      slot.loading = null;
      slot.stale = true;
      slot.error = troubleOf(error);
      tell(slot);
    },
  );
}

/** Marks what was read under keys that begin with one of these as out of date; what is on the screen is read again at once. */
export function invalidate(...prefixes: string[]): void {
  const marked = [...slots].filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix)));
  // All are marked before any is read: one that looks at another must not find it fresh by its place in the row.
  for (const [, slot] of marked) slot.stale = true;
  for (const [key, slot] of marked) if (slot.stale && slot.listeners.size > 0) start(key);
}

/** The answer under a key once no newer one is under way; undefined where it could not be had. */
export async function settled<T>(key: string): Promise<T | undefined> {
  const slot = slots.get(key);
  if (!slot) return undefined;
  if (slot.stale && slot.listeners.size > 0) start(key);
  while (slot.loading) await slot.running;
  return slot.stale ? undefined : (slot.data as T | undefined);
}

/** Everything: after the line was cut, nobody knows what was missed. */
export function invalidateAll(): void {
  invalidate("");
}

/** Puts an answer that came another way (a write's own answer) where its readers look. */
export function provide<T>(key: string, change: T | ((old: T | undefined) => T | undefined)): void {
  const slot = slotOf(key);
  slot.data = typeof change === "function" ? (change as (old: unknown) => unknown)(slot.data) : change;
  tell(slot);
}

/** The answer under a key, if somebody has read it. */
export function peek<T>(key: string): T | undefined {
  return slots.get(key)?.data as T | undefined;
}

/** Reads once under a key and keeps it fresh. A null key reads nothing. */
export function useResource<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const name = key ?? "\0none";
  const subscribe = useCallback(
    (listener: () => void) => {
      const slot = slotOf(name);
      slot.listeners.add(listener);
      return () => {
        slot.listeners.delete(listener);
      };
    },
    [name],
  );
  useSyncExternalStore(subscribe, () => slotOf(name).version);
  const slot = slotOf(name);
  if (key !== null) slot.load = load;
  useEffect(() => {
    if (key === null) return;
    const current = slotOf(key);
    if (current.stale && !current.loading) start(key);
  }, [key]);
  const reload = useCallback(() => {
    if (key !== null) {
      slotOf(key).error = null;
      start(key);
      tell(slotOf(key));
    }
  }, [key]);
  return {
    data: slot.data as T | undefined,
    error: slot.data === undefined || !slot.loading ? slot.error : null,
    loading: key !== null && slot.data === undefined && slot.error === null,
    reload,
  };
}
