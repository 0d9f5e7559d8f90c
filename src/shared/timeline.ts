// Owns what a save, a revision, a close or a reopening does to the entries of one subject (format, Two clocks). It plans; whoever writes applies the plan, over as many files as it takes.
import {
  type Refused,
  addDays,
  checkDates,
  compareDates,
  dateOf,
  firstDay,
  intervalOf,
  isDay,
  refused,
  stateOf,
} from "./clock.ts";
import { type Meta, metaValue, metaValues, setMetaFields } from "./entry.ts";
import { normalText } from "./normal.ts";

/** An entry of the subject, wherever it stands. `name` is its id, or else its normalised text; it must be different for each. */
export interface TimelineEntry {
  name: string;
  text: string;
  meta: Meta;
  path?: string;
}

/** What is to be saved. Dates are partial dates. */
export interface NewFact {
  text: string;
  slot?: string | null;
  scope?: string | null;
  since?: string | null;
  until?: string | null;
  on?: string | null;
  expires?: string | null;
  depends?: readonly string[];
}

/** `saidOn`: the day it was said in the user's zone; `today`: the day of the write there. */
export interface PlanContext {
  saidOn: string;
  today: string;
  newId: string;
  source?: string | null;
}

/** Keys of one entry to set (null: to take away), and where it moves: into History, or back to just above it. */
export interface Patch {
  name: string;
  path?: string;
  set: Record<string, string | null | readonly string[]>;
  move: "history" | "open" | null;
}

/** An entry to write. */
export interface NewEntry {
  text: string;
  meta: Meta;
  toHistory: boolean;
}

export type Plan =
  /** It is known already; only patches (a new source, a better date). */
  | { kind: "same"; name: string; patches: Patch[] }
  /** A new entry. `replaces` is the name of the entry that it supersedes. */
  | { kind: "new"; entry: NewEntry; replaces: string | null; patches: Patch[] }
  /** Only existing entries change. */
  | { kind: "changed"; name: string; patches: Patch[] }
  | Refused;

// "" lies before every day, "~" behind.
const EVER = "";
const OPEN = "~";

interface Slice {
  entry: TimelineEntry;
  start: string;
  end: string;
}

const slotOf = (meta: Meta): string => (metaValue(meta, "slot") ?? "").trim().toLowerCase();
const scopeOf = (meta: Meta): string => (metaValue(meta, "scope") ?? "").trim().toLowerCase();
const idOf = (entry: TimelineEntry): string | null => metaValue(entry.meta, "id") ?? null;
const isLive = (meta: Meta): boolean => metaValue(meta, "removed") === undefined && metaValue(meta, "why") !== "wrong";

function sliceOf(entry: TimelineEntry): Slice {
  const { start, end } = intervalOf(entry.meta) ?? { start: null, end: null };
  return { entry, start: start ?? EVER, end: end ?? OPEN };
}

// A working copy of the entries: patches change it at once, so that each rule sees what the ones before it did.
class Draft {
  private readonly entries: TimelineEntry[];
  private readonly patched = new Map<string, Patch>();

  constructor(
    entries: readonly TimelineEntry[],
    readonly today: string,
  ) {
    this.entries = [...entries];
  }

  get(name: string): TimelineEntry | undefined {
    return this.entries.find((entry) => entry.name === name);
  }

  all(): readonly TimelineEntry[] {
    return this.entries;
  }

