// upload-pack: what a clone or a fetch is answered, protocol v0 and v2. Stateless, as HTTP wants it; the pack streams from the rows.
import { AppError, refusalOf } from "../../shared/errors.ts";
import { isAncestor, parentsOf } from "./log.ts";
import { ZERO_OID, type Oid } from "./oid.ts";
import { packChunks, PACK_CHUNK_BYTES } from "./pack-write.ts";
import { DELIM, FLUSH, formatBand, formatPkt, type Pkt } from "./pkt.ts";
import { reach } from "./reach.ts";
import { reachKept } from "./reach-kept.ts";
import { shownRefs, type RepoRefs, type ShownRef } from "./refs.ts";
import { deepenHistory, type ShallowChange } from "./shallow.ts";
import type { ObjectStore } from "./store.ts";
import { parseCommandV2, parseFetchV0, type FetchRequest, type FetchRequestV0 } from "./upload-request.ts";

/** What an answer is made of: lines at once, or a pack as it is read. */
export type Reply = AsyncGenerator<Uint8Array>;

const AGENT = "agent=reverie";
const CAPABILITIES_V0 =
  "multi_ack multi_ack_detailed side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative no-progress include-tag object-format=sha1";
/** Objects read between two breaths, in which waiting writes get their turn. */
const OBJECTS_A_SLICE = 500;
/** Bytes of a side-band line for clients that know only the small one. */
const SMALL_BAND_BYTES = 995;

/** The first answer of protocol v0. */
export function advertiseV0(refs: ShownRef[], head: string): Uint8Array[] {
  const symref = refs[0]?.name === "HEAD" ? ` symref=HEAD:${head}` : "";
  const capabilities = `${CAPABILITIES_V0}${symref} ${AGENT}`;
  const lines: string[] = [];
  for (const { name, oid, peeled } of refs) {
    lines.push(`${oid} ${name}`);
    if (peeled) lines.push(`${peeled} ${name}^{}`);
  }
  if (lines.length === 0) lines.push(`${ZERO_OID} capabilities^{}`);
  return [...lines.map((line, i) => formatPkt(i === 0 ? `${line}\0${capabilities}\n` : `${line}\n`)), FLUSH];
}

/** The first answer of protocol v2. */
export function advertiseV2(): Uint8Array[] {
  const lines = ["version 2", AGENT, "ls-refs=unborn", "fetch=shallow", "object-format=sha1"];
  return [...lines.map((line) => formatPkt(`${line}\n`)), FLUSH];
}

/** Answers one v2 request. Throws AppError for a request that cannot be understood; later errors are told inside the answer. */
export function uploadPackV2(store: ObjectStore, refs: RepoRefs, pkts: Pkt[]): Reply {
  const command = parseCommandV2(pkts);
  if (!command) return linesOf([]);
  if (command.name === "fetch") return fetchV2(store, refs, command.request);
  const shown = shownRefs(store, refs);
  const lines: Uint8Array[] = [];
  const wanted = (name: string): boolean =>
    command.prefixes.length === 0 || command.prefixes.some((prefix) => name.startsWith(prefix));
  if (command.unborn && shown[0]?.name !== "HEAD" && wanted("HEAD"))
    lines.push(formatPkt(`unborn HEAD${command.symrefs ? ` symref-target:${refs.head}` : ""}\n`));
  for (const { name, oid, target, peeled } of shown) {
    if (!wanted(name)) continue;
    const symref = command.symrefs && target ? ` symref-target:${target}` : "";
    lines.push(formatPkt(`${oid} ${name}${symref}${command.peel && peeled ? ` peeled:${peeled}` : ""}\n`));
  }
  return linesOf([...lines, FLUSH]);
}

async function* linesOf(lines: Iterable<Uint8Array>): Reply {
  yield* lines;
}

/** Commits of the client that stand here too. */
function commonOf(store: ObjectStore, haves: Oid[]): Oid[] {
  return haves.filter((oid) => store.typeOf(oid) === "commit");
}

