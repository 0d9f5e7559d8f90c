// The ledger: one row for every model call, also failed and cancelled ones. Reserves before a call and settles after it; money is counted in whole nanodollars.
import type { CallKind, CostSum, Costs, LedgerRow, Page } from "../../shared/protocol.ts";
import type { Reservation, Reserved, Settlement } from "../model/types.ts";
import type { Sql } from "../git/sql.ts";
import { UNPRICED_MONTHLY_TOKENS } from "../../shared/limits.ts";

const NANO = 1e9;

export function createLedger(sql: Sql): void {
  sql.exec(`CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, month TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL, ref TEXT, model TEXT NOT NULL,
    tokens_in INTEGER NOT NULL DEFAULT 0, cached_in INTEGER NOT NULL DEFAULT 0, tokens_out INTEGER NOT NULL DEFAULT 0, reasoning INTEGER NOT NULL DEFAULT 0,
    nano INTEGER, reserved_nano INTEGER NOT NULL, reserved_tokens INTEGER NOT NULL, price TEXT NOT NULL, ms INTEGER NOT NULL DEFAULT 0, outcome TEXT NOT NULL, parts TEXT)`);
  sql.exec("CREATE INDEX ledger_by_month ON ledger (month, day)");
}

/** Who pays: 1 = the user's own key. The two are summed and capped apart. */
export function addPayer(sql: Sql): void {
  sql.exec("ALTER TABLE ledger ADD COLUMN own INTEGER NOT NULL DEFAULT 0");
}

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The first instant of the next UTC month: cap months are UTC (design, Money). */
export function resetsAt(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}

interface MonthSums extends Record<string, number> {
  spent: number;
  reserved: number;
  unpriced: number;
  tokens: number;
}

/** Sums of a month; of one payer, or of both. */
function sumsOf(sql: Sql, month: string, own: boolean | null = null): MonthSums {
  return sql
    .exec<MonthSums>(
      `SELECT ifnull(SUM(CASE WHEN outcome <> 'reserved' THEN nano END), 0) AS spent,
        ifnull(SUM(CASE WHEN outcome = 'reserved' THEN reserved_nano END), 0) AS reserved,
        ifnull(SUM(price = 'unknown'), 0) AS unpriced,
        ifnull(SUM(CASE WHEN price = 'unknown' THEN tokens_in + tokens_out WHEN outcome = 'reserved' AND reserved_nano = 0 THEN reserved_tokens ELSE 0 END), 0) AS tokens
       FROM ledger WHERE month = ? AND (? IS NULL OR own = ?)`,
      month,
      own === null ? null : Number(own),
      own === null ? null : Number(own),
    )
    .one();
}

/** US dollars that the month of an instant has cost so far, reservations aside. */
export function spentUsd(sql: Sql, now: number): number {
  return sumsOf(sql, monthOf(now)).spent / NANO;
}

/** US dollars of the operator's that a month has cost or set aside: what the installation's cap is held against. */
export function operatorUsd(sql: Sql, at: number): number {
  const { spent, reserved } = sumsOf(sql, monthOf(at), false);
  return (spent + reserved) / NANO;
}

const dollars = (nano: number): string => `$${(nano / NANO).toFixed(nano > 0 && nano < NANO / 100 ? 4 : 2)}`;

/** Sets the price of a call aside, or refuses it with `cap-reached`: what is left and when it resets. A model without a price is capped in tokens. */
export function reserve(sql: Sql, call: Reservation, capUsd: number): Reserved {
  const month = monthOf(call.at);
  const sums = sumsOf(sql, month, call.own === true);
  const cap = Math.round(capUsd * NANO);
  const wanted = call.usd === null ? 0 : Math.ceil(call.usd * NANO);
  const left = cap - sums.spent - sums.reserved;
  const resets = resetsAt(call.at);
  if (wanted > 0 && wanted > left) {
    return {
      ok: false,
      code: "cap-reached",
      message: `This would go over the limit of ${dollars(cap)} for this month: ${dollars(Math.max(0, left))} is left, and the month starts again on ${resets.slice(0, 10)}. Raise the limit in Settings, or choose the offline model.`,
      details: { capUsd, leftUsd: Math.max(0, left) / NANO, resetsAt: resets },
    };
  }
  if (call.usd === null && sums.tokens + call.tokens > UNPRICED_MONTHLY_TOKENS) {
    return {
      ok: false,
      code: "cap-reached",
      message: `The model ${call.model} has no known price, so it is limited in tokens, and this month's ${UNPRICED_MONTHLY_TOKENS.toLocaleString("en-US")} are used. The month starts again on ${resets.slice(0, 10)}. Give its price in the configuration, or choose another model.`,
      details: { capTokens: UNPRICED_MONTHLY_TOKENS, usedTokens: sums.tokens, resetsAt: resets },
    };
  }
  const { id } = sql
    .exec<{ id: number }>(
      "INSERT INTO ledger (at, month, day, kind, ref, model, reserved_nano, reserved_tokens, price, outcome, parts, own) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'reserved', 'reserved', ?, ?) RETURNING id",
      call.at,
      month,
      dayOf(call.at),
      call.kind,
      call.ref,
      call.model,
      wanted,
      call.tokens,
      call.parts ? JSON.stringify(call.parts) : null,
      call.own ? 1 : 0,
    )
    .one();
  return { ok: true, id };
}

