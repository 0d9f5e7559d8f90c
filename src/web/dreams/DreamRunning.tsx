// A dream while it runs: the sky, the sun where the reading has got to, the log as sentences, live facts in the margin.
import { useEffect, useState } from "react";
import type { DreamDetail, DreamLogLine } from "../../shared/protocol.ts";
import { DREAM_MAX_STEPS, DREAM_MAX_USD } from "../../shared/limits.ts";
import { clockSeconds } from "../lib/dates.ts";
import { onMemoryEvent, useMemoryState } from "../lib/live.ts";
import { api } from "../lib/api.ts";
import { invalidate, useResource } from "../lib/resource.ts";
import { dollars, figures, grouped } from "../lib/words.ts";
import { readingSentence } from "./words.ts";

/** Milliseconds between two looks at the numbers of a running dream; its log comes by itself. */
const LOOK_MS = 2_000;

export function DreamRunning({ dream }: { dream: DreamDetail }) {
  const memory = useMemoryState();
  const settings = useResource("settings", (signal) => api.settings(signal));
  const maxUsd = settings.data?.dream.maxUsd ?? DREAM_MAX_USD;
  const [fresh, setFresh] = useState<DreamLogLine[]>([]);
  useEffect(
    () =>
      onMemoryEvent((event) => {
        if (event.type !== "dream" || event.id !== dream.id || !event.line) return;
        const { line } = event;
        setFresh((old) => [...old, line]);
      }),
    [dream.id],
  );
  useEffect(() => {
    const timer = setInterval(() => invalidate(`dream:${dream.id}`), LOOK_MS);
    return () => clearInterval(timer);
  }, [dream.id]);
  const known = new Set(dream.log.map((line) => `${line.at} ${line.text}`));
  const log = [...dream.log, ...fresh.filter((line) => !known.has(`${line.at} ${line.text}`))];
  const read = memory?.dream?.id === dream.id ? Math.max(memory.dream.read, dream.read) : dream.read;
  const share = dream.inbox === 0 ? 0.5 : Math.min(1, read / dream.inbox);
  // The sun rises a hand's breadth in and never leaves the window.
  const place = `${Math.round(6 + share * 86)}%`;
  const facts: [string, string][] = [
    ["Step", `${dream.calls} of at most ${DREAM_MAX_STEPS}`],
    ["Read so far", figures(dream.tokensIn, "token")],
    ["Cost so far", `${dream.usd === null ? "unknown" : dollars(dream.usd)} of at most ${dollars(maxUsd, 2)}`],
    ["Inbox", `${grouped(read)} of ${grouped(dream.inbox)} read`],
  ];
  return (
    <>
      <section className="sky flush" style={{ "--p": place } as React.CSSProperties} aria-label="Progress">
        <h1 className="display">Dreaming</h1>
        <p className="sub">{readingSentence(dream)}</p>
        <div
          className="horizon"
          role="progressbar"
          aria-label="Read"
          aria-valuemin={0}
          aria-valuemax={Math.max(1, dream.inbox)}
          aria-valuenow={read}
          aria-valuetext={`${read} of ${dream.inbox} read`}
        >
          <i />
          <b />
        </div>
      </section>
      <div className="leaf flush" style={{ paddingTop: 16 }}>
        <div className="grid" style={{ alignItems: "start" }}>
          <div role="log" aria-label="What it does">
            <ol className="log">
              {log.map((line, at) => (
                <li key={`${line.at}:${at}`} className={at === log.length - 1 ? "now" : undefined}>
                  <span className={at === log.length - 1 ? "meta num ask" : "meta num"}>{clockSeconds(line.at)}</span>
                  <p className="what" dir="auto">
                    {line.text}
                    {at === log.length - 1 ? <span className="caret" aria-hidden="true" /> : null}
                    {line.margin ? <span className="meta"> {line.margin}</span> : null}
                  </p>
                </li>
              ))}
              {log.length === 0 ? (
                <li className="now">
                  <span className="meta num ask">{clockSeconds(dream.startedAt)}</span>
                  <p className="what">
                    Looking at what is new
                    <span className="caret" aria-hidden="true" />
                  </p>
                </li>
              ) : null}
            </ol>
          </div>
          <dl className="facts aside" style={{ marginTop: 28 }}>
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </>
  );
}
