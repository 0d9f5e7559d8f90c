// Costs: what was spent of the cap and what is left, by day, kind, model or conversation, and each call.
import { useCallback, useMemo, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { Costs, DreamView, LedgerRow, Page as List, ThreadView } from "../../shared/protocol.ts";
import { MEMORY_FILE_TOKENS } from "../../shared/limits.ts";
import { api } from "../lib/api.ts";
import { dayInWords, monthName, nearTime } from "../lib/dates.ts";
import { useMemoryState } from "../lib/live.ts";
import { useResource } from "../lib/resource.ts";
import { usePages } from "../lib/use-pages.ts";
import { count, dollars, grouped, sentence, sumOf } from "../lib/words.ts";
import { Contents } from "../ui/Contents.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { DayChart } from "./DayChart.tsx";
import { WeightChart } from "./WeightChart.tsx";
import "./costs.css";

/** Months that the list offers. */
const MONTHS_BACK = 6;
const GROUPS = [
  ["day", "Day"],
  ["kind", "Kind"],
  ["model", "Model"],
  ["thread", "Conversation"],
] as const;

function thisMonth(): string {
  return new Date().toISOString().slice(0, 7);
}

function monthsBack(): string[] {
  const now = new Date();
  return Array.from({ length: MONTHS_BACK }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

function price(row: LedgerRow): React.ReactNode {
  if (row.outcome === "reserved" || row.price === "reserved") return <span className="ask">open</span>;
  if (row.usd === null) return <span className="marg">unknown</span>;
  return dollars(row.usd);
}

function fate(row: LedgerRow): string {
  return row.outcome === "cancelled" ? "stopped by you" : row.outcome === "failed" ? "failed" : "";
}

export function CostsScreen() {
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const month = /^\d{4}-\d{2}$/.test(search.get("month") ?? "") ? (search.get("month") as string) : thisMonth();
  const [by, setBy] = useState<(typeof GROUPS)[number][0]>("day");
  const memory = useMemoryState();
  const days = useResource<Costs>(`costs:day:${month}:${memory?.spentUsd ?? ""}`, (signal) =>
    api.costs({ by: "day", month }, signal),
  );
  const kinds = useResource<Costs>(`costs:kind:${month}:${memory?.spentUsd ?? ""}`, (signal) =>
    api.costs({ by: "kind", month }, signal),
  );
  const grouping = useResource<Costs>(by === "day" || by === "kind" ? null : `costs:${by}:${month}`, (signal) =>
    api.costs({ by, month }, signal),
  );
  const load = useCallback(
    (cursor: string | null, signal?: AbortSignal) => api.calls({ month, cursor, limit: 50 }, signal),
    [month],
  );
  const calls = usePages<LedgerRow>(`calls:${month}:${memory?.spentUsd ?? ""}`, load);
  // The list of calls knows no months: what belongs to another one is left out.
  const rows = calls.items?.filter((row) => row.at.startsWith(month));
  const threads = useResource<List<ThreadView>>("threads:", (signal) => api.threads({ limit: 200 }, signal));
  const dreams = useResource<List<DreamView>>("dreams:", (signal) => api.dreams({}, signal));
  const names = useMemo(() => {
    const found = new Map<string, { text: string; href: string }>();
    for (const thread of threads.data?.items ?? []) found.set(thread.id, { text: thread.title, href: `/t/${thread.id}` });
    for (const dream of dreams.data?.items ?? [])
      found.set(dream.id, { text: dream.summary || "A dream", href: `/dreams/${dream.id}` });
    return found;
  }, [threads.data, dreams.data]);
  const named = (ref: string | null) => (ref ? names.get(ref.replace(/^(thread|dream)\//, "")) : undefined);
  const sums = days.data;
  const chats = (kinds.data?.by ?? [])
    .filter((one) => one.key !== "dream" && one.key !== "tombstone")
    .reduce((sum, one) => sum + one.usd, 0);
  const slept = (kinds.data?.by ?? [])
    .filter((one) => one.key === "dream" || one.key === "tombstone")
    .reduce((sum, one) => sum + one.usd, 0);
  const table = by === "day" ? days.data : by === "kind" ? kinds.data : grouping.data;
  const title = monthName(month, true);
  return (
    <>
      <Contents label="Months" title="Costs">
        <h3>Month</h3>
        <ul>
          {monthsBack().map((one) => (
            <li key={one}>
              <Link
                className="row flat"
                href={one === thisMonth() ? "/costs" : `/costs?month=${one}`}
                aria-current={one === month ? "page" : undefined}
              >
                <span>{monthName(one)}</span>
                {one === thisMonth() && memory ? <span className="meta num">{sumOf(memory.spentUsd)}</span> : null}
              </Link>
            </li>
          ))}
        </ul>
        <h3>Group by</h3>
        <ul>
          {GROUPS.map(([name, label]) => (
            <li key={name}>
              <button
                type="button"
                className="row"
                style={{ width: "100%" }}
                aria-current={by === name ? "true" : undefined}
                onClick={() => setBy(name)}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      </Contents>
      <Page
        title={`Costs, ${title}`}
        where={
          <p className="where">
            <b>{title}</b>
          </p>
        }
        actions={
          <>
            <a className="act wide-only" href="/api/costs/calls.csv" download>
              Save as CSV
            </a>
            <button type="button" className="act" onClick={() => navigate("/settings/models")}>
              Change the cap
            </button>
          </>
        }
      >
        <article className="leaf flush">
          <div className="wide">
            {days.loading ? <Loading label="Adding up" lines={[40, 70, 0, 92, 92]} /> : null}
            {days.error && !sums ? (
              <Problem what="The costs could not be read." trouble={days.error} retry={days.reload} />
            ) : null}
            {sums ? (
              <>
                <h1 className="figure">
                  {sumOf(sums.spentUsd)} <span style={{ color: "var(--ink-3)" }}>of {dollars(sums.capUsd, 2)}</span>
                </h1>
                <p className="lede">
                  {sums.leftUsd <= 0
                    ? `The cap is reached. Answers begin again on ${dayInWords(sums.resetsAt)}, or when you raise it. `
                    : `${dollars(sums.leftUsd, 2)} is left until ${dayInWords(sums.resetsAt)}. `}
                  {sums.unpriced > 0
                    ? `${sentence(count(sums.unpriced, "call"))} ${sums.unpriced === 1 ? "has" : "have"} no price and ${sums.unpriced === 1 ? "is" : "are"} not in the sum. `
                    : ""}
                  {sums.reservedUsd > 0 ? `${dollars(sums.reservedUsd)} is set aside for what is running.` : ""}
                </p>
                {by === "day" ? (
                  <figure style={{ marginTop: 32 }}>
                    <DayChart month={month} sums={sums.by} rows={rows ?? []} />
                    <figcaption className="key" style={{ marginTop: 8 }}>
                      <span>
                        <i className="b-chat" />
                        Conversations {sumOf(chats)}
                      </span>
                      <span>
                        <i className="b-dream" />
                        Dreams {sumOf(slept)}
                      </span>
                      {memory && memory.entries > 0 && sums.spentUsd > 0 ? (
                        <span className="meta" style={{ marginInlineStart: "auto" }}>
                          {dollars(sums.spentUsd / memory.entries)} for each fact kept
                        </span>
                      ) : null}
                    </figcaption>
                  </figure>
                ) : table ? (
                  <table style={{ marginTop: 32 }}>
                    <thead>
                      <tr>
                        <th>{GROUPS.find(([name]) => name === by)?.[1]}</th>
                        <th className="r">Calls</th>
                        <th className="r wide-only">In</th>
                        <th className="r wide-only">Out</th>
                        <th className="r">Cost</th>
                      </tr>
                    </thead>
                    <tbody>
                      {table.by.map((sum) => (
                        <tr key={sum.key}>
                          <td dir="auto">{by === "thread" ? (named(sum.key)?.text ?? sum.key) : sum.key}</td>
                          <td className="r num">{grouped(sum.calls)}</td>
                          <td className="r num wide-only">{grouped(sum.tokensIn)}</td>
                          <td className="r num wide-only">{grouped(sum.tokensOut)}</td>
                          <td className="r num">
                            {sum.unpriced === sum.calls ? <span className="marg">unknown</span> : dollars(sum.usd)}
                            {sum.unpriced > 0 && sum.unpriced < sum.calls ? (
                              <span className="marg"> and {sum.unpriced} unknown</span>
                            ) : null}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                ) : (
                  <Loading />
                )}
                <h2 className="section">Calls</h2>
                {calls.loading ? <Loading /> : null}
                {calls.error && !calls.items ? (
                  <Problem what="The calls could not be read." trouble={calls.error} retry={calls.reload} />
                ) : null}
                {rows?.length === 0 && !calls.more ? <p className="marg">No model was called this month.</p> : null}
                {rows && rows.length > 0 ? (
                  <table>
                    <thead>
                      <tr>
                        <th aria-sort="descending">Time</th>
                        <th className="wide-only">Kind</th>
                        <th>For</th>
                        <th className="r wide-only">In</th>
                        <th className="r wide-only">Out</th>
                        <th className="r">Cost</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((row) => {
                        const target = named(row.ref);
                        return (
                          <tr key={row.id}>
                            <td className="meta num">{nearTime(row.at)}</td>
                            <td className="wide-only">{row.kind}</td>
                            <td dir="auto">
                              {target ? <Link href={target.href}>{target.text || "A conversation"}</Link> : row.model}{" "}
                              {fate(row) ? <span className="marg">{fate(row)}</span> : null}
                            </td>
                            <td className="r num wide-only">{grouped(row.tokensIn)}</td>
                            <td className="r num wide-only">{row.outcome === "reserved" ? "–" : grouped(row.tokensOut)}</td>
                            <td className="r num">{price(row)}</td>
                          </tr>
                        );
                      })}
                    </tbody>
                  </table>
                ) : null}
                {calls.more ? (
                  <p className="acts" style={{ marginTop: 12 }}>
                    <button type="button" className="act" onClick={calls.more} disabled={calls.loadingMore}>
                      Earlier calls
                    </button>
                  </p>
                ) : null}
                <WeightChart budget={MEMORY_FILE_TOKENS} />
              </>
            ) : null}
          </div>
        </article>
      </Page>
    </>
  );
}
