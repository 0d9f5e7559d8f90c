// Dreams: the list, and the chosen one as it runs, as it waits, or as its report.
import { useCallback, useEffect, useState } from "react";
import { Link } from "wouter";
import type { DreamDetail, DreamView } from "../../shared/protocol.ts";
import { DREAM_MAX_STEPS } from "../../shared/limits.ts";
import { api, troubleOf } from "../lib/api.ts";
import { clock, dayInWords, monthName, rowTime } from "../lib/dates.ts";
import { onMemoryEvent } from "../lib/live.ts";
import { invalidate, useResource } from "../lib/resource.ts";
import { usePages } from "../lib/use-pages.ts";
import { Contents } from "../ui/Contents.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { DreamNow } from "./DreamNow.tsx";
import { DreamProposal, waiting, waitsUntil } from "./DreamProposal.tsx";
import { DreamReport } from "./DreamReport.tsx";
import { DreamRunning } from "./DreamRunning.tsx";
import { dreamSigns, dreamTitle, dreamWords } from "./words.ts";
import "./dreams.css";

const runs = (dream: DreamView): boolean => dream.status === "queued" || dream.status === "running";

function Row({ dream, current }: { dream: DreamView; current: boolean }) {
  return (
    <Link className="row two" href={`/dreams/${dream.id}`} aria-current={current ? "page" : undefined}>
      <span className="t">{dreamTitle(dream)}</span>
      <span className="meta">
        {runs(dream) ? (
          <span className="live">
            step {dream.calls} of at most {DREAM_MAX_STEPS}
          </span>
        ) : (
          <>
            <span>
              {rowTime(dream.startedAt)}
              {/:/.test(rowTime(dream.startedAt)) ? "" : `, ${clock(dream.startedAt)}`}
            </span>
            {dream.undone ? (
              <span className="end">undone by you</span>
            ) : dream.status === "proposed" ? (
              <span className="end live">waits for you</span>
            ) : dream.status === "failed" || dream.status === "cancelled" ? (
              <span className="end">{dream.status === "failed" ? "failed" : "by you"}</span>
            ) : (
              <span className="end num">
                <span aria-hidden="true">{dreamSigns(dream)}</span>
                <span className="sr">{dreamWords(dream)}</span>
              </span>
            )}
          </>
        )}
      </span>
    </Link>
  );
}

function DreamPage({ id }: { id: string }) {
  const { data: dream, error, loading, reload } = useResource<DreamDetail>(`dream:${id}`, (signal) => api.dream(id, signal));
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>, done: string, failed: string) => {
    setBusy(true);
    try {
      await work();
      say(done);
    } catch (problem) {
      warn(`${failed} ${troubleOf(problem).message}`);
    }
    invalidate("dream", "memory", "file:", "history:", "entries:", "estimate");
    setBusy(false);
  };
  const proposed = dream && dream.status === "proposed" && waiting(dream).length > 0;
  return (
    <Page
      title={dream ? dreamTitle(dream) : "Dream"}
      where={
        <p className="where">
          {dream ? (
            <>
              Dream of{" "}
              <b>
                {dayInWords(dream.startedAt)}, {clock(dream.startedAt)}
              </b>
            </>
          ) : (
            <b>Dream</b>
          )}
        </p>
      }
      actions={
        !dream ? null : runs(dream) ? (
          <button
            type="button"
            className="btn"
            disabled={busy}
            onClick={() => void act(() => api.cancelDream(id), "Stopped. Nothing was changed.", "Not stopped.")}
          >
            Stop
          </button>
        ) : proposed ? (
          <>
            <span className="meta wide-only">waits until {waitsUntil(dream)}</span>
            <button
              type="button"
              className="act"
              disabled={busy}
              onClick={() =>
                void act(() => api.rejectDream(id), "All of it is left out. The next dream does not repeat it.", "Not left out.")
              }
            >
              Leave all
            </button>
            <button
              type="button"
              className="act strong"
              disabled={busy}
              onClick={() => void act(() => api.acceptDream(id), "All of it is written.", "Not written.")}
            >
              Accept all
            </button>
          </>
        ) : (
          <>
            {dream.commit ? (
              <Link className="act wide-only" href={`/history/${dream.commit}`}>
                See the commit
              </Link>
            ) : null}
            {dream.commit && !dream.undone ? (
              <button
                type="button"
                className="btn"
                disabled={busy}
                onClick={() =>
                  void act(
                    () => api.undoDream(id),
                    "Taken back. Later changes stay, and the next dream does not repeat it.",
                    "Not taken back.",
                  )
                }
              >
                Undo this dream
              </button>
            ) : null}
          </>
        )
      }
    >
      {loading ? (
        <div className="leaf">
          <Loading label="Reading the dream" lines={[60, 0, 92, 70]} />
        </div>
      ) : null}
      {error && !dream ? (
        <div className="leaf">
          <Problem
            what={error.code === "not-found" ? "There is no such dream." : "The dream could not be read."}
            trouble={error}
            retry={reload}
          />
        </div>
      ) : null}
      {!dream ? null : runs(dream) ? (
        <DreamRunning dream={dream} />
      ) : proposed ? (
        <DreamProposal key={dream.id} dream={dream} />
      ) : (
        <DreamReport dream={dream} />
      )}
    </Page>
  );
}

export function DreamsScreen({ id }: { id: string | null }) {
  const load = useCallback((cursor: string | null, signal?: AbortSignal) => api.dreams({ cursor }, signal), []);
  const { items, error, loading, reload, more, loadingMore } = usePages<DreamView>("dreams:", load);
  // A dream that ends while it is looked at becomes its report.
  useEffect(() => onMemoryEvent((event) => event.type === "dream" && event.line && invalidate("dreams")), []);
  const current = id ?? items?.[0]?.id ?? null;
  const groups = new Map<string, DreamView[]>();
  for (const dream of items ?? []) {
    const name = monthName(dream.startedAt.slice(0, 7));
    groups.set(name, [...(groups.get(name) ?? []), dream]);
  }
  return (
    <>
      <Contents label="Dreams" title="Dreams">
        <DreamNow />
        {loading ? <Loading label="Reading the dreams" /> : null}
        {error && !items ? (
          <div className="pad">
            <Problem what="The dreams could not be read." trouble={error} retry={reload} />
          </div>
        ) : null}
        {[...groups].map(([name, dreams]) => (
          <div key={name}>
            <h3>{name}</h3>
            <ul>
              {dreams.map((dream) => (
                <li key={dream.id}>
                  <Row dream={dream} current={dream.id === current} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        {more ? (
          <p className="quiet">
            <button type="button" className="act" onClick={more} disabled={loadingMore}>
              Further back
            </button>
          </p>
        ) : null}
      </Contents>
      {current ? (
        <DreamPage key={current} id={current} />
      ) : (
        <Page
          title="Dreams"
          where={
            <p className="where">
              <b>Dreams</b>
            </p>
          }
        >
          <div className="leaf">
            {loading ? (
              <Loading />
            ) : error ? (
              <Problem what="The dreams could not be read." trouble={error} retry={reload} />
            ) : (
              <Empty
                title="It has not dreamt yet."
                help="At night it reads what is new, joins what stands twice, closes what has ended, and says here what it did. Each dream can be taken back."
              />
            )}
          </div>
        </Page>
      )}
    </>
  );
}