/** Whether each want leads to something that the client has: more haves would bring little. */
function isEnough(store: ObjectStore, wants: Oid[], common: Oid[]): boolean {
  if (common.length === 0) return false;
  return wants.every((want) => store.typeOf(want) !== "commit" || common.some((have) => isAncestor(store, have, want)));
}

/** Throws AppError("not-found") for a wanted object that no shown ref leads to: it may be one that was taken back. */
function checkWants(store: ObjectStore, refs: RepoRefs, wants: Oid[]): void {
  const tips = new Set(shownRefs(store, refs).flatMap(({ oid, peeled }) => (peeled ? [oid, peeled] : [oid])));
  for (const oid of refs.lately ?? []) tips.add(oid);
  for (const want of new Set(wants)) {
    if (tips.has(want)) continue;
    // An older commit of a shown branch: the branch moved between the client's two requests.
    const known =
      store.typeOf(want) === "commit" && [...tips].some((tip) => store.typeOf(tip) === "commit" && isAncestor(store, want, tip));
    if (!known) throw new AppError("not-found", `upload-pack: not our ref ${want}`);
  }
}

function cutsOf(store: ObjectStore, refs: RepoRefs, request: FetchRequest): ShallowChange {
  if (!request.deepen) return { shallow: [], unshallow: [] };
  const not = request.deepen.not.map((name) => {
    const ref = refs.refs.find((candidate) => [name, `refs/heads/${name}`, `refs/tags/${name}`].includes(candidate.name));
    if (!ref) throw new AppError("not-found", `There is no branch ${name} to leave out.`);
    return ref.oid;
  });
  const commits = request.wants.filter((oid) => store.typeOf(oid) === "commit");
  const theirs = new Set(commonOf(store, [...request.shallow]));
  return deepenHistory(store, commits, theirs, { ...request.deepen, not });
}

async function* fetchV2(store: ObjectStore, refs: RepoRefs, request: FetchRequest): Reply {
  try {
    if (request.wants.length === 0) return;
    checkWants(store, refs, request.wants);
    const common = commonOf(store, request.haves);
    if (!request.done && request.haves.length > 0) {
      yield formatPkt("acknowledgments\n");
      if (common.length === 0) yield formatPkt("NAK\n");
      for (const oid of new Set(common)) yield formatPkt(`ACK ${oid}\n`);
      if (!isEnough(store, request.wants, common)) return yield FLUSH;
      yield formatPkt("ready\n");
      yield DELIM;
    }
    const cuts = cutsOf(store, refs, request);
    if (request.deepen || request.shallow.size > 0) {
      yield formatPkt("shallow-info\n");
      yield* shallowLines(cuts);
      yield DELIM;
    }
    yield formatPkt("packfile\n");
    yield* packReply(store, refs, request, common, cuts, PACK_CHUNK_BYTES);
  } catch (error) {
    yield formatPkt(`ERR ${sentenceOf(error)}\n`);
  }
}

/** Answers one v0 request. Throws AppError for a request that cannot be understood. */
export function uploadPackV0(store: ObjectStore, refs: RepoRefs, pkts: Pkt[]): Reply {
  return fetchV0(store, refs, parseFetchV0(pkts));
}

async function* fetchV0(store: ObjectStore, refs: RepoRefs, request: FetchRequestV0): Reply {
  try {
    if (request.wants.length === 0) return;
    checkWants(store, refs, request.wants);
    const cuts = cutsOf(store, refs, request);
    if (request.deepen) {
      yield* shallowLines(cuts);
      yield FLUSH;
    }
    const { lines, common } = negotiateV0(store, request);
    yield* lines;
    if (!request.done) return;
    const has = (name: string): boolean => request.capabilities.has(name);
    yield* packReply(
      store,
      refs,
      request,
      common,
      cuts,
      has("side-band-64k") ? PACK_CHUNK_BYTES : has("side-band") ? SMALL_BAND_BYTES : 0,
    );
  } catch (error) {
    yield formatPkt(`ERR ${sentenceOf(error)}\n`);
  }
}

