// History: every commit by day, found by kind, file, line or words that came and went; the chosen one beside the list.
import { useCallback, useDeferredValue, useEffect, useState } from "react";
import { ListFilter, Search } from "lucide-react";
import { Link, useLocation, useSearch } from "wouter";
import type { CommitView } from "../../shared/protocol.ts";
import { api } from "../lib/api.ts";
import { clock, dayGroup } from "../lib/dates.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { pathName, summaryText } from "../lib/paths.ts";
import { usePages } from "../lib/use-pages.ts";
import { Contents } from "../ui/Contents.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { CommitPage } from "./CommitPage.tsx";
import { countSigns, countWords } from "./counts.ts";
import "./history.css";

const KINDS = ["chat", "dream", "edit", "revert", "forget", "import", "push", "mcp", "system"];

function Row({ commit, current, query }: { commit: CommitView; current: boolean; query: string }) {
  return (
    <Link
      className="row two"
      href={`/history/${commit.commit}${query}`}
      aria-current={current ? "page" : undefined}
      data-commit={commit.commit}
    >
      <span className="t" dir="auto">
        {summaryText(commit.summary)}
      </span>
      <span className="meta">
        <span className="kind">{commit.kind}</span>
        <span>{clock(commit.at)}</span>
        <span className="end num">
          <span aria-hidden="true">{countSigns(commit.entries)}</span>
          <span className="sr">{countWords(commit.entries)}</span>
        </span>
      </span>
    </Link>
  );
}

export function HistoryScreen({ commit }: { commit: string | null }) {
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const path = search.get("path") ?? "";
  const entry = search.get("entry") ?? "";
  const kind = search.get("kind") ?? "";
  const [text, setText] = useState(search.get("text") ?? "");
  const words = useDeferredValue(text.trim());
  const [filters, showFilters] = useState(kind !== "" || path !== "" || entry !== "");
  const load = useCallback(
    (cursor: string | null, signal?: AbortSignal) => api.history({ path, entry, kind, text: words, limit: 60, cursor }, signal),
    [path, entry, kind, words],
  );
  const { items, error, loading, reload, more, loadingMore } = usePages(`history:${path}:${entry}:${kind}:${words}`, load);
  const query = search.toString() === "" ? "" : `?${search}`;
  const set = (key: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(key);
    else next.set(key, value);
    navigate(`/history${commit ? `/${commit}` : ""}${next.toString() === "" ? "" : `?${next}`}`, { replace: true });
  };
  const first = items?.[0]?.commit ?? null;
  const current = commit ?? first;
  const step = (by: number) => {
    if (!items || items.length === 0) return;
    const at = items.findIndex((one) => one.commit === current);
    const next = items[Math.min(items.length - 1, Math.max(0, at + by))];
    if (next) navigate(`/history/${next.commit}${query}`);
  };
  useHotkeys([
    { keys: "j", label: "Commit below", group: "History", run: () => step(1) },
    { keys: "k", label: "Commit above", group: "History", run: () => step(-1) },
  ]);
  useEffect(() => {
    if (commit) document.querySelector(`[data-commit="${commit}"]`)?.scrollIntoView({ block: "nearest" });
  }, [commit]);

  const groups = new Map<string, CommitView[]>();
  for (const one of items ?? []) {
    const name = dayGroup(one.at);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const filtered = words !== "" || path !== "" || kind !== "" || entry !== "";
  return (
    <>
      <Contents
        label="Commits"
        title="History"
        tools={
          <button
            type="button"
            className="icon"
            aria-label="Filter by kind or file"
            aria-expanded={filters}
            onClick={() => showFilters(!filters)}
          >
            <Icon of={ListFilter} />
          </button>
        }
      >
        <div className="filter">
          <Icon of={Search} size={14} />
          <input
            type="search"
            aria-label="Find words that came or went"
            placeholder="Words that came or went"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        {filters ? (
          <div className="pad narrowing">
            <label>
              Kind
              <select className="field" value={kind} onChange={(event) => set("kind", event.target.value)}>
                <option value="">all kinds</option>
                {KINDS.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            </label>
            {path ? (
              <p>
                only {pathName(path)}{" "}
                <button type="button" className="act" onClick={() => set("path", "")}>
                  all files
                </button>
              </p>
            ) : null}
            {entry ? (
              <p>
                only one line{" "}
                <button type="button" className="act" onClick={() => set("entry", "")}>
                  all lines
                </button>
              </p>
            ) : null}
          </div>
        ) : null}
        {loading ? <Loading label="Reading the history" /> : null}
        {error && !items ? (
          <div className="pad">
            <Problem what="The history could not be read." trouble={error} retry={reload} />
          </div>
        ) : null}
        {items?.length === 0 ? (
          <p className="quiet">{filtered ? "No commit is like that." : "Nothing was written yet."}</p>
        ) : null}
        {[...groups].map(([name, commits]) => (
          <div key={name}>
            <h3>{name}</h3>
            <ul>
              {commits.map((one) => (
                <li key={one.commit}>
                  <Row commit={one} current={one.commit === current} query={query} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        {more ? (
          <p className="quiet">
            <button type="button" className="act" onClick={more} disabled={loadingMore}>
              {loadingMore ? "Reading…" : "Further back"}
            </button>
          </p>
        ) : null}
      </Contents>
      {current ? (
        <CommitPage key={current} oid={current} />
      ) : (
        <Page
          title="History"
          where={
            <p className="where">
              <b>History</b>
            </p>
          }
        >
          <div className="leaf">
            {loading ? (
              <Loading />
            ) : error ? (
              <Problem what="The history could not be read." trouble={error} retry={reload} />
            ) : filtered ? (
              <Empty
                title="No commit is like that."
                help="No line with these words came or went. Try fewer words, or all kinds."
              />
            ) : (
              <Empty
                title="Nothing has happened yet."
                help="Each change of your memory will stand here: what came, what changed, who did it, and a way to take it back."
              >
                <Link className="btn primary" href="/">
                  Start talking
                </Link>
              </Empty>
            )}
          </div>
        </Page>
      )}
    </>
  );
}
