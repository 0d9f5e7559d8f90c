// Runs the tool calls of a turn: checks their input, judges whether a write stands on typed words, writes or makes a card, and puts the outcome in words.
import * as z from "zod";
import type { Action, Change, EntryView, FactFields, Outcome } from "../../shared/protocol.ts";
import { stripInvisible } from "../../shared/invisible.ts";
import { fenceLine } from "./fence.ts";
import type { ForgetAnswer, ToolMemory } from "./ports.ts";
import { entryLine, sayForgotten, sayOutcome, sayRecalled } from "./say.ts";
import { addAround, factStands, forgetStands, reviseStands, type Standing } from "./standing.ts";
import { Forget, isTool, Read, ReadSource, Recall, Remember, Revise, writes, type ToolName } from "./tool-table.ts";

/** The turn that the tools run in. */
export interface ToolTurn {
  thread: string;
  message: string;
  /** Milliseconds: the clock of the whole turn. */
  at: number;
  zone: string;
  scope: string | null;
  reach: "all" | "reading" | "none";
  standing: Standing;
  model: () => string;
  /** Head as the prompt showed it; moves on with each write of this turn. */
  head: string | null;
  /** After a conflict: the head that the refusal named. */
  read?: string;
  cardId(): string;
}

/** What a call did: the action that people see, and the words for the model. */
export interface ToolRun {
  action: Action;
  text: string;
}

type Failure = Extract<Outcome, { ok: false }>;

const refused = (code: Failure["code"], message: string): Failure => ({ ok: false, code, message });

/** Runs one tool call. Never throws for what a model may do wrong; what the memory throws goes through. */
/** The words that a landed write brought itself: "Has a child called Lea" makes those of "Has a child called Max" no foreign ones. */
function ownText({ action }: ToolRun): string {
  const { text } = action.input as { text?: unknown };
  return isTool(action.tool) && writes(action.tool) && action.outcome.ok && typeof text === "string" ? text : "";
}

export async function runTool(memory: ToolMemory, turn: ToolTurn, call: { name: string; arguments: string }): Promise<ToolRun> {
  let input: unknown;
  try {
    input = JSON.parse(stripInvisible(call.arguments));
  } catch {
    return failed(
      call.name,
      call.arguments.slice(0, 200),
      refused("bad-format", "The input of the tool was not valid JSON. Call it again with an object."),
    );
  }
  if (!isTool(call.name))
    return failed(
      call.name,
      input,
      refused("not-found", "There is no such tool. Use recall, read, read_source, remember, revise or forget."),
    );
  if (turn.reach === "none" || (turn.reach === "reading" && writes(call.name))) {
    return failed(call.name, input, refused("read-only", "Memory cannot be changed in this conversation. Nothing was saved."));
  }
  const run = await RUN[call.name](memory, turn, input);
  addAround(turn.standing, run.text, ownText(run));
  return run;
}

function failed(tool: string, input: unknown, outcome: Failure): ToolRun {
  return { action: { tool, input, outcome }, text: sayOutcome("remember", outcome) };
}

/** The input through its schema; or the sentence that says what was wrong. */
function parsed<T>(schema: z.ZodType<T>, input: unknown): { ok: true; value: T } | Failure {
  const result = schema.safeParse(dropNulls(input));
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  return refused(
    "bad-format",
    `${issue?.path.join(".") || "The input"}: ${issue?.message ?? "not as expected"}. Call the tool again.`,
  );
}

// Models fill optional fields with null or "".
function dropNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== ""));
}

type Runner = (memory: ToolMemory, turn: ToolTurn, input: unknown) => Promise<ToolRun>;

