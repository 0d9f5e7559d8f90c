// The tools that change something: what each call must stand on before it is laid on the plan. A refusal says what to do instead.
import { normalText } from "../../shared/normal.ts";
import type { Edit } from "../../shared/protocol.ts";
import {
  coverage,
  dropped,
  inventedNames,
  inventedNumbers,
  saysItEnded,
  saysThatEnded,
  termsOf,
  touches,
  without,
} from "./grounds.ts";
import { linkOnly, subjectOf } from "./janitor.ts";
import { holdBack, judgeEdits, lay, readEvidence, type Evidence, type Plan } from "./plan.ts";
import { refusedBefore, remembered } from "./remembered.ts";
import type { ToolInput } from "./tools.ts";
import type { DreamDeps, DreamEntry, DreamRow, InboxText, Planned } from "./types.ts";

const MEMORY = "MEMORY.md";
/** Where facts that the user did not type go when the model names no file: never MEMORY.md. */
const UNSORTED = "about/unsorted.md";
/** Share of a line's words that typed words must hold for it to stand in MEMORY.md. */
const TYPED_SHARE = 0.5;
/** Share of a joined line's words that its parts must hold, and of each part's words that the joined line must hold. */
const JOINED_SHARE = 0.7;
const KEPT_SHARE = 0.5;

const no = (text: string): Plan => ({ ok: false, text });

/** The words of a message that the user typed. */
export function typedPart(text: InboxText): string {
  return text.role === "user" ? without(text.text, text.untyped) : "";
}

const isMemory = (path: string | undefined): boolean => path !== undefined && path.trim().toLowerCase() === MEMORY.toLowerCase();

/** Whether a text may stand in MEMORY.md: it is loaded into every conversation, so only words that the user typed may be there. */
function typedEnough(text: string, evidence: Evidence, prior: readonly string[] = []): boolean {
  return evidence.typed.some((words) => words.trim() !== "")
    ? coverage(text, [...evidence.typed, ...prior]) >= TYPED_SHARE && touches(text, evidence.typed)
    : false;
}

/** Why a text does not stand on what it cites; null where it does. Names may also come from what the dream was shown: "she" has one. */
function ungrounded(row: DreamRow, text: string, grounds: readonly string[], evidence: Evidence): string | null {
  if (!touches(text, evidence.said))
    return "Nothing in the cited messages says so. Cite the messages that it rests on, in the user's own words and language.";
  const numbers = inventedNumbers(text, grounds);
  if (numbers.length > 0) return `The cited messages do not hold ${numbers.join(", ")}. Keep numbers as the user wrote them.`;
  const shown = row.prompt?.find(({ role }) => role === "user")?.content ?? "";
  const names = inventedNames(text, [...grounds, shown]);
  if (names.length > 0) return `The cited messages do not hold ${names.join(", ")}. Keep names as the user wrote them.`;
  return null;
}

/** Whether a new text says something that the old one does not, and that stands in what was said. */
function newsIn(text: string, old: string, said: readonly string[]): boolean {
  const known = termsOf(old);
  const there = new Set(said.flatMap((words) => [...termsOf(words)]));
  return [...termsOf(text)].some((term) => !known.has(term) && there.has(term));
}

/** Finds a line by its id, or says why it may not be touched. */
function lineOf(deps: DreamDeps, row: DreamRow, id: string, about: { reason: string; evidence: string[] }): DreamEntry | string {
  const entry = deps.memory.entry(id);
  if (entry === null) return `There is no line ${id}. Use the ids as they stand before the lines.`;
  if (entry.state === "removed") return `There is no line ${id}.`;
  if (entry.state === "closed") return `The line ${id} is closed already.`;
  if (entry.pin) {
    const message = "The line is pinned. Only the user may change it.";
    holdBack(row, { code: "pinned", message, reason: about.reason, evidence: about.evidence, path: entry.path, id, text: null });
    return message;
  }
  return entry;
}

/** Lays an edit unless the user has turned it down before. */
function layFresh(
  deps: DreamDeps,
  row: DreamRow,
  edit: Edit,
  about: { reason: string; evidence: string[]; path: string; newest: number | null; needsYes?: string | null; trusted?: boolean },
): Plan {
  const before = refusedBefore(remembered(deps.store, deps.now()), edit, about.newest);
  if (before !== null) {
    holdBack(row, {
      code: "rejected",
      message: before,
      reason: about.reason,
      evidence: about.evidence,
      path: about.path,
      id: null,
      text: null,
    });
    return no(before);
  }
  return lay(deps, row, edit, {
    by: "model",
    reason: about.reason,
    evidence: about.evidence,
    path: about.path,
    needsYes: about.needsYes ?? null,
    trusted: about.trusted ?? false,
  });
}