  // The values of a slot that were ever true, by their start; of one start in their order.
  slices(slot: string, scope: string): Slice[] {
    return this.entries
      .filter(({ meta }) => isLive(meta) && slotOf(meta) === slot && scopeOf(meta) === scope)
      .map(sliceOf)
      .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.end < b.end ? -1 : a.end > b.end ? 1 : 0));
  }

  patch(name: string, set: Patch["set"], move: Patch["move"] = null): void {
    const at = this.entries.findIndex((entry) => entry.name === name);
    const entry = this.entries[at]!;
    this.entries[at] = { ...entry, meta: setMetaFields(entry.meta, set) };
    const known = this.patched.get(name);
    this.patched.set(name, {
      name,
      ...(entry.path === undefined ? {} : { path: entry.path }),
      set: { ...known?.set, ...set },
      move: move ?? known?.move ?? null,
    });
  }

  // Ends a value on a day: in History once that day has come.
  end(name: string, until: string): void {
    this.patch(name, { until, closed: this.today, why: "changed" }, firstDay(until)! <= this.today ? "history" : null);
  }

  wrong(name: string): void {
    this.patch(name, { closed: this.today, why: "wrong" }, "history");
  }

  addSource(name: string, source: string | null | undefined): void {
    const sources = metaValues(this.get(name)!.meta, "source");
    if (source && !sources.includes(source)) this.patch(name, { source: [...sources, source] });
  }

  get patches(): Patch[] {
    return [...this.patched.values()];
  }
}

function checkFact(fact: NewFact, { saidOn, today }: PlanContext): Refused | null {
  if (!isDay(saidOn) || !isDay(today))
    return refused("bad-format", "The day of a save is not a day of the calendar.", { saidOn, today });
  const pairs = (["since", "until", "on", "expires"] as const).flatMap((key): [string, string][] =>
    fact[key] ? [[key, fact[key]]] : [],
  );
  return checkDates(pairs);
}

const holdsOn = (slice: Slice, day: string): boolean => slice.start <= day && day < slice.end;

// The value is known: its source is added. A date that was missing, or an end that comes earlier, is taken over: intervals only get shorter.
function sameValue(draft: Draft, name: string, fact: NewFact, source: string | null | undefined, mayStart: boolean): Plan {
  draft.addSource(name, source);
  const { start, end, entry } = sliceOf(draft.get(name)!);
  if (mayStart && fact.since && start === EVER && dateOf(entry.meta, "since") === undefined && firstDay(fact.since)! < end) {
    draft.patch(name, { since: fact.since });
  }
  const until = fact.until ? firstDay(fact.until)! : null;
  if (until !== null && until < end && until >= sliceOf(draft.get(name)!).start) {
    if (until <= draft.today) draft.end(name, fact.until!);
    else draft.patch(name, { until: fact.until! });
  }
  return { kind: "same", name, patches: draft.patches };
}

// The same fact, open or ahead, wherever the subject's entries hold it: same text, scope and day.
function sameFact(draft: Draft, fact: NewFact): TimelineEntry | undefined {
  const name = normalText(fact.text);
  const scope = (fact.scope ?? "").trim().toLowerCase();
  return draft
    .all()
    .find(
      ({ text, meta }) =>
        ["open", "upcoming"].includes(stateOf(meta, draft.today)) &&
        scopeOf(meta) === scope &&
        compareDates(dateOf(meta, "on"), fact.on) === 0 &&
        normalText(text) === name,
    );
}

function asGiven(draft: Draft, fact: NewFact, context: PlanContext): Plan {
  const placed: Placed = { since: fact.since ?? null, until: fact.until ?? null, endFromNeighbour: false, replaces: null };
  return placedEntry(draft, fact, context, placed);
}

function planUnslotted(draft: Draft, fact: NewFact, context: PlanContext): Plan {
  const known = sameFact(draft, fact);
  return known ? sameValue(draft, known.name, fact, context.source, slotOf(known.meta) === "") : asGiven(draft, fact, context);
}

// Where a value that ended before it was spoken of goes, its start not being given: behind the one that ended before it, or first of all.
function placeEnded(draft: Draft, slot: string, scope: string, until: string): { since: string | null; until: string } {
  let bound = until;
  for (const slice of draft.slices(slot, scope).toReversed()) {
    const boundDay = firstDay(bound)!;
    if (slice.start >= boundDay) continue;
    if (slice.end < boundDay) return { since: dateOf(slice.entry.meta, "until") ?? slice.end, until: bound };
    if (slice.start === EVER) {
      // Two unknown starts: the one that goes on began when the other ended.
      if (slice.end === boundDay) draft.wrong(slice.entry.name);
      else draft.patch(slice.entry.name, { since: bound });
    } else {
      bound = dateOf(slice.entry.meta, "since")!;
    }
  }
  return { since: null, until: bound };
}

