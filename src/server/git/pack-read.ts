// Foreign packs, read within bounds (gitformat-pack). Nothing is stored and nothing is believed: the whole pack is judged first.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import {
  PACK_DELTA_MAX_DEPTH,
  PACK_OBJECT_MAX_BYTES,
  PUSH_INFLATED_MAX_BYTES,
  PUSH_MAX_OBJECTS,
  PUSH_PACK_MAX_BYTES,
} from "../../shared/limits.ts";
import { applyDelta, deltaHeader, hashDelta } from "./delta.ts";
import { hashObject, type ObjectType, type Oid } from "./oid.ts";
import { badPack, inflateEntry, parseEntryHeader } from "./pack-entry.ts";
import type { GitObject } from "./store.ts";

/** Bounds of one pack; each is a refusal with code `too-large` when it is passed. */
export interface PackLimits {
  packBytes: number;
  /** Bytes of all objects and all deltas together, inflated. */
  inflatedBytes: number;
  objects: number;
  objectBytes: number;
  deltaDepth: number;
}

/** The bounds of a push. */
export const PUSH_LIMITS: PackLimits = {
  packBytes: PUSH_PACK_MAX_BYTES,
  inflatedBytes: PUSH_INFLATED_MAX_BYTES,
  objects: PUSH_MAX_OBJECTS,
  objectBytes: PACK_OBJECT_MAX_BYTES,
  deltaDepth: PACK_DELTA_MAX_DEPTH,
};

/** A pack that is whole and well-formed. What its objects say is not judged yet. */
export interface ParsedPack {
  /** Every object once, with its kind and size in bytes. */
  objects: ReadonlyMap<Oid, { type: ObjectType; size: number }>;
  /** The content of an object, inflated anew; null when it is not in the pack. */
  read(oid: Oid): GitObject | null;
}

interface Node {
  offset: number;
  dataStart: number;
  /** Inflated bytes of the entry itself: for a delta, of the delta. */
  size: number;
  base: Node | null;
  children: Node[];
  /** Entries that hang on this one by offset, itself included: the heaviest child is opened last, when its parent can be let go. */
  weight: number;
  type: ObjectType | null;
}

/** Bytes of small objects that are kept as they were inflated: a push of everyday size is inflated once, a large one again at each read. */
const KEPT_MAX_BYTES = 6 * 1024 * 1024;
const KEPT_OBJECT_MAX_BYTES = 64 * 1024;
/** Bytes of resolved objects that wait for their children; log2(objects) of them in a pack whose deltas name their base by offset. */
const WAITING_MAX_BYTES = 10 * 1024 * 1024;
const HEADER_BYTES = 12;
const TRAILER_BYTES = 20;

/** Reads a whole pack. Throws AppError("bad-format") for what git refuses too, AppError("too-large") past a limit. */
export function parsePack(bytes: Uint8Array, limits: PackLimits = PUSH_LIMITS): ParsedPack {
  if (bytes.byteLength > limits.packBytes) throw tooLarge("This pack", bytes.byteLength, limits.packBytes, "bytes");
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES + TRAILER_BYTES || view.toString("latin1", 0, 4) !== "PACK") throw badPack("it is none");
  const version = view.readUInt32BE(4);
  if (version !== 2 && version !== 3) throw badPack(`it is of version ${version}`);
  const count = view.readUInt32BE(8);
  if (count > limits.objects) throw tooLarge("This pack", count, limits.objects, "objects");
  const end = bytes.byteLength - TRAILER_BYTES;
  if (!createHash("sha1").update(bytes.subarray(0, end)).digest().equals(view.subarray(end)))
    throw badPack("its checksum is wrong");

  let inflated = 0;
  const account = (size: number): void => {
    inflated += size;
    if (inflated > limits.inflatedBytes) throw tooLarge("What this pack holds", inflated, limits.inflatedBytes, "bytes");
  };

  let room = KEPT_MAX_BYTES;
  const kept = new Map<Node, Uint8Array>();
  const keep = (node: Node, data: Uint8Array): void => {
    if (data.byteLength > KEPT_OBJECT_MAX_BYTES || data.byteLength > room) return;
    room -= data.byteLength;
    kept.set(node, data);
  };
  const byOid = new Map<Oid, Node>();
  const objects = new Map<Oid, { type: ObjectType; size: number }>();
  const byOffset = new Map<number, Node>();
  const waiting = new Map<Oid, Node[]>();
  const nodes: Node[] = [];
  const settle = (node: Node, type: ObjectType, oid: Oid, size: number): void => {
    if (objects.has(oid)) throw badPack(`it holds ${oid} twice`);
    node.type = type;
    objects.set(oid, { type, size });
    byOid.set(oid, node);
    const hanging = waiting.get(oid);
    if (!hanging) return;
    waiting.delete(oid);
    for (const child of hanging) child.base = node;
    node.children.push(...hanging);
  };

  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    const header = parseEntryHeader(bytes, at, end);
    if (header.size > limits.objectBytes) throw tooLarge("An object in this pack", header.size, limits.objectBytes, "bytes");
    account(header.size);
    const { data, next } = inflateEntry(bytes, header.dataStart, header.size, end);
    const node: Node = {
      offset: at,
      dataStart: header.dataStart,
      size: header.size,
      base: null,
      children: [],
      weight: 1,
      type: null,
    };
    if (header.kind === "ofs-delta" || header.kind === "ref-delta") {
      const { size } = deltaHeader(data);
      if (size > limits.objectBytes) throw tooLarge("An object in this pack", size, limits.objectBytes, "bytes");
      account(size);
    }
    if (header.kind === "ofs-delta") {
      node.base = byOffset.get(header.baseOffset!) ?? null;
      if (!node.base) throw badPack("the base of a delta is no entry");
      node.base.children.push(node);
    } else if (header.kind === "ref-delta") {
      // Bases that come before are found when they are settled; see below.
      const known = byOid.get(header.baseOid!);
      node.base = known ?? null;
      if (known) known.children.push(node);
      else if (waiting.has(header.baseOid!)) waiting.get(header.baseOid!)!.push(node);
      else waiting.set(header.baseOid!, [node]);
    } else {
      settle(node, header.kind, hashObject(header.kind, data), header.size);
      keep(node, data);
    }
    nodes.push(node);
    byOffset.set(at, node);
    at = next;
  }
  if (at !== end) throw badPack("bytes are left over behind its last entry");

  // Bases by offset stand before their deltas, so one pass backwards weighs every tree.
  for (let i = nodes.length - 1; i >= 0; i--) if (nodes[i]!.base) nodes[i]!.base!.weight += nodes[i]!.weight;
  const roots = nodes.filter((node) => node.type !== null);
  for (const root of roots) resolveBelow(bytes, end, root, limits, settle, keep, () => room);
  if (objects.size !== count) throw badPack("the base of a delta is missing");

  return {
    objects,
    read: (oid) => {
      const node = byOid.get(oid);
      return node ? { type: node.type!, data: kept.get(node) ?? contentOf(bytes, end, node, limits, kept) } : null;
    },
  };
}