function sameFact(deps: DreamDeps, row: DreamRow, text: string, path: string | undefined, on: string | undefined): string | null {
  const name = normalText(text);
  const subject = subjectOf(path ?? MEMORY);
  const there = deps.memory
    .search(text, 5)
    .find((entry) => normalText(entry.text) === name && subjectOf(entry.path) === subject && (entry.on ?? undefined) === on);
  if (there) return `The memory says this already (${there.id ?? there.path}).`;
  const planned = row.planned.find(
    ({ edit }) =>
      edit.op === "add" && normalText(edit.text) === name && subjectOf(edit.path ?? MEMORY) === subject && edit.on === on,
  );
  return planned ? `You have added this already (${planned.handle}).` : null;
}

/** Whether two texts say the same in the same sense: the same content words, and both or neither a negation. */
function samePurport(one: string, other: string): boolean {
  return (
    normalText(one) === normalText(other) ||
    (coverage(one, [other]) === 1 && coverage(other, [one]) === 1 && saysItEnded(one) === saysItEnded(other))
  );
}

/** An old message is no news of what was closed after it: who says that it ended would find it back in the morning. */
function endedSince(
  deps: DreamDeps,
  text: string,
  path: string | undefined,
  on: string | undefined,
  evidence: Evidence,
): string | null {
  const subject = subjectOf(path ?? MEMORY);
  const ended = [...evidence.refs.flatMap((ref) => deps.memory.endedFrom(ref)), ...deps.memory.endedLike(text)].find(
    (entry) =>
      samePurport(entry.text, text) &&
      subjectOf(entry.path) === subject &&
      (entry.on ?? undefined) === on &&
      // On the day itself the order of the two is known only where the closed line stands on the same message.
      (evidence.refs.every((ref) => entry.sources.includes(ref)) ||
        (evidence.day !== null && entry.closed !== null && evidence.day < entry.closed)),
  );
  if (!ended) return null;
  const how = ended.why === "wrong" ? "as never true" : "as over";
  return `This stood in the memory (${ended.id ?? ended.path}) and was closed ${how} after it was said. Leave it closed.`;
}

/**
 * What somebody says without a name is about themselves: in another's file it must not say what they asked to forget. The refusal of the gate, or null.
 */
function ownWords(
  deps: DreamDeps,
  row: DreamRow,
  edit: Edit & { op: "add" },
  path: string | undefined,
  evidence: Evidence,
): string | null {
  if (path === undefined || subjectOf(path) === "" || evidence.said.some((words) => namesSubject(deps, path, words))) return null;
  const { slot: _slot, ...rest } = edit;
  const { outcome } = judgeEdits(deps, row, [{ ...rest, path: UNSORTED }]);
  return !outcome.ok && outcome.code === "forgotten" ? outcome.message : null;
}

/** `add`: a fact that the inbox holds and the memory does not. */
export function planAdd(deps: DreamDeps, row: DreamRow, input: ToolInput<"add">): Plan {
  const { reason, sources, text, path: asked, ...fields } = input;
  const evidence = readEvidence(deps, sources, typedPart);
  if (typeof evidence === "string") return no(evidence);
  if (evidence.refs.length === 0) return no("Cite in sources the messages that say so.");
  if (linkOnly(text) !== null) return no("A line that is nothing but a link is no fact. The index is kept by itself.");
  const wrong = ungrounded(row, text, evidence.said, evidence);
  if (wrong !== null) return no(wrong);
  const typed = typedEnough(text, evidence);
  if (isMemory(asked) && !typed)
    return no("MEMORY.md holds only what the user typed. Choose a topic file, like people/ana.md or health.md.");
  const path = asked ?? (typed ? undefined : UNSORTED);
  const same = sameFact(deps, row, text, path, fields.on);
  if (same !== null) return { ok: true, text: same, planned: null };
  const over = endedSince(deps, text, path, fields.on, evidence);
  if (over !== null) return no(over);
  const edit: Edit = {
    op: "add",
    ...(path === undefined ? {} : { path }),
    ...fields,
    text,
    sources: evidence.refs,
    ...(evidence.day ? { saidOn: evidence.day } : {}),
  };
  const own = ownWords(deps, row, edit, path, evidence);
  if (own !== null) {
    holdBack(row, { code: "forgotten", message: own, reason, evidence: evidence.refs, path: path!, id: null, text: null });
    return no(`Not done (forgotten): ${own}`);
  }
  return layFresh(deps, row, edit, {
    reason,
    evidence: evidence.refs,
    path: path ?? MEMORY,
    newest: evidence.newest,
    trusted: typed,
  });
}

