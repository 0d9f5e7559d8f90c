// pkt-lines (gitprotocol-common): parse and format, pure over bytes.
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";

/** Bytes of content that one pkt-line can hold (LARGE_PACKET_DATA_MAX in git's pkt-line.h). */
export const PKT_MAX_DATA_BYTES = 65_516;

/** A line with its content, or one of the three markers. */
export type Pkt = { type: "data"; data: Uint8Array } | { type: "flush" } | { type: "delim" } | { type: "end" };

export const FLUSH: Uint8Array = Buffer.from("0000");
export const DELIM: Uint8Array = Buffer.from("0001");

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** One pkt-line. Throws RangeError when the content does not fit one. */
export function formatPkt(data: Uint8Array | string): Uint8Array {
  const content = typeof data === "string" ? Buffer.from(data) : data;
  if (content.byteLength > PKT_MAX_DATA_BYTES)
    throw new RangeError(`A pkt-line holds ${PKT_MAX_DATA_BYTES} bytes, not ${content.byteLength}.`);
  const length = (content.byteLength + 4).toString(16).padStart(4, "0");
  return Buffer.concat([Buffer.from(length), content]);
}

/** The next pkt-line at an offset, or null when the bytes end before it does. Throws AppError("bad-format") on a bad length. */
export function parsePkt(bytes: Uint8Array, at: number): { pkt: Pkt; next: number } | null {
  if (bytes.byteLength - at < 4) return null;
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset + at, 4).toString("latin1");
  const length = /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (length === 0) return { pkt: { type: "flush" }, next: at + 4 };
  if (length === 1) return { pkt: { type: "delim" }, next: at + 4 };
  if (length === 2) return { pkt: { type: "end" }, next: at + 4 };
  if (!(length >= 4 && length <= PKT_MAX_DATA_BYTES + 4))
    throw new AppError("bad-format", `This is no git request: a line length reads “${digits.replace(/[^\x20-\x7e]/g, "?")}”.`, {
      at,
    });
  if (bytes.byteLength - at < length) return null;
  return { pkt: { type: "data", data: bytes.subarray(at + 4, at + length) }, next: at + length };
}

/** All pkt-lines of a whole request. Throws AppError("bad-format") when the last one is cut off. */
export function parsePkts(bytes: Uint8Array): Pkt[] {
  const pkts: Pkt[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const parsed = parsePkt(bytes, at);
    if (!parsed) throw new AppError("bad-format", "This git request is cut off in the middle of a line.", { at });
    pkts.push(parsed.pkt);
    at = parsed.next;
  }
  return pkts;
}

/** The text of a line without the line end that git puts there. */
export function textOf(data: Uint8Array): string {
  return utf8.decode(data).replace(/\n$/, "");
}

/** A chunk of a side band (1 = pack, 2 = progress, 3 = fatal error); the content must leave room for the band byte. */
export function formatBand(band: 1 | 2 | 3, data: Uint8Array | string): Uint8Array {
  return formatPkt(Buffer.concat([Buffer.from([band]), typeof data === "string" ? Buffer.from(data) : data]));
}
