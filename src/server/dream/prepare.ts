// How a dream begins: what it takes from the inbox, what the rules tidy, and the prompt. The estimate before a dream is this same code.
import { estimateTokenCount } from "tokenx";
import {
  DREAM_ANSWER_TOKENS,
  DREAM_MAX_CHANGES,
  DREAM_NOTICES_MAX,
  DREAM_UNUSED_MAX,
  REJECTED_DAYS,
} from "../../shared/limits.ts";
import type { DreamEstimate, Edit } from "../../shared/protocol.ts";
import { dayIn } from "../../shared/zone.ts";
import type { ModelMessage } from "../model/types.ts";
import { promptTokens } from "./dreamer.ts";
import { chooseItems, pullInbox, takeItems, type Taken } from "./inbox.ts";
import { tidy, type Tidied } from "./janitor.ts";
import { judgeEdits, seenBy } from "./plan.ts";
import { systemPrompt, userPrompt, type Notices } from "./prompt.ts";
import { refusedBefore, remembered } from "./remembered.ts";
import { shownText } from "./shown.ts";
import type { DreamDeps, DreamRow } from "./types.ts";

const DAY_MS = 86_400_000;
/** Items on the list of what was set aside; a longer list is worked off from its beginning. */
const SET_ASIDE_SHOWN = 50;
/** Calls of a usual dream: one that works, one that finishes. The estimate counts with them. */
const USUAL_CALLS = 2;
/** Output of a usual call as a share of what it may be. */
const USUAL_ANSWER_TOKENS = DREAM_ANSWER_TOKENS / 8;
/** Changes of the rules beside which a model still works: each of its calls is judged on top of all of them. */
const TIDY_BESIDE_MODEL = 50;
/** Changes that the rules make in one dream; a memory that was imported in disorder is put in order over several. */
const TIDY_MAX = 4 * DREAM_MAX_CHANGES;

/** What the janitor would do now, without what the user has turned down before. */
export function tidied(deps: Pick<DreamDeps, "memory" | "store" | "now">): Tidied[] {
  const known = remembered(deps.store, deps.now());
  return tidy(deps.memory.janitor())
    .filter(({ edit }) => refusedBefore(known, edit, null) === null)
    .slice(0, TIDY_MAX);
}

/** Whether the rules have something to do that the gate lets pass: what it refuses would begin a dream at every look, for nothing. */
export function canTidy(deps: Pick<DreamDeps, "memory" | "store" | "now" | "settings">): boolean {
  const nobody = { id: "00000000", zone: deps.settings().zone, model: null };
  return tidied(deps).some(({ edit }) => judgeEdits(deps, nobody, [edit]).outcome.ok);
}

/** Lays the janitor's changes on the plan: all at once where the gate lets them, else those that it lets. */
export function planTidied(deps: DreamDeps, row: DreamRow, changes: readonly Tidied[]): void {
  let kept = [...changes];
  if (
    !judgeEdits(
      deps,
      row,
      kept.map(({ edit }) => edit),
    ).outcome.ok
  ) {
    kept = kept.filter(({ edit }) => judgeEdits(deps, row, [edit]).outcome.ok);
    const together: Edit[] = [];
    kept = kept.filter(({ edit }) => {
      if (!judgeEdits(deps, row, [...together, edit]).outcome.ok) return false;
      together.push(edit);
      return true;
    });
  }
  for (const { edit, reason } of kept) {
    row.planned.push({
      n: row.planned.length + 1,
      edit,
      by: "janitor",
      reason,
      evidence: [],
      seen: seenBy(deps.memory, edit),
      needsYes: null,
      handle: null,
    });
  }
}