interface Placed {
  since: string | null;
  until: string | null;
  endFromNeighbour: boolean;
  replaces: string | null;
}

// Makes room on the timeline for a value from `since` (null: first of all) up to `until`.
function place(draft: Draft, slot: string, scope: string, since: string | null, until: string | null): Placed {
  const start = since === null ? EVER : firstDay(since)!;
  const slices = draft.slices(slot, scope);
  let replaces: string | null = null;
  for (const { entry, start: other, end } of slices) {
    if (other < start && end > start) {
      draft.end(entry.name, since!);
      replaces = entry.name;
    }
  }
  for (const { entry, start: other } of slices) {
    if (other !== start) continue;
    draft.wrong(entry.name);
    replaces = entry.name;
  }
  const next = slices.find((slice) => slice.start > start);
  const nextSince = next ? dateOf(next.entry.meta, "since")! : null;
  const cut = nextSince !== null && (until === null || firstDay(until)! > firstDay(nextSince)!);
  return { since, until: cut ? nextSince : until, endFromNeighbour: cut, replaces };
}

// Two open values can come by other hands (a push, an import). Each value ends where the next begins; of one start the last stands.
function tidy(draft: Draft, slot: string, scope: string): void {
  const undated = draft.slices(slot, scope).filter(({ start }) => start === EVER);
  undated.forEach(({ entry, end }, at) => {
    if (at === 0) return;
    // Sorted by their ends: this one goes on when the one before it has ended.
    const before = sliceOf(draft.get(undated[at - 1]!.entry.name)!);
    const added = dateOf(entry.meta, "added");
    if (before.end !== OPEN) draft.patch(entry.name, { since: dateOf(before.entry.meta, "until") ?? before.end });
    else if (added !== undefined && added > (dateOf(before.entry.meta, "added") ?? "") && added < end)
      draft.patch(entry.name, { since: added });
    else draft.wrong(before.entry.name);
  });
  const slices = draft.slices(slot, scope);
  slices.forEach(({ entry, start, end }, at) => {
    const next = slices[at + 1];
    if (!next || end <= next.start) return;
    if (start === next.start) draft.wrong(entry.name);
    else draft.end(entry.name, dateOf(next.entry.meta, "since")!);
  });
}

/** What has to change so that no two values of any slot overlap and at most one is open; nothing where all is well. */
export function planTidy(entries: readonly TimelineEntry[], today: string): Patch[] {
  const draft = new Draft(entries, today);
  const seen = new Set<string>();
  for (const { meta } of entries) {
    const [slot, scope] = [slotOf(meta), scopeOf(meta)];
    if (slot === "" || seen.has(`${slot} ${scope}`)) continue;
    seen.add(`${slot} ${scope}`);
    tidy(draft, slot, scope);
  }
  return draft.patches;
}

/** Plans a save among all entries of the subject (format, Slots). */
export function planSave(entries: readonly TimelineEntry[], fact: NewFact, context: PlanContext): Plan {
  const bad = checkFact(fact, context);
  if (bad) return bad;
  const draft = new Draft(entries, context.today);
  const slot = (fact.slot ?? "").trim().toLowerCase();
  const scope = (fact.scope ?? "").trim().toLowerCase();
  if (slot === "") return planUnslotted(draft, fact, context);
  tidy(draft, slot, scope);
  return saveInSlot(draft, { ...fact, slot, scope }, context);
}