/** Writes what a call really cost into its row; a second settlement of a row changes nothing. It is charged to the month of its reservation. */
export function settle(sql: Sql, id: number, call: Settlement): void {
  sql.exec(
    `UPDATE ledger SET model = ?, tokens_in = ?, cached_in = ?, tokens_out = ?, reasoning = ?, nano = ?, price = ?, ms = ?, outcome = ?
     WHERE id = ? AND outcome = 'reserved'`,
    call.model,
    call.tokensIn,
    call.cachedIn,
    call.tokensOut,
    call.reasoning,
    call.usd === null ? null : Math.round(call.usd * NANO),
    call.price,
    call.ms,
    call.outcome,
    id,
  );
}

interface Stored extends Record<string, string | number | null> {
  id: number;
  at: number;
  kind: CallKind;
  ref: string | null;
  model: string;
  tokens_in: number;
  cached_in: number;
  tokens_out: number;
  reasoning: number;
  nano: number | null;
  reserved_nano: number;
  price: LedgerRow["price"];
  ms: number;
  outcome: LedgerRow["outcome"];
}

function rowView(row: Stored): LedgerRow {
  const nano = row.outcome === "reserved" ? row.reserved_nano : row.nano;
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    kind: row.kind,
    ref: row.ref,
    model: row.model,
    tokensIn: row.tokens_in,
    cachedIn: row.cached_in,
    tokensOut: row.tokens_out,
    reasoning: row.reasoning,
    usd: nano === null ? null : nano / NANO,
    price: row.price,
    ms: row.ms,
    outcome: row.outcome,
  };
}

/** Calls, newest first. The cursor is the id of the last one. */
export function listCalls(sql: Sql, query: { limit: number; cursor?: string; ref?: string }): Page<LedgerRow> {
  const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(query.cursor);
  const rows = sql
    .exec<Stored>(
      "SELECT * FROM ledger WHERE id < ? AND (? IS NULL OR ref = ?) ORDER BY id DESC LIMIT ?",
      Number.isFinite(before) ? before : 0,
      query.ref ?? null,
      query.ref ?? null,
      query.limit + 1,
    )
    .toArray();
  const items = rows.slice(0, query.limit).map(rowView);
  return { items, next: rows.length > query.limit ? String(items[items.length - 1]!.id) : null };
}

/** Facts that were learned in a month and still stand: what the money bought. */
function factsOf(sql: Sql, month: string): number {
  return sql
    .exec<{ n: number }>(
      "SELECT COUNT(*) AS n FROM entries WHERE removed = 0 AND wrong = 0 AND closed IS NULL AND instr(meta, ?) > 0",
      `["added","${month}-`,
    )
    .one().n;
}

/** What costs are summed by. */
export type CostKey = "day" | "kind" | "model" | "thread" | "dream";

/** What a month cost so far and what is left of it, summed by a key. */
export function costsOf(
  sql: Sql,
  now: number,
  cap: { usd: number; own: boolean },
  by: CostKey = "day",
  month = monthOf(now),
): Costs {
  const sums = sumsOf(sql, month);
  const payer = sumsOf(sql, month, cap.own);
  const capUsd = cap.usd;
  const column = { day: "day", kind: "kind", model: "model", thread: "substr(ref, 8)", dream: "substr(ref, 7)" }[by];
  const only = by === "thread" || by === "dream" ? `AND ref LIKE '${by}/%'` : "";
  const rows = sql
    .exec<{ key: string; calls: number; tin: number; tout: number; nano: number; unpriced: number }>(
      `SELECT ${column} AS key, COUNT(*) AS calls, SUM(tokens_in) AS tin, SUM(tokens_out) AS tout, ifnull(SUM(CASE WHEN outcome = 'reserved' THEN reserved_nano ELSE nano END), 0) AS nano,
       SUM(price = 'unknown') AS unpriced FROM ledger WHERE month = ? ${only} GROUP BY key ORDER BY key`,
      month,
    )
    .toArray();
  const left = Math.max(0, Math.round(capUsd * NANO) - payer.spent - payer.reserved);
  const factsKept = factsOf(sql, month);
  return {
    month,
    capUsd,
    spentUsd: sums.spent / NANO,
    reservedUsd: sums.reserved / NANO,
    leftUsd: left / NANO,
    resetsAt: resetsAt(now),
    unpriced: sums.unpriced,
    factsKept,
    usdPerFact: factsKept === 0 ? null : sums.spent / NANO / factsKept,
    by: rows.map((row): CostSum => ({
      key: row.key,
      calls: row.calls,
      tokensIn: row.tin,
      tokensOut: row.tout,
      usd: row.nano / NANO,
      unpriced: row.unpriced,
    })),
  };
}

const CSV_HEAD = [
  "id",
  "at",
  "kind",
  "ref",
  "model",
  "tokens_in",
  "cached_in",
  "tokens_out",
  "reasoning",
  "usd",
  "price",
  "ms",
  "outcome",
];

/** All calls as CSV (RFC 4180). A price that is not known is an empty field. */
export function callsAsCsv(sql: Sql): string {
  const lines = [CSV_HEAD.join(",")];
  for (const stored of sql.exec<Stored>("SELECT * FROM ledger ORDER BY id")) {
    const row = rowView(stored);
    const values = [
      row.id,
      row.at,
      row.kind,
      row.ref ?? "",
      row.model,
      row.tokensIn,
      row.cachedIn,
      row.tokensOut,
      row.reasoning,
      row.usd ?? "",
      row.price,
      row.ms,
      row.outcome,
    ];
    lines.push(values.map(csvField).join(","));
  }
  return `${lines.join("\r\n")}\r\n`;
}

function csvField(value: string | number): string {
  const text = String(value);
  // A field that begins like a formula runs as one in a spreadsheet.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, () => '""')}"` : safe;
}