/** Applies all deltas that hang on a root, depth first. Holds only what still has children to come. */
function resolveBelow(
  bytes: Uint8Array,
  end: number,
  root: Node,
  limits: PackLimits,
  settle: (node: Node, type: ObjectType, oid: Oid, size: number) => void,
  keep: (node: Node, data: Uint8Array) => void,
  room: () => number,
): void {
  if (root.children.length === 0) return;
  const frames: { node: Node; data: Uint8Array; depth: number }[] = [];
  let held = 0;
  const push = (node: Node, data: Uint8Array, depth: number): void => {
    node.children.sort((a, b) => b.weight - a.weight);
    held += data.byteLength;
    if (held > WAITING_MAX_BYTES) throw tooLarge("The deltas of this pack need", held, WAITING_MAX_BYTES, "bytes");
    frames.push({ node, data, depth });
  };
  push(root, inflateEntry(bytes, root.dataStart, root.size, end).data, 0);
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const child = frame.node.children.pop()!;
    if (frame.node.children.length === 0) {
      frames.pop();
      held -= frame.data.byteLength;
    }
    const depth = frame.depth + 1;
    if (depth > limits.deltaDepth) throw tooLarge("A chain of deltas in this pack", depth, limits.deltaDepth, "steps");
    const delta = inflateEntry(bytes, child.dataStart, child.size, end).data;
    const { size } = deltaHeader(delta);
    // What is large and a base for nothing is hashed in passing and never put together.
    const small = size <= KEPT_OBJECT_MAX_BYTES && size <= room();
    const data = small || child.children.length > 0 ? applyDelta(frame.data, delta, limits.objectBytes) : null;
    settle(
      child,
      root.type!,
      data ? hashObject(root.type!, data) : hashDelta(root.type!, frame.data, delta, limits.objectBytes),
      size,
    );
    if (small) keep(child, data!);
    if (child.children.length > 0) push(child, data!, depth);
  }
}

function contentOf(
  bytes: Uint8Array,
  end: number,
  node: Node,
  limits: PackLimits,
  kept: ReadonlyMap<Node, Uint8Array>,
): Uint8Array {
  const chain: Node[] = [];
  let root = node;
  for (; root.base && !kept.has(root); root = root.base) chain.push(root);
  let data = kept.get(root) ?? inflateEntry(bytes, root.dataStart, root.size, end).data;
  for (const link of chain.reverse())
    data = applyDelta(data, inflateEntry(bytes, link.dataStart, link.size, end).data, limits.objectBytes);
  return data;
}

function tooLarge(what: string, is: number, max: number, unit: string): AppError {
  return new AppError("too-large", `${what} is too large: ${is} ${unit}, and ${max} are allowed.`, { is, max, unit });
}
