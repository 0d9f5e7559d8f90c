// What a client sends to receive-pack (gitprotocol-pack, "Reference Update Request") and what it is answered. Pure over bytes.
import { AppError } from "../../shared/errors.ts";
import { isOid, ZERO_OID, type Oid } from "./oid.ts";
import { PACK_CHUNK_BYTES } from "./pack-write.ts";
import { FLUSH, formatBand, formatPkt, parsePkt, textOf } from "./pkt.ts";

/** One ref that the client wants moved; null = it does not exist (before), it shall be deleted (after). */
export interface RefCommand {
  ref: string;
  before: Oid | null;
  after: Oid | null;
}

/** A push as it came. `pack` is empty when only refs are deleted. */
export interface PushRequest {
  commands: RefCommand[];
  capabilities: Set<string>;
  pack: Uint8Array;
}

/** What became of one command; null = done. */
export interface CommandResult {
  ref: string;
  refused: string | null;
}

const oidOrNull = (oid: Oid): Oid | null => (oid === ZERO_OID ? null : oid);

/** Reads a push. Throws AppError("bad-format") on lines that the protocol does not know. */
export function parsePush(bytes: Uint8Array): PushRequest {
  const commands: RefCommand[] = [];
  let capabilities = new Set<string>();
  let at = 0;
  for (;;) {
    const parsed = parsePkt(bytes, at);
    if (!parsed) throw new AppError("bad-format", "This push is cut off before its pack.");
    at = parsed.next;
    if (parsed.pkt.type === "flush") break;
    if (parsed.pkt.type !== "data") throw new AppError("bad-format", "This push has a marker where a line belongs.");
    const [line, list] = textOf(parsed.pkt.data).split("\0") as [string, string?];
    if (list !== undefined && commands.length === 0) capabilities = new Set(list.split(" ").filter(Boolean));
    // A shallow clone names its cuts; whether everything is there is looked up anyway.
    if (/^shallow [0-9a-f]{40}$/.test(line)) continue;
    const [before = "", after = "", ...rest] = line.split(" ");
    const ref = rest.join(" ");
    if (!isOid(before) || !isOid(after) || !ref.startsWith("refs/"))
      throw new AppError("bad-format", `This push holds a line that we do not know: “${line.slice(0, 100)}”.`);
    commands.push({ ref, before: oidOrNull(before), after: oidOrNull(after) });
  }
  return { commands, capabilities, pack: bytes.subarray(at) };
}

/** The answer to a push: sentences for the terminal, then the report that git turns into its own lines. */
export function formatReport(
  request: Pick<PushRequest, "capabilities">,
  unpack: string | null,
  results: CommandResult[],
  sentences: string[],
): Uint8Array[] {
  const banded = request.capabilities.has("side-band-64k");
  const lines: Uint8Array[] = [];
  if (request.capabilities.has("report-status")) {
    lines.push(formatPkt(`unpack ${unpack === null ? "ok" : oneLine(unpack)}\n`));
    for (const { ref, refused } of results)
      lines.push(formatPkt(refused === null ? `ok ${ref}\n` : `ng ${ref} ${oneLine(refused)}\n`));
    lines.push(FLUSH);
  }
  if (!banded) return lines;
  const told = sentences.map((sentence) => formatBand(2, `${sentence}\n`.slice(0, PACK_CHUNK_BYTES / 4)));
  return [...told, ...lines.map((line) => formatBand(1, line)), FLUSH];
}

/** A reason stands on the line of its ref, so it must be one. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 1000);
}
