// The palette: lines, conversations, notes, history and commands behind one field.
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { useLocation } from "wouter";
import type { SearchHit } from "../../shared/protocol.ts";
import { plainLinks } from "../../shared/normal.ts";
import { openKeys, overlay } from "../app/overlays.ts";
import { PLACES } from "../app/places.ts";
import { setTheme } from "../app/theme.ts";
import { api, type Trouble, troubleOf } from "../lib/api.ts";
import { nearTime } from "../lib/dates.ts";
import { useFiles } from "../lib/files.ts";
import { isMac, keyText } from "../lib/hotkeys.ts";
import { useMemoryState } from "../lib/live.ts";
import { pathName, summaryText, threadUrl, vaultUrl } from "../lib/paths.ts";
import { useResource } from "../lib/resource.ts";
import { undoLast } from "../lib/undo.ts";
import { figures } from "../lib/words.ts";
import { Marked } from "../ui/Marked.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { marksFor } from "./marks.ts";
import "./palette.css";

interface Found {
  entries: SearchHit[];
  talks: SearchHit[];
  commits: { commit: string; summary: string }[];
  ms: number;
  trouble: Trouble | null;
}

async function find(q: string, signal: AbortSignal): Promise<Found> {
  const start = performance.now();
  let trouble: Trouble | null = null;
  const soft = <T,>(work: Promise<T>, or: T) =>
    work.catch((error: unknown) => {
      if (!signal.aborted) trouble = troubleOf(error);
      return or;
    });
  const [entries, talks, notes, commits] = await Promise.all([
    soft(
      api.search({ q, in: "entries", limit: 7 }, signal).then((page) => page.items),
      [] as SearchHit[],
    ),
    soft(
      api.search({ q, in: "conversations", limit: 4 }, signal).then((page) => page.items),
      [] as SearchHit[],
    ),
    soft(
      api.search({ q, in: "notes", limit: 3 }, signal).then((page) => page.items),
      [] as SearchHit[],
    ),
    soft(
      api.history({ text: q, limit: 3 }, signal).then((page) => page.items),
      [],
    ),
  ]);
  return {
    entries: telling(entries),
    talks: [...telling(talks), ...telling(notes)],
    commits,
    ms: Math.round(performance.now() - start),
    trouble,
  };
}

/** Hits that hold the words themselves, where there are any: a finder that shows neighbours looks mistaken. */
function telling(hits: SearchHit[]): SearchHit[] {
  const exact = hits.filter((hit) => hit.marks.length > 0);
  return exact.length > 0 ? exact : hits;
}

/** A hit as it is read: links as their labels, the found words marked again in what is left. */
function readable(hit: SearchHit, query: string): { text: string; marks: [number, number][] } {
  if (hit.marks.length === 0) {
    const text = plainLinks(hit.text);
    return { text, marks: marksFor(text, query) };
  }
  if (!hit.text.includes("[")) return { text: hit.text, marks: hit.marks };
  const text = plainLinks(hit.text);
  const found = [...new Set(hit.marks.map(([from, to]) => hit.text.slice(from, to).toLocaleLowerCase()))].filter(
    (word) => word !== "",
  );
  const small = text.toLocaleLowerCase();
  const marks = found.flatMap((word): [number, number][] => {
    const at = small.indexOf(word);
    return at < 0 ? [] : [[at, at + word.length]];
  });
  return { text, marks: marks.sort((a, b) => a[0] - b[0]) };
}

function words(text: string, query: string): [number, number][] {
  const at = text.toLocaleLowerCase().indexOf(query.toLocaleLowerCase());
  return at < 0 ? [] : [[at, at + query.length]];
}

