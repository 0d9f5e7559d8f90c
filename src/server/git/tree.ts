// Trees as bytes: parse, format, find and edit, in git's own order. Pure; knows no store.
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import { oidFromBytes, oidToBytes, type Oid } from "./oid.ts";

/** Mode of an ordinary file and of a directory: the only two that this app writes. */
export const FILE_MODE = "100644";
export const DIR_MODE = "40000";

/** One line of a tree. `name` is decoded as UTF-8. */
export interface TreeEntry {
  mode: string;
  name: string;
  oid: Oid;
}

/** A change of a tree by name: a new entry, or null to take the name away. */
export type TreeEdit = { name: string; put: { mode: string; oid: Oid } | null };

interface RawEntry {
  start: number;
  nameStart: number;
  nameEnd: number;
  end: number;
  directory: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const utf8Bytes = new TextEncoder();
const BEYOND = /[\ud800-\uffff]/;
const SPACE = 0x20;
const SLASH = 0x2f;
const FOUR = 0x34;

function broken(at: number): AppError {
  return new AppError("bad-format", `This tree object is damaged at byte ${at}.`, { at });
}

/** The entry at an offset; throws AppError("bad-format") when it is cut off. */
function rawEntryAt(bytes: Uint8Array, start: number): RawEntry {
  const space = bytes.indexOf(SPACE, start);
  if (space < 0 || space - start > 7 || space === start) throw broken(start);
  const nameEnd = bytes.indexOf(0, space + 1);
  if (nameEnd < 0 || nameEnd === space + 1 || nameEnd + 21 > bytes.byteLength) throw broken(start);
  const directory = bytes[start] === FOUR && space - start === 5;
  return { start, nameStart: space + 1, nameEnd, end: nameEnd + 21, directory };
}

function entryOf(bytes: Uint8Array, raw: RawEntry): TreeEntry {
  return {
    mode: asciiOf(bytes, raw.start, raw.nameStart - 1),
    name: nameOf(bytes, raw.nameStart, raw.nameEnd),
    oid: oidFromBytes(bytes, raw.nameEnd + 1),
  };
}

function asciiOf(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

/** Most names are ASCII, and for a few bytes a decoder costs more than they do. */
function nameOf(bytes: Uint8Array, from: number, to: number): string {
  for (let at = from; at < to; at++) if (bytes[at]! > 0x7f) return utf8.decode(bytes.subarray(from, to));
  return asciiOf(bytes, from, to);
}

/** Reads all entries of a tree. Throws AppError("bad-format") on bytes that are no tree; order is not judged here. */
export function parseTree(bytes: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const raw = rawEntryAt(bytes, at);
    entries.push(entryOf(bytes, raw));
    at = raw.end;
  }
  return entries;
}

/** Visits all entries without decoding them: where the 20 bytes of the id start, and whether it is a directory. */
export function visitTree(bytes: Uint8Array, visit: (oidOffset: number, directory: boolean) => void): void {
  for (let at = 0; at < bytes.byteLength;) {
    const raw = rawEntryAt(bytes, at);
    visit(raw.nameEnd + 1, raw.directory);
    at = raw.end;
  }
}

/** Git's order: names by bytes, a directory as if its name ended in a slash (base_name_compare in git's tree.c). */
export function compareEntries(a: { mode: string; name: string }, b: { mode: string; name: string }): number {
  // Up to the surrogates the order of code units is that of the bytes.
  if (!BEYOND.test(a.name) && !BEYOND.test(b.name)) {
    const [one, other] = [a.mode === DIR_MODE ? `${a.name}/` : a.name, b.mode === DIR_MODE ? `${b.name}/` : b.name];
    return one < other ? -1 : one > other ? 1 : 0;
  }
  return Buffer.compare(keyOf(a.name, a.mode === DIR_MODE), keyOf(b.name, b.mode === DIR_MODE));
}

function keyOf(name: string, directory: boolean): Uint8Array {
  return utf8Bytes.encode(directory ? `${name}/` : name);
}

function formatEntry(entry: TreeEntry): Uint8Array {
  const head = utf8Bytes.encode(`${entry.mode} ${entry.name}\0`);
  const bytes = new Uint8Array(head.byteLength + 20);
  bytes.set(head);
  bytes.set(oidToBytes(entry.oid), head.byteLength);
  return bytes;
}

/** Writes a tree; sorts the entries itself. */
export function formatTree(entries: Iterable<TreeEntry>): Uint8Array {
  return Buffer.concat([...entries].sort(compareEntries).map(formatEntry));
}

/** Compares the sort key of a raw entry with a key. */
function compareRaw(bytes: Uint8Array, raw: RawEntry, key: Uint8Array): number {
  const length = raw.nameEnd - raw.nameStart + (raw.directory ? 1 : 0);
  const shared = Math.min(length, key.byteLength);
  for (let i = 0; i < shared; i++) {
    const at = raw.nameStart + i;
    const byte = at === raw.nameEnd ? SLASH : bytes[at]!;
    if (byte !== key[i]) return byte - key[i]!;
  }
  return length - key.byteLength;
}

interface KeyedEdit {
  key: Uint8Array;
  put: TreeEntry | null;
}

/** Both places where a name can stand (as a file, as a directory), in tree order. */
function keyedEdits(edits: Iterable<TreeEdit>): KeyedEdit[] {
  const keyed: KeyedEdit[] = [];
  for (const { name, put } of edits) {
    const entry = put && { name, ...put };
    const directory = put?.mode === DIR_MODE;
    keyed.push({ key: keyOf(name, false), put: directory ? null : entry });
    keyed.push({ key: keyOf(name, true), put: directory ? entry : null });
  }
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key));
}