function saveInSlot(draft: Draft, fact: NewFact & { slot: string; scope: string }, context: PlanContext): Plan {
  const { slot, scope } = fact;
  const { saidOn, today } = context;
  const name = normalText(fact.text);
  const slices = draft.slices(slot, scope);
  if (slices.length === 0) {
    const known = sameFact(draft, fact);
    if (!known || slotOf(known.meta) !== "") return asGiven(draft, fact, context);
    draft.patch(known.name, { slot });
    return sameValue(draft, known.name, fact, context.source, true);
  }

  const until = fact.until ?? null;
  const endedBefore = !fact.since && until !== null && firstDay(until)! <= saidOn;
  const day = fact.since ? firstDay(fact.since)! : endedBefore ? addDays(firstDay(until)!, -1) : saidOn;
  const same = slices.find((slice) => {
    const state = stateOf(slice.entry.meta, today);
    return (state === "open" || holdsOn(slice, day)) && normalText(slice.entry.text) === name;
  });
  if (same) return sameValue(draft, same.entry.name, fact, context.source, slices[0] === same);

  for (const { entry, start, end } of slices) {
    const added = dateOf(entry.meta, "added");
    if (start === EVER && end === OPEN && added !== undefined && saidOn < added) draft.patch(entry.name, { since: added });
  }
  const ended = endedBefore ? placeEnded(draft, slot, scope, until!) : null;
  const placed = ended
    ? place(draft, slot, scope, ended.since, ended.until)
    : place(draft, slot, scope, fact.since ?? saidOn, until);
  return placedEntry(draft, fact, context, placed);
}

// A value that is saved already ended, or whose end came from a neighbour, is stored closed (format, Slots).
function placedEntry(draft: Draft, fact: NewFact, context: PlanContext, placed: Placed, pin?: string): Plan {
  const { today } = context;
  const replaced = placed.replaces === null ? null : idOf(draft.get(placed.replaces)!);
  const until = firstDay(placed.until);
  const ended = placed.endFromNeighbour || (until !== null && until <= today);
  const set: Record<string, string | readonly string[] | null | undefined> = {
    id: context.newId,
    source: context.source ? [context.source] : null,
    added: context.saidOn,
    since: placed.since,
    until: placed.until,
    closed: ended ? today : null,
    why: ended ? "changed" : null,
    replaces: replaced,
    slot: fact.slot,
    scope: fact.scope,
    pin,
    depends: fact.depends,
    on: fact.on,
    expires: fact.expires,
  };
  const given = Object.entries(set).filter((pair): pair is [string, string | readonly string[]] => Boolean(pair[1]?.length));
  const meta = setMetaFields([], Object.fromEntries(given));
  const entry = { text: fact.text, meta, toHistory: stateOf(meta, today) === "closed" };
  return { kind: "new", entry, replaces: placed.replaces, patches: draft.patches };
}

/** What a revision says: a new text or none (then it ended), and why. */
export interface Revision extends Omit<NewFact, "text" | "slot" | "scope"> {
  text?: string | null;
  why: "changed" | "wrong";
}

/** Plans a revision of one entry among all entries of its subject. */
export function planRevise(entries: readonly TimelineEntry[], name: string, revision: Revision, context: PlanContext): Plan {
  const entry = entries.find((one) => one.name === name);
  if (!entry || metaValue(entry.meta, "removed") !== undefined) {
    return refused("not-found", "There is no such entry. Recall it again, its id may have changed.", { id: name });
  }
  const bad = checkFact({ ...revision, text: "" }, context);
  if (bad) return bad;
  if (metaValue(entry.meta, "why") === "wrong") {
    return refused("conflict", "That entry was never true, so there is nothing to revise. Save the fact anew.", { id: name });
  }
  const draft = new Draft(entries, context.today);
  const text = revision.text ?? null;
  if (text === null) return revision.why === "wrong" ? planNeverTrue(draft, entry) : planEnd(draft, entry, revision, context);
  const given = { ...revision, text, slot: metaValue(entry.meta, "slot") ?? null, scope: metaValue(entry.meta, "scope") ?? null };
  return revision.why === "wrong" ? planCorrection(draft, entry, given, context) : planChange(draft, entry, given, context);
}

// It was never true; what has not begun had replaced something too early.
function planNeverTrue(draft: Draft, entry: TimelineEntry): Plan {
  const { start } = sliceOf(entry);
  if (start > draft.today) return callOff(draft, entry);
  draft.wrong(entry.name);
  return { kind: "changed", name: entry.name, patches: draft.patches };
}