export function Palette({ query }: { query: string }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState(query);
  const wanted = useDeferredValue(text.trim());
  const memory = useMemoryState();
  const files = useFiles();
  const threads = useResource("threads:", (signal) => api.threads({ limit: 200 }, signal));
  const found = useResource<Found>(wanted.length >= 2 ? `search:all:${wanted}` : null, (signal) => find(wanted, signal));
  const close = () => overlay.set(null);
  const go = (href: string) => {
    close();
    navigate(href);
  };
  const small = wanted.toLocaleLowerCase();
  const matching = (label: string) => small === "" || label.toLocaleLowerCase().includes(small);
  const named = useMemo(
    () =>
      small === "" ? [] : (files?.paths ?? []).filter((path) => pathName(path).toLocaleLowerCase().includes(small)).slice(0, 5),
    [files, small],
  );
  const titled = (threads.data?.items ?? [])
    .filter((thread) => small === "" || thread.title.toLocaleLowerCase().includes(small))
    .slice(0, small === "" ? 4 : 3);
  const forget = async () => {
    close();
    try {
      const answer = await api.forget({ query: wanted, dryRun: true });
      const all = [...answer.removed, ...answer.candidates];
      if (all.length === 0) say(`No line mentions “${wanted}”.`);
      else navigate(vaultUrl(all[0]?.path ?? "", all[0]?.id ?? null));
      if (all.length > 0)
        say(
          `${figures(all.length, "line")} ${all.length === 1 ? "mentions" : "mention"} “${wanted}”. Forget each from its menu.`,
        );
    } catch (error) {
      warn(troubleOf(error).message);
    }
  };
  const commands: { label: string; key?: string; run: () => void }[] = [
    { label: "New conversation", key: keyText("c"), run: () => go("/") },
    { label: "Dream now…", run: () => go("/dreams") },
    { label: "What it knows about me", run: () => go("/about") },
    ...PLACES.flatMap((place) =>
      place ? [{ label: `Go to ${place.name}`, key: keyText(place.key), run: () => go(place.href) }] : [],
    ),
    {
      label: "Take the last change back",
      key: keyText("mod+z"),
      run: () => {
        close();
        void undoLast();
      },
    },
    {
      label: "Light",
      run: () => {
        setTheme("light");
        close();
      },
    },
    {
      label: "Dark",
      run: () => {
        setTheme("dark");
        close();
      },
    },
    {
      label: "As the system, light or dark",
      run: () => {
        setTheme("system");
        close();
      },
    },
    { label: "Show the keys", key: "?", run: () => openKeys() },
  ];
  const shownCommands = commands.filter((command) => matching(command.label)).slice(0, small === "" ? 20 : 5);
  const data = found.data;
  // The first of what was found is the one that Enter opens, also when it came after the typing.
  const first = data?.entries.length
    ? "e0"
    : named.length > 0
      ? `f${named[0]}`
      : titled.length > 0
        ? `t${titled[0]?.id}`
        : data?.talks.length
          ? "h0"
          : data?.commits.length
            ? `c${data.commits[0]?.commit}`
            : `x${shownCommands[0]?.label ?? "new"}`;
  const [chosen, choose] = useState(first);
  useEffect(() => choose(first), [first]);
  const total = (data?.entries.length ?? 0) + (data?.talks.length ?? 0) + (data?.commits.length ?? 0) + named.length;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="palette" aria-describedby={undefined}>
          <Dialog.Title className="sr">Find</Dialog.Title>
          <Command
            shouldFilter={false}
            value={chosen}
            onValueChange={choose}
            label="Find in memory, notes, conversations and commands"
            loop
          >
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Find a line, a conversation, a page, or say what to do"
              dir="auto"
            />
            <Command.List className="results" label="Found">
              {data && data.entries.length > 0 ? (
                <Command.Group heading={<h3>Lines</h3>}>
                  {data.entries.map((hit, at) =>
                    hit.entry ? (
                      <Command.Item
                        key={`e${at}`}
                        value={`e${at}`}
                        className="opt"
                        onSelect={() => go(vaultUrl(hit.entry?.path ?? "", hit.entry?.id))}
                      >
                        <span className="q" dir="auto">
                          <Marked {...readable(hit, wanted)} />
                        </span>
                        <span className="meta">{pathName(hit.entry.path)}</span>
                      </Command.Item>
                    ) : null,
                  )}
                </Command.Group>
              ) : null}
              {named.length > 0 ? (
                <Command.Group heading={<h3>Files</h3>}>
                  {named.map((path) => (
                    <Command.Item key={path} value={`f${path}`} className="opt" onSelect={() => go(vaultUrl(path))}>
                      <span className="q" dir="auto">
                        <Marked text={pathName(path)} marks={words(pathName(path), wanted)} />
                      </span>
                      <span className="meta">file</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ) : null}
              {titled.length > 0 || (data && data.talks.length > 0) ? (
                <Command.Group heading={<h3>{small === "" ? "Conversations" : "Conversations and notes"}</h3>}>
                  {titled.map((thread) => (
                    <Command.Item
                      key={thread.id}
                      value={`t${thread.id}`}
                      className="opt"
                      onSelect={() => go(threadUrl(thread.id))}
                    >
                      <span className="q" dir="auto">
                        <Marked
                          text={thread.title || "A new conversation"}
                          marks={small === "" ? [] : words(thread.title, wanted)}
                        />
                      </span>
                      <span className="meta">{nearTime(thread.updatedAt)}</span>
                    </Command.Item>
                  ))}
                  {data?.talks.map((hit, at) => (
                    <Command.Item
                      key={`h${at}`}
                      value={`h${at}`}
                      className="opt"
                      onSelect={() =>
                        go(hit.thread ? threadUrl(hit.thread.id, hit.thread.message) : `/notes/${hit.note?.id ?? ""}`)
                      }
                    >
                      <span className="q" dir="auto">
                        “<Marked {...readable(hit, wanted)} />”
                      </span>
                      <span className="meta">{hit.thread ? nearTime(hit.thread.at) : "note"}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ) : null}
              {data && data.commits.length > 0 ? (
                <Command.Group heading={<h3>History</h3>}>
                  {data.commits.map((commit) => (
                    <Command.Item
                      key={commit.commit}
                      value={`c${commit.commit}`}
                      className="opt"
                      onSelect={() => go(`/history/${commit.commit}`)}
                    >
                      <span className="q" dir="auto">
                        “{wanted}” came or went with “{summaryText(commit.summary)}”
                      </span>
                      <span className="meta">{commit.commit.slice(0, 7)}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ) : null}
              <Command.Group heading={<h3>Commands</h3>}>
                {shownCommands.map((command) => (
                  <Command.Item key={command.label} value={`x${command.label}`} className="opt" onSelect={command.run}>
                    <span className="q cmd">{command.label}</span>
                    <span className="meta">{command.key ?? ""}</span>
                  </Command.Item>
                ))}
                {small.length >= 2 ? (
                  <>
                    <Command.Item value="xforget" className="opt" onSelect={() => void forget()}>
                      <span className="q cmd">Find what to forget about “{wanted}”…</span>
                      <span className="meta" />
                    </Command.Item>
                    <Command.Item value="xnew" className="opt" onSelect={() => go(`${vaultUrl(wanted)}?new=1`)}>
                      <span className="q cmd">New file called “{wanted}”</span>
                      <span className="meta" />
                    </Command.Item>
                  </>
                ) : null}
              </Command.Group>
            </Command.List>
          </Command>
          <footer>
            <span className="wide-only">↑↓ move</span>
            <span className="wide-only">Enter opens</span>
            <span className="wide-only">{isMac ? "⌘" : "Ctrl "}K closes</span>
            <span className="end" role="status">
              {data?.trouble
                ? data.trouble.message
                : wanted.length >= 2 && data
                  ? `${total} found in ${memory ? figures(memory.entries, "fact") : "the memory"}, ${data.ms} ms`
                  : ""}
            </span>
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
