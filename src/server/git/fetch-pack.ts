// The other side of a fetch: the tip of a foreign repository without its history (gitprotocol-http, gitprotocol-pack v0), over a fetch that is handed in.
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import { isOid, type Oid } from "./oid.ts";
import { FLUSH, formatPkt, parsePkt, parsePkts, textOf } from "./pkt.ts";

export interface Source {
  /** Without a slash at its end. */
  url: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Judges where a redirect leads; throws where that is not allowed. */
  judge: (url: string) => Promise<string>;
}

const LIST_MAX_BYTES = 4 * 1024 * 1024;
const ASK_MAX_MS = 30_000;
const FETCH_MAX_MS = 10 * 60_000;
const REDIRECTS_MAX = 3;
const PATH = "/info/refs?service=git-upload-pack";
const AGENT = { "User-Agent": "git/2 (reverie)" };

const failed = (message: string, cause?: unknown): AppError => new AppError("unavailable", message, {}, { cause });

async function ask(source: Source, url: string, init: RequestInit, ms: number): Promise<Response> {
  try {
    return await source.fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(ms) });
  } catch (cause) {
    throw failed("That server could not be reached. Nothing was imported.", cause);
  }
}

/** A body in pieces, refused past a size. */
async function* bodyOf(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw failed("That server broke off its answer. Nothing was imported.", cause);
      });
      if (done) return;
      length += value.byteLength;
      if (length > maxBytes) throw new AppError("too-large", "That repository is larger than an import can be.");
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** What a server shows: its tip, what it can do, and the address at which it really stands. */
export interface Shown {
  url: string;
  tip: Oid;
  capabilities: ReadonlySet<string>;
}

/** Asks a server for its tip. Follows a few redirects, each of them judged first. */
export async function askTip(source: Source): Promise<Shown> {
  let url = source.url;
  let response = await ask(source, `${url}${PATH}`, { headers: AGENT }, ASK_MAX_MS);
  for (let turn = 0; response.status >= 300 && response.status < 400; turn++) {
    await response.body?.cancel().catch(() => undefined);
    const location = response.headers.get("Location");
    if (location === null || turn >= REDIRECTS_MAX) throw failed("That address leads from one to the next. Give the last one.");
    const next = new URL(location, `${url}${PATH}`).href;
    if (!next.endsWith(PATH)) throw failed("That address leads to no git repository.");
    url = await source.judge(next.slice(0, -PATH.length));
    response = await ask(source, `${url}${PATH}`, { headers: AGENT }, ASK_MAX_MS);
  }
  const type = (response.headers.get("Content-Type") ?? "").split(";", 1)[0]!.trim();
  if (response.status !== 200 || type !== "application/x-git-upload-pack-advertisement") {
    await response.body?.cancel().catch(() => undefined);
    throw failed(
      response.status === 401 || response.status === 403 || response.status === 404
        ? "There is no repository at that address that anybody may read."
        : "That address does not answer as a git repository.",
    );
  }
  const parts: Uint8Array[] = [];
  for await (const part of bodyOf(response, LIST_MAX_BYTES)) parts.push(part);
  const refs = new Map<string, Oid>();
  let capabilities: ReadonlySet<string> = new Set();
  try {
    for (const pkt of parsePkts(Buffer.concat(parts))) {
      if (pkt.type !== "data") continue;
      const [line = "", list] = textOf(pkt.data).split("\0");
      if (line.startsWith("# service=")) continue;
      if (list !== undefined) capabilities = new Set(list.split(" ").filter(Boolean));
      if (isOid(line.slice(0, 40))) refs.set(line.slice(41), line.slice(0, 40));
    }
  } catch (cause) {
    throw failed("That address does not answer as a git repository.", cause);
  }
  const format = [...capabilities].find((one) => one.startsWith("object-format="));
  if (format !== undefined && format !== "object-format=sha1")
    throw failed("That repository names its objects by SHA-256; git’s default is read here.");
  const tip = refs.get("HEAD") ?? refs.get("refs/heads/main") ?? refs.get("refs/heads/master");
  if (tip === undefined || /^0+$/.test(tip)) throw failed("That repository is empty.");
  return { url, tip, capabilities };
}

/** The pack of one commit without its history, in chunks. A server that cannot cut history sends all of it. */
export async function* fetchPack(
  source: Source,
  { url, tip, capabilities }: Shown,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  if (!capabilities.has("side-band-64k")) throw failed("That server speaks an old form of git that is not read here.");
  const shallow = capabilities.has("shallow");
  const wanted = ["side-band-64k", "no-progress", "agent=reverie", ...(shallow ? ["shallow"] : [])].join(" ");
  const body = Buffer.concat([
    formatPkt(`want ${tip} ${wanted}\n`),
    ...(shallow ? [formatPkt("deepen 1\n")] : []),
    FLUSH,
    formatPkt("done\n"),
  ]);
  const headers = {
    ...AGENT,
    "Content-Type": "application/x-git-upload-pack-request",
    Accept: "application/x-git-upload-pack-result",
  };
  const response = await ask(source, `${url}/git-upload-pack`, { method: "POST", headers, body }, FETCH_MAX_MS);
  if (response.status !== 200) {
    await response.body?.cancel().catch(() => undefined);
    throw failed(`That server answers a fetch with an error (${response.status}).`);
  }
  let held = new Uint8Array(0);
  for await (const part of bodyOf(response, maxBytes + maxBytes / 8)) {
    const joined = new Uint8Array(held.byteLength + part.byteLength);
    joined.set(held);
    joined.set(part, held.byteLength);
    let at = 0;
    for (let next = parsePkt(joined, at); next; next = parsePkt(joined, at)) {
      at = next.next;
      if (next.pkt.type !== "data") continue;
      const { data } = next.pkt;
      // In front of the pack stand lines of text: NAK, and where the history was cut.
      if (data[0] === 1) yield data.slice(1);
      else if (data[0] === 3) throw failed("That server broke the fetch off.");
    }
    held = joined.slice(at);
  }
  if (held.byteLength > 0) throw failed("That server broke off its answer. Nothing was imported.");
}
