// Forgotten words in conversations: messages, replies, what was shown beside them, titles and summaries. Sentence by sentence.
import type { Action, MessageView, Recalled, TurnEnd } from "../../shared/protocol.ts";
import { searchTokens } from "../../shared/words.ts";
import type { Sql } from "../git/sql.ts";
import type { MemoryContext } from "./context.ts";
import type { Judge } from "./forget-judge.ts";
import { docsOfText, fits, keysOf, needlesOf, type TextKey } from "./forget-keys.ts";
import { redactJson } from "./forget-json.ts";
import { overwriteRow, type Look, type Spot } from "./forget-places.ts";
import { addPostings, dropPostings } from "./postings.ts";
import { REDACTED, redactText, sentencesOf, shiftRanges, type States } from "./redact.ts";
import { titleOf, type ThreadRow } from "./threads.ts";
import { messageNumber, type MessageRow } from "./transcripts.ts";

/** Share of a fact's words that make a sentence its origin, in a message from which it was learned. */
const ORIGIN_SHARE = 0.5;
/** In a sentence that asks to forget, one word of the fact is enough. */
const ANY_SHARE = 1e-9;
const ASKS =
  /forg[eo]t|delet|eras|remov|unlearn|wip(?:e|ing)|verg[ei]ss|lösch|entfern|oubli|supprim|effac|olvid|borr|elimin|dimentic|cancell|esque|apag|vergeet|verwijder|glöm|radera|glem|slet|unohda|poista|zapom|usuń|smaž|забуд|удали|unut|忘|删|刪|削除|잊|삭제|भूल|हटा/iu;

/** What a sentence must hold to be taken out of a message: more is needed the further the message is from the fact. */
type Nearness = "any" | "origin" | "asked";

function candidateRows(sql: Sql, look: Look): MessageRow[] {
  const keys = keysOf(look.texts);
  if (keys === null) return sql.exec<MessageRow>("SELECT * FROM messages ORDER BY seq").toArray();
  const rows = new Map<number, MessageRow>();
  const said = sql.exec<MessageRow>(
    "SELECT * FROM messages WHERE seq IN (SELECT value FROM json_each(?))",
    JSON.stringify(docsOfText(sql, "message", keys)),
  );
  for (const row of said) rows.set(row.seq, row);
  for (const row of besideReplies(sql, look, keys)) rows.set(row.seq, row);
  return [...rows.values()].sort((a, b) => a.seq - b.seq);
}

/** Words and ids that are looked for by SQL; more are looked for in each row. */
const NEEDLES_MAX = 40;
const IDS = /"id":"([a-z0-9]{4,12})"/g;

/** Replies beside which a line or the words stand: what a reply did and recalled is in no index. */
function besideReplies(sql: Sql, look: Look, keys: readonly TextKey[]): MessageRow[] {
  const replies = "SELECT * FROM messages WHERE role = 'assistant' AND (actions <> '[]' OR recalled <> '[]')";
  const plain = needlesOf(keys);
  const needles = plain === null ? null : [...plain, ...look.judge.ids];
  const rows =
    needles !== null && needles.length <= NEEDLES_MAX
      ? sql.exec<MessageRow>(
          `${replies} AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(lower(actions), value) > 0 OR instr(lower(recalled), value) > 0)`,
          JSON.stringify(needles),
        )
      : sql.exec<MessageRow>(replies);
  const found: MessageRow[] = [];
  for (const row of rows) {
    const beside = `${row.actions} ${row.recalled}`;
    if ([...beside.matchAll(IDS)].some(([, id]) => look.judge.ids.has(id!)) || fits(keys, new Set(searchTokens(beside))))
      found.push(row);
  }
  return found;
}

const at = (sql: Sql, { thread, n }: Spot): MessageRow | null =>
  sql.exec<MessageRow>("SELECT * FROM messages WHERE thread = ? AND n = ?", thread, n).toArray()[0] ?? null;

