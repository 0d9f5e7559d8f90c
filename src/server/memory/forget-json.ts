// Takes forgotten words out of stored JSON: texts sentence by sentence, and every line of a forgotten id whatever it says. Pure.
import type { Judge } from "./forget-judge.ts";
import { REDACTED, redactText, type States } from "./redact.ts";

/** Keys whose values are names, days and references, never words of a fact. */
const PLAIN_KEYS = new Set([
  "id",
  "commit",
  "head",
  "at",
  "state",
  "verb",
  "tool",
  "code",
  "status",
  "since",
  "until",
  "added",
  "closed",
  "why",
  "on",
  "expires",
  "slot",
  "scope",
  "lastUsed",
  "card",
  "answered",
  "ref",
  "kind",
]);
/** Words of an entry as views and actions hold them. */
const ENTRY_WORDS = ["text", "chain", "before", "after", "was"];

const PATH_KEYS = new Set(["path", "fromPath", "paths", "sources", "source", "section"]);

const bare = (path: string): string => path.replace(/\.md$/, "");

/** A text without the names of files that went as a whole. */
export function withoutPaths(text: string, paths: readonly string[]): string {
  return paths.reduce((left, path) => left.replaceAll(path, () => REDACTED).replaceAll(bare(path), () => REDACTED), text);
}

type Json = Record<string, unknown>;

function isForgottenEntry(value: Json, judge: Judge): boolean {
  if (typeof value.id === "string" && judge.ids.has(value.id)) return true;
  return (
    typeof value.text === "string" &&
    (typeof value.path === "string" || typeof value.chain === "string") &&
    judge.states(value.text)
  );
}

/** The value with the words taken out; null where nothing had to change. */
export function redactJson<T>(value: T, judge: Judge, states: States = (sentence) => judge.says(sentence)): T | null {
  let changed = false;
  const walk = (one: unknown, key: string): unknown => {
    if (typeof one === "string") {
      const path = judge.paths.find((name) => one === name || one === bare(name));
      if (path === undefined && (PLAIN_KEYS.has(key) || PATH_KEYS.has(key))) return one;
      const words = path === undefined ? withoutPaths(one, judge.paths) : REDACTED;
      const next = redactText(words, states)?.text ?? words;
      if (next !== one) changed = true;
      return next;
    }
    if (Array.isArray(one)) return one.map((inner) => walk(inner, key));
    if (one === null || typeof one !== "object") return one;
    const whole = isForgottenEntry(one as Json, judge);
    return Object.fromEntries(
      Object.entries(one).map(([name, inner]) => {
        if (whole && ENTRY_WORDS.includes(name) && typeof inner === "string" && inner !== REDACTED) {
          changed = true;
          return [name, REDACTED];
        }
        return [name, walk(inner, name)];
      }),
    );
  };
  const result = walk(value, "") as T;
  return changed ? result : null;
}

/** Whether a stored JSON text holds the words. */
export function jsonStates(text: string, judge: Judge): boolean {
  return redactJson(JSON.parse(text) as unknown, judge) !== null;
}
