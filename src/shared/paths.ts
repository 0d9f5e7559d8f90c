// Which paths a memory may hold, and which of them cannot stand beside each other (format.md, section Files).

import { PATH_MAX_BYTES, PATH_PART_MAX_BYTES } from "./limits.ts";

/** A path that may be used, or the rule that it breaks as a sentence for a person. */
export type PathCheck = { ok: true } | { ok: false; rule: string };

/** Two paths, or folders in them, that one file system cannot hold apart. */
export interface Collision {
  a: string;
  b: string;
  rule: string;
}

// Code points that HFS+ leaves out when it compares names, as git knows them.
const HFS_IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const GIT_NAMES = /^(?:\.git|\.gitmodules|git~[12]|gitmod~[1-4]|gi7eba~[1-9])$/;
const DEVICE = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$)$/;
const CONTROL = /\p{Cc}/u;
const BIDI = /[\u202a-\u202e\u2066-\u2069]/;
const BARRED = /[<>:"|?*\\]/;
const LONE_SURROGATE = /\p{Cs}/u;

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code >= 0xd800 && code < 0xdc00 && at + 1 < text.length) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

function brokenRule(part: string): string | null {
  if (part === "") return "A path has no empty part: it does not begin or end with / and has no // inside.";
  if (part === "." || part === "..") return "A path leads straight down from the root, without . or .. parts.";
  const plain = part
    .replace(HFS_IGNORABLE, "")
    .toLowerCase()
    .replace(/[. ]+$/, "");
  if (GIT_NAMES.test(plain)) return `The name "${plain}" belongs to git itself, in any spelling.`;
  if (part.endsWith(".") || part.endsWith(" ")) return "No part of a path ends in a dot or a space: Windows drops it.";
  if (part.startsWith("-")) return "No part of a path begins with a dash: commands would read it as an option.";
  const stem = (part.split(".", 1)[0] as string).replace(/ +$/, "").toLowerCase();
  if (DEVICE.test(stem)) return `"${stem}" is the name of a device on Windows.`;
  if (utf8Length(part) > PATH_PART_MAX_BYTES) return `A part of a path has at most ${PATH_PART_MAX_BYTES} bytes.`;
  return null;
}

/** Checks one path. */
export function checkPath(path: string): PathCheck {
  const bad = (rule: string): PathCheck => ({ ok: false, rule });
  if (path === "") return bad("A path is not empty.");
  if (LONE_SURROGATE.test(path)) return bad("A path is valid Unicode.");
  if (CONTROL.test(path)) return bad("A path holds no control characters, such as a tab or a line end.");
  if (BIDI.test(path)) return bad("A path holds no characters that turn the writing direction.");
  if (path.normalize("NFC") !== path) return bad("A path is in Unicode form NFC, so that it is the same on every system.");
  if (BARRED.test(path)) return bad('A path holds none of < > : " | ? * \\.');
  for (const part of path.split("/")) {
    const rule = brokenRule(part);
    if (rule !== null) return bad(rule);
  }
  if (utf8Length(path) > PATH_MAX_BYTES) return bad(`A path has at most ${PATH_MAX_BYTES} bytes.`);
  return { ok: true };
}

const ASCII = /^[\u0000-\u007f]*$/;

/**
 * Unicode case folding (full, language-neutral), built from the engine's case tables: lower, upper and lower again take
 * a code point to the one form that all its case variants share. The dotless i has no variant but its own.
 */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let folded = "";
  for (const char of text) {
    // One code point at a time, so that the sigma at a word's end is no exception.
    folded += char === "ı" ? char : [...char.toLowerCase().toUpperCase()].map((one) => one.toLowerCase()).join("");
  }
  return folded;
}

/** The form in which two paths are equal when a file system may take them for one. */
export function pathKey(path: string): string {
  if (ASCII.test(path)) return path.toLowerCase();
  return foldCase(path.normalize("NFD")).normalize("NFC");
}

/** All collisions in a set of paths: names that differ only by case or normalisation form, files that are also folders. */
export function findCollisions(paths: Iterable<string>): Collision[] {
  const collisions: Collision[] = [];
  const seen = new Map<string, { path: string; folder: boolean }>();
  const add = (path: string, folder: boolean) => {
    const key = pathKey(path);
    const other = seen.get(key);
    if (other === undefined) {
      seen.set(key, { path, folder });
      return;
    }
    if (other.path !== path) {
      collisions.push({
        a: other.path,
        b: path,
        rule: "Two names differ only by case or Unicode form, so some systems would keep only one.",
      });
    } else if (other.folder !== folder) {
      collisions.push({ a: other.path, b: path, rule: "A path cannot be a file and a folder." });
    }
  };
  const done = new Set<string>();
  for (const path of [...new Set(paths)].sort()) {
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      const folder = path.slice(0, slash);
      if (done.has(folder)) continue;
      done.add(folder);
      add(folder, true);
    }
    add(path, false);
  }
  return collisions;
}

/** Whether a file is read as entries; every other file is one block. */
export function isMarkdown(path: string): boolean {
  return path.toLowerCase().endsWith(".md");
}

/** Whether a path is one of the files that list what was forgotten. */
export function isForgottenFile(path: string): boolean {
  return /^forgotten(?:\/[^/]+)?\.md$/.test(path);
}