/** A line that this dream added may still be worded anew, moved or dropped. */
function replan(
  deps: DreamDeps,
  row: DreamRow,
  handle: string,
  make: (edit: Edit & { op: "add" }) => ToolInput<"add"> | null,
): Plan {
  const at = row.planned.findIndex((planned) => planned.handle === handle);
  const planned = row.planned[at];
  if (!planned || planned.edit.op !== "add") return no(`There is no ${handle} in this dream.`);
  const next = make(planned.edit);
  row.planned.splice(at, 1);
  if (next === null) return { ok: true, text: "Taken back.", planned: null };
  const result = planAdd(deps, row, next);
  if (!result.ok || result.planned === null) {
    row.planned.splice(at, 0, planned);
    return result;
  }
  result.planned.handle = handle;
  return { ...result, text: "Done." };
}

function asInput(edit: Edit & { op: "add" }, planned: Planned | undefined): ToolInput<"add"> {
  const { op: _op, saidOn: _saidOn, sources, depends: _depends, ...fields } = edit;
  return { ...fields, sources: sources ?? [], reason: planned?.reason ?? "" };
}

const isNew = (id: string): boolean => /^new\d+$/.test(id);

/** `revise`: what is true now takes the place of a line. */
export function planRevise(deps: DreamDeps, row: DreamRow, input: ToolInput<"revise">): Plan {
  const { id, text, why, sources, reason, ...fields } = input;
  if (isNew(id)) {
    const planned = row.planned.find(({ handle }) => handle === id);
    return replan(deps, row, id, (edit) => ({
      ...asInput(edit, planned),
      ...fields,
      text,
      sources: [...new Set([...(edit.sources ?? []), ...sources])],
    }));
  }
  const evidence = readEvidence(deps, sources, typedPart);
  if (typeof evidence === "string") return no(evidence);
  if (evidence.refs.length === 0) return no("Cite in sources the messages that say so.");
  const entry = lineOf(deps, row, id, { reason, evidence: evidence.refs });
  if (typeof entry === "string") return no(entry);
  const wrong = ungrounded(row, text, [...evidence.said, entry.text], evidence);
  if (wrong !== null) return no(wrong);
  if (
    entry.added !== null &&
    evidence.day !== null &&
    evidence.day < entry.added &&
    !evidence.refs.some((ref) => entry.sources.includes(ref))
  ) {
    return no(
      `That was said on ${evidence.day}, before the line was (${entry.added}). The most recent statement wins: add the older state with its dates if it matters.`,
    );
  }
  if (isMemory(entry.path) && !typedEnough(text, evidence, entry.typed ? [entry.text] : [])) {
    return no("MEMORY.md holds only what the user typed. Add the fact to a topic file instead.");
  }
  const news = newsIn(text, entry.text, evidence.said);
  if (!news && dropped([entry.text], [text]).length > 0)
    return no("The new line only says less than the old one. Leave it, or say what is true now.");
  const related =
    touches(entry.text, [text, ...evidence.said]) || (entry.slot !== null && (fields.slot ?? entry.slot) === entry.slot);
  const trusted = news && evidence.typed.some((words) => newsIn(text, entry.text, [words]));
  const needsYes = entry.typed && !(related && trusted) ? "the user typed the line, and no typed message replaces it." : null;
  const edit: Edit = {
    op: "revise",
    id,
    text,
    why,
    ...fields,
    sources: evidence.refs,
    ...(evidence.day ? { saidOn: evidence.day } : {}),
  };
  return layFresh(deps, row, edit, {
    reason,
    evidence: evidence.refs,
    path: entry.path,
    newest: evidence.newest,
    needsYes,
    trusted,
  });
}

/** `merge`: several lines that say the same become one. */
export function planMerge(deps: DreamDeps, row: DreamRow, input: ToolInput<"merge">): Plan {
  const { reason } = input;
  const ids = [...new Set(input.ids)];
  if (ids.length < 2) return no("A merge needs two different lines.");
  if (ids.some(isNew)) return no("A line that this dream added cannot be merged: revise it, or take it back with retire.");
  const entries: DreamEntry[] = [];
  for (const id of ids) {
    const entry = lineOf(deps, row, id, { reason, evidence: [] });
    if (typeof entry === "string") return no(entry);
    entries.push(entry);
  }
  const first = entries[0]!;
  if (entries.some((entry) => subjectOf(entry.path) !== subjectOf(first.path)))
    return no("These lines are about different subjects. They stay apart.");
  for (const key of ["slot", "scope", "on", "since", "until"] as const) {
    const values = new Set(entries.map((entry) => entry[key]).filter((value) => value !== null));
    if (values.size > 1 || (key === "scope" && entries.some((entry) => entry.scope !== first.scope)))
      return no(`The lines differ in ${key}: they are not the same fact.`);
  }
  const text = input.text ?? first.text;
  const texts = entries.map((entry) => entry.text);
  if (new Set(texts.map(saysItEnded)).size > 1)
    return no("One of the lines says that it is not so. Revise or retire that one instead.");
  const lost = dropped(texts, [text]);
  if (lost.length > 0) return no(`The joined line loses ${[...new Set(lost)].join(", ")}. Keep every name and number.`);
  if (coverage(text, texts) < JOINED_SHARE || inventedNumbers(text, texts).length > 0 || inventedNames(text, texts).length > 0)
    return no("The joined line says what none of the lines says.");
  if (entries.some((entry) => coverage(entry.text, [text]) < KEPT_SHARE))
    return no("The joined line leaves out what one of the lines says.");
  if (isMemory(first.path) && entries.some((entry) => !isMemory(entry.path) && !entry.typed))
    return no("MEMORY.md holds only what the user typed. Keep the other line first.");
  const edit: Edit = { op: "merge", ids, ...(input.text === undefined ? {} : { text }) };
  return layFresh(deps, row, edit, {
    reason,
    evidence: [...new Set(entries.flatMap((entry) => entry.sources))],
    path: first.path,
    newest: null,
  });
}

