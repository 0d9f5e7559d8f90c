// Conversations: pinned, then by time; filtered by title, and found by their words; renamed, pinned and deleted where they stand.
import { useDeferredValue, useState } from "react";
import { CircleDashed, ListFilter, Plus } from "lucide-react";
import { Link, useLocation } from "wouter";
import type { Page as List, ThreadView } from "../../shared/protocol.ts";
import { api, troubleOf } from "../lib/api.ts";
import { monthGroup, rowTime } from "../lib/dates.ts";
import { threadUrl } from "../lib/paths.ts";
import { invalidate, useResource } from "../lib/resource.ts";
import { Contents } from "../ui/Contents.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Marked } from "../ui/Marked.tsx";
import { Menu } from "../ui/Menu.tsx";
import { Problem } from "../ui/Problem.tsx";
import { warn } from "../ui/Toasts.tsx";
import { Words } from "../ui/Words.tsx";
import { DeleteThread } from "./DeleteThread.tsx";

/** Letters from which on the words inside conversations are searched too. */
const SEARCH_FROM = 3;

function Row({ thread, current, remove }: { thread: ThreadView; current: boolean; remove: (thread: ThreadView) => void }) {
  const [renaming, rename] = useState<string | null>(null);
  const patch = async (change: { title?: string; pinned?: boolean }) => {
    try {
      await api.patchThread(thread.id, change);
      invalidate("threads", `thread:${thread.id}`);
    } catch (error) {
      warn(`Not changed. ${troubleOf(error).message}`);
    }
  };
  if (renaming !== null) {
    return (
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          const title = renaming.trim();
          rename(null);
          if (title !== "" && title !== thread.title) void patch({ title });
        }}
      >
        <input
          className="field"
          aria-label="Title of the conversation"
          value={renaming}
          maxLength={200}
          ref={(field) => field?.focus()}
          onChange={(event) => rename(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && rename(null)}
          onBlur={() => rename(null)}
        />
      </form>
    );
  }
  return (
    <div className="rowbox">
      <Link className="row" href={threadUrl(thread.id)} aria-current={current ? "page" : undefined}>
        <span className="t" dir="auto">
          <Words text={thread.title || "A new conversation"} />
        </span>
        <span className="meta">
          {thread.answering ? <span className="live">answering</span> : <span>{rowTime(thread.updatedAt)}</span>}
        </span>
      </Link>
      <Menu
        label={`More for ${thread.title || "this conversation"}`}
        className="more"
        items={[
          { label: "Rename", run: () => setTimeout(() => rename(thread.title)) },
          { label: thread.pinned ? "Unpin" : "Pin", run: () => void patch({ pinned: !thread.pinned }) },
          null,
          { label: "Delete…", run: () => remove(thread) },
        ]}
      />
    </div>
  );
}

function Groups({
  threads,
  current,
  remove,
}: {
  threads: ThreadView[];
  current: string | null;
  remove: (thread: ThreadView) => void;
}) {
  const groups = new Map<string, ThreadView[]>();
  for (const thread of threads) {
    const name = thread.pinned ? "Pinned" : monthGroup(thread.updatedAt);
    groups.set(name, [...(groups.get(name) ?? []), thread]);
  }
  const pinned = groups.get("Pinned");
  groups.delete("Pinned");
  return [...(pinned ? [["Pinned", pinned] as const] : []), ...groups].map(([name, items]) => (
    <div key={name}>
      <h3>{name}</h3>
      <ul>
        {items.map((thread) => (
          <li key={thread.id}>
            <Row thread={thread} current={thread.id === current} remove={remove} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

export function ThreadList({
  current,
  temporary,
  begin,
}: {
  current: string | null;
  temporary: boolean;
  begin: (temporary: boolean) => void;
}) {
  const [, navigate] = useLocation();
  const [filter, setFilter] = useState("");
  const [doomed, setDoomed] = useState<ThreadView | null>(null);
  const query = useDeferredValue(filter.trim());
  const { data, error, loading, reload } = useResource<List<ThreadView>>("threads:", (signal) =>
    api.threads({ limit: 200 }, signal),
  );
  const search = query.length >= SEARCH_FROM ? query : null;
  const hits = useResource(search === null ? null : `search:conversations:${search}`, (signal) =>
    api.search({ q: search ?? "", in: "conversations", limit: 8 }, signal),
  );
  const words = query.toLocaleLowerCase();
  const shown = (data?.items ?? []).filter(
    (thread) => !thread.temporary && (words === "" || thread.title.toLocaleLowerCase().includes(words)),
  );
  return (
    <Contents
      label="Conversations"
      title="Conversations"
      tools={
        <>
          <button
            type="button"
            className="icon"
            aria-label="Temporary conversation, writes nothing"
            aria-pressed={temporary}
            onClick={() => begin(!temporary)}
          >
            <Icon of={CircleDashed} />
          </button>
          <button type="button" className="icon" aria-label="New conversation" onClick={() => begin(false)}>
            <Icon of={Plus} />
          </button>
        </>
      }
    >
      <div className="filter">
        <Icon of={ListFilter} size={14} />
        <input
          type="search"
          aria-label="Filter conversations"
          placeholder="Filter conversations"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      {loading ? <Loading label="Reading the conversations" /> : null}
      {error && !data ? (
        <div className="pad">
          <Problem what="The conversations could not be read." trouble={error} retry={reload} />
        </div>
      ) : null}
      {data && shown.length === 0 ? (
        <p className="quiet">
          {words === "" ? "No conversation yet. The first one begins at the right." : "No title holds these words."}
        </p>
      ) : null}
      <Groups threads={shown} current={current} remove={setDoomed} />
      {search !== null && hits.data && hits.data.items.length > 0 ? (
        <>
          <h3>In what was said</h3>
          <ul>
            {hits.data.items.map((hit, at) =>
              hit.thread ? (
                <li key={at}>
                  <Link className="row two" href={threadUrl(hit.thread.id, hit.thread.message)}>
                    <span className="t" dir="auto">
                      <Marked text={hit.text} marks={hit.marks} />
                    </span>
                    <span className="meta">
                      <span>{hit.thread.title}</span>
                      <span className="end">{rowTime(hit.thread.at)}</span>
                    </span>
                  </Link>
                </li>
              ) : null,
            )}
          </ul>
        </>
      ) : null}
      {doomed ? (
        <DeleteThread
          thread={doomed}
          close={() => setDoomed(null)}
          done={() => {
            setDoomed(null);
            if (doomed.id === current) navigate("/");
          }}
        />
      ) : null}
    </Contents>
  );
}
