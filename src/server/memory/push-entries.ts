// What each commit of a push is judged by before it counts: its files against those of its parents, byte by byte and entry by entry, and its own words.
import { parseDocument } from "../../shared/document.ts";
import { findInvisible } from "../../shared/invisible.ts";
import { FILE_MAX_BYTES } from "../../shared/limits.ts";
import { SECRET_MARK, findSecrets } from "../../shared/secrets.ts";
import type { Change } from "../../shared/protocol.ts";
import type { Commit } from "../git/commit.ts";
import { diffTrees, type FileChange } from "../git/diff.ts";
import type { Push } from "../git/judge-push.ts";
import type { Oid } from "../git/oid.ts";
import { readBlob, treeEntry } from "../git/read.ts";
import { FILE_MODE } from "../git/tree.ts";
import { isApp } from "./commit-message.ts";
import type { MemoryContext } from "./context.ts";
import { keepParsed, parsedFile, type ParsedFile } from "./documents.ts";
import type { FileState } from "./draft.ts";
import { diffEntries, linesOf, type EntryDelta } from "./entry-diff.ts";
import { passContent, passGate } from "./gate.ts";
import { usedBefore } from "./gate-entries.ts";
import { isForgottenName, judgeInvisible } from "./gate-files.ts";
import { projectCommit, type ProjectionHead } from "./project.ts";
import { passOrRefuse, Refused, refuseWrite } from "./refused.ts";
import { ridOf } from "./rows.ts";
import type { Stones } from "./stones.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The line, from 1, of the first bytes that are not UTF-8; null where all are. */
export function badUtf8Line(bytes: Uint8Array): number | null {
  try {
    strictUtf8.decode(bytes);
    return null;
  } catch {
    let line = 1;
    for (let at = 0; at < bytes.byteLength; line++) {
      const end = bytes.indexOf(10, at);
      const next = end < 0 ? bytes.byteLength : end + 1;
      try {
        strictUtf8.decode(bytes.subarray(at, next));
      } catch {
        return line;
      }
      at = next;
    }
    return line;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** The memory with the objects of a push in front of its rows: they are at hand, and a row would have to be inflated. */
export function withPushed(ctx: MemoryContext, push: Push): MemoryContext {
  return { ...ctx, store: { ...ctx.store, read: push.read } };
}

interface Step {
  changes: FileChange[];
  files: Map<string, FileState>;
  known: Map<string, ParsedFile>;
}

/** The files that differ between two commits, judged as bytes and opened. */
function openStep(ctx: MemoryContext, from: Oid | null, to: Oid): Step {
  const step: Step = { changes: diffTrees(ctx.store, from, to), files: new Map(), known: new Map() };
  for (const { path, before, after } of step.changes) {
    if (after !== null) {
      const bytes = readBlob(ctx.store, after);
      judgeBytes(path, bytes);
      if (!ctx.cache.parsed?.get(after)) {
        const text = utf8.decode(bytes);
        keepParsed(ctx, after, { text, document: parseDocument(text) });
      }
    }
    const old = before === null ? null : parsedFile(ctx, before);
    const now = after === null ? null : parsedFile(ctx, after);
    if (now) step.known.set(path, now);
    step.files.set(path, {
      before: old?.text ?? null,
      after: now?.text ?? null,
      documents: { before: old?.document ?? null, after: now?.document ?? null },
    });
  }
  return step;
}

function judgeBytes(path: string, bytes: Uint8Array): void {
  if (bytes.byteLength > FILE_MAX_BYTES) {
    refuseWrite(
      "too-large",
      `${path} has ${Math.ceil(bytes.byteLength / 1024)} KB; a file has at most ${FILE_MAX_BYTES / 1024} KB. Split it.`,
      { path, bytes: bytes.byteLength },
    );
  }
  const line = badUtf8Line(bytes);
  if (line !== null)
    refuseWrite("bad-format", `${path}, line ${line}: these bytes are not UTF-8. Save the file as UTF-8 and commit it again.`, {
      path,
      line,
    });
}

/** A commit of the main line as it was pushed: the full gate, then the projection, so that the next commit is judged on top of it. */
export function landCommit(
  ctx: MemoryContext,
  before: ProjectionHead | null,
  oid: Oid,
  { parents }: Commit,
  change: Change,
): { head: ProjectionHead; warnings: string[] } {
  const { changes, files, known } = openStep(ctx, before?.oid ?? null, oid);
  const deltas = diffEntries(files);
  const sides = parents.filter((parent) => parent !== before?.oid);
  const warnings = passGate(ctx, {
    change,
    files,
    deltas,
    head: before,
    joined: new Set(),
    inherited: idsOf(ctx, sides, files.keys()),
  });
  passOrRefuse(judgeInvisible(files));
  return { head: projectCommit(ctx, before, oid, { changes, files: known }), warnings };
}

/** Ids in some files of some commits: an entry that was edited there goes on under its id, though main had removed it meanwhile. */
function idsOf(ctx: MemoryContext, commits: readonly Oid[], paths: Iterable<string>): Set<string> {
  const ids = new Set<string>();
  if (commits.length === 0) return ids;
  for (const path of paths) {
    for (const commit of commits) {
      const entry = treeEntry(ctx.store, commit, path);
      if (!entry || entry.mode !== FILE_MODE) continue;
      for (const { id } of linesOf(path, parsedFile(ctx, entry.oid).text)) if (id !== null) ids.add(id);
    }
  }
  return ids;
}

/** In a commit beside main: an id that main knows goes on naming what it named. */
function judgeSideIds({ sql }: MemoryContext, deltas: readonly EntryDelta[]): void {
  for (const { before, after } of deltas) {
    if (before || !after || after.id === null) continue;
    const rid = ridOf(sql, after.id);
    if (rid === null) continue;
    const said = sql
      .exec(
        "SELECT 1 FROM entries WHERE rid = ? AND name = ? UNION ALL SELECT 1 FROM entry_past WHERE rid = ? AND name = ? LIMIT 1",
        rid,
        after.name,
        rid,
        after.name,
      )
      .toArray();
    if (said.length === 0) passOrRefuse(usedBefore(after));
  }
}

/** A commit beside the main line, that a merge brings along: what it adds to all of its parents must be fit to be kept. */
export function judgeSideCommit(ctx: MemoryContext, oid: Oid, { parents }: Commit): void {
  const { files, changes } = openStep(ctx, parents[0] ?? null, oid);
  // What another parent has as well came from there and was judged there.
  for (const parent of parents.slice(1)) {
    const differing = new Set(diffTrees(ctx.store, parent, oid).map(({ path }) => path));
    for (const path of files.keys()) if (!differing.has(path)) files.delete(path);
  }
  for (const { path } of changes) {
    if (files.has(path) && isForgottenName(path))
      refuseWrite("read-only", `${path} lists what was forgotten. Only forgetting and lifting change it.`, { path });
  }
  const deltas = diffEntries(files);
  passContent(ctx, files, deltas);
  judgeSideIds(ctx, deltas);
}

/** The words of a commit itself: its message and its names rest in the history like any file. */
export function judgeCommitWords(stones: Stones, oid: Oid, commit: Commit): void {
  const name = oid.slice(0, 8);
  if (isApp(commit.committer)) {
    refuseWrite(
      "forbidden",
      `Commit ${name} names the app as its committer. Only the app commits under its own name; set your own user.name and user.email.`,
      { commit: oid },
    );
  }
  const words = [commit.message, commit.author.name, commit.author.email, commit.committer.name, commit.committer.email].join(
    "\n",
  );
  const kind = words.includes(SECRET_MARK) ? "taken out before" : findSecrets(words)[0]?.kind;
  if (kind)
    refuseWrite(
      "secret",
      `Commit ${name}: its message holds a secret (${kind}). Reword it (git commit --amend, or git rebase -i) and push again.`,
      { commit: oid, kind },
    );
  const hidden = findInvisible(words)[0];
  if (hidden)
    refuseWrite(
      "bad-format",
      `Commit ${name}, line ${hidden.line} of its message: it holds a character that nobody can see. Reword it and push again.`,
      { commit: oid, line: hidden.line },
    );
  if (stones.size === 0) return;
  const said = commit.message
    .split("\n")
    .find((line) => line.trim() !== "" && stones.covering({ text: line, subject: null }).length > 0);
  if (said !== undefined)
    refuseWrite(
      "forgotten",
      `Commit ${name}: its message says what you asked to forget. Reword it (git commit --amend, or git rebase -i) and push again.`,
      { commit: oid },
    );
}

/** Runs a judgement of one commit among several; a refusal says which one it is and how to change it. */
export function ofCommit<T>(oid: Oid, { message }: Commit, among: number, judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof Refused) || among < 2 || error.refusal.details?.commit !== undefined) throw error;
    const title = message
      .split("\n", 1)[0]!
      .replace(/\p{Cc}/gu, "")
      .slice(0, 60);
    throw new Refused({
      ...error.refusal,
      message: `${error.refusal.message}\nThis is in commit ${oid.slice(0, 8)} (“${title}”). Every commit of a push is judged: change that one (git rebase -i), then push again.`,
      details: { ...error.refusal.details, commit: oid },
    });
  }
}
