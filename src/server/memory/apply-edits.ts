// Edits by entry, laid on the draft. Each says what it wants; clocks and slots decide what else that moves.
import { HISTORY, newDocumentTitle } from "./new-file.ts";
import { insertEntry, moveAboveHistory, moveToHistory, newDocument, putEntry, removeEntries, replaceEntry, takeEntry, type Edited } from "../../shared/edit-document.ts";
import { metaValue, metaValues, setMetaFields, writerText, type Meta } from "../../shared/entry.ts";
import { stripInvisible } from "../../shared/invisible.ts";
import { normalText } from "../../shared/normal.ts";
import { parseLink } from "../../shared/links.ts";
import type { Edit, Landed } from "../../shared/protocol.ts";
import { seqOf } from "./at.ts";
import type { MemoryContext } from "./context.ts";
import type { Draft, Located } from "./draft.ts";
import { isClosedEntry } from "./entry-diff.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import { planClose, planReopen, planRevise, planSave, type Plan, type Wanted } from "./plans.ts";
import { refuseWrite } from "./refused.ts";
import { currentById, ridOf, versionOf } from "./rows.ts";
import { sameFact } from "./same-fact.ts";
import type { WriteScope } from "./writer.ts";

/** What became of one edit; turned into a Landed once the write stands. */
export interface Mark {
  verb: Landed["verb"];
  id: string;
  before?: string;
  replaced?: string;
}

interface Env {
  ctx: MemoryContext;
  draft: Draft;
  scope: WriteScope;
  marks: Mark[];
  joined: Set<string>;
}

type Op<K extends Edit["op"]> = Extract<Edit, { op: K }>;

/** Lays all edits of a change on the draft, in their order. Throws Refused. */
export function applyEdits(ctx: MemoryContext, draft: Draft, scope: WriteScope): { marks: Mark[]; joined: Set<string> } {
  const env: Env = { ctx, draft, scope, marks: [], joined: new Set() };
  for (const edit of scope.change.edits ?? []) {
    switch (edit.op) {
      case "add":
        add(env, edit);
        break;
      case "revise":
        revise(env, edit);
        break;
      case "close":
        close(env, edit);
        break;
      case "reopen":
        reopen(env, edit);
        break;
      case "remove":
        remove(env, edit);
        break;
      case "merge":
        merge(env, edit);
        break;
      case "move":
        move(env, edit);
        break;
      case "pin":
        setFields(env, edit.id, { pin: edit.pin ? "yes" : null }, "pinned");
        break;
      case "confirm":
        setFields(env, edit.id, { checked: scope.today }, "confirmed");
        break;
      case "reword":
        reword(env, edit);
        break;
    }
  }
  if (draft.touchedPaths().length > 0) ensureMemoryFile(draft);
  return { marks: env.marks, joined: env.joined };
}

function ensureMemoryFile(draft: Draft): void {
  if (draft.text(MEMORY_FILE) === null) draft.put(MEMORY_FILE, newDocument("Memory"));
}

/** A text as the writer takes it: one line without hidden characters, its own metadata groups kept as words. */
function cleanText(text: string): string {
  const clean = writerText(stripInvisible(text));
  if (clean === "") refuseWrite("bad-format", "A fact needs words. Say it in one line.");
  return clean;
}

function sourcesOf(env: Env, own: readonly string[] | undefined): string[] {
  const sources = own ?? (env.scope.change.source === null ? [] : [env.scope.change.source]);
  return [...new Set(sources)];
}

function saidOn(env: Env, own: string | undefined): string {
  return own ?? env.scope.today;
}

/** The entry of an id, or a refusal that says where it went. */
function find(env: Env, id: string): Located {
  const found = env.draft.locate(id);
  if (found && !isForgottenName(found.path)) return found;
  if (env.ctx.sql.exec("SELECT 1 FROM tombstones WHERE replaces = ?", id).toArray().length > 0) {
    refuseWrite("forgotten", "That line was forgotten at your wish, so it cannot be changed.", { id });
  }
  const base = env.scope.change.read ?? env.scope.change.base;
  const rid = ridOf(env.ctx.sql, id);
  const seq = base === null ? null : seqOf(env.ctx.sql, base);
  const old = rid !== null && seq !== null ? versionOf(env.ctx.sql, rid, seq) : null;
  if (old) {
    refuseWrite("conflict", `“${old.text}” was removed meanwhile. Nothing was saved; look again before you change it.`, {
      head: env.draft.head, base: old.text, mine: null, theirs: null, target: id,
    });
  }
  refuseWrite("not-found", `There is no entry with the id ${id}. Look it up again; it may have been moved or joined.`, { id });
}

const CLOSING = ["closed", "until", "why"];