/** The acknowledgements of v0, as get_common_commits in git's upload-pack.c gives them. */
function negotiateV0(store: ObjectStore, request: FetchRequestV0): { lines: Uint8Array[]; common: Oid[] } {
  const detailed = request.capabilities.has("multi_ack_detailed");
  const multi = detailed || request.capabilities.has("multi_ack");
  const lines: Uint8Array[] = [];
  const common: Oid[] = [];
  const say = (text: string): void => void lines.push(formatPkt(`${text}\n`));
  for (const [i, batch] of request.batches.entries()) {
    let gotOther = false;
    let gotCommon = false;
    for (const have of batch) {
      if (store.typeOf(have) !== "commit") {
        gotOther = true;
        if (multi && isEnough(store, request.wants, common)) say(`ACK ${have} ${detailed ? "ready" : "continue"}`);
        continue;
      }
      gotCommon = true;
      common.push(have);
      if (multi) say(`ACK ${have} ${detailed ? "common" : "continue"}`);
      else if (common.length === 1) say(`ACK ${have}`);
    }
    // The last batch of a request that says `done` has no flush behind it.
    if (request.done && i === request.batches.length - 1) break;
    if (detailed && gotCommon && !gotOther && isEnough(store, request.wants, common)) say(`ACK ${common.at(-1)} ready`);
    if (common.length === 0 || multi) say("NAK");
  }
  if (request.done) {
    if (common.length === 0) say("NAK");
    else if (multi) say(`ACK ${common.at(-1)}`);
  }
  return { lines, common };
}

function* shallowLines({ shallow, unshallow }: ShallowChange): Generator<Uint8Array> {
  for (const oid of shallow) yield formatPkt(`shallow ${oid}\n`);
  for (const oid of unshallow) yield formatPkt(`unshallow ${oid}\n`);
}

/** The pack in side bands of at most `band` bytes, or bare when the client knows none (0). */
async function* packReply(
  store: ObjectStore,
  refs: RepoRefs,
  request: FetchRequest,
  common: Oid[],
  cuts: ShallowChange,
  band: number,
): Reply {
  const progress = (text: string): Uint8Array[] => (band === 0 || request.noProgress ? [] : [formatBand(2, text)]);
  try {
    const wants = [...request.wants];
    // What was cut is wanted now, though its children are there already.
    for (const oid of cuts.unshallow) wants.push(...parentsOf(store, oid));
    if (request.includeTag)
      for (const { oid, peeled } of shownRefs(store, refs)) if (peeled && wants.includes(peeled)) wants.push(oid);
    const stop = new Set([...request.shallow].filter((oid) => !cuts.unshallow.includes(oid)).concat(cuts.shallow));
    const tip = refs.refs.find(({ name }) => name === refs.head)?.oid;
    const whole = common.length === 0 && stop.size === 0 && request.shallow.size === 0;
    const walk =
      whole && tip !== undefined && wants.includes(tip)
        ? reachKept(store, wants, tip)
        : reach(store, { wants, haves: common, shallow: stop, theirShallow: request.shallow });
    let read = 0;
    let step = walk.next();
    for (; !step.done; step = walk.next()) {
      if (++read % OBJECTS_A_SLICE > 0) continue;
      yield* progress(`Counting objects: ${read}\r`);
      await breath();
    }
    yield* progress(`Counting objects: ${step.value.size}, done.\n`);
    for (const chunk of packChunks(store, step.value)) {
      if (band === 0) yield chunk;
      else for (let at = 0; at < chunk.byteLength; at += band) yield formatBand(1, chunk.subarray(at, at + band));
    }
    if (band > 0) yield FLUSH;
  } catch (error) {
    // Without a side band a cut-off pack is the only way to say it.
    if (band === 0) throw error;
    yield formatBand(3, `${sentenceOf(error)}\n`);
  }
}

/** Lets whatever waits for this object run: timers open the input gate. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function sentenceOf(error: unknown): string {
  return refusalOf(error)?.message ?? "The repository could not be read; try again.";
}
