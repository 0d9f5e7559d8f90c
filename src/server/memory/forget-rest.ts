// Forgotten words in what the app keeps beside memory and conversations: notes, answers kept for repeated requests, standing instructions.
import { searchTokens } from "../../shared/words.ts";
import { oidFromBytes } from "../git/oid.ts";
import type { MemoryContext } from "./context.ts";
import type { Judge } from "./forget-judge.ts";
import { jsonStates, redactJson } from "./forget-json.ts";
import { overwriteRow, type Look } from "./forget-places.ts";
import { statesIn } from "./forget-talk.ts";
import type { NoteRow } from "./notes.ts";
import { addPostings, dropPostings } from "./postings.ts";
import { redactText, sentencesOf } from "./redact.ts";
import { patchSettings, readSettings } from "./settings.ts";
import { sourcesStore } from "./sources-branch.ts";

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** A note says of its title what its sentences leave out: `Tomas` above, `Plays the tuba` below. */
function noteParts(row: NoteRow, look: Look): { title: string | null; text: string | null } {
  const { judge } = look;
  const about = row.title.replace(/…$/, "");
  const near = look.citedNotes.includes(row.id) ? ("origin" as const) : ("any" as const);
  const states = statesIn(row.text, judge, near);
  const inNote = (sentence: string) =>
    states(sentence) || (about !== "" && judge.says(`${about} ${sentence}`) && !judge.says(about));
  return {
    title: redactText(about, (sentence) => judge.says(sentence) || (near === "origin" && states(sentence)))?.text ?? null,
    text: redactText(row.text, inNote)?.text ?? null,
  };
}

const notesOf = ({ sql }: Pick<MemoryContext, "sql">): NoteRow[] => sql.exec<NoteRow>("SELECT * FROM notes").toArray();

/** Notes that hold the words, in their title or their text. */
export function countNotes(ctx: MemoryContext, look: Look): number {
  return notesOf(ctx).filter((row) => Object.values(noteParts(row, look)).some((part) => part !== null)).length;
}

/** Takes the words out of notes and of the index over them. */
export function redactNotes(ctx: MemoryContext, look: Look): number {
  const { sql } = ctx;
  let changed = 0;
  for (const row of notesOf(ctx)) {
    const { title, text } = noteParts(row, look);
    if (title === null && text === null) continue;
    const next = { title: title ?? row.title, text: text ?? row.text };
    dropPostings(sql, "note", row.seq, searchTokens(`${row.title}\n${row.text}`));
    overwriteRow(sql, "notes", ["title", "text"], "seq = ?", row.seq);
    sql.exec("UPDATE notes SET title = ?, text = ? WHERE seq = ?", next.title, next.text, row.seq);
    addPostings(sql, "note", row.seq, searchTokens(`${next.title}\n${next.text}`));
    changed++;
  }
  return changed;
}

/** Files of the branch of sources that hold the words. They are made from messages and notes, and go with them. */
export function countSources(ctx: MemoryContext, look: Look): number {
  const store = sourcesStore(ctx);
  const names = new Set([
    ...look.cited.map(({ thread }) => `thread/${thread}`),
    ...look.citedNotes.map((id) => `note/${id}`),
    ...[...look.touched].map((thread) => `thread/${thread}`),
  ]);
  return [...names].filter((name) => {
    const row = ctx.sql.exec<{ blob: ArrayBuffer }>("SELECT blob FROM source_files WHERE name = ?", name).toArray()[0];
    const object = row ? store.read(oidFromBytes(row.blob)) : null;
    return object !== null && sentencesOf(utf8.decode(object.data)).some(({ text }) => look.judge.says(text));
  }).length;
}

const answersOf = ({ sql }: Pick<MemoryContext, "sql">) =>
  sql.exec<{ key: string; answer: string }>("SELECT key, answer FROM idempotency").toArray();

/** Answers kept for repeated requests that hold the words. */
export function countAnswers(ctx: MemoryContext, look: Look): number {
  return answersOf(ctx).filter(({ answer }) => jsonStates(answer, look.judge)).length;
}

/** Takes the words out of answers that are kept for repeated requests: the same request is still answered, without them. */
export function redactAnswers(ctx: MemoryContext, look: Look): number {
  let changed = 0;
  for (const { key, answer } of answersOf(ctx)) {
    const next = redactJson(JSON.parse(answer) as unknown, look.judge);
    if (next === null) continue;
    overwriteRow(ctx.sql, "idempotency", ["answer"], "key = ?", key);
    ctx.sql.exec("UPDATE idempotency SET answer = ? WHERE key = ?", JSON.stringify(next), key);
    changed++;
  }
  return changed;
}

function instructionsOf(ctx: MemoryContext, judge: Judge): { chat: string | null; dream: string | null } {
  const { instructions, dream } = readSettings(ctx.sql);
  const part = (text: string) => redactText(text, (sentence) => judge.says(sentence))?.text ?? null;
  return { chat: part(instructions), dream: part(dream.instructions) };
}

/** Standing instructions that hold the words: they stand in every prompt. */
export function countInstructions(ctx: MemoryContext, look: Look): number {
  return Object.values(instructionsOf(ctx, look.judge)).filter((part) => part !== null).length;
}

/** Takes the words out of standing instructions. */
export function redactInstructions(ctx: MemoryContext, look: Look): number {
  const { chat, dream } = instructionsOf(ctx, look.judge);
  if (chat === null && dream === null) return 0;
  const settings = readSettings(ctx.sql);
  overwriteRow(ctx.sql, "settings", ["value"], "id = ?", 1);
  ctx.sql.exec("DELETE FROM settings");
  patchSettings(ctx.sql, {
    ...settings,
    instructions: chat ?? settings.instructions,
    dream: { ...settings.dream, instructions: dream ?? settings.dream.instructions },
  });
  return 1;
}