/** The words by which a text names the subject of a file. */
function namesSubject(deps: DreamDeps, path: string, text: string): boolean {
  if (subjectOf(path) === "") return true;
  const base = path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, "");
  return touches(text, [base.replace(/[-_]+/g, " "), deps.memory.file(path)?.title ?? ""]);
}

/** `move`: a line goes to the file or section where it belongs, and stays about the same subject. */
export function planMove(deps: DreamDeps, row: DreamRow, input: ToolInput<"move">): Plan {
  const { id, path, section, reason } = input;
  if (isNew(id)) {
    const planned = row.planned.find(({ handle }) => handle === id);
    return replan(deps, row, id, (edit) => ({ ...asInput(edit, planned), path, ...(section === undefined ? {} : { section }) }));
  }
  const entry = lineOf(deps, row, id, { reason, evidence: [] });
  if (typeof entry === "string") return no(entry);
  if (isMemory(path) && !isMemory(entry.path) && !entry.typed) return no("MEMORY.md holds only what the user typed.");
  const [from, to] = [subjectOf(entry.path), subjectOf(path)];
  if (from !== to && !(namesSubject(deps, path, entry.text) && namesSubject(deps, entry.path, entry.text))) {
    return no(
      "Moved there, the line would be about somebody else, for its text does not name its subject. Leave it, or revise it with its source.",
    );
  }
  const edit: Edit = { op: "move", id, path, ...(section === undefined ? {} : { section }) };
  return layFresh(deps, row, edit, { reason, evidence: entry.sources, path, newest: null });
}

/** Whether evidence speaks against a line: typed by the user, not older than the line, about the same thing, and it says that something ended. */
function contradicts(entry: DreamEntry, evidence: Evidence): boolean {
  const base = entry.path.slice(entry.path.lastIndexOf("/") + 1).replace(/\.md$/, "");
  return evidence.texts.some((text) => {
    const words = typedPart(text);
    return (
      !entry.sources.includes(text.ref) &&
      (entry.added === null || evidence.day === null || evidence.day >= entry.added) &&
      saysThatEnded(words, subjectOf(entry.path) === "" ? [entry.text] : [entry.text, base])
    );
  });
}

/** Whether nothing speaks against a line but that nobody used it. A plan whose day has passed is over by itself. */
function closedForDisuse(row: DreamRow, entry: DreamEntry, evidence: Evidence): boolean {
  return (
    entry.id !== null &&
    row.unused?.includes(entry.id) === true &&
    entry.state !== "past" &&
    !(evidence.said.length > 0 && touches(entry.text, evidence.said))
  );
}

/** `retire`: closes a line that is no longer true. */
export function planRetire(deps: DreamDeps, row: DreamRow, input: ToolInput<"retire">): Plan {
  const { id, why, until, sources, reason } = input;
  if (isNew(id)) return replan(deps, row, id, () => null);
  const evidence = readEvidence(deps, sources, typedPart);
  if (typeof evidence === "string") return no(evidence);
  const entry = lineOf(deps, row, id, { reason, evidence: evidence.refs });
  if (typeof entry === "string") return no(entry);
  const needsYes =
    entry.typed && !contradicts(entry, evidence)
      ? "the user typed the line, and no typed message contradicts it."
      : closedForDisuse(row, entry, evidence)
        ? "nobody used the line for long, and that alone is no reason."
        : null;
  const edit: Edit = {
    op: "close",
    id,
    why,
    ...(until === undefined ? {} : { until }),
    ...(evidence.day ? { saidOn: evidence.day } : {}),
  };
  return layFresh(deps, row, edit, { reason, evidence: evidence.refs, path: entry.path, newest: evidence.newest, needsYes });
}
