// Whether a foreign commit may stand in a repository: strictly git's form, no oddities that clients trip over.
import { AppError } from "../../shared/errors.ts";
import { PUSH_CLOCK_SKEW_MS, PUSH_COMMIT_MAX_BYTES, PUSH_COMMIT_MAX_PARENTS } from "../../shared/limits.ts";
import { parseCommit, type Commit } from "./commit.ts";
import type { Oid } from "./oid.ts";

/** A name and time line as `git fsck --strict` wants it. */
const PERSON = /^[^<>\n]* <[^<>\n]*> (0|[1-9]\d{0,14}) [+-]\d{4}$/;
/** Headers that git itself writes behind the committer. */
const EXTRA = new Set(["gpgsig", "gpgsig-sha256", "mergetag", "encoding"]);

/** Reads a commit. `now` in ms since 1970. Throws AppError("bad-format" or "too-large") that names the commit. */
export function judgeCommit(oid: Oid, data: Uint8Array, now: number): Commit {
  const refuse = (what: string, code: "bad-format" | "too-large" = "bad-format"): never => {
    throw new AppError(code, `Commit ${oid.slice(0, 12)} ${what}.`, { commit: oid });
  };
  if (data.byteLength > PUSH_COMMIT_MAX_BYTES)
    refuse(`has ${data.byteLength} bytes; ${PUSH_COMMIT_MAX_BYTES} are allowed`, "too-large");
  if (data.includes(0)) refuse("holds a NUL byte");
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    refuse("is not UTF-8");
  }
  if (!text.includes("\n\n")) refuse("has no message");
  const commit = parseCommit(data);
  if (commit.parents.length > PUSH_COMMIT_MAX_PARENTS)
    refuse(`has ${commit.parents.length} parents; ${PUSH_COMMIT_MAX_PARENTS} are allowed`, "too-large");
  if (new Set(commit.parents).size < commit.parents.length) refuse("names a parent twice");
  const head = text.slice(0, text.indexOf("\n\n")).split("\n");
  const people = head.slice(1 + commit.parents.length, 3 + commit.parents.length);
  for (const [i, who] of ["author", "committer"].entries())
    if (!people[i]!.startsWith(`${who} `) || !PERSON.test(people[i]!.slice(who.length + 1)))
      refuse(`has an ${who} line that git does not write`.replace("an c", "a c"));
  for (const person of [commit.author, commit.committer])
    if (person.at > now + PUSH_CLOCK_SKEW_MS) refuse("is dated in the future");
  for (const [key, value] of commit.extra) {
    if (!EXTRA.has(key)) refuse(`has the unknown header “${key.slice(0, 40)}”`);
    if (key === "encoding" && !/^utf-?8$/i.test(value)) refuse(`says that it is in ${value.slice(0, 40)}`);
  }
  return commit;
}
