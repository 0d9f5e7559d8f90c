// A list that is longer than its first page: more of it when asked, all of it anew when it changes.
import { useCallback, useEffect, useState } from "react";
import type { Page } from "../../shared/protocol.ts";
import { type Trouble, troubleOf } from "./api.ts";
import { useResource } from "./resource.ts";

export interface Pages<T> {
  items: T[] | undefined;
  error: Trouble | null;
  loading: boolean;
  reload: () => void;
  /** Null where there is no more. */
  more: (() => void) | null;
  loadingMore: boolean;
}

export function usePages<T>(key: string, load: (cursor: string | null, signal?: AbortSignal) => Promise<Page<T>>): Pages<T> {
  const first = useResource(key, (signal) => load(null, signal));
  const [rest, setRest] = useState<{ key: unknown; items: T[]; next: string | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Trouble | null>(null);
  const current = rest && rest.key === first.data ? rest : null;
  const next = current ? current.next : (first.data?.next ?? null);
  useEffect(() => setError(null), [key]);
  const more = useCallback(() => {
    if (next === null || busy) return;
    setBusy(true);
    setError(null);
    load(next).then(
      (page) => {
        setRest({ key: first.data, items: [...(current?.items ?? []), ...page.items], next: page.next });
        setBusy(false);
      },
      (failed: unknown) => {
        setError(troubleOf(failed));
        setBusy(false);
      },
    );
  }, [next, busy, load, first.data, current]);
  return {
    items: first.data ? [...first.data.items, ...(current?.items ?? [])] : undefined,
    error: first.error ?? error,
    loading: first.loading,
    reload: first.reload,
    more: next === null ? null : more,
    loadingMore: busy,
  };
}