/** Refuses an edit of an entry that somebody else changed since the author read it, where both change the same. */
function checkBase(env: Env, id: string, mine: string | null, about: "text" | "state" | "both"): void {
  const { ctx, scope, draft } = env;
  const base = scope.change.read ?? scope.change.base;
  if (base === null || base === draft.head) return;
  const seq = seqOf(ctx.sql, base);
  if (seq === null) refuseWrite("conflict", "The commit that you had read is not in the history of this memory (any more). Read it again.", { head: draft.head, base: null, mine, theirs: null });
  const rid = ridOf(ctx.sql, id);
  const old = rid === null ? null : versionOf(ctx.sql, rid, seq);
  const now = currentById(ctx.sql, id);
  if (!old || !now || old.first === now.first) return;
  const state = (meta: string) => JSON.stringify((JSON.parse(meta) as Meta).filter(([key]) => CLOSING.includes(key)));
  const clash = (about !== "state" && old.text !== now.text) || (about !== "text" && state(old.meta) !== state(now.meta));
  if (!clash) return;
  refuseWrite("conflict", `“${old.text}” was changed meanwhile; it now says “${now.text}”. Nothing was saved. Decide which text shall stand and send it with the new head.`, {
    head: draft.head, base: old.text, mine, theirs: now.text, target: id,
  });
}

/** Where a new fact goes. A name without an ending is a Markdown file; another spelling of a file that stands is that file. */
function pathFor(env: Env, path: string | undefined): string {
  if (path === undefined) return MEMORY_FILE;
  const clean = path.trim().normalize("NFC").replace(/^\.?\/+/, "");
  const named = /\.[a-z0-9]{1,8}$/i.test(clean) ? clean : `${clean}.md`;
  if (!named.toLowerCase().endsWith(".md")) refuseWrite("bad-path", `“${named.slice(0, 200)}” holds no entries. Use a Markdown file (.md).`, { path: named });
  if (isForgottenName(named)) refuseWrite("read-only", `${named} lists what was forgotten. Only forgetting and lifting change it.`, { path: named });
  return env.draft.standingPath(named);
}

function documentFor(env: Env, path: string) {
  return env.draft.document(path) ?? newDocument(newDocumentTitle(path));
}

function dependsField(values: readonly string[]): string[] {
  return values.map((value) => {
    const trimmed = value.trim();
    if (/^[a-z0-9]{4,12}$/.test(trimmed)) return trimmed;
    const path = parseLink(trimmed.replace(/^\[\[|\]\]$/g, "")).path;
    if (path === "") refuseWrite("bad-format", "depends names an entry by its id or a file as [[path]].");
    return `[[${path}]]`;
  });
}

/** The fields of a new entry beside those that clocks and slots set. */
function ownFields(env: Env, edit: Wanted, id: string, sources: readonly string[], day: string): Record<string, string | readonly string[]> {
  return {
    id,
    ...(sources.length > 0 ? { source: sources } : {}),
    added: day,
    ...(edit.scope ? { scope: edit.scope } : {}),
    ...(edit.depends?.length ? { depends: dependsField(edit.depends) } : {}),
    ...(edit.on ? { on: edit.on } : {}),
    ...(edit.expires ? { expires: edit.expires } : {}),
  };
}

/** Carries out what clocks and slots decided about entries that stand already. */
function carryOut(env: Env, plan: Plan): void {
  for (const change of plan.changes) {
    const found = env.draft.locate(change.id);
    if (!found) continue;
    const was = isClosedEntry(found.entry);
    const meta = setMetaFields(found.entry.meta, change.fields);
    env.draft.put(found.path, replaceEntry(found.document, found.entry.line, { meta }));
    const is = metaValue(meta, "closed") !== undefined || metaValue(meta, "why") === "wrong";
    if (was !== is || change.toHistory || change.fromHistory) settlePlace(env, change.id, change.toHistory === true, change.fromHistory === true);
  }
}

/** A closed entry stands in History, an open one above it. */
function settlePlace(env: Env, id: string, toHistory: boolean, fromHistory: boolean): void {
  const found = env.draft.locate(id);
  if (!found) return;
  const inHistory = found.entry.section === HISTORY;
  if (toHistory && !inHistory) env.draft.put(found.path, moveToHistory(found.document, found.entry.line).document);
  else if (fromHistory && inHistory) env.draft.put(found.path, moveAboveHistory(found.document, found.entry.line).document);
}

