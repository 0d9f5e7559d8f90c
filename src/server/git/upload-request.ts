// What a client asks of upload-pack, parsed from protocol v0 (gitprotocol-pack) and v2 (gitprotocol-v2). Pure over pkt-lines.
import { AppError } from "../../shared/errors.ts";
import { isOid, type Oid } from "./oid.ts";
import { textOf, type Pkt } from "./pkt.ts";
import type { Deepen } from "./shallow.ts";

/** A fetch, whichever protocol it came by. */
export interface FetchRequest {
  wants: Oid[];
  haves: Oid[];
  shallow: Set<Oid>;
  /** Null when the history is not to be cut. `not` holds names of refs. */
  deepen: (Omit<Deepen, "not"> & { not: string[] }) | null;
  done: boolean;
  noProgress: boolean;
  includeTag: boolean;
}

/** A v0 fetch: capabilities beside the wants, and haves in batches, each ended by a flush. */
export interface FetchRequestV0 extends FetchRequest {
  capabilities: Set<string>;
  batches: Oid[][];
}

/** A v2 command. */
export type CommandV2 =
  | { name: "ls-refs"; peel: boolean; symrefs: boolean; unborn: boolean; prefixes: string[] }
  | { name: "fetch"; request: FetchRequest };

function emptyRequest(): FetchRequest {
  return { wants: [], haves: [], shallow: new Set(), deepen: null, done: false, noProgress: false, includeTag: false };
}

function bad(line: string): AppError {
  return new AppError("bad-format", `This git request holds a line that we do not know: “${line.slice(0, 100)}”.`);
}

function oidIn(text: string, line: string): Oid {
  if (!isOid(text)) throw bad(line);
  return text;
}

function numberIn(text: string, line: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number)) throw bad(line);
  return number;
}

/** Lines that both protocols share; false when it is none of them. */
function applyLine(request: FetchRequest, line: string): boolean {
  const space = line.indexOf(" ");
  const [key, value] = space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
  const deepen = (): NonNullable<FetchRequest["deepen"]> => (request.deepen ??= { not: [] });
  switch (key) {
    case "want":
      request.wants.push(oidIn(value, line));
      return true;
    case "have":
      request.haves.push(oidIn(value, line));
      return true;
    case "shallow":
      request.shallow.add(oidIn(value, line));
      return true;
    case "deepen": {
      const depth = numberIn(value, line);
      // Depth 0 is how a client says that it wants no cut.
      if (depth > 0) deepen().depth = depth;
      return true;
    }
    case "deepen-relative":
      deepen().relative = true;
      return true;
    case "deepen-since":
      deepen().since = numberIn(value, line);
      return true;
    case "deepen-not":
      deepen().not.push(value);
      return true;
    case "done":
      request.done = true;
      return true;
    default:
      return false;
  }
}

/** Reads the body of a v0 request. Throws AppError("bad-format") on lines that the protocol does not know. */
export function parseFetchV0(pkts: Pkt[]): FetchRequestV0 {
  const request: FetchRequestV0 = { ...emptyRequest(), capabilities: new Set(), batches: [] };
  let batch: Oid[] = [];
  let firstWant = true;
  let askedAll = false;
  for (const pkt of pkts) {
    if (pkt.type !== "data") {
      if (askedAll) request.batches.push(batch);
      batch = [];
      askedAll = true;
      continue;
    }
    let line = textOf(pkt.data);
    if (firstWant && line.startsWith("want ")) {
      firstWant = false;
      request.capabilities = new Set(line.slice(45).split(" ").filter(Boolean));
      line = line.slice(0, 45);
    }
    if (!applyLine(request, line)) throw bad(line);
    if (line.startsWith("have ")) batch.push(request.haves.at(-1)!);
  }
  if (batch.length > 0) request.batches.push(batch);
  if (request.deepen && request.capabilities.has("deepen-relative")) request.deepen.relative = true;
  request.noProgress = request.capabilities.has("no-progress");
  request.includeTag = request.capabilities.has("include-tag");
  return request;
}

/** Reads the body of a v2 request; null when it holds no command. Throws AppError("bad-format") on what v2 does not know. */
export function parseCommandV2(pkts: Pkt[]): CommandV2 | null {
  const split = pkts.findIndex(({ type }) => type === "delim");
  const end = pkts.findIndex(({ type }) => type === "flush");
  if (end === 0 || pkts.length === 0) return null;
  if (end < 0) throw new AppError("bad-format", "This git request has no end.");
  const lines = (from: number, to: number): string[] =>
    pkts.slice(from, to).map((pkt) => {
      if (pkt.type !== "data") throw new AppError("bad-format", "This git request has a marker where a line belongs.");
      return textOf(pkt.data);
    });
  const head = lines(0, split >= 0 && split < end ? split : end);
  const args = split >= 0 && split < end ? lines(split + 1, end) : [];
  const format = head.find((line) => line.startsWith("object-format="));
  if (format && format !== "object-format=sha1") throw new AppError("bad-format", "This repository speaks sha1 only.");
  const command = head.find((line) => line.startsWith("command="))?.slice("command=".length);
  if (command === "ls-refs")
    return {
      name: "ls-refs",
      peel: args.includes("peel"),
      symrefs: args.includes("symrefs"),
      unborn: args.includes("unborn"),
      prefixes: args.filter((line) => line.startsWith("ref-prefix ")).map((line) => line.slice("ref-prefix ".length)),
    };
  if (command !== "fetch")
    throw new AppError("bad-format", `This repository does not know the command “${(command ?? "").slice(0, 100)}”.`);
  const request = emptyRequest();
  for (const line of args) {
    if (applyLine(request, line)) continue;
    if (line === "no-progress") request.noProgress = true;
    else if (line === "include-tag") request.includeTag = true;
    // Whole objects satisfy clients that would take deltas.
    else if (line !== "thin-pack" && line !== "ofs-delta") throw bad(line);
  }
  return { name: "fetch", request };
}