/**
 * Walks a sorted tree and sorted edits side by side. One pass over raw bytes: a directory of 10,000 files is not decoded
 * for the sake of one of them.
 */
function join(
  bytes: Uint8Array,
  edits: KeyedEdit[],
  visit: { kept?(from: number, to: number): void; matched?(raw: RawEntry): void; put?(entry: TreeEntry): void },
): void {
  let next = 0;
  let keptFrom = 0;
  for (let at = 0; at < bytes.byteLength;) {
    const raw = rawEntryAt(bytes, at);
    for (; next < edits.length; next++) {
      const edit = edits[next]!;
      const order = compareRaw(bytes, raw, edit.key);
      if (order < 0) break;
      if (keptFrom < raw.start) visit.kept?.(keptFrom, raw.start);
      keptFrom = raw.start;
      if (edit.put) visit.put?.(edit.put);
      if (order > 0) continue;
      visit.matched?.(raw);
      keptFrom = raw.end;
      next++;
      break;
    }
    at = raw.end;
  }
  if (keptFrom < bytes.byteLength) visit.kept?.(keptFrom, bytes.byteLength);
  for (; next < edits.length; next++) if (edits[next]!.put) visit.put?.(edits[next]!.put!);
}

/** The entries of the given names, those that exist. The tree must be sorted, as every tree in the store is. */
export function findEntries(bytes: Uint8Array, names: Iterable<string>): Map<string, TreeEntry> {
  const found = new Map<string, TreeEntry>();
  const edits = keyedEdits([...names].map((name) => ({ name, put: null })));
  join(bytes, edits, {
    matched: (raw) => {
      const entry = entryOf(bytes, raw);
      found.set(entry.name, entry);
    },
  });
  return found;
}

/** The tree with the edits laid on it; entries that no edit names keep their bytes. */
export function editTree(bytes: Uint8Array, edits: Iterable<TreeEdit>): Uint8Array {
  const parts: Uint8Array[] = [];
  join(bytes, keyedEdits(edits), {
    kept: (from, to) => parts.push(bytes.subarray(from, to)),
    put: (entry) => parts.push(formatEntry(entry)),
  });
  return Buffer.concat(parts);
}
