// The other side of a push: one branch of ours sent to a foreign server (gitprotocol-http, gitprotocol-pack), over a fetch that is handed in.
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import { isAncestor } from "./log.ts";
import { isOid, ZERO_OID, type Oid } from "./oid.ts";
import { packChunks } from "./pack-write.ts";
import { FLUSH, formatPkt, parsePkts, textOf } from "./pkt.ts";
import { reach } from "./reach.ts";
import type { ObjectStore } from "./store.ts";

/** Where to send to. `url` without a slash at its end; the credentials go out as Basic. */
export interface Remote {
  url: string;
  user: string;
  token: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** What a server shows before a push. */
export interface Advertised {
  refs: ReadonlyMap<string, Oid>;
  capabilities: ReadonlySet<string>;
}

/** Bytes of what a server may show or answer: some ten thousand refs. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** Up to here a body is sent with its length, as git does: some servers in between know no chunks. */
const PLAIN_BODY_MAX_BYTES = 1024 * 1024;
/** Objects read between two breaths. */
const OBJECTS_A_SLICE = 500;
const ASK_MAX_MS = 30_000;
const SEND_MAX_MS = 10 * 60_000;
const TOLD_MAX_CHARS = 400;

function failed(message: string, details: Record<string, unknown> = {}, cause?: unknown): AppError {
  return new AppError("unavailable", message, details, { cause });
}

async function ask(remote: Remote, path: string, init: RequestInit, type: string, ms: number): Promise<Uint8Array> {
  const headers = {
    Authorization: `Basic ${Buffer.from(`${remote.user}:${remote.token}`).toString("base64")}`,
    // Some servers tell git from a browser by this name.
    "User-Agent": "git/2 (reverie)",
    ...(init.headers as Record<string, string> | undefined),
  };
  let response: Response;
  try {
    // Never followed: where a redirect leads to was judged by nobody, and the token is for this server alone.
    response = await remote.fetch(`${remote.url}${path}`, {
      ...init,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(ms),
    });
  } catch (cause) {
    throw failed("The remote could not be reached.", {}, cause);
  }
  const { status } = response;
  const give = async (message: string, details: Record<string, unknown> = {}): Promise<never> => {
    await response.body?.cancel().catch(() => undefined);
    throw failed(message, details);
  };
  if (status === 401 || status === 403)
    await give("The remote does not accept the token, or the token may not write there. Make a new one and set it again.", {
      asksUser: true,
    });
  if (status === 404) await give("There is no repository at this address, or the token may not see it.", { asksUser: true });
  if (status === 0 || (status >= 300 && status < 400))
    await give("The repository has moved to another address. Set that one.", { asksUser: true });
  if (status !== 200) await give(`The remote answers with an error (${status}).`);
  if ((response.headers.get("Content-Type") ?? "").split(";", 1)[0]!.trim() !== type)
    await give("This address does not answer as a git repository that can be pushed to.", { asksUser: true });
  return readAnswer(response);
}

async function readAnswer(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const step = await reader?.read();
      if (!step || step.done) return Buffer.concat(parts);
      length += step.value.byteLength;
      if (length > ANSWER_MAX_BYTES) throw failed("The remote answers with more than a mirror has.", { asksUser: true });
      parts.push(step.value);
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : failed("The remote broke off its answer.", {}, cause);
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

/** Asks a server what it holds. Throws AppError("unavailable") with the sentence that says what is wrong; `details.asksUser` where waiting will not help. */
export async function discover(remote: Remote): Promise<Advertised> {
  const bytes = await ask(
    remote,
    "/info/refs?service=git-receive-pack",
    { method: "GET" },
    "application/x-git-receive-pack-advertisement",
    ASK_MAX_MS,
  );
  const refs = new Map<string, Oid>();
  let capabilities: ReadonlySet<string> = new Set();
  try {
    for (const pkt of parsePkts(bytes)) {
      if (pkt.type !== "data") continue;
      const [line = "", list] = textOf(pkt.data).split("\0");
      if (line.startsWith("# service=")) continue;
      if (list !== undefined) capabilities = new Set(list.split(" ").filter(Boolean));
      const name = line.slice(41);
      if (isOid(line.slice(0, 40)) && name.startsWith("refs/")) refs.set(name, line.slice(0, 40));
    }
  } catch (cause) {
    throw failed("This address does not answer as a git repository that can be pushed to.", { asksUser: true }, cause);
  }
  if (![...capabilities].some((one) => one === "report-status"))
    throw failed("This server does not report what becomes of a push.", { asksUser: true });
  const format = [...capabilities].find((one) => one.startsWith("object-format="));
  if (format !== undefined && format !== "object-format=sha1")
    throw failed("The repository there is of another kind (SHA-256). Make a new one with SHA-1.", { asksUser: true });
  return { refs, capabilities };
}

/** Sends a branch: from where the server has it (null = it has none) to `after`. Throws like `discover`. */
export async function sendPack(
  store: ObjectStore,
  remote: Remote,
  { capabilities }: Advertised,
  { ref, before, after }: { ref: string; before: Oid | null; after: Oid },
): Promise<void> {
  const wishes = ["report-status", "side-band-64k", "object-format=sha1"].filter((one) => capabilities.has(one));
  const command = formatPkt(`${before ?? ZERO_OID} ${after} ${ref}\0${[...wishes, "agent=reverie"].join(" ")}`);
  const haves = before !== null && store.typeOf(before) === "commit" && isAncestor(store, before, after) ? [before] : [];
  const body = await bodyOf(packOf(store, command, after, haves));
  const answer = await ask(
    remote,
    "/git-receive-pack",
    {
      method: "POST",
      body,
      headers: { "Content-Type": "application/x-git-receive-pack-request", Accept: "application/x-git-receive-pack-result" },
    },
    "application/x-git-receive-pack-result",
    SEND_MAX_MS,
  );
  readReport(answer, capabilities.has("side-band-64k"), ref, remote.token);
}

async function* packOf(store: ObjectStore, command: Uint8Array, after: Oid, haves: Oid[]): AsyncGenerator<Uint8Array> {
  yield command;
  yield FLUSH;
  const walk = reach(store, { wants: [after], haves });
  let read = 0;
  let step = walk.next();
  for (; !step.done; step = walk.next())
    if (++read % OBJECTS_A_SLICE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  yield* packChunks(store, step.value);
}

/** A small body whole, with its length; a large one as a stream. */
async function bodyOf(chunks: AsyncGenerator<Uint8Array>): Promise<BodyInit> {
  const first: Uint8Array[] = [];
  let length = 0;
  while (length <= PLAIN_BODY_MAX_BYTES) {
    const { value, done } = await chunks.next();
    if (done) return Buffer.concat(first);
    first.push(value);
    length += value.byteLength;
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const early = first.shift();
      if (early) return controller.enqueue(early);
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

/** Throws what the server says against the push. */
function readReport(bytes: Uint8Array, banded: boolean, ref: string, token: string): void {
  const data: Uint8Array[] = [];
  let told = "";
  let lines: string[];
  try {
    for (const pkt of parsePkts(bytes)) {
      if (pkt.type !== "data") continue;
      if (!banded) data.push(formatPkt(pkt.data));
      else if (pkt.data[0] === 1) data.push(pkt.data.subarray(1));
      else told += new TextDecoder().decode(pkt.data.subarray(1));
    }
    lines = parsePkts(Buffer.concat(data)).flatMap((pkt) => (pkt.type === "data" ? [textOf(pkt.data)] : []));
  } catch (cause) {
    throw failed("The remote's answer to the push could not be read.", {}, cause);
  }
  const unpack = lines.find((line) => line.startsWith("unpack "));
  const result = lines.find((line) => line === `ok ${ref}` || line.startsWith(`ng ${ref} `));
  if (unpack === "unpack ok" && result === `ok ${ref}`) return;
  const why = result?.startsWith("ng ")
    ? result.slice(`ng ${ref} `.length)
    : unpack && unpack !== "unpack ok"
      ? unpack.slice("unpack ".length)
      : "it said nothing about the branch";
  // What a stranger's server says is shown to a person: one line, short, and never with the token in it.
  const said = `${why}. ${told}`
    .replaceAll(token, "…")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, TOLD_MAX_CHARS);
  throw failed(`The remote refused the push: ${said}`, { refused: true });
}
