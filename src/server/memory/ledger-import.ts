// The ledger of another installation, read back out of its CSV. What was spent elsewhere is shown here and summed, and is held against no cap.
import { CallKind } from "../../shared/protocol.ts";
import { replaceSecrets } from "../../shared/secrets.ts";
import type { Sql } from "../git/sql.ts";

/** Who paid: neither this installation's operator (0) nor the user's own key here (1). */
const PAID_ELSEWHERE = 2;
const NANO = 1e9;
/** Dollars of one call that are believed: more would be no call's price, and sums stay exact far beyond it. */
const CALL_USD_MAX = 10_000;
const COUNT_MAX = 1e12;

/** A call as a line of the CSV tells it. */
interface Call {
  at: number;
  kind: string;
  ref: string | null;
  model: string;
  numbers: [tokensIn: number, cachedIn: number, tokensOut: number, reasoning: number];
  nano: number | null;
  price: string;
  ms: number;
  outcome: string;
}

/** The fields of each line of a CSV (RFC 4180), with the number of the line it begins on. */
function* csvRows(text: string): Generator<{ line: number; fields: string[] }> {
  let fields: string[] = [];
  let field = "";
  let quoted = false;
  let line = 1;
  let begun = 1;
  for (let at = 0; at <= text.length; at++) {
    const char = at === text.length ? "\n" : text[at]!;
    if (quoted && at < text.length) {
      if (char === "\n") line++;
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') field += text[++at]!;
      else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ",") {
      fields.push(field);
      field = "";
    } else if (char === "\n") {
      fields.push(field.replace(/\r$/, ""));
      if (fields.length > 1 || fields[0] !== "") yield { line: begun, fields };
      fields = [];
      field = "";
      begun = ++line;
    } else field += char;
  }
}

/** The text of a field that was kept from running as a formula. */
const plain = (field: string): string => (/^'[=+\-@\t\r]/.test(field) ? field.slice(1) : field);

const COLUMNS = "at kind ref model tokens_in cached_in tokens_out reasoning usd price ms outcome".split(" ");

/** Reads a call by the names of its columns; null where the line is none. */
function callOf(columns: readonly string[], fields: readonly string[]): Call | null {
  const value = (name: string): string => plain(fields[columns.indexOf(name)] ?? "");
  const at = Date.parse(value("at"));
  const counted = ["tokens_in", "cached_in", "tokens_out", "reasoning", "ms"].map((name) => Number(value(name) || "0"));
  const [tokensIn, cachedIn, tokensOut, reasoning, ms] = counted as [number, number, number, number, number];
  const usd = value("usd") === "" ? null : Number(value("usd"));
  const running = value("outcome") === "reserved";
  const ref = value("ref");
  if (
    fields.length !== columns.length ||
    !/^\d{4}-/.test(value("at")) ||
    Number.isNaN(at) ||
    !CallKind.safeParse(value("kind")).success ||
    !/^(?:[a-z]{1,20}\/[a-z0-9]{1,40})?$/.test(ref) ||
    value("model") === "" ||
    value("model").length > 200 ||
    counted.some((one) => !Number.isInteger(one) || one < 0 || one > COUNT_MAX) ||
    (usd !== null && !(usd >= 0 && usd <= CALL_USD_MAX)) ||
    !["reported", "computed", "unknown", "reserved"].includes(value("price")) ||
    !["ok", "failed", "cancelled", "reserved"].includes(value("outcome"))
  )
    return null;
  // A call that ran while the export was made is settled nowhere any more: it counts as failed, at the price that was set aside for it.
  const unpriced = usd === null || (running && usd === 0);
  return {
    at,
    kind: value("kind"),
    ref: ref === "" ? null : ref,
    model: replaceSecrets(value("model")),
    numbers: [tokensIn, cachedIn, tokensOut, reasoning],
    nano: unpriced ? null : Math.round(usd * NANO),
    price: unpriced ? "unknown" : value("price") === "reserved" ? "computed" : value("price"),
    ms,
    outcome: running ? "failed" : value("outcome"),
  };
}

/** What came of a ledger: calls that are new here, calls that stand here, and the lines that are none. */
interface BroughtCalls {
  fresh: number;
  standing: number;
  odd: number[];
}

/**
 * Brings the calls of a CSV in, behind those of this installation. A call is known by its instant, kind and conversation, so that the same ledger
 * twice changes nothing. Without `apply` it only counts. Runs inside one transaction.
 */
export function bringCalls(sql: Sql, csv: string, apply: boolean): BroughtCalls {
  const result: BroughtCalls = { fresh: 0, standing: 0, odd: [] };
  const nameOf = (at: number, kind: string, ref: string | null): string => `${at} ${kind} ${ref ?? ""}`;
  const here = new Map<string, number>();
  const rows = sql.exec<{ at: number; kind: string; ref: string | null }>("SELECT at, kind, ref FROM ledger");
  for (const { at, kind, ref } of rows) {
    const name = nameOf(at, kind, ref);
    here.set(name, (here.get(name) ?? 0) + 1);
  }
  let columns: string[] | null = null;
  const calls: Call[] = [];
  for (const { line, fields } of csvRows(csv.replace(/^\ufeff/, ""))) {
    if (columns === null) {
      columns = fields;
      // A list without these columns is no ledger: each of its lines would be refused for the same reason.
      if (!COLUMNS.every((name) => fields.includes(name))) return { ...result, odd: [line] };
      continue;
    }
    const call = callOf(columns, fields);
    if (call === null) {
      result.odd.push(line);
      continue;
    }
    const name = nameOf(call.at, call.kind, call.ref);
    const stands = here.get(name) ?? 0;
    if (stands > 0) {
      here.set(name, stands - 1);
      result.standing++;
    } else {
      result.fresh++;
      if (apply) calls.push(call);
    }
  }
  // Numbers below those of this installation, so that lists that go by them begin with its own calls.
  const { least } = sql.exec<{ least: number | null }>("SELECT MIN(id) AS least FROM ledger").one();
  const first = least === null ? 1 : Math.min(least, 1) - calls.length;
  calls.forEach((call, index) =>
    sql.exec(
      `INSERT INTO ledger (id, at, month, day, kind, ref, model, tokens_in, cached_in, tokens_out, reasoning, nano, reserved_nano, reserved_tokens, price, ms, outcome, own)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)`,
      first + index,
      call.at,
      new Date(call.at).toISOString().slice(0, 7),
      new Date(call.at).toISOString().slice(0, 10),
      call.kind,
      call.ref,
      call.model,
      ...call.numbers,
      call.nano,
      call.price,
      call.ms,
      call.outcome,
      PAID_ELSEWHERE,
    ),
  );
  return result;
}