function callOff(draft: Draft, entry: TimelineEntry): Plan {
  const replaced = replacedBy(draft, entry);
  draft.wrong(entry.name);
  // Only the end that the announcement gave is undone.
  if (replaced && compareDates(dateOf(replaced.meta, "until"), dateOf(entry.meta, "since")) === 0) reopen(draft, replaced);
  return { kind: "changed", name: entry.name, patches: draft.patches };
}

// What an entry superseded, past corrections in between.
function replacedBy(draft: Draft, entry: TimelineEntry): TimelineEntry | null {
  const seen = new Set<string>();
  for (let at: TimelineEntry | undefined = entry; at && !seen.has(at.name);) {
    seen.add(at.name);
    const id = metaValue(at.meta, "replaces");
    const before: TimelineEntry | undefined = id === undefined ? undefined : draft.all().find((one) => idOf(one) === id);
    if (before && isLive(before.meta)) return before;
    at = before;
  }
  return null;
}

function planEnd(draft: Draft, entry: TimelineEntry, revision: Revision, { saidOn, today }: PlanContext): Plan {
  const until = revision.until ?? revision.since ?? saidOn;
  const day = firstDay(until)!;
  const { start, end } = sliceOf(entry);
  if (end <= today && metaValue(entry.meta, "closed") !== undefined) {
    return refused("conflict", "That entry is closed already. Reopen it first, or save what is true now.", { id: entry.name });
  }
  if (start > day) return callOff(draft, entry);
  // An end that was known and comes earlier stays: intervals are only shortened.
  draft.end(entry.name, end < day ? dateOf(entry.meta, "until")! : until);
  return { kind: "changed", name: entry.name, patches: draft.patches };
}

function planCorrection(
  draft: Draft,
  entry: TimelineEntry,
  fact: NewFact & { slot: string | null; scope: string | null },
  context: PlanContext,
): Plan {
  const { meta } = entry;
  const slot = slotOf(meta);
  const dates: NewFact = {
    ...fact,
    since: fact.since ?? dateOf(meta, "since") ?? null,
    until: fact.until ?? dateOf(meta, "until") ?? null,
    on: fact.on ?? metaValue(meta, "on") ?? null,
    expires: fact.expires ?? metaValue(meta, "expires") ?? null,
    depends: fact.depends ?? metaValues(meta, "depends"),
  };
  const bad = checkFact(dates, context);
  if (bad) return bad;
  draft.wrong(entry.name);
  const room = slot === "" ? null : place(draft, slot, scopeOf(meta), dates.since ?? null, dates.until ?? null);
  const placed: Placed = {
    since: room ? room.since : (dates.since ?? null),
    until: room ? room.until : (dates.until ?? null),
    endFromNeighbour: room?.endFromNeighbour ?? false,
    replaces: entry.name,
  };
  // An end that was announced stays announced.
  const announced =
    !fact.until && dates.until === placed.until && metaValue(meta, "closed") !== undefined && placed.until !== null;
  return placedEntry(
    draft,
    dates,
    context,
    { ...placed, endFromNeighbour: placed.endFromNeighbour || announced },
    metaValue(meta, "pin"),
  );
}