/** Messages to look at, with how near each is to the fact. */
function messagesOf(sql: Sql, look: Look): Map<number, { row: MessageRow; near: Nearness }> {
  const found = new Map<number, { row: MessageRow; near: Nearness }>();
  for (const row of candidateRows(sql, look)) found.set(row.seq, { row, near: "any" });
  const add = (row: MessageRow | null, near: Nearness) => row && found.set(row.seq, { row, near });
  for (const spot of look.cited) {
    add(at(sql, spot), "origin");
    // The answer that confirmed it says it in its own words.
    const reply = at(sql, { ...spot, n: spot.n + 1 });
    if (reply?.role === "assistant") add(reply, "origin");
  }
  if (look.asked) {
    add(at(sql, look.asked), "asked");
    const reply = at(sql, { ...look.asked, n: look.asked.n + 1 });
    if (reply?.role === "assistant") add(reply, "asked");
  }
  return found;
}

/** Which sentences of a text go. */
export function statesIn(text: string, judge: Judge, near: Nearness, role: "user" | "assistant" = "user"): States {
  const strict: States = (sentence) => judge.says(sentence);
  if (near === "any") return (sentence) => strict(sentence);
  const sentences = sentencesOf(text).map((sentence) => sentence.text);
  const gone = new Set(
    sentences.filter(
      (sentence) =>
        strict(sentence) || judge.share(sentence) >= (near === "asked" && ASKS.test(sentence) ? ANY_SHARE : ORIGIN_SHARE),
    ),
  );
  if (gone.size === 0 && near === "origin" && role === "user" && !text.includes(REDACTED) && !strict(text)) {
    // It was said here, if in other words: the sentence that shares most with it, or the only one there is.
    const shares = sentences.map((sentence) => judge.share(sentence));
    const most = Math.max(0, ...shares);
    if (most > 0) gone.add(sentences[shares.indexOf(most)]!);
    else if (sentences.length === 1) gone.add(sentences[0]!);
  }
  return (sentence) => gone.has(sentence) || strict(sentence);
}

interface Redacted {
  text: ReturnType<typeof redactText>;
  actions: string | null;
  recalled: string | null;
}

const sayable = (recalled: MessageView["recalled"], judge: Judge): Recalled[] =>
  recalled.filter(
    (entry) =>
      !judge.ids.has(entry.id ?? "\n") &&
      !judge.states(entry.text) &&
      !judge.states(entry.chain) &&
      !judge.states(`${entry.path.replace(/^.*\/|\.md$/g, "").replace(/[-_]/g, " ")} ${entry.text}`),
  );

/** What of a message has to go; null where nothing does. */
function redactedOf(
  row: Pick<MessageRow, "text" | "role" | "actions" | "recalled">,
  judge: Judge,
  near: Nearness,
): Redacted | null {
  const states = statesIn(row.text, judge, near, row.role);
  const text = near === "any" && !judge.mayState(row.text) ? null : redactText(row.text, states);
  const actions =
    row.actions === "[]"
      ? null
      : redactJson(
          JSON.parse(row.actions) as Action[],
          judge,
          near === "any"
            ? undefined
            : (sentence) => states(sentence) || (near !== "asked" && judge.share(sentence) >= ORIGIN_SHARE),
        );
  const recalled = JSON.parse(row.recalled) as MessageView["recalled"];
  const kept = recalled.length === 0 ? recalled : sayable(recalled, judge);
  if (!text && !actions && kept.length === recalled.length) return null;
  return {
    text,
    actions: actions ? JSON.stringify(actions) : null,
    recalled: kept.length === recalled.length ? null : JSON.stringify(kept),
  };
}

/** Messages and replies that hold the words. */
export function countTalk({ sql }: MemoryContext, look: Look): number {
  let count = 0;
  for (const { row, near } of messagesOf(sql, look).values()) if (redactedOf(row, look.judge, near)) count++;
  return count;
}

