// receive-pack: a push is read whole and judged in memory; then it lands through the caller's hands, or leaves nothing.
import { AppError, refusalOf } from "../../shared/errors.ts";
import { BODY_DRAIN_MAX_BYTES, PUSH_PACK_MAX_BYTES } from "../../shared/limits.ts";
import { judgePush, type Push } from "./judge-push.ts";
import { ZERO_OID } from "./oid.ts";
import { parsePack, type ParsedPack } from "./pack-read.ts";
import { FLUSH, formatPkt } from "./pkt.ts";
import { formatReport, parsePush, type CommandResult, type PushRequest, type RefCommand } from "./receive-request.ts";
import type { ShownRef } from "./refs.ts";
import type { ObjectStore } from "./store.ts";

/** What the receiver of a push says. `lines` are printed in the client's terminal either way. */
export type PushVerdict = { ok: true; lines?: string[] } | { ok: false; reason: string; lines?: string[] };

/** Judges what a sound push says, and lands it: writes its objects and moves the ref in one transaction, or refuses. */
export type PushReceiver = (push: Push) => PushVerdict | Promise<PushVerdict>;

/** What a push is received with. `branch` is the only ref that can be pushed; `now` in ms since 1970. */
export interface PushDoor {
  store: ObjectStore;
  branch: string;
  now: () => number;
  receive: PushReceiver;
}

/** Room for the commands in front of a pack, in bytes. */
const COMMANDS_MAX_BYTES = 64 * 1024;
const CAPABILITIES = "report-status delete-refs side-band-64k quiet atomic ofs-delta no-thin object-format=sha1 agent=reverie";

/** The first answer to a push. */
export function advertisePush(refs: ShownRef[]): Uint8Array[] {
  const lines = refs.filter(({ name }) => name !== "HEAD").map(({ oid, name }) => `${oid} ${name}`);
  if (lines.length === 0) lines.push(`${ZERO_OID} capabilities^{}`);
  return [...lines.map((line, i) => formatPkt(i === 0 ? `${line}\0${CAPABILITIES}\n` : `${line}\n`)), FLUSH];
}

/** Answers a push. The body is read whole before anything is written, so a client that goes away leaves nothing. */
export async function receivePush(body: AsyncIterable<Uint8Array>, door: PushDoor): Promise<Uint8Array[]> {
  const { bytes, length } = await collect(body);
  const request = parsePush(bytes);
  // Before a large push git asks with an empty one whether it will be heard.
  if (request.commands.length === 0) return [];
  if (length > bytes.byteLength)
    return refuseAll(
      request,
      `This push is too large: ${length} bytes, and ${PUSH_PACK_MAX_BYTES} are allowed. Push in smaller steps.`,
    );
  let pack: ParsedPack | null = null;
  try {
    if (request.commands.some(({ after }) => after !== null)) pack = parsePack(request.pack);
  } catch (error) {
    return refuseAll(request, sentenceOf(error));
  }
  const sentences: string[] = [];
  const results: CommandResult[] = [];
  const [foreign, ours] = [
    request.commands.filter(({ ref }) => ref !== door.branch),
    request.commands.filter(({ ref }) => ref === door.branch),
  ];
  for (const { ref } of foreign) results.push({ ref, refused: `only ${door.branch} can be pushed` });
  const blocked = ours.length > 1 || (foreign.length > 0 && request.capabilities.has("atomic"));
  for (const command of ours)
    results.push(
      blocked ? { ref: command.ref, refused: "the push is all or nothing" } : await land(command, pack, door, sentences),
    );
  return formatReport(request, null, results, sentences);
}

async function land(
  { ref, before, after }: RefCommand,
  pack: ParsedPack | null,
  door: PushDoor,
  sentences: string[],
): Promise<CommandResult> {
  try {
    if (after === null) return { ref, refused: "this branch cannot be deleted" };
    const head = door.store.ref(ref);
    if (head !== before) return { ref, refused: "the memory has moved on; pull, then push again" };
    const verdict = await door.receive(judgePush(door.store, pack!, { ref, before, after }, door.now()));
    sentences.push(...(verdict.lines ?? []));
    return { ref, refused: verdict.ok ? null : verdict.reason };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    sentences.push(refusal.message);
    return { ref, refused: refusal.code === "conflict" ? "the memory has moved on; pull, then push again" : refusal.message };
  }
}

function refuseAll(request: PushRequest, reason: string): Uint8Array[] {
  return formatReport(
    request,
    reason,
    request.commands.map(({ ref }) => ({ ref, refused: "the pack was refused" })),
    [reason],
  );
}

function sentenceOf(error: unknown): string {
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  return refusal.message;
}

/** Keeps as much of the body as a push may have, and counts the rest. Throws AppError("too-large") past what is worth listening to. */
async function collect(body: AsyncIterable<Uint8Array>): Promise<{ bytes: Uint8Array; length: number }> {
  // In steps instead of a list of chunks, so that a full push is never held twice; pages that nothing is written to cost nothing.
  const rooms = [COMMANDS_MAX_BYTES, 1024 * 1024, PUSH_PACK_MAX_BYTES + COMMANDS_MAX_BYTES];
  let kept = new Uint8Array(rooms[0]!);
  let length = 0;
  for await (const chunk of body) {
    const next = length + chunk.byteLength;
    if (next > BODY_DRAIN_MAX_BYTES) throw new AppError("too-large", `This push is larger than ${PUSH_PACK_MAX_BYTES} bytes.`);
    const room = rooms.find((bytes) => bytes >= next);
    if (room !== undefined && room > kept.byteLength) {
      const larger = new Uint8Array(room);
      larger.set(kept.subarray(0, length));
      kept = larger;
    }
    if (room !== undefined) kept.set(chunk, length);
    // Only the commands are still of use: they say to whom the refusal is told.
    else if (kept.byteLength > COMMANDS_MAX_BYTES) kept = kept.slice(0, COMMANDS_MAX_BYTES);
    length = next;
  }
  return { bytes: kept.subarray(0, length), length };
}
