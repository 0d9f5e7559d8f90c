// The graph and its twin, a list with the same data that can be sorted, filtered and walked by keyboard.
import { memo, useCallback, useMemo, useRef, useState } from "react";
import { ListFilter } from "lucide-react";
import { Link, useLocation, useSearch } from "wouter";
import type { GraphView } from "../../shared/protocol.ts";
import { api } from "../lib/api.ts";
import { vaultUrl } from "../lib/paths.ts";
import { useResource } from "../lib/resource.ts";
import { useReading } from "../lib/use-reading.ts";
import { figures } from "../lib/words.ts";
import { Contents } from "../ui/Contents.tsx";
import { DateBar } from "../ui/DateBar.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { GraphCanvas } from "./GraphCanvas.tsx";
import { GHOST, modelOf, visibleOf, type Model, type Show } from "./model.ts";
import { hueOf } from "./painter.ts";
import "./graph.css";

/** Steps of the depth slider; the last one means the whole graph. */
const DEPTH_MAX = 4;

type Sort = "name" | "links";

const Twin = memo(function Twin({
  model,
  visible,
  focus,
  choose,
  look,
}: {
  model: Model;
  visible: boolean[];
  focus: number | null;
  choose: (at: number) => void;
  look: (at: number | null) => void;
}) {
  const [sort, setSort] = useState<Sort>("links");
  const [filter, setFilter] = useState("");
  const words = filter.trim().toLocaleLowerCase();
  const rows = model.dots
    .map((dot, at) => ({ dot, at }))
    .filter(({ dot, at }) => visible[at] && (words === "" || dot.id.toLocaleLowerCase().includes(words)))
    .sort((a, b) => (sort === "links" ? b.dot.links - a.dot.links : 0) || a.dot.label.localeCompare(b.dot.label));
  return (
    <>
      <div className="filter">
        <Icon of={ListFilter} size={14} />
        <input
          type="search"
          aria-label="Filter the graph"
          placeholder="Filter"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      <div style={{ padding: "4px 16px 0 20px" }}>
        <table>
          <thead>
            <tr>
              <th aria-sort={sort === "name" ? "ascending" : "none"}>
                <button type="button" onClick={() => setSort("name")}>
                  File
                </button>
              </th>
              <th aria-sort={sort === "links" ? "descending" : "none"} className="r">
                <button type="button" onClick={() => setSort("links")}>
                  Links
                </button>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ dot, at }) => (
              <tr key={dot.id} onPointerEnter={() => look(at)} onPointerLeave={() => look(null)}>
                <td>
                  <button
                    type="button"
                    aria-current={at === focus ? "true" : undefined}
                    onClick={() => choose(at)}
                    onFocus={() => look(at)}
                    onBlur={() => look(null)}
                    dir="auto"
                  >
                    {dot.label}
                    {dot.ghost ? <span className="meta"> no page yet</span> : null}
                  </button>
                </td>
                <td className="r num">{dot.links}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
});

