// A commit: what it did, by entry and by line, and what taking it back would do.
import { useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import type { CommitDetail, EntryView } from "../../shared/protocol.ts";
import { api, type Trouble, troubleOf } from "../lib/api.ts";
import { dayInWords, stamp } from "../lib/dates.ts";
import { pathName, summaryText, threadUrl, vaultUrl } from "../lib/paths.ts";
import { invalidate, useResource } from "../lib/resource.ts";
import { remember } from "../lib/undo.ts";
import { count, dollars, sentence } from "../lib/words.ts";
import { plainLinks } from "../../shared/normal.ts";
import { ChangeRow } from "../ui/ChangeRow.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Redacted } from "../ui/Mark.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Sign } from "../ui/Sign.tsx";
import { say } from "../ui/Toasts.tsx";
import { WordDiff } from "../ui/WordDiff.tsx";
import { readPatch } from "./patch.ts";
import { planRevert, type Planned } from "./revert-plan.ts";

function Ref({ commit }: { commit: CommitDetail }) {
  const { ref, kind } = commit;
  if (!ref) return null;
  const thread = /^(?:thread\/)?([a-z0-9]{8})(?:#(m\d+))?$/.exec(ref);
  if (thread && (kind === "chat" || ref.startsWith("thread/")))
    return (
      <Link className="u" href={threadUrl(thread[1] as string, thread[2] ?? null)}>
        in the conversation
      </Link>
    );
  if (kind === "dream")
    return (
      <Link className="u" href={`/dreams/${ref.replace(/^dream\//, "")}`}>
        its report
      </Link>
    );
  if (kind === "revert" && /^[0-9a-f]{7,40}$/.test(ref))
    return ref.length === 40 ? (
      <Link className="u" href={`/history/${ref}`}>
        takes {ref.slice(0, 7)} back
      </Link>
    ) : (
      <span>takes {ref} back</span>
    );
  return <span>{ref}</span>;
}

function ByLine({ commit }: { commit: CommitDetail }) {
  return commit.files.map((file) => (
    <section key={file.path}>
      <h2 className="filehead">
        <Link href={vaultUrl(file.path)}>{file.path}</Link>
        <span className="meta">{file.status}</span>
      </h2>
      <div className="lines wide" role="group" aria-label={`${file.path}, by line`}>
        {readPatch(file.patch).map((line, at) => (
          <div key={at} className={line.kind}>
            <i>
              {line.kind === "plus" ? (
                <>
                  <span className="sr">added</span>+
                </>
              ) : line.kind === "minus" ? (
                <>
                  <span className="sr">removed</span>−
                </>
              ) : line.kind === "gap" ? (
                "⋮"
              ) : (
                ""
              )}
            </i>
            <i>{line.new ?? line.old ?? ""}</i>
            <span dir="auto">{line.text}</span>
          </div>
        ))}
      </div>
    </section>
  ));
}

function PlannedLine({ planned, chosen, choose }: { planned: Planned; chosen: boolean | null; choose: (on: boolean) => void }) {
  const { change, does } = planned;
  const before = plainLinks(change.before ?? "");
  const after = plainLinks(change.after ?? "");
  return (
    <li>
      {chosen === null || does !== "back" ? <Sign of={does === "back" ? "back" : does} /> : null}
      {chosen !== null && does === "back" ? (
        <input
          type="checkbox"
          className="tick-box"
          checked={chosen}
          onChange={(event) => choose(event.target.checked)}
          aria-label={before || after}
        />
      ) : null}
      <p className={does === "stays" ? "line stays" : "line"} dir="auto">
        {does === "held" ? (
          <Redacted />
        ) : does === "stays" ? (
          after || before
        ) : change.verb === "added" ? (
          <del>{after}</del>
        ) : change.verb === "removed" ? (
          <ins>{before}</ins>
        ) : before !== after && change.verb === "changed" ? (
          <WordDiff before={after} after={before} />
        ) : (
          before || after
        )}
      </p>
      <p className="marg">{planned.margin}</p>
    </li>
  );
}

function RevertPreview({ commit, paths, close }: { commit: CommitDetail; paths: string[] | null; close: () => void }) {
  const [, navigate] = useLocation();
  const changes = paths ? commit.changes.filter((change) => paths.includes(change.path)) : commit.changes;
  const files = [...new Set(changes.flatMap((change) => [change.path, ...(change.fromPath ? [change.fromPath] : [])]))];
  const ids = changes.flatMap((change) => (change.id ? [change.id] : []));
  const now = useResource<EntryView[]>(`entries:revert:${commit.commit}:${files.join("|")}`, async (signal) => {
    // A line may stand in another file by now: what is not in the files of the commit is asked for by name.
    const pages = await Promise.all(
      files.map((path) => api.entries({ path, state: "all", limit: 200 }, signal).then((page) => page.items)),
    );
    const known = pages.flat();
    const missing = ids.filter((id) => !known.some((entry) => entry.id === id)).slice(0, 40);
    const others =
      missing.length === 0
        ? []
        : (await api.entries({ ids: missing.join(","), state: "all", limit: missing.length }, signal)).items;
    return [...known, ...others];
  });
  const [choosing, setChoosing] = useState<ReadonlySet<string> | null>(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const plan = useMemo(
    () => (now.data ? planRevert({ changes, kind: commit.kind }, now.data) : null),
    [now.data, changes, commit.kind],
  );
  const back = plan?.filter((one) => one.does === "back") ?? [];
  const stays = plan?.filter((one) => one.does === "stays").length ?? 0;
  const held = plan?.filter((one) => one.does === "held").length ?? 0;
  const going = choosing ? back.filter((one) => choosing.has(one.name)) : back;
  const run = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      // Where some lines cannot go back, the others are named: what was shown is what is done, and nothing clashes.
      const all = choosing === null && going.length === plan?.length;
      const outcome = await api.revert(
        commit.commit,
        !all ? { entries: going.map((one) => one.name) } : paths === null ? {} : { paths },
      );
      remember(outcome);
      invalidate("history:", "memory", "file:", "entries:", "entry:");
      if (outcome.commit === null) {
        say("Nothing had to change.");
        close();
      } else {
        const { commit: made } = outcome;
        say(`${sentence(count(going.length, "line"))} ${going.length === 1 ? "is" : "are"} as before.`, {
          label: "See it",
          run: () => navigate(`/history/${made}`),
        });
        close();
        navigate(`/history/${made}`);
      }
    } catch (error) {
      setTrouble(troubleOf(error));
      setBusy(false);
    }
  };
  return (
    <section className="preview wide" aria-label="Revert, preview">
      <h2>{paths ? `If you revert ${paths.map(pathName).join(", ")}` : "If you revert this commit"}</h2>
      {now.loading ? <Loading label="Looking at what is there now" /> : null}
      {now.error && !now.data ? (
        <Problem what="What is there now could not be read." trouble={now.error} retry={now.reload} />
      ) : null}
      {plan ? (
        <>
          <p className="lede" style={{ font: "var(--t-note)", marginTop: 4 }}>
            {back.length === 0
              ? "No line can go back. "
              : `${sentence(count(back.length, "line"))} ${back.length === 1 ? "goes" : "go"} back to how ${back.length === 1 ? "it was" : "they were"} before ${dayInWords(commit.at)}. `}
            {stays > 0
              ? `${sentence(count(stays, "", "").trim())} ${stays === 1 ? "stays" : "stay"}${held > 0 ? `, ${count(held, "", "").trim()} ${held === 1 ? "is" : "are"} held back` : ""}.`
              : held > 0
                ? `${sentence(count(held, "", "").trim())} ${held === 1 ? "is" : "are"} held back.`
                : ""}
          </p>
          <ul style={{ marginTop: 12 }}>
            {plan.map((one) => (
              <PlannedLine
                key={`${one.change.path}:${one.name}:${one.change.verb}`}
                planned={one}
                chosen={choosing ? choosing.has(one.name) : null}
                choose={(on) => {
                  const next = new Set(choosing ?? []);
                  if (on) next.add(one.name);
                  else next.delete(one.name);
                  setChoosing(next);
                }}
              />
            ))}
          </ul>
          {trouble ? (
            <div role="alert">
              <p className="why">Not reverted. {trouble.message}</p>
            </div>
          ) : null}
          <p className="acts">
            {back.length === 0 ? null : (
              <button type="button" className="btn primary" disabled={busy || going.length === 0} onClick={() => void run()}>
                Revert {count(going.length, "line")}
              </button>
            )}
            {back.length > 1 && choosing === null ? (
              <button type="button" className="btn" onClick={() => setChoosing(new Set(back.map((one) => one.name)))}>
                Choose lines
              </button>
            ) : null}
            <button type="button" className="act" onClick={close}>
              Leave it as it is
            </button>
          </p>
        </>
      ) : null}
    </section>
  );
}