function noticesOf(deps: Pick<DreamDeps, "memory" | "store" | "now" | "settings">): Notices {
  const { unusedDays, zone } = deps.settings();
  const now = deps.now();
  const last = Number(deps.store.get("noticed") ?? now - 30 * DAY_MS);
  return {
    passed: deps.memory.passed(dayIn(last, zone), DREAM_NOTICES_MAX),
    unused: deps.memory.unused(dayIn(now - unusedDays * DAY_MS, zone), DREAM_UNUSED_MAX),
    broken: deps.memory
      .janitor()
      .broken.filter(({ to }) => to === null)
      .slice(0, DREAM_NOTICES_MAX),
    rejected: deps.store.rejections(now - REJECTED_DAYS * DAY_MS).slice(0, DREAM_NOTICES_MAX),
    unusedDays,
  };
}

/** The messages that the first call will send for these items. */
export function promptFor(
  deps: Pick<DreamDeps, "memory" | "store" | "now" | "settings">,
  taken: readonly Taken[],
  mark: string,
  notices = noticesOf(deps),
): ModelMessage[] {
  const settings = deps.settings();
  return [
    { role: "system", content: systemPrompt(settings.instructions) },
    {
      role: "user",
      content: userPrompt({ now: deps.now(), settings, taken, memory: deps.memory, notices, mark }),
    },
  ];
}

/** What a dream started now would read, and about what it would cost. No model is called and nothing changes but the inbox's own rows. */
export function estimate(deps: DreamDeps): DreamEstimate {
  pullInbox(deps.store, deps.inbox);
  const taken = chooseItems(deps.store, deps.inbox, undefined, false);
  const notes = taken.filter(({ text }) => text.role === "note").length;
  const aside = setAsideOf(deps);
  const setAside = aside.length > 0 ? { setAside: aside } : {};
  if (taken.length === 0) return { messages: 0, notes: 0, tokens: 0, usd: 0, ...setAside };
  const tokensIn = promptTokens(promptFor(deps, taken, "00000000")) * USUAL_CALLS;
  const tokensOut = USUAL_ANSWER_TOKENS * USUAL_CALLS;
  return {
    messages: taken.length - notes,
    notes,
    tokens: tokensIn + tokensOut,
    usd: deps.price(tokensIn, tokensOut),
    ...setAside,
  };
}

/** What three dreams could not work off, and why: it waits for the user to try it again. */
function setAsideOf({ store, inbox }: Pick<DreamDeps, "store" | "inbox">): NonNullable<DreamEstimate["setAside"]> {
  return store.items("set-aside", SET_ASIDE_SHOWN).map(({ ref, tries, outcome }) => ({
    ref,
    text: shownText(inbox.text(ref)?.text ?? ""),
    tries,
    reason: outcome ?? "",
  }));
}

/** Takes the inbox, tidies, writes the prompt: the first step of a dream, in one turn. */
export function prepare(deps: DreamDeps, row: DreamRow): void {
  // A first try of this dream may have taken items and died before its row said so.
  for (const item of deps.store.itemsOf(row.id))
    if (item.state === "taken") deps.store.saveItem({ ...item, state: "new", dream: null });
  row.planned = [];
  pullInbox(deps.store, deps.inbox);
  row.base = deps.memory.head();
  planTidied(deps, row, tidied(deps));
  // In review the rules' changes wait, so they would still be there for the dream behind this one.
  row.tidyOnly = row.planned.length > TIDY_BESIDE_MODEL && row.mode === "automatic";
  const taken = row.tidyOnly ? [] : chooseItems(deps.store, deps.inbox);
  takeItems(deps.store, row.id, taken);
  row.inbox = taken.length;
  if (taken.length > 0) {
    const notices = noticesOf(deps);
    row.unused = notices.unused.flatMap(({ id }) => id ?? []);
    row.prompt = promptFor(deps, taken, deps.randomId(), notices);
    row.promptTokens = row.prompt.reduce((sum, { content }) => sum + estimateTokenCount(content ?? ""), 0);
    deps.store.set("noticed", String(deps.now()));
  }
  row.phase = taken.length > 0 ? "model" : "land";
}
