// What you know about me: one readable page of the memory, made without a model, with confirm and wrong on each line.
import { useMemo } from "react";
import { Link } from "wouter";
import type { EntryView } from "../../shared/protocol.ts";
import { api, troubleOf } from "../lib/api.ts";
import { dirOf, intervalText, lineState, sourceText } from "../lib/line.ts";
import { pathName, vaultUrl } from "../lib/paths.ts";
import { useResource } from "../lib/resource.ts";
import { landed } from "../lib/undo.ts";
import { figures } from "../lib/words.ts";
import { Line } from "../markdown/Markdown.tsx";
import { Contents } from "../ui/Contents.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Mark, StateWord } from "../ui/Mark.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { SourceLink } from "../ui/SourceWord.tsx";
import { warn } from "../ui/Toasts.tsx";
import { chapters, isStatement } from "./chapters.ts";
import "./about.css";

/** Pages of entries that are read at most: beyond, the page would be a book nobody reads at once. */
const PAGES_MAX = 10;

async function allEntries(signal: AbortSignal): Promise<{ items: EntryView[]; whole: boolean }> {
  const items: EntryView[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const next = await api.entries({ state: "open,upcoming,past", limit: 200, cursor }, signal);
    items.push(...next.items);
    cursor = next.next;
    if (cursor === null) return { items, whole: true };
  }
  return { items, whole: false };
}

function Row({ entry }: { entry: EntryView }) {
  const state = lineState(entry);
  const interval = intervalText(entry);
  const source = sourceText(entry.sources);
  const act = async (how: "confirm" | "wrong") => {
    if (!entry.id) return;
    try {
      if (how === "confirm") landed(await api.confirm(entry.id), "Confirmed.");
      else landed(await api.close(entry.id, { why: "wrong" }), "Struck. It stands under History now.");
    } catch (error) {
      warn(`Not saved. ${troubleOf(error).message}`);
    }
  };
  return (
    <li className="entry grid" data-state={state} dir={dirOf(entry.text)}>
      <Mark />
      <p className="line">
        <span>
          <StateWord state={state} />
          <Line text={entry.text} />
        </span>
      </p>
      <p className="marg" dir="ltr">
        <span className="known">
          {state === "check" ? (
            <span className="ask">to be checked</span>
          ) : interval ? (
            <span className="nb">{interval}</span>
          ) : null}
          {(state === "check" || interval) && source ? " · " : ""}
          {entry.sources[0] && source ? (
            <span className="nb">
              <SourceLink source={entry.sources[entry.sources.length - 1] as string} />
            </span>
          ) : null}
        </span>
        {entry.id ? (
          <span className="doing">
            <span className="between">{interval || source ? " · " : ""}</span>
            <button type="button" onClick={() => void act("confirm")}>
              true
            </button>
            {" · "}
            <button type="button" onClick={() => void act("wrong")}>
              wrong
            </button>
          </span>
        ) : null}
      </p>
    </li>
  );
}

export function AboutScreen() {
  const { data, error, loading, reload } = useResource("about", allEntries);
  const lines = useMemo(() => data?.items.filter(isStatement) ?? [], [data]);
  const parts = useMemo(() => chapters(lines), [lines]);
  const toCheck = lines.filter((entry) => entry.toCheck).length;
  return (
    <>
      <Contents label="Parts of this page" title="About me">
        <ul>
          {parts.map((part) => (
            <li key={part.name}>
              <a className="row flat" href={`#${part.anchor}`}>
                {part.name}
                <span className="meta num">{part.entries.length}</span>
              </a>
            </li>
          ))}
        </ul>
      </Contents>
      <Page
        title="What it knows about me"
        where={
          <p className="where">
            <b>What it knows about me</b>
          </p>
        }
        actions={
          <Link className="act" href="/vault">
            Open the vault
          </Link>
        }
      >
        <article className="leaf">
          {loading ? <Loading label="Reading the memory" lines={[48, 0, 92, 70, 81]} /> : null}
          {error && !data ? <Problem what="The memory could not be read." trouble={error} retry={reload} /> : null}
          {data && lines.length === 0 ? (
            <Empty
              title="It knows nothing about you yet."
              help="All that it keeps will stand here as one page, with a word on each line to say that it is true or wrong."
            >
              <Link className="btn primary" href="/">
                Start talking
              </Link>
            </Empty>
          ) : null}
          {data && lines.length > 0 ? (
            <>
              <header>
                <h1>What it knows about me</h1>
                <p className="meta under">
                  <span>{figures(lines.length, "line")}</span>
                  {toCheck > 0 ? <span className="ask">{toCheck} to be checked</span> : null}
                  <span>made from the files, without a model</span>
                </p>
              </header>
              {parts.map((part) => (
                <section key={part.name} id={part.anchor} aria-label={part.name}>
                  <h2 className="section">{part.path ? <Link href={vaultUrl(part.path)}>{part.name}</Link> : part.name}</h2>
                  <ul>
                    {part.entries.map((entry) => (
                      <Row key={entry.id ?? `${entry.path}:${entry.line}`} entry={entry} />
                    ))}
                  </ul>
                </section>
              ))}
              {data.whole ? null : (
                <p className="marg">
                  Only the first {data.items.length} lines stand here. The rest is in the vault, {pathName("MEMORY.md")} and its
                  files.
                </p>
              )}
            </>
          ) : null}
        </article>
      </Page>
    </>
  );
}