export function CommitPage({ oid }: { oid: string }) {
  const { data, error, loading, reload } = useResource<CommitDetail>(`commit:${oid}`, (signal) => api.commit(oid, signal));
  const [byLine, setByLine] = useState(false);
  const [reverting, setReverting] = useState<{ paths: string[] | null } | null>(null);
  const groups = useMemo(() => {
    const found = new Map<string, CommitDetail["changes"]>();
    for (const change of data?.changes ?? []) found.set(change.path, [...(found.get(change.path) ?? []), change]);
    return [...found];
  }, [data]);
  const others = data?.files.filter((file) => !groups.some(([path]) => path === file.path)) ?? [];
  return (
    <Page
      title={data?.summary ?? "Commit"}
      where={
        <p className="where">
          Commit{" "}
          <b className="meta" style={{ color: "var(--ink)" }}>
            {oid.slice(0, 7)}
          </b>
        </p>
      }
      actions={
        data ? (
          <>
            <div className="seg" role="group" aria-label="Compare">
              <button type="button" aria-pressed={!byLine} onClick={() => setByLine(false)}>
                By entry
              </button>
              <button type="button" aria-pressed={byLine} onClick={() => setByLine(true)}>
                By line
              </button>
            </div>
            <button
              type="button"
              className="act"
              aria-expanded={reverting !== null}
              onClick={() => {
                setByLine(false);
                setReverting(reverting ? null : { paths: null });
              }}
            >
              Revert…
            </button>
          </>
        ) : null
      }
    >
      <article className="leaf">
        {loading ? <Loading label="Reading the commit" lines={[60, 0, 92, 70, 81]} /> : null}
        {error && !data ? (
          <Problem
            what={error.code === "not-found" ? "There is no such commit." : "The commit could not be read."}
            trouble={error}
            retry={reload}
          />
        ) : null}
        {data ? (
          <>
            <header>
              <h1 dir="auto">{summaryText(data.summary)}</h1>
              <p className="meta under">
                <span>
                  {data.kind}, {stamp(data.at)}
                </span>
                <Ref commit={data} />
                {data.costUsd !== null ? <span>{dollars(data.costUsd)}</span> : null}
                {data.author && !/reverie/i.test(data.author) ? <span>{data.author.replace(/ <.*$/, "")}</span> : null}
              </p>
            </header>
            {byLine ? (
              <ByLine commit={data} />
            ) : (
              <>
                {groups.map(([path, changes]) => (
                  <section key={path}>
                    <h2 className="filehead">
                      <Link href={vaultUrl(path)}>{pathName(path)}</Link>
                      {data.kind === "forget" ? null : (
                        <button type="button" className="act" onClick={() => setReverting({ paths: [path] })}>
                          Revert this file
                        </button>
                      )}
                    </h2>
                    <ul>
                      {changes.map((change, at) => (
                        <ChangeRow key={`${change.id}:${at}`} change={change} />
                      ))}
                    </ul>
                  </section>
                ))}
                {others.map((file) => (
                  <section key={file.path}>
                    <h2 className="filehead">
                      {pathName(file.path)}
                      <button type="button" className="act" onClick={() => setByLine(true)}>
                        See its lines
                      </button>
                    </h2>
                    <p className="marg" style={{ paddingTop: 8 }}>
                      {file.path === "forgotten.md" || file.path.startsWith("forgotten/")
                        ? "That something was forgotten, and when; never what."
                        : file.status === "removed"
                          ? "The file went."
                          : "No line of memory changed: headings, prose, or data of the app."}
                    </p>
                  </section>
                ))}
                {groups.length === 0 && others.length === 0 ? (
                  <p className="lede" style={{ marginTop: 24 }}>
                    This commit changed no line.
                  </p>
                ) : null}
                {reverting ? (
                  <RevertPreview
                    key={reverting.paths?.join() ?? "all"}
                    commit={data}
                    paths={reverting.paths}
                    close={() => setReverting(null)}
                  />
                ) : null}
              </>
            )}
          </>
        ) : null}
      </article>
    </Page>
  );
}