function planChange(
  draft: Draft,
  entry: TimelineEntry,
  fact: NewFact & { slot: string | null; scope: string | null },
  context: PlanContext,
): Plan {
  const { today, saidOn } = context;
  const slot = slotOf(entry.meta);
  if (normalText(fact.text) === normalText(entry.text) && stateOf(entry.meta, today) !== "closed") {
    return sameValue(draft, entry.name, fact, context.source, slot === "");
  }
  const since = fact.since ?? saidOn;
  const bad = checkFact({ ...fact, since }, context);
  if (bad) return bad;
  const { start } = sliceOf(entry);
  // A change on the day it began, or before, says that it never was so.
  const never = start !== EVER && firstDay(since)! <= start;
  if (never) draft.wrong(entry.name);
  if (slot !== "") {
    tidy(draft, slot, scopeOf(entry.meta));
    if (!never) return saveInSlot(draft, { ...fact, slot, scope: scopeOf(entry.meta) }, context);
    const placed = place(draft, slot, scopeOf(entry.meta), since, fact.until ?? null);
    return placedEntry(draft, fact, context, { ...placed, replaces: entry.name });
  }
  if (!never && sliceOf(entry).end > firstDay(since)!) draft.end(entry.name, since);
  const placed: Placed = { since, until: fact.until ?? null, endFromNeighbour: false, replaces: entry.name };
  return placedEntry(draft, fact, context, placed);
}

/** Plans that an entry is no longer true: it ends at `until`, or on the day it was said. */
export function planClose(
  entries: readonly TimelineEntry[],
  name: string,
  context: PlanContext,
  until: string | null = null,
): Plan {
  return planRevise(entries, name, { why: "changed", until }, context);
}

// The entry that stands in the place of a closed one; of several the one saved last. Corrections of it count as itself.
function replacementOf(draft: Draft, entry: TimelineEntry): TimelineEntry | null {
  const seen = new Set<string>([entry.name]);
  let wanted = [entry];
  while (wanted.length > 0) {
    const ids = new Set(wanted.map(idOf).filter((id) => id !== null));
    const next = draft.all().filter((one) => !seen.has(one.name) && ids.has(metaValue(one.meta, "replaces") ?? ""));
    const live = next.filter(({ meta }) => isLive(meta));
    if (live.length > 0) return live.toSorted((a, b) => compareDates(dateOf(a.meta, "added"), dateOf(b.meta, "added"))).at(-1)!;
    for (const one of next) seen.add(one.name);
    wanted = next;
  }
  return null;
}

function reopen(draft: Draft, entry: TimelineEntry): void {
  const { meta } = entry;
  const slot = slotOf(meta);
  const scope = scopeOf(meta);
  // The end of what was wrong is its own: wrong entries keep their dates.
  const ownEnd = metaValue(meta, "why") === "wrong" ? dateOf(meta, "until") : undefined;
  const replacement = replacementOf(draft, entry);
  if (replacement) draft.wrong(replacement.name);
  draft.patch(entry.name, { closed: null, why: null, ...(ownEnd === undefined ? { until: null } : {}) }, "open");
  if (slot !== "") {
    const { start, end } = sliceOf(draft.get(entry.name)!);
    for (const other of draft.slices(slot, scope)) {
      if (other.entry.name === entry.name) continue;
      // Two values with one start cannot both stand: the one that is reopened does.
      if (other.start === start) draft.wrong(other.entry.name);
      else if (other.start < start && other.end > start) draft.end(other.entry.name, dateOf(meta, "since")!);
    }
    const next = draft.slices(slot, scope).find((slice) => slice.start > start);
    if (next && next.start < end) draft.end(entry.name, dateOf(next.entry.meta, "since")!);
  }
  const now = draft.get(entry.name)!.meta;
  if (stateOf(now, draft.today) === "closed" && metaValue(now, "closed") === undefined)
    draft.end(entry.name, dateOf(now, "until")!);
}

/** Plans that the last close of an entry is undone (format, Reopen). */
export function planReopen(entries: readonly TimelineEntry[], name: string, today: string): Plan {
  const entry = entries.find((one) => one.name === name);
  if (!entry || metaValue(entry.meta, "removed") !== undefined) {
    return refused("not-found", "There is no such entry to reopen.", { id: name });
  }
  if (
    metaValue(entry.meta, "closed") === undefined &&
    metaValue(entry.meta, "why") === undefined &&
    stateOf(entry.meta, today) !== "closed"
  ) {
    return refused("conflict", "That entry is open, so there is nothing to reopen.", { id: name });
  }
  const draft = new Draft(entries, today);
  reopen(draft, entry);
  return { kind: "changed", name, patches: draft.patches };
}
