// Edits by entry, laid on the draft. Each says what it wants; clocks and slots (shared/timeline.ts) decide what else that moves.
import { firstDay } from "../../shared/clock.ts";
import { HISTORY } from "../../shared/document.ts";
import { insertEntry, newDocument, putEntry, removeEntries, replaceEntry, takeEntry } from "../../shared/edit-document.ts";
import { metaValue, metaValues, setMetaFields, writerText, type Meta } from "../../shared/entry.ts";
import { stripInvisible } from "../../shared/invisible.ts";
import { parseLink } from "../../shared/links.ts";
import { normalText } from "../../shared/normal.ts";
import type { Edit, FactFields, Landed } from "../../shared/protocol.ts";
import { planRevise, planReopen, planSave, type NewFact, type Plan, type PlanContext } from "../../shared/timeline.ts";
import { seqOf } from "./at.ts";
import { carryOut, settlePlace } from "./carry-out.ts";
import type { MemoryContext } from "./context.ts";
import type { Draft, Located } from "./draft.ts";
import { isClosedEntry } from "./entry-diff.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import { newDocumentTitle } from "./new-file.ts";
import { Refused, refuseWrite } from "./refused.ts";
import { currentById, ridOf, versionOf } from "./rows.ts";
import { slotFor } from "./slot-for.ts";
import { subjectEntries, subjectOfPath, type PlacedEntry } from "./subject-entries.ts";
import type { WriteScope } from "./writer.ts";
import { agentOf } from "./gate-agent.ts";

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

/** The day it was said; a month or a year stands for its first day. */
function saidOn(env: Env, own: string | undefined): string {
  return own === undefined ? env.scope.today : (firstDay(own) ?? own);
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
      head: env.draft.head,
      base: old.text,
      mine: null,
      theirs: null,
      target: id,
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
  if (seq === null)
    refuseWrite("conflict", "The commit that you had read is not in the history of this memory (any more). Read it again.", {
      head: draft.head,
      base: null,
      mine,
      theirs: null,
    });
  const rid = ridOf(ctx.sql, id);
  const old = rid === null ? null : versionOf(ctx.sql, rid, seq);
  const now = currentById(ctx.sql, id);
  if (!old || !now || old.first === now.first) return;
  const state = (meta: string) => JSON.stringify((JSON.parse(meta) as Meta).filter(([key]) => CLOSING.includes(key)));
  const clash = (about !== "state" && old.text !== now.text) || (about !== "text" && state(old.meta) !== state(now.meta));
  if (!clash) return;
  refuseWrite(
    "conflict",
    `“${old.text}” was changed meanwhile; it now says “${now.text}”. Nothing was saved. Decide which text shall stand and send it with the new head.`,
    {
      head: draft.head,
      base: old.text,
      mine,
      theirs: now.text,
      target: id,
    },
  );
}

