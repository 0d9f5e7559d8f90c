// Commits as bytes: parse, format and re-parent. Pure; knows no store.
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import { isOid, type Oid } from "./oid.ts";

/** Who and when. `at` is in milliseconds since 1970 (git keeps whole seconds); `tz` is git's `+HHMM`. */
export interface Person {
  name: string;
  email: string;
  at: number;
  tz: string;
}

/** A commit in parts. `extra` holds the headers we do not use (gpgsig, encoding), in order. */
export interface Commit {
  tree: Oid;
  parents: Oid[];
  author: Person;
  committer: Person;
  extra: [key: string, value: string][];
  message: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const utf8Bytes = new TextEncoder();

function broken(what: string): AppError {
  return new AppError("bad-format", `This commit object is damaged: ${what}.`);
}

/** Minutes east of UTC to git's `+HHMM`. */
export function formatTz(minutesEast: number): string {
  const minutes = Math.abs(Math.trunc(minutesEast));
  const digits = `${Math.trunc(minutes / 60)}`.padStart(2, "0") + `${minutes % 60}`.padStart(2, "0");
  return `${minutesEast < 0 ? "-" : "+"}${digits}`;
}

/** A name or address without what git's identity line cannot hold (git's strbuf_addstr_without_crud). */
function withoutCrud(text: string): string {
  return text.replace(/[<>\n\0]/g, "").replace(/^[\x00-\x20.,:;"'\\]+|[\x00-\x20.,:;"'\\]+$/g, "");
}

function formatPerson(person: Person): string {
  const seconds = Math.floor(person.at / 1000);
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw broken(`the time ${person.at} is not one`);
  if (!/^[+-]\d{4}$/.test(person.tz)) throw broken(`the zone ${person.tz} is not one`);
  return `${withoutCrud(person.name)} <${withoutCrud(person.email)}> ${seconds} ${person.tz}`;
}

function parsePerson(line: string): Person {
  const match = /^(.*?) ?<([^>]*)> (-?\d+) ([+-]\d+)$/.exec(line);
  if (!match) throw broken("a name and time line does not read as one");
  return { name: match[1]!, email: match[2]!, at: Number(match[3]) * 1000, tz: match[4]! };
}

/** Writes a commit. The message gets the line end that git gives it. */
export function formatCommit(commit: Commit): Uint8Array {
  const lines = [`tree ${commit.tree}`];
  for (const parent of commit.parents) lines.push(`parent ${parent}`);
  lines.push(`author ${formatPerson(commit.author)}`, `committer ${formatPerson(commit.committer)}`);
  for (const [key, value] of commit.extra) lines.push(`${key} ${value.replace(/\n/g, () => "\n ")}`);
  const message = commit.message.replace(/\0/g, "");
  return utf8Bytes.encode(`${lines.join("\n")}\n\n${message}${message === "" || message.endsWith("\n") ? "" : "\n"}`);
}

/** Reads a commit. Throws AppError("bad-format") on bytes that are none; the message loses nothing but invalid UTF-8. */
export function parseCommit(bytes: Uint8Array): Commit {
  const text = utf8.decode(bytes);
  const split = text.indexOf("\n\n");
  const head = split < 0 ? text.replace(/\n$/, "") : text.slice(0, split);
  const headers: [string, string][] = [];
  for (const line of head.split("\n")) {
    const last = headers.at(-1);
    if (line.startsWith(" ") && last) last[1] += `\n${line.slice(1)}`;
    else {
      const space = line.indexOf(" ");
      headers.push(space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)]);
    }
  }
  const tree = headers[0]?.[0] === "tree" ? headers[0][1] : "";
  if (!isOid(tree)) throw broken("it names no tree");
  let next = 1;
  const parents: Oid[] = [];
  for (; headers[next]?.[0] === "parent"; next++) {
    const parent = headers[next]![1];
    if (!isOid(parent)) throw broken("a parent is no object id");
    parents.push(parent);
  }
  const [author, committer] = [headers[next], headers[next + 1]];
  if (author?.[0] !== "author" || committer?.[0] !== "committer") throw broken("author or committer is missing");
  return {
    tree,
    parents,
    author: parsePerson(author[1]),
    committer: parsePerson(committer[1]),
    extra: headers.slice(next + 2),
    message: split < 0 ? "" : text.slice(split + 2),
  };
}

/** Tree and parents alone, for walks: the rest of the commit is not decoded. */
export function commitLinks(bytes: Uint8Array): { tree: Oid; parents: Oid[]; end: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.toString("latin1", 0, 5) !== "tree " || bytes[45] !== 0x0a) throw broken("it names no tree");
  const tree = buffer.toString("latin1", 5, 45);
  const parents: Oid[] = [];
  let at = 46;
  for (; buffer.toString("latin1", at, at + 7) === "parent "; at += 48) {
    if (bytes[at + 47] !== 0x0a) throw broken("a parent is no object id");
    parents.push(buffer.toString("latin1", at + 7, at + 47));
  }
  if (!isOid(tree) || !parents.every(isOid)) throw broken("an object id is none");
  return { tree, parents, end: at };
}

/** The same commit on another tree and other parents; every byte behind those lines stays (author, dates, message, odd headers). */
export function relinkCommit(bytes: Uint8Array, tree: Oid, parents: Oid[]): Uint8Array {
  const head = [`tree ${tree}\n`, ...parents.map((parent) => `parent ${parent}\n`)].join("");
  return Buffer.concat([utf8Bytes.encode(head), bytes.subarray(commitLinks(bytes).end)]);
}