const RUN: Record<ToolName, Runner> = {
  async recall(memory, turn, input) {
    const read = parsed(Recall, input);
    if (!read.ok) return failed("recall", input, read);
    const { query, asOf } = read.value;
    const found = await memory.recall({ query, ...(asOf ? { asOf } : {}), scope: turn.scope, at: turn.at, zone: turn.zone });
    return read_("recall", read.value, sayRecalled(found));
  },
  async read(memory, turn, input) {
    const read = parsed(Read, input);
    if (!read.ok) return failed("read", input, read);
    const file = await memory.readLines(read.value.path, turn.at, turn.zone);
    if (!file) return read_("read", read.value, "Nothing found.");
    const lines = file.lines.map((entry) => `- ${entryLine(entry).slice(fenceLine(entry.path.replace(/\.md$/, "")).length + 2)}`);
    return read_(
      "read",
      read.value,
      [`<file path="${fenceLine(file.path)}">`, ...(file.prose ? [fenceLine(file.prose)] : []), ...lines, "</file>"].join("\n"),
    );
  },
  async read_source(memory, _turn, input) {
    const read = parsed(ReadSource, input);
    if (!read.ok) return failed("read_source", input, read);
    const text = await memory.readSource(read.value.ref);
    const quoted = text?.split("\n").map((line) => `> ${fenceLine(line)}`);
    return read_(
      "read_source",
      read.value,
      quoted ? ["<source>", ...quoted, "</source>"].join("\n") : "Nothing found: it may have been deleted.",
    );
  },
  async remember(memory, turn, input) {
    const read = parsed(Remember, input);
    if (!read.ok) return failed("remember", input, read);
    const fact = read.value;
    if (!factStands(turn.standing, fact))
      return card(
        "remember",
        fact,
        turn,
        "The words of this fact were not typed by the user in this conversation, so it is saved only when they press the button.",
      );
    return written("remember", fact, memory, turn, rememberChange(fact, turn), turn.standing.rememberAsked);
  },
  async revise(memory, turn, input) {
    const read = parsed(Revise, input);
    if (!read.ok) return failed("revise", input, read);
    const revision = read.value;
    const target = await memory.entry(revision.id);
    if (!target)
      return failed("revise", revision, refused("not-found", "No line has this id. Use an id that stands in {} behind a line."));
    if (!reviseStands(turn.standing, target, { text: revision.text, slotWords: slotWords(target.slot) })) {
      return card(
        "revise",
        { ...revision, was: target.text, path: target.path },
        turn,
        "No typed words of this message ask for this change, so it is made only when the user presses the button.",
      );
    }
    return written(
      "revise",
      { ...revision, was: target.text, path: target.path },
      memory,
      turn,
      reviseChange(revision, turn),
      false,
    );
  },
  async forget(memory, turn, input) {
    const read = parsed(Forget, input);
    if (!read.ok) return failed("forget", input, read);
    const { id, query } = read.value;
    const target = id === undefined ? null : await memory.entry(id);
    if (id !== undefined && !target)
      return failed(
        "forget",
        read.value,
        refused("not-found", "No line has this id. Use an id that stands in {} behind a line."),
      );
    // "All" is the user's word, not the model's.
    const all = read.value.all === true && turn.standing.allAsked;
    const wanted = { ...(id === undefined ? {} : { id }), ...(query === undefined ? {} : { query }), ...(all ? { all } : {}) };
    if (!forgetStands(turn.standing, target?.text ?? query ?? "", target?.path, slotWords(target?.slot ?? null))) {
      return card(
        "forget",
        target ? { ...wanted, was: target.text, path: target.path } : wanted,
        turn,
        "No typed words of this message ask to forget this, so it is forgotten only when the user presses the button.",
      );
    }
    const answer = await memory.forget(forgetAsk(wanted, turn, true));
    return forgotten(wanted, answer, turn);
  },
};

function read_(tool: string, input: unknown, text: string): ToolRun {
  return { action: { tool, input, outcome: { ok: true, text } }, text };
}

function card(tool: string, input: unknown, turn: ToolTurn, message: string): ToolRun {
  const outcome = refused("needs-click", message);
  return { action: { tool, input, outcome, card: turn.cardId() }, text: sayOutcome("remember", outcome) };
}

type Fact = z.infer<typeof Remember>;
type Revision = z.infer<typeof Revise>;

type Said = Pick<ToolTurn, "thread" | "message" | "at" | "zone" | "model" | "head" | "read" | "scope">;

function changeOf(turn: Said, base: string | null): Omit<Change, "edits"> {
  return {
    base,
    kind: "chat",
    source: `thread/${turn.thread}#${turn.message}`,
    actor: "model",
    at: turn.at,
    zone: turn.zone,
    typed: true,
    model: turn.model(),
    ...(turn.read ? { read: turn.read } : {}),
  };
}

const SCOPE = /^[a-z0-9-]{1,60}$/;

/** The change that a fact asks for. What is about the conversation's project carries its scope; nothing else does. */
export function rememberChange(fact: Fact, turn: Said): Change {
  const { text, path, slot, since, until, on, expires, depends } = fact;
  const fields: FactFields = {
    ...(slot ? { slot } : {}),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
    ...(on ? { on } : {}),
    ...(expires ? { expires } : {}),
    ...(depends ? { depends: typeof depends === "string" ? [depends] : depends } : {}),
    ...(fact.scope && SCOPE.test(fact.scope) && fact.scope === turn.scope ? { scope: fact.scope } : {}),
  };
  return { ...changeOf(turn, null), edits: [{ op: "add", text, ...(path ? { path: filePath(path) } : {}), ...fields }] };
}

/** A model names files as links do, without `.md`. */
function filePath(path: string): string {
  const trimmed = path
    .trim()
    .replace(/^\[\[(.*)\]\]$/, (_, inside: string) => inside)
    .replace(/^\/+/, "");
  return /\.md$/i.test(trimmed) ? trimmed : `${trimmed}.md`;
}

/** The change that a revision asks for. */
export function reviseChange(revision: Revision, turn: Said): Change {
  const { id, text, since, why } = revision;
  return {
    ...changeOf(turn, turn.head),
    edits: [{ op: "revise", id, why, ...(text ? { text } : {}), ...(since ? { since } : {}) }],
  };
}

