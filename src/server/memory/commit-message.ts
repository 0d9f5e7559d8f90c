// What a commit says about itself: `<kind>(<ref>): <summary>` and trailers, written and read. Believed only under the app's own committer.
import type { Change, Kind } from "../../shared/protocol.ts";
import { Kind as KindSchema } from "../../shared/protocol.ts";
import type { Commit, Person } from "../git/commit.ts";

/** The committer of everything that the app writes. A push under this name is refused. */
export const APP_NAME = "Reverie";
export const APP_EMAIL = "memory@reverie.invalid";

/** Whether a person of a commit is the app. */
export function isApp(person: Pick<Person, "name" | "email">): boolean {
  return person.name.trim().toLowerCase() === APP_NAME.toLowerCase() || person.email.trim().toLowerCase() === APP_EMAIL;
}

/** Numbers of a commit, as the log shows them. */
export interface CommitCounts {
  added: number;
  changed: number;
  closed: number;
  removed: number;
  moved: number;
}

/** What a commit is about. */
export interface CommitAbout {
  /** Milliseconds. */
  at: number;
  kind: Kind;
  actor: string;
  ref: string | null;
  summary: string;
  source: string | null;
  model: string | null;
  dream: string | null;
  trailers: [string, string][];
}

const SUBJECT = /^([a-z]+)(?:\(([^()\n]*)\))?: (.*)$/;
const TRAILER = /^([A-Z][A-Za-z-]*): (.*)$/;
const SUMMARY_MAX_CHARS = 200;

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, SUMMARY_MAX_CHARS);
}

/** What a change refers to: the conversation, dream or import without the message in it. */
export function refOf(change: Pick<Change, "source" | "dream">): string | null {
  return change.dream ? `dream/${change.dream}` : (change.source?.split("#", 1)[0] ?? null);
}

/** The message of a commit of the app. */
export function formatMessage(change: Pick<Change, "kind" | "source" | "actor" | "model" | "dream">, summary: string): string {
  const ref = refOf(change)?.replace(/[()\s]/g, "");
  const trailers = [
    ["Source", change.source],
    ["Actor", change.actor],
    ["Model", change.model],
    ["Dream", change.dream],
  ].flatMap(([key, value]) => (value ? [`${key}: ${oneLine(value)}`] : []));
  return `${change.kind}${ref ? `(${ref})` : ""}: ${oneLine(summary)}\n\n${trailers.join("\n")}\n`;
}

/** Reads a commit's message. Under any other committer than the app it is a push, whatever it says. */
export function describeCommit(commit: Pick<Commit, "committer" | "author" | "message">): CommitAbout {
  const [first = "", ...rest] = commit.message.split("\n");
  const about = { at: commit.committer.at, source: null, model: null, dream: null, trailers: [] };
  if (!isApp(commit.committer)) return { ...about, kind: "push", actor: "user", ref: null, summary: oneLine(first) };
  const subject = SUBJECT.exec(first);
  const kind = KindSchema.safeParse(subject?.[1]);
  const trailers = rest.flatMap((line): [string, string][] => {
    const match = TRAILER.exec(line);
    return match ? [[match[1]!, match[2]!]] : [];
  });
  const trailer = (key: string) => trailers.find(([name]) => name === key)?.[1] ?? null;
  return {
    at: commit.committer.at,
    kind: kind.success ? kind.data : "system",
    actor: trailer("Actor") ?? "user",
    ref: subject?.[2] ?? null,
    summary: oneLine(subject?.[3] ?? first),
    source: trailer("Source"),
    model: trailer("Model"),
    dream: trailer("Dream"),
    trailers,
  };
}

const lines = (n: number) => (n === 1 ? "1 line" : `${n} lines`);

/** The summary where nobody gave one: counts and files, never the words of a line, so that forgetting has nothing to clean here. */
export function summarise(counts: CommitCounts, paths: readonly string[]): string {
  const parts = [
    counts.added > 0 ? `${lines(counts.added)} added` : "",
    counts.changed > 0 ? `${lines(counts.changed)} changed` : "",
    counts.closed > 0 ? `${lines(counts.closed)} closed` : "",
    counts.removed > 0 ? `${lines(counts.removed)} removed` : "",
    counts.moved > 0 ? `${lines(counts.moved)} moved` : "",
  ].filter((part) => part !== "");
  const where = paths.length === 0 ? "" : paths.length === 1 ? ` in ${paths[0]}` : ` in ${paths.length} files`;
  return `${parts.length > 0 ? parts.join(", ") : "text edited"}${where}`;
}
