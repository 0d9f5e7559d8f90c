// A dream's report: what it did by kind, each change with its reason, and at the end what it read, took and cost.
import type { DreamChange, DreamDetail } from "../../shared/protocol.ts";
import { Link } from "wouter";
import { sourceUrl } from "../ui/SourceWord.tsx";
import { clockSeconds } from "../lib/dates.ts";
import { pathName, vaultUrl } from "../lib/paths.ts";
import { dollars, duration, figures, grouped } from "../lib/words.ts";
import { ChangeRow, happened } from "../ui/ChangeRow.tsx";
import { dreamTitle, reportSentence } from "./words.ts";

const GROUPS: [heading: string, holds: (one: DreamChange) => boolean][] = [
  // A dream takes a line out only by joining it with another.
  ["Joined and reworded", (one) => isDone(one) && (one.change.verb === "changed" || one.change.verb === "removed")],
  ["Closed", (one) => isDone(one) && one.change.verb === "closed"],
  ["Moved", (one) => isDone(one) && one.change.verb === "moved"],
  ["Added", (one) => isDone(one) && (one.change.verb === "added" || one.change.verb === "reopened")],
  ["Held back", (one) => one.status === "held-back"],
  ["Left out by you", (one) => one.status === "rejected"],
];

function isDone(one: DreamChange): boolean {
  return one.status === "landed" || one.status === "accepted";
}

/** The half of a join whose words stand in the other half anyway. */
function isEcho(one: DreamChange, all: readonly DreamChange[]): boolean {
  return (
    one.change.verb === "removed" &&
    all.some((other) => other.n === one.n && other.change.verb !== "removed" && other.change.after === one.change.before)
  );
}

const STATES: Record<DreamDetail["items"][number]["state"], string> = {
  new: "waits",
  taken: "being read",
  settled: "read",
  "set-aside": "set aside after three tries",
};

export function DreamReport({ dream }: { dream: DreamDetail }) {
  const ms = dream.endedAt ? Date.parse(dream.endedAt) - Date.parse(dream.startedAt) : null;
  const failed = dream.status === "failed" || dream.status === "cancelled";
  const facts = [
    dream.calls === 0 ? "no model was asked" : figures(dream.calls, "step"),
    dream.calls > 0 ? `${grouped(dream.tokensIn)} tokens in, ${grouped(dream.tokensOut)} out` : "",
    dream.calls > 0 ? (dream.usd === null ? "price unknown" : dollars(dream.usd)) : "",
    dream.tokensPerLearned !== null ? `${grouped(dream.tokensPerLearned)} tokens read for each token learned` : "",
    ms !== null ? duration(ms) : "",
    dream.inbox > 0 ? `read ${dream.read} of ${dream.inbox}` : "",
    dream.trigger === "user" ? "asked for by you" : "by itself",
  ].filter(Boolean);
  return (
    <>
      <section className="sky dawned" aria-label="Summary">
        <h1 className="display">{dreamTitle(dream)}</h1>
        <p className="sub">
          {failed
            ? (dream.error?.message ?? "What it had not finished is read again by the next one. Nothing was changed.")
            : dream.undone
              ? "You took this dream back. The next one does not repeat it."
              : reportSentence(dream, dream.changes)}
        </p>
        <div className="horizon" aria-hidden="true">
          <i />
        </div>
      </section>
      <div className="leaf" style={{ paddingTop: 8 }}>
        {GROUPS.map(([heading, holds]) => {
          const changes = dream.changes.filter((one) => holds(one) && !isEcho(one, dream.changes));
          return changes.length === 0 ? null : (
            <section key={heading}>
              <h2 className="section">{heading}</h2>
              <ul>
                {changes.map((one, at) => (
                  <ChangeRow
                    key={`${one.n}:${at}`}
                    change={one.change}
                    reason={one.heldBack ?? (one.reason || null)}
                    sign={one.status === "held-back" ? "held" : one.change.verb === "removed" ? "changed" : one.change.verb}
                    sources={one.evidence}
                    margin={
                      one.change.verb === "moved" ? (
                        <>to {pathName(one.change.path)}</>
                      ) : one.change.verb === "removed" ? (
                        <>joined, {pathName(one.change.path)}</>
                      ) : one.change.verb === "closed" ? (
                        <>
                          <Link href={vaultUrl(one.change.path)}>{pathName(one.change.path)}</Link>, {happened(one.change)}
                        </>
                      ) : (
                        <Link href={vaultUrl(one.change.path)}>{pathName(one.change.path)}</Link>
                      )
                    }
                  />
                ))}
              </ul>
            </section>
          );
        })}
        {dream.items.length > 0 ? (
          <details className="fold">
            <summary>
              <h2 className="section">What it read</h2>
              <span className="meta">{dream.items.length}</span>
            </summary>
            <ul className="cites wide">
              {dream.items.map((item) => {
                const to = sourceUrl(item.ref);
                return (
                  <li key={item.ref}>
                    <p className="q" dir="auto">
                      {item.text}
                    </p>
                    <p className="meta">
                      {to ? <Link href={to}>{item.ref}</Link> : item.ref} · {item.outcome ?? STATES[item.state]}
                    </p>
                  </li>
                );
              })}
            </ul>
          </details>
        ) : null}
        {dream.log.length > 0 ? (
          <details className="fold">
            <summary>
              <h2 className="section">How it went</h2>
              <span className="meta">{figures(dream.log.length, "step")}</span>
            </summary>
            <ol className="log" style={{ marginTop: 0 }}>
              {dream.log.map((line, at) => (
                <li key={at}>
                  <span className="meta num">{clockSeconds(line.at)}</span>
                  <p className="what" dir="auto">
                    {line.text}
                    {line.margin ? <span className="meta"> {line.margin}</span> : null}
                  </p>
                </li>
              ))}
            </ol>
          </details>
        ) : null}
        <p className="meta facts-line">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
    </>
  );
}