function forgetAsk(wanted: { id?: string; query?: string; all?: boolean }, turn: Said, typed: boolean) {
  return {
    ...(wanted.id ? { id: wanted.id } : {}),
    ...(wanted.query ? { query: wanted.query } : {}),
    all: wanted.all === true,
    source: `thread/${turn.thread}#${turn.message}`,
    at: turn.at,
    zone: turn.zone,
    typed,
    model: turn.model(),
  };
}

async function written(
  tool: "remember" | "revise",
  input: unknown,
  memory: ToolMemory,
  turn: ToolTurn,
  change: Change,
  lift: boolean,
): Promise<ToolRun> {
  const outcome = await memory.write(change, { lift });
  if (outcome.ok) {
    turn.head = outcome.head;
    delete turn.read;
  } else if (outcome.code === "conflict" && typeof outcome.details?.head === "string") turn.read = outcome.details.head;
  // What was forgotten comes back only by a button, which needs no words: the refused ones are not kept.
  if (!outcome.ok && outcome.code === "forgotten")
    return {
      action: { tool, input: { path: (input as { path?: string }).path ?? null }, outcome, card: turn.cardId() },
      text: sayOutcome(tool, outcome),
    };
  const withCard = !outcome.ok && outcome.code === "needs-click" ? { card: turn.cardId() } : {};
  return { action: { tool, input, outcome, ...withCard }, text: sayOutcome(tool, outcome) };
}

function forgotten(input: unknown, answer: ForgetAnswer, turn: ToolTurn): ToolRun {
  if (!answer.ok) return { action: { tool: "forget", input, outcome: answer }, text: sayOutcome("remember", answer) };
  if (answer.head) turn.head = answer.head;
  const text = sayForgotten(answer);
  const outcome: Action["outcome"] =
    answer.removed.length > 0 && answer.head
      ? {
          ok: true,
          commit: answer.commit,
          head: answer.head,
          entries: answer.removed.map((entry) => ({ verb: "removed" as const, entry: wordless(entry) })),
        }
      : { ok: true, text };
  return {
    action: { tool: "forget", input: answer.removed.length > 0 ? { lines: answer.removed.length } : input, outcome },
    text,
  };
}

/** A forgotten line as an action may keep it: where it stood, not what it said. */
function wordless(entry: EntryView): EntryView {
  return { ...entry, text: "(forgotten)", chain: "(forgotten)", meta: [] };
}

/** Runs a card that its user pressed: the write that waited, now by their own hand. */
export async function runCard(memory: ToolMemory, action: Action, said: Said): Promise<Action["outcome"]> {
  const input = dropNulls(action.input);
  if (!action.outcome.ok && action.outcome.code === "forgotten") {
    const stones = action.outcome.details?.stones;
    return memory.lift(Array.isArray(stones) ? (stones as string[]) : [], {
      source: `thread/${said.thread}#${said.message}`,
      at: said.at,
      zone: said.zone,
    });
  }
  switch (action.tool) {
    case "remember": {
      const fact = parsed(Remember, input);
      return fact.ok ? memory.write({ ...rememberChange(fact.value, said), actor: "user", base: null }, { lift: true }) : fact;
    }
    case "revise": {
      const revision = parsed(Revise, input);
      return revision.ok
        ? memory.write({ ...reviseChange(revision.value, said), actor: "user", base: null }, { lift: true })
        : revision;
    }
    case "forget": {
      const wanted = parsed(Forget, input);
      if (!wanted.ok) return wanted;
      const answer = await memory.forget(forgetAsk(wanted.value as { id?: string; query?: string; all?: boolean }, said, true));
      return answer.ok ? { ok: true, text: sayForgotten(answer) } : answer;
    }
    default:
      return refused("not-found", "This card asks for nothing that can be done any more.");
  }
}

/** Words by which people speak of a slot, for the slots that change most. */
const SLOT_WORDS: Record<string, string> = {
  home: "live lives living home house flat apartment city town move moved moving reside",
  employer:
    "job work works working worked employer company office career hired fired quit resigned retired boss laid off redundant sacked dismissed notice contract unemployed salary living",
  job: "job work works working worked profession occupation role position career fired quit resigned retired laid off redundant sacked dismissed living trade",
  occupation: "job work works working worked profession occupation role position career retired laid off redundant living trade",
  partner:
    "partner girlfriend boyfriend husband wife married marriage divorced engaged fiance relationship single split broke separated parted widowed together",
  spouse: "partner husband wife married marriage divorced spouse",
  manager: "manager boss lead supervisor",
  car: "car vehicle drive drives driving sold bought",
  phone: "phone mobile number",
  email: "email mail address",
  name: "name",
  birthday: "birthday born birth age",
  diet: "diet eat eating vegan vegetarian meat",
  address: "address street house live",
  doctor: "doctor gp physician practice",
  landlord: "landlord landlady rent",
  school: "school university college study studies studying",
};

/** Words by which a slot is spoken of; undefined where there is none. */
export function slotWords(slot: string | null): string | undefined {
  return slot === null ? undefined : `${slot.replace(/-/g, " ")} ${SLOT_WORDS[slot] ?? ""}`;
}