/** Takes the words out of messages and replies, and of the index over them. */
export function redactTalk({ sql }: MemoryContext, look: Look): number {
  let messages = 0;
  for (const { row, near } of messagesOf(sql, look).values()) {
    const gone = redactedOf(row, look.judge, near);
    if (!gone) continue;
    const text = gone.text?.text ?? row.text;
    const pasted = gone.text ? JSON.stringify(shiftRanges(JSON.parse(row.pasted), gone.text.cut)) : row.pasted;
    if (gone.text) dropPostings(sql, "message", row.seq, searchTokens(row.text));
    overwriteRow(sql, "messages", ["text", "actions", "recalled"], "seq = ?", row.seq);
    sql.exec(
      "UPDATE messages SET text = ?, pasted = ?, actions = ?, recalled = ?, redacted = 1 WHERE seq = ?",
      text,
      pasted,
      gone.actions ?? row.actions,
      gone.recalled ?? row.recalled,
      row.seq,
    );
    if (gone.text) addPostings(sql, "message", row.seq, searchTokens(text));
    messages++;
    look.touched.add(row.thread);
  }
  return messages;
}

type Head = Pick<ThreadRow, "id" | "title" | "titled_by" | "summary">;

const headsOf = (sql: Sql): Head[] =>
  sql.exec<Head & Record<string, string | null>>("SELECT id, title, titled_by, summary FROM threads").toArray();

function nearOf(id: string, look: Look): Nearness {
  if (look.asked?.thread === id) return "asked";
  return look.cited.some(({ thread }) => thread === id) ? "origin" : "any";
}

/** A title or a summary without the words; null where it stays. */
function headPart(text: string | null, id: string, look: Look): string | null {
  if (text === null || text === "") return null;
  const near = nearOf(id, look);
  const least = near === "any" ? 2 : ORIGIN_SHARE;
  return (
    redactText(text.replace(/…$/, ""), (sentence) => look.judge.says(sentence) || look.judge.share(sentence) >= least)?.text ??
    null
  );
}

/** Titles and summaries that hold the words. */
export function countHeads({ sql }: MemoryContext, look: Look): number {
  return headsOf(sql).reduce(
    (sum, { id, title, summary }) =>
      sum + (headPart(title, id, look) === null ? 0 : 1) + (headPart(summary, id, look) === null ? 0 : 1),
    0,
  );
}

/** Takes the words out of titles and summaries. A title that the app made is made anew from what the first message says now. */
export function redactHeads({ sql }: MemoryContext, look: Look): number {
  let changed = 0;
  for (const { id, title, titled_by: by, summary } of headsOf(sql)) {
    const first = at(sql, { thread: id, n: 1 });
    const remade = by === "app" && first?.redacted === 1 ? titleOf(first.text) : title;
    const nextTitle = headPart(remade, id, look) ?? (remade === title ? null : remade);
    const nextSummary = headPart(summary, id, look);
    if (nextTitle === null && nextSummary === null) continue;
    overwriteRow(sql, "threads", ["title", "summary"], "id = ?", id);
    sql.exec("UPDATE threads SET title = ?, summary = ? WHERE id = ?", nextTitle ?? title, nextSummary ?? summary, id);
    changed += (nextTitle === null ? 0 : 1) + (nextSummary === null ? 0 : 1);
  }
  return changed;
}

/** An answer as it may be stored: it does not say again what was forgotten, the less so in the turn that asked for it. */
export function cleanEnd(end: TurnEnd, all: Judge | null, asked: Judge | null): TurnEnd {
  let clean = end;
  const pass = (judge: Judge, near: Nearness): void => {
    const row = {
      text: clean.text,
      role: "assistant" as const,
      actions: JSON.stringify(clean.actions),
      recalled: JSON.stringify(clean.recalled),
    };
    const gone = redactedOf(row, judge, near);
    if (!gone) return;
    clean = {
      ...clean,
      text: gone.text?.text ?? clean.text,
      actions: gone.actions === null ? clean.actions : (JSON.parse(gone.actions) as Action[]),
      recalled: gone.recalled === null ? clean.recalled : (JSON.parse(gone.recalled) as Recalled[]),
    };
  };
  if (all) pass(all, "any");
  if (asked) pass(asked, "asked");
  return clean;
}

/** The message that a source names, or null. */
export function spotOf(source: string | null): Spot | null {
  const match = /^(?:thread|import)\/([A-Za-z0-9_-]+)#(m?[1-9][0-9]{0,6})$/.exec(source ?? "");
  return match ? { thread: match[1]!, n: messageNumber(match[2]!.startsWith("m") ? match[2]! : `m${match[2]!}`) } : null;
}
