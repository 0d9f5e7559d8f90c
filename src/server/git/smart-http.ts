// The door for git clients: smart HTTP (gitprotocol-http) over one repository. Who may come in is decided before.
import { Gunzip } from "fflate";
import { AppError, refusalOf, STATUS } from "../../shared/errors.ts";
import { GIT_REQUEST_MAX_BYTES } from "../../shared/limits.ts";
import { bodyChunks, collectAtMost, drainUnread } from "../body.ts";
import { formatPkt, FLUSH, parsePkts } from "./pkt.ts";
import { advertisePush, receivePush, type PushReceiver } from "./receive-pack.ts";
import { shownRefs, type RepoRefs } from "./refs.ts";
import type { ObjectStore } from "./store.ts";
import { advertiseV0, advertiseV2, uploadPackV0, uploadPackV2, type Reply } from "./upload-pack.ts";

/** What the door stands in front of. */
export interface GitDoor {
  store: ObjectStore;
  /** Judges and lands a push; false: a push is refused with a sentence. */
  allowPush: false | PushReceiver;
  /** The refs to show, asked anew for each request. HEAD's branch is the one that can be pushed. */
  repoRefs: () => RepoRefs | Promise<RepoRefs>;
  /** Why a push is refused, printed in the client's terminal. */
  noPushReason?: string;
  /** Milliseconds since 1970, to judge the dates of pushed commits. */
  now: () => number;
}

/** Bytes that are inflated at once: packed a thousand to one they make four million. */
const INFLATE_STEP_BYTES = 4096;

const NO_PUSH = "This memory cannot be changed by a push.";

/** Answers a request below the address of a repository (`…/info/refs`, `…/git-upload-pack`, `…/git-receive-pack`). */
export async function handleGit(request: Request, door: GitDoor): Promise<Response> {
  try {
    return await answer(request, door);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return plain(STATUS[refusal.code], refusal.message);
  } finally {
    await drainUnread(request);
  }
}

async function answer(request: Request, door: GitDoor): Promise<Response> {
  const url = new URL(request.url);
  const service = url.pathname.endsWith("/info/refs")
    ? url.searchParams.get("service")
    : url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
  const advertising = url.pathname.endsWith("/info/refs");
  if (!advertising && service !== "git-upload-pack" && service !== "git-receive-pack")
    return plain(404, "Nothing stands at this address.");
  if (service !== "git-upload-pack" && service !== "git-receive-pack")
    return plain(403, "This repository speaks smart HTTP only; use git 1.6.6 or newer.");
  if (request.method !== (advertising ? "GET" : "POST"))
    return plain(405, `This address takes ${advertising ? "GET" : "POST"} only.`, { Allow: advertising ? "GET" : "POST" });
  if (!advertising && request.headers.get("Content-Type") !== `application/x-${service}-request`)
    return plain(415, `This address takes application/x-${service}-request only.`);
  if (service === "git-receive-pack") {
    if (!door.allowPush) return plain(403, door.noPushReason ?? NO_PUSH);
    const { head, refs } = await door.repoRefs();
    if (advertising)
      return gitResponse(service, "advertisement", [
        formatPkt(`# service=${service}\n`),
        FLUSH,
        ...advertisePush(shownRefs(door.store, { head, refs })),
      ]);
    const push = { store: door.store, branch: head, now: door.now, receive: door.allowPush };
    return gitResponse(service, "result", await receivePush(bodyStream(request), push));
  }

  const refs = await door.repoRefs();
  const v2 = (request.headers.get("Git-Protocol") ?? "").split(":").includes("version=2");
  if (advertising) {
    const lines = v2
      ? advertiseV2()
      : [formatPkt(`# service=${service}\n`), FLUSH, ...advertiseV0(shownRefs(door.store, refs), refs.head)];
    return gitResponse(service, "advertisement", lines);
  }
  const pkts = parsePkts(await readBody(request, GIT_REQUEST_MAX_BYTES));
  return gitResponse(service, "result", v2 ? uploadPackV2(door.store, refs, pkts) : uploadPackV0(door.store, refs, pkts));
}

/** A response with the headers that git asks for; it streams, one chunk when the client can take one. */
export function gitResponse(service: string, kind: "advertisement" | "result", parts: Iterable<Uint8Array> | Reply): Response {
  const iterator =
    Symbol.asyncIterator in parts
      ? parts
      : (async function* () {
          yield* parts;
        })();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { "Content-Type": `application/x-${service}-${kind}`, "Cache-Control": "no-cache, max-age=0, must-revalidate" },
  });
}

/** A refusal that git prints as `remote: …`. */
export function plain(status: number, sentence: string, headers: Record<string, string> = {}): Response {
  return new Response(`${sentence}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache", ...headers },
  });
}

/** The whole body, inflated where the client has gzipped it. Throws AppError("too-large") past the limit, in bytes after inflating. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const whole = await collectAtMost(bodyStream(request), maxBytes);
  if (whole === null) throw new AppError("too-large", `This git request is larger than ${maxBytes} bytes.`);
  return whole;
}

/** The body as it comes, inflated where `Content-Encoding` says gzip. Throws AppError("bad-format") when it does not inflate. */
export async function* bodyStream(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const encoding = request.headers.get("Content-Encoding") ?? "identity";
  const gzipped = encoding === "gzip" || encoding === "x-gzip";
  if (!gzipped && encoding !== "identity")
    throw new AppError("bad-format", `This address takes no ${encoding.slice(0, 40)} bodies.`);
  try {
    if (gzipped) yield* inflated(bodyChunks(request));
    else yield* bodyChunks(request);
  } catch (cause) {
    throw new AppError("bad-format", "The body of this git request broke off or does not inflate.", {}, { cause });
  }
}

/** Inflates bit by bit: whoever stops asking for more has inflated no more than a bit beyond. */
async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const gunzip = new Gunzip((part) => ready.push(part));
  const push = (bytes: Uint8Array, last: boolean): Uint8Array[] => {
    ready = [];
    gunzip.push(bytes, last);
    return ready;
  };
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.byteLength; at += INFLATE_STEP_BYTES)
      yield* push(chunk.subarray(at, at + INFLATE_STEP_BYTES), false);
  yield* push(new Uint8Array(0), true);
}