export function GraphScreen() {
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const { reading, set } = useReading();
  const { data, error, loading, reload } = useResource<GraphView>(`graph:${reading.asOf}:${reading.knownAt}`, (signal) =>
    api.graph(
      { ...(reading.asOf ? { asOf: reading.asOf } : {}), ...(reading.knownAt ? { knownAt: reading.knownAt } : {}) },
      signal,
    ),
  );
  const dates = useResource("entries:dates", (signal) => api.entries({ state: "all", limit: 200 }, signal));
  const changes = useMemo(
    () =>
      (dates.data?.items ?? []).flatMap((entry) =>
        [entry.since, entry.until, entry.on, entry.added].filter((date): date is string => date !== null),
      ),
    [dates.data],
  );
  const model = useMemo(() => (data ? modelOf(data) : null), [data]);
  const [show, setShow] = useState<Show>("all");
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [depth, setDepth] = useState(DEPTH_MAX);
  const [hover, setHover] = useState<number | null>(null);
  const wanted = search.get("focus");
  const focus = useMemo(() => {
    if (!model || !wanted) return null;
    const at = model.dots.findIndex((dot) => dot.id === wanted || dot.id === `${wanted}.md`);
    return at < 0 ? null : at;
  }, [model, wanted]);
  const visible = useMemo(
    () => (model ? visibleOf(model, { show, hidden, focus, depth: depth === DEPTH_MAX ? null : depth }) : []),
    [model, show, hidden, focus, depth],
  );
  const chosen = (at: number) => {
    const dot = model?.dots[at];
    if (!dot) return;
    if (at === focus) {
      navigate(dot.ghost ? `${vaultUrl(dot.id.slice(GHOST.length))}?new=1` : vaultUrl(dot.id));
      return;
    }
    const next = new URLSearchParams(search);
    next.set("focus", dot.id);
    navigate(`/graph?${next}`);
  };
  const latest = useRef(chosen);
  latest.current = chosen;
  const choose = useCallback((at: number) => latest.current(at), []);
  const clear = () => {
    const next = new URLSearchParams(search);
    next.delete("focus");
    navigate(next.toString() === "" ? "/graph" : `/graph?${next}`);
  };
  const orphans = model?.dots.filter((dot) => !dot.ghost && dot.links === 0).length ?? 0;
  const broken = model?.dots.filter((dot) => dot.ghost).length ?? 0;
  const folders = [...new Set(model?.dots.flatMap((dot) => (dot.folder === "" ? [] : [dot.folder])) ?? [])].sort();
  const focused = focus === null ? null : (model?.dots[focus] ?? null);
  const files = model?.dots.filter((dot) => !dot.ghost).length ?? 0;
  const label = model
    ? `Graph of ${figures(files, "file")} and ${figures(model.edges.length, "link")}${focused ? `, ${focused.label} in focus` : ""}. The list beside it holds the same.`
    : "Graph";
  return (
    <>
      <Contents label="The graph as a list" title="The same as a list">
        {model && model.dots.length > 0 ? (
          <Twin model={model} visible={visible} focus={focus} choose={choose} look={setHover} />
        ) : null}
        {loading ? <Loading label="Reading the graph" /> : null}
        {model && model.dots.length === 0 ? <p className="quiet">No file yet.</p> : null}
      </Contents>
      <Page
        title={focused ? `Around ${focused.label}` : "Graph"}
        where={
          <h1 className="where" dir="auto">
            {focused ? (
              <>
                Around <b>{focused.label}</b>
              </>
            ) : (
              <b>Graph</b>
            )}
          </h1>
        }
        actions={
          <>
            {focused && !focused.ghost ? (
              <Link className="act" href={vaultUrl(focused.id)}>
                Open
              </Link>
            ) : null}
            {focused ? (
              <button type="button" className="act" onClick={clear}>
                Show all
              </button>
            ) : null}
            <div className="seg wide-only" role="group" aria-label="Show">
              {(
                [
                  ["all", "All"],
                  ["orphans", `Orphans, ${orphans}`],
                  ["broken", `Broken, ${broken}`],
                ] as const
              ).map(([name, text]) => (
                <button key={name} type="button" aria-pressed={show === name} onClick={() => setShow(name)}>
                  {text}
                </button>
              ))}
            </div>
          </>
        }
      >
        <DateBar reading={reading} set={set} changes={changes} />
        {error && !data ? (
          <div className="leaf">
            <Problem what="The graph could not be read." trouble={error} retry={reload} />
          </div>
        ) : loading || !model ? (
          <div className="leaf">
            <Loading label="Reading the graph" />
          </div>
        ) : model.dots.length === 0 ? (
          <div className="leaf">
            <Empty
              title="There is nothing to draw yet."
              help="Each file of the memory becomes a dot here, and each link between two files a line."
            >
              <Link className="btn primary" href="/">
                Start talking
              </Link>
            </Empty>
          </div>
        ) : (
          <>
            <GraphCanvas
              model={model}
              visible={visible}
              focus={focus}
              hover={hover}
              setHover={setHover}
              choose={choose}
              label={label}
            />
            <div className="graph-foot">
              <div className="legend" role="group" aria-label="Folders">
                {folders.map((folder) => (
                  <button
                    key={folder}
                    type="button"
                    aria-pressed={!hidden.has(folder)}
                    onClick={() => {
                      const next = new Set(hidden);
                      if (next.has(folder)) next.delete(folder);
                      else next.add(folder);
                      setHidden(next);
                    }}
                  >
                    <i style={{ background: `var(--hue-${hueOf(folder) ?? "work"})` }} />
                    {folder}
                  </button>
                ))}
              </div>
              {focus === null ? (
                <span style={{ marginInlineStart: "auto" }} className="wide-only">
                  Choose a file to see what is around it
                </span>
              ) : (
                <label style={{ marginInlineStart: "auto", display: "flex", gap: 8, alignItems: "center" }}>
                  Depth
                  <input
                    className="range"
                    type="range"
                    min={1}
                    max={DEPTH_MAX}
                    value={depth}
                    aria-valuetext={depth === DEPTH_MAX ? "all" : `${depth}`}
                    onChange={(event) => setDepth(Number(event.target.value))}
                  />
                </label>
              )}
            </div>
          </>
        )}
      </Page>
    </>
  );
}