function appendSources(env: Env, id: string, sources: readonly string[]): void {
  const found = env.draft.locate(id);
  if (!found) return;
  const known = metaValues(found.entry.meta, "source");
  const fresh = sources.filter((source) => !known.includes(source));
  if (fresh.length > 0) {
    env.draft.put(found.path, replaceEntry(found.document, found.entry.line, { meta: setMetaFields(found.entry.meta, { source: [...known, ...fresh] }) }));
  }
  env.marks.push({ verb: "same", id });
}

function insert(env: Env, path: string, text: string, meta: Meta, place: { section: string | null } | { near: string }): void {
  const document = documentFor(env, path);
  let edited: Edited;
  if ("near" in place) {
    const old = env.draft.locate(place.near);
    const section = old && old.path === path && old.entry.section !== HISTORY ? sectionOf(old) : null;
    edited = insertEntry(document, { text, meta }, { section });
  } else edited = insertEntry(document, { text, meta }, { section: place.section });
  env.draft.put(path, edited.document);
}

/** The section to name for an insertion: the title of a file is its top, not a section. */
function sectionOf({ document, entry }: Located): string | null {
  const first = document.headings[0];
  return first && first.level === 1 && entry.heading === first.line ? null : entry.section;
}

function sectionNamed(section: string | undefined): string | null {
  const name = section?.replace(/\s+/g, " ").replace(/^#+\s*/, "").trim();
  if (name === HISTORY) refuseWrite("bad-format", "History holds what has ended; a fact goes there by being closed.");
  return name ? name : null;
}

function add(env: Env, edit: Op<"add">): void {
  const text = cleanText(edit.text);
  const path = pathFor(env, edit.path);
  const sources = sourcesOf(env, edit.sources);
  const day = saidOn(env, edit.saidOn);
  const wanted: Wanted = { ...edit, text };
  const same = wanted.slot ? null : sameFact(env.ctx, env.draft, path, wanted, env.scope.newId);
  if (same !== null) return appendSources(env, same, sources);
  const id = env.scope.newId();
  const plan = planSave(env.ctx, env.draft, env.scope, path, { ...wanted, id, day });
  if (plan.same !== undefined) return appendSources(env, plan.same, sources);
  const meta = setMetaFields([], { ...ownFields(env, wanted, id, sources, day), ...plan.fields });
  carryOut(env, plan);
  insert(env, path, text, meta, { section: sectionNamed(edit.section) });
  if (plan.toHistory) settlePlace(env, id, true, false);
  env.marks.push({ verb: "added", id, ...(plan.replaced ? { replaced: plan.replaced } : {}) });
}

function revise(env: Env, edit: Op<"revise">): void {
  if (edit.text === undefined) return close(env, { op: "close", id: edit.id, why: edit.why, until: edit.since ?? edit.until, saidOn: edit.saidOn });
  const text = cleanText(edit.text);
  const found = find(env, edit.id);
  checkBase(env, edit.id, text, "both");
  const sources = sourcesOf(env, edit.sources);
  const day = saidOn(env, edit.saidOn);
  if (normalText(text) === normalText(found.entry.text) && !isClosedEntry(found.entry) && !edit.since && !edit.until) {
    // The same words in another spelling: reworded in place, nothing ended.
    if (text !== found.entry.text) env.draft.put(found.path, replaceEntry(found.document, found.entry.line, { text }));
    appendSources(env, edit.id, sources);
    if (text !== found.entry.text) env.marks.splice(-1, 1, { verb: "changed", id: edit.id, before: found.entry.text });
    return;
  }
  const id = env.scope.newId();
  const slot = edit.slot ?? metaValue(found.entry.meta, "slot");
  const scopeName = edit.scope ?? metaValue(found.entry.meta, "scope");
  const depends = edit.depends ?? metaValues(found.entry.meta, "depends");
  const wanted: Wanted = { ...edit, text, ...(slot ? { slot } : {}), ...(scopeName ? { scope: scopeName } : {}), depends };
  const plan = planRevise(env.ctx, env.draft, env.scope, found, { ...wanted, id, day, why: edit.why });
  if (plan.same !== undefined) return appendSources(env, plan.same, sources);
  const kept: Record<string, string> = {};
  if (metaValue(found.entry.meta, "pin") === "yes") kept.pin = "yes";
  // Who rewords a line that waits for a check has looked at it.
  if (depends.length > 0) kept.checked = env.scope.today;
  const meta = setMetaFields([], { ...ownFields(env, wanted, id, sources, day), ...kept, ...plan.fields });
  insert(env, found.path, text, meta, { near: edit.id });
  carryOut(env, plan);
  if (plan.toHistory) settlePlace(env, id, true, false);
  env.marks.push({ verb: "changed", id, before: found.entry.text, replaced: edit.id });
}

function close(env: Env, edit: Op<"close">): void {
  const found = find(env, edit.id);
  checkBase(env, edit.id, null, "both");
  if (isClosedEntry(found.entry) && metaValue(found.entry.meta, "why") === edit.why) {
    env.marks.push({ verb: "same", id: edit.id });
    return;
  }
  carryOut(env, planClose(env.ctx, env.draft, env.scope, found, { day: saidOn(env, edit.saidOn), why: edit.why, ...(edit.until ? { until: edit.until } : {}) }));
  env.marks.push({ verb: "closed", id: edit.id });
}

function reopen(env: Env, edit: Op<"reopen">): void {
  const found = find(env, edit.id);
  checkBase(env, edit.id, null, "state");
  if (!isClosedEntry(found.entry) && metaValue(found.entry.meta, "until") === undefined) {
    env.marks.push({ verb: "same", id: edit.id });
    return;
  }
  carryOut(env, planReopen(env.ctx, env.draft, env.scope, found));
  env.marks.push({ verb: "reopened", id: edit.id });
}

function remove(env: Env, edit: Op<"remove">): void {
  const found = find(env, edit.id);
  checkBase(env, edit.id, null, "both");
  if (edit.into !== undefined) {
    const into = find(env, edit.into);
    if (into.entry === found.entry) refuseWrite("bad-format", "A line cannot be joined into itself.", { id: edit.id });
    joinInto(env, edit.into, [edit.id]);
  } else if (env.scope.change.kind !== "forget" && env.scope.change.actor !== "user") {
    refuseWrite("forbidden", "Only the user takes a line away. Close it, or join it into another.", { id: edit.id });
  } else takeAway(env, edit.id);
  env.marks.push({ verb: "removed", id: edit.id });
}

/** Takes a line out; its children stay, outdented. */
function takeAway(env: Env, id: string): void {
  const { path, document, entry } = find(env, id);
  env.draft.put(path, removeEntries(document, new Set([entry.line])));
}

/** Hands the sources of entries to the one that stays, and takes them out. */
function joinInto(env: Env, into: string, ids: readonly string[]): void {
  const sources = ids.flatMap((id) => metaValues(find(env, id).entry.meta, "source"));
  const target = find(env, into);
  const all = [...new Set([...metaValues(target.entry.meta, "source"), ...sources])];
  if (all.length > 0) env.draft.put(target.path, replaceEntry(target.document, target.entry.line, { meta: setMetaFields(target.entry.meta, { source: all }) }));
  for (const id of ids) {
    takeAway(env, id);
    env.joined.add(id);
  }
}

function merge(env: Env, edit: Op<"merge">): void {
  const [first, ...others] = [...new Set(edit.ids)];
  if (first === undefined || others.length === 0) refuseWrite("bad-format", "Two lines at least are joined.");
  for (const id of edit.ids) {
    find(env, id);
    checkBase(env, id, edit.text ?? null, "both");
  }
  joinInto(env, first, others);
  const target = find(env, first);
  const before = target.entry.text;
  if (edit.text !== undefined) env.draft.put(target.path, replaceEntry(target.document, target.entry.line, { text: cleanText(edit.text) }));
  env.marks.push({ verb: "changed", id: first, before });
  for (const id of others) env.marks.push({ verb: "removed", id });
}

function move(env: Env, edit: Op<"move">): void {
  const found = find(env, edit.id);
  const path = pathFor(env, edit.path);
  const section = isClosedEntry(found.entry) ? HISTORY : sectionNamed(edit.section);
  if (path === found.path && (edit.section === undefined || section === sectionOf(found))) {
    env.marks.push({ verb: "same", id: edit.id });
    return;
  }
  const taken = takeEntry(found.document, found.entry.line);
  env.draft.put(found.path, taken.document);
  env.draft.put(path, putEntry(documentFor(env, path), taken.block, section).document);
  env.marks.push({ verb: "moved", id: edit.id });
}

function setFields(env: Env, id: string, fields: Record<string, string | null>, verb: Landed["verb"]): void {
  const found = find(env, id);
  const meta = setMetaFields(found.entry.meta, fields);
  const same = JSON.stringify(meta) === JSON.stringify(found.entry.meta);
  if (!same) env.draft.put(found.path, replaceEntry(found.document, found.entry.line, { meta }));
  env.marks.push({ verb: same ? "same" : verb, id });
}

function reword(env: Env, edit: Op<"reword">): void {
  const text = cleanText(edit.text);
  const found = find(env, edit.id);
  checkBase(env, edit.id, text, "text");
  if (text === found.entry.text) {
    env.marks.push({ verb: "same", id: edit.id });
    return;
  }
  env.draft.put(found.path, replaceEntry(found.document, found.entry.line, { text }));
  env.marks.push({ verb: "changed", id: edit.id, before: found.entry.text });
}

