// Plays the conversations of test/vectors/conversations.json by the rules of README-conversations.md beside it. Knows no transport: HTTP or a worker's own door.
import type { ChatReply, EntryView } from "../../src/shared/protocol.ts";

interface Turn {
  at: string;
  say: string;
  thread?: string;
  replyHas?: string[];
  replyLacks?: string[];
}
interface Wanted {
  has: string[];
  slot?: boolean;
  since?: string;
  until?: string;
  why?: string;
}
/** One conversation of the development set. */
export interface Case {
  name: string;
  tz: string;
  turns: Turn[];
  expect: { open: Wanted[]; closed?: Wanted[]; forgotten?: Wanted[]; lacks?: string[]; maxOpen?: number };
}

const plain = (text: string): string => text.normalize("NFC").toLowerCase();

function fits(entry: EntryView, wanted: Wanted): boolean {
  const text = plain(`${entry.text} ${entry.meta.map(([key, value]) => `${key}: ${value}`).join("; ")}`);
  if (!wanted.has.every((part) => text.includes(part))) return false;
  if (wanted.slot && entry.slot === null) return false;
  return (["since", "until", "why"] as const).every((key) => wanted[key] === undefined || entry[key] === wanted[key]);
}

/** One call of the app's API. */
export type Ask = <T>(method: string, path: string, body?: unknown) => Promise<{ status: number; body: T }>;

/** Plays one case on an empty memory; returns what was not as expected. */
export async function playCase(one: Case, ask: Ask): Promise<string[]> {
  const wrong: string[] = [];
  const threads = new Map<string, string>();
  for (const turn of one.turns) {
    const alias = turn.thread ?? "a";
    const known = threads.get(alias);
    const answer = await ask<ChatReply & { error?: { message: string } }>("POST", "/api/chat", {
      message: turn.say,
      tz: one.tz,
      at: turn.at,
      ...(known ? { thread: known } : {}),
    });
    if (answer.status !== 200 || answer.body.error) {
      wrong.push(`"${turn.say.slice(0, 60)}" failed: ${JSON.stringify(answer.body.error ?? answer.body)}`);
      continue;
    }
    threads.set(alias, answer.body.thread);
    const reply = plain(answer.body.reply);
    for (const part of turn.replyHas ?? [])
      if (!reply.includes(part)) wrong.push(`"${turn.say}" → no "${part}" in: ${answer.body.reply}`);
    for (const part of turn.replyLacks ?? [])
      if (reply.includes(part)) wrong.push(`"${turn.say}" → "${part}" in: ${answer.body.reply}`);
  }
  const now = one.turns.at(-1)!.at;
  await ask("PATCH", "/api/settings", { zone: one.tz });
  const entries = (await allEntries(ask)).map((entry) => ({ ...entry, state: stateAt(entry, now, one.tz) }));
  const standing = entries.filter(({ state }) => state !== "closed" && state !== "removed");
  const shown = standing
    .map(
      ({ path, text, meta }) =>
        `\n      ${path}: ${text} ${JSON.stringify(Object.fromEntries(meta.filter(([key]) => !/^(id|source|added)$/.test(key))))}`,
    )
    .join("");
  for (const wanted of one.expect.open)
    if (!standing.some((entry) => fits(entry, wanted))) wrong.push(`no entry ${JSON.stringify(wanted)} among:${shown}`);
  for (const wanted of one.expect.closed ?? []) {
    const closed = entries.filter(({ state }) => state === "closed");
    if (!closed.some((entry) => fits(entry, wanted)))
      wrong.push(
        `no closed entry ${JSON.stringify(wanted)} among: ${closed.map(({ text, until, why }) => `${text} (${until}, ${why})`).join("; ")}`,
      );
  }
  for (const part of one.expect.lacks ?? [])
    for (const { text, meta } of standing)
      if (plain(`${text} ${meta.flat().join(" ")}`).includes(part)) wrong.push(`"${part}" in: ${text}`);
  if (one.expect.forgotten) {
    const { body } = await ask<{ items: unknown[] }>("GET", "/api/forgotten");
    const forgotten = (body.items ?? []).map((item) => plain(JSON.stringify(item)));
    for (const { has } of one.expect.forgotten)
      if (!forgotten.some((item) => has.every((part) => item.includes(part))))
        wrong.push(`nothing forgotten holds ${has.join(", ")}`);
  }
  const facts = standing.filter(({ text }) => !/^\[\[[^\]]*\]\]$/.test(text.trim()));
  if (one.expect.maxOpen !== undefined && facts.length > one.expect.maxOpen)
    wrong.push(`${facts.length} entries instead of at most ${one.expect.maxOpen}:${shown}`);
  return wrong;
}

/** The state of an entry at a moment that is not the server's now. Dates compare as text, a partial one by its first day. */
function stateAt(entry: EntryView, at: string, zone: string): EntryView["state"] {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    new Date(at),
  );
  const first = (date: string | null): string | null => (date === null ? null : `${date}-01-01`.slice(0, 10));
  const until = first(entry.until);
  if (entry.state === "removed") return "removed";
  if (entry.why === "wrong" || (until !== null && until <= today) || (entry.closed !== null && until === null)) return "closed";
  return "open";
}

/** All entries but tombstones. */
async function allEntries(ask: Ask): Promise<EntryView[]> {
  const items: EntryView[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body }: { body: { items: EntryView[]; next: string | null } } = await ask(
      "GET",
      `/api/entries?state=all&limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
    );
    items.push(...body.items);
    cursor = body.next;
  }
  return items;
}