/** Where a new fact goes. A name without an ending is a Markdown file; another spelling of a file that stands is that file. */
function pathFor(env: Env, path: string | undefined): string {
  if (path === undefined) return MEMORY_FILE;
  const clean = path
    .trim()
    .normalize("NFC")
    .replace(/^\.?\/+/, "");
  const named = /\.[a-z0-9]{1,8}$/i.test(clean) ? clean : `${clean}.md`;
  if (!named.toLowerCase().endsWith(".md"))
    refuseWrite("bad-path", `“${named.slice(0, 200)}” holds no entries. Use a Markdown file (.md).`, { path: named });
  if (isForgottenName(named))
    refuseWrite("read-only", `${named} lists what was forgotten. Only forgetting and lifting change it.`, { path: named });
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

/** What an edit says about a fact, in the words of the clocks. */
function factOf(env: Env, subject: string, text: string, edit: FactFields): NewFact {
  return {
    text,
    slot: edit.slot === undefined ? null : slotFor(env.ctx, env.draft, subject, edit.slot),
    scope: edit.scope ?? null,
    since: edit.since ?? null,
    until: edit.until ?? null,
    on: edit.on ?? null,
    expires: edit.expires ?? null,
    ...(edit.depends?.length ? { depends: dependsField(edit.depends) } : {}),
  };
}

function planContext(env: Env, day: string | undefined, sources: readonly string[], newId: string): PlanContext {
  return { saidOn: saidOn(env, day), today: env.scope.today, newId, source: sources[0] ?? null };
}

function passPlan<P extends Plan>(plan: P): Exclude<P, { kind: "refused" }> {
  if (plan.kind === "refused") throw new Refused(plan.refusal);
  return plan as Exclude<P, { kind: "refused" }>;
}

/** Adds the sources that an entry does not cite yet. */
function appendSources(env: Env, id: string, sources: readonly string[]): void {
  const found = env.draft.locate(id);
  if (!found) return;
  const known = metaValues(found.entry.meta, "source");
  const fresh = sources.filter((source) => !known.includes(source));
  if (fresh.length === 0) return;
  env.draft.put(
    found.path,
    replaceEntry(found.document, found.entry.line, { meta: setMetaFields(found.entry.meta, { source: [...known, ...fresh] }) }),
  );
}

function dropSources(env: Env, id: string): void {
  const found = env.draft.locate(id);
  if (!found) return;
  const meta = found.entry.meta.filter(([key]) => key !== "source");
  if (meta.length < found.entry.meta.length) env.draft.put(found.path, replaceEntry(found.document, found.entry.line, { meta }));
}

/** The section to name for an insertion beside an entry: under the title of a file is its top. */
function sectionOf({ document, entry }: Pick<Located, "document" | "entry">): string | null {
  const first = document.headings[0];
  return first && first.level === 1 && entry.heading === first.line ? null : entry.section;
}

interface Settled {
  env: Env;
  plan: Exclude<Plan, { kind: "refused" }>;
  entries: PlacedEntry[];
  path: string;
  section: string | null;
  sources: readonly string[];
  id: string;
  /** Keys that the new entry takes over from the one it stands in for. */
  keep?: Record<string, string>;
}

/** Carries a plan out and writes its new entry. Gives back the id under which the fact stands, and the one it replaced. */
function settle({ env, plan, entries, path, section, sources, id, keep = {} }: Settled): {
  id: string;
  replaced: string | null;
  fresh: boolean;
} {
  const known = plan.kind === "new" ? undefined : entries.find(({ name }) => name === plan.name);
  const byHand = known !== undefined && metaValues(known.meta, "source").length === 0;
  const ids = carryOut(env.draft, plan.patches, entries, env.scope.newId);
  const idFor = (name: string) => ids.get(name) ?? entries.find((entry) => entry.name === name)?.id ?? name;
  if (plan.kind !== "new") {
    const stands = idFor(plan.name);
    // A line of the user's own hand would become an agent's by the one source that it gets.
    if (byHand && agentOf(env.scope.change.actor) !== null) dropSources(env, stands);
    else appendSources(env, stands, sources);
    return { id: stands, replaced: null, fresh: false };
  }
  const { text, toHistory } = plan.entry;
  let meta: Meta = plan.entry.meta;
  if (sources.length > 1) meta = setMetaFields(meta, { source: sources });
  meta = setMetaFields(meta, keep);
  env.draft.put(path, insertEntry(documentFor(env, path), { text, meta }, { section }).document);
  if (toHistory) settlePlace(env.draft, id, "history");
  return { id, replaced: plan.replaces === null ? null : idFor(plan.replaces), fresh: true };
}

function sectionNamed(section: string | undefined): string | null {
  const name = section
    ?.replace(/\s+/g, " ")
    .replace(/^#+\s*/, "")
    .trim();
  if (name === HISTORY) refuseWrite("bad-format", "History holds what has ended; a fact goes there by being closed.");
  return name ? name : null;
}

function add(env: Env, edit: Op<"add">): void {
  const text = cleanText(edit.text);
  const path = pathFor(env, edit.path);
  const section = sectionNamed(edit.section);
  const sources = sourcesOf(env, edit.sources);
  const subject = subjectOfPath(env.draft, path);
  const fact = factOf(env, subject, text, edit);
  const entries = subjectEntries(env.ctx, env.draft, { subject, slot: fact.slot ?? null, text });
  const id = env.scope.newId();
  const plan = passPlan(planSave(entries, fact, planContext(env, edit.saidOn, sources, id)));
  const done = settle({ env, plan, entries, path, section, sources, id });
  env.marks.push({ verb: done.fresh ? "added" : "same", id: done.id, ...(done.replaced ? { replaced: done.replaced } : {}) });
}

function revise(env: Env, edit: Op<"revise">): void {
  const text = edit.text === undefined ? null : cleanText(edit.text);
  const found = find(env, edit.id);
  checkBase(env, edit.id, text, "both");
  if (text !== null && edit.why === "changed" && isSpelling(found, text, edit))
    return respell(env, found, edit.id, text, sourcesOf(env, edit.sources));
  const sources = sourcesOf(env, edit.sources);
  const subject = subjectOfPath(env.draft, found.path);
  let slot = metaValue(found.entry.meta, "slot") ?? null;
  if (slot === null && edit.slot !== undefined) {
    slot = slotFor(env.ctx, env.draft, subject, edit.slot);
    if (slot !== null)
      env.draft.put(
        found.path,
        replaceEntry(found.document, found.entry.line, { meta: setMetaFields(found.entry.meta, { slot }) }),
      );
  }
  const entries = subjectEntries(env.ctx, env.draft, { subject, slot, text, lineage: edit.id });
  const id = env.scope.newId();
  const { slot: _slot, scope: _scope, ...fact } = factOf(env, subject, text ?? "", { ...edit, slot: undefined });
  const grounds = fact.depends ?? metaValues(found.entry.meta, "depends");
  const revision = { ...fact, text, why: edit.why, ...(grounds.length > 0 ? { depends: grounds } : {}) };
  const plan = passPlan(planRevise(entries, edit.id, revision, planContext(env, edit.saidOn, sources, id)));
  const keep: Record<string, string> = {};
  if (metaValue(found.entry.meta, "pin") === "yes") keep.pin = "yes";
  // Who rewords a line that waits for a check has looked at it.
  if (grounds.length > 0) keep.checked = env.scope.today;
  const done = settle({
    env,
    plan,
    entries,
    path: found.path,
    section: found.entry.section === HISTORY ? null : sectionOf(found),
    sources,
    id,
    keep,
  });
  if (done.fresh) env.marks.push({ verb: "changed", id: done.id, before: found.entry.text, replaced: edit.id });
  else env.marks.push({ verb: plan.kind === "same" ? "same" : "closed", id: done.id });
}

/** The same words in another spelling, and nothing else: no new fact. */
function isSpelling(found: Located, text: string, edit: FactFields): boolean {
  return (
    normalText(text) === normalText(found.entry.text) &&
    !isClosedEntry(found.entry) &&
    !edit.since &&
    !edit.until &&
    !edit.on &&
    !edit.expires
  );
}

function respell(env: Env, found: Located, id: string, text: string, sources: readonly string[]): void {
  if (text !== found.entry.text) env.draft.put(found.path, replaceEntry(found.document, found.entry.line, { text }));
  appendSources(env, id, sources);
  env.marks.push(text === found.entry.text ? { verb: "same", id } : { verb: "changed", id, before: found.entry.text });
}

function close(env: Env, edit: Op<"close">): void {
  const found = find(env, edit.id);
  if (isClosedEntry(found.entry) && metaValue(found.entry.meta, "why") === edit.why && !edit.until) {
    env.marks.push({ verb: "same", id: edit.id });
    return;
  }
  revise(env, {
    op: "revise",
    id: edit.id,
    why: edit.why,
    ...(edit.until ? { until: edit.until } : {}),
    ...(edit.saidOn ? { saidOn: edit.saidOn } : {}),
  });
}

function reopen(env: Env, edit: Op<"reopen">): void {
  const found = find(env, edit.id);
  checkBase(env, edit.id, null, "state");
  const subject = subjectOfPath(env.draft, found.path);
  const entries = subjectEntries(env.ctx, env.draft, {
    subject,
    slot: metaValue(found.entry.meta, "slot") ?? null,
    lineage: edit.id,
  });
  const plan = passPlan(planReopen(entries, edit.id, env.scope.today));
  carryOut(env.draft, plan.patches, entries, env.scope.newId);
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
  if (all.length > 0)
    env.draft.put(
      target.path,
      replaceEntry(target.document, target.entry.line, { meta: setMetaFields(target.entry.meta, { source: all }) }),
    );
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
  if (edit.text !== undefined)
    env.draft.put(target.path, replaceEntry(target.document, target.entry.line, { text: cleanText(edit.text) }));
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
