// The smallest store that React can watch: one value, and who wants to know when it changes.
import { useSyncExternalStore } from "react";

export interface Store<T> {
  get: () => T;
  set: (change: T | ((old: T) => T)) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (change) => {
      const next = typeof change === "function" ? (change as (old: T) => T)(value) : change;
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** localStorage that never throws: a full or closed store means that nothing is remembered, not that the page breaks. */
export const kept = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Nothing is remembered then.
    }
  },
};
