// Repairs what was never true: finds the line that a correction means and says it anew, or takes it back.
import type { Correction } from "../corrections.ts";
import type { Fact } from "../facts/fact.ts";
import type { Known } from "../knowledge.ts";
import { lookUp } from "../answer/lookup.ts";
import { datesIn } from "../language/dates.ts";
import { contentStems, editDistance, escapeRegExp, fold } from "../language/words.ts";
import type { Part } from "../script.ts";
import { aboutSame, lineOf, statedBefore, type Turn } from "./context.ts";
import { save, swap, write } from "./save.ts";

/** Letters that may differ between a typo and its word, as a share of the longer one. */
const TYPO_SHARE = 0.5;

/** Applies a correction; what cannot be matched to a line is saved as a plain statement, or said to be unknown. */
export function* correct(correction: Correction, turn: Turn): Part<void> {
  const before = statedBefore(turn).facts;
  yield* lookUp(turn, queriesFor(correction, before, turn));
  turn.env.people = turn.knowledge.people();
  const recent = before.map((fact) => lineOf(fact, turn)).filter((one) => one !== null);
  if (correction.drop) {
    const last = recent[0];
    if (!last?.line.id) turn.said.push("I don't know which line you mean. Say it in its words, and I close it as wrong.");
    else yield* write([{ name: last.about, call: { name: "revise", input: { id: last.line.id, why: "wrong" } } }], turn);
    return;
  }
  if (correction.facts) return yield* correctByFacts(correction, recent, turn);
  const fresh = correction.fresh!;
  if (correction.old && !correction.sure && !turn.knowledge.current.some((one) => one.folded.includes(fold(correction.old!))))
    return;
  const target = correction.old
    ? lineWith(correction.old, recent, turn)
    : (behindWord(fresh, recent) ?? typoLine(fresh, recent, correction.sure));
  const replacedDay = dayChange(fresh, target, recent, turn);
  if (replacedDay) return yield* write(replacedDay, turn);
  if (!target?.one.line.id && !correction.sure) return;
  if (!target?.one.line.id) {
    turn.said.push("I don't know which line that corrects. Say the whole sentence, and I set it right.");
    return;
  }
  const { one, words } = target;
  const text = swap(one.line.text, words, fresh);
  yield* write([{ name: one.about, call: { name: "revise", input: { id: one.line.id, text, why: "wrong" } } }], turn);
}

function queriesFor(correction: Correction, before: readonly Fact[], turn: Turn): string[] {
  const queries =
    correction.old && !turn.knowledge.current.some((one) => one.folded.includes(fold(correction.old!))) ? [correction.old] : [];
  const unseen = before.slice(0, 2).filter((fact) => !lineOf(fact, turn));
  return [...queries, ...unseen.map((fact) => `${fact.subject.kind === "person" ? fact.subject.name : ""} ${fact.text}`.trim())];
}

function* correctByFacts(correction: Correction, recent: readonly Known[], turn: Turn): Part<void> {
  const facts = correction.facts!;
  const held = correction.old ? lineWith(correction.old, recent, turn) : null;
  const [fact] = facts;
  const sameRel =
    facts.length === 1 && fact
      ? recent.find((one) => aboutSame(one, fact.subject) && one.fact.rel === fact.rel && one.line.text !== fact.text)
      : undefined;
  const wrong =
    held?.one ??
    sameRel ??
    (correction.sure && facts.length === 1
      ? turn.knowledge.current.find(
          (one) =>
            aboutSame(one, fact!.subject) &&
            one.fact.rel === fact!.rel &&
            fact!.slot !== undefined &&
            one.line.text !== fact!.text,
        )
      : undefined);
  const day = fact?.on !== undefined && !wrong ? otherDay(fact, recent, turn) : null;
  if (day) return yield* write(day, turn);
  if (!wrong?.line.id || !fact) {
    yield* save(facts, [], false, turn);
    return;
  }
  const on = fact.on && fact.on !== wrong.line.on;
  if (on) {
    yield* write(
      [
        { name: wrong.about, call: { name: "revise", input: { id: wrong.line.id, why: "wrong" } } },
        {
          name: wrong.about,
          call: {
            name: "remember",
            input: { ...(wrong.line.path ? { path: wrong.line.path } : {}), text: fact.text, on: fact.on },
          },
        },
      ],
      turn,
    );
    return;
  }
  yield* write(
    [
      {
        name: wrong.about,
        call: {
          name: "revise",
          input: { id: wrong.line.id, text: fact.text, why: "wrong", ...(fact.since ? { since: fact.since } : {}) },
        },
      },
    ],
    turn,
  );
}

/** "Sorry, the exam is on 8 May": the plan that is called so had the wrong day. */
function otherDay(fact: Fact, recent: readonly Known[], turn: Turn): Parameters<typeof write>[0] | null {
  const words = contentStems(fact.text);
  const one = [...recent, ...turn.knowledge.current].find(
    ({ line, stems }) =>
      line.on !== undefined &&
      line.id !== null &&
      line.on !== fact.on &&
      words.length > 0 &&
      words.every((word) => stems.has(word)),
  );
  if (!one) return null;
  return [
    { name: one.about, silent: true, call: { name: "revise", input: { id: one.line.id, why: "wrong" } } },
    {
      name: one.about,
      call: { name: "remember", input: { ...(one.line.path ? { path: one.line.path } : {}), text: one.line.raw, on: fact.on } },
    },
  ];
}

interface Target {
  one: Known;
  /** Words of the line that give way. */
  words: string;
}

/** The line that holds the wrong words: of the last messages first, then any. */
function lineWith(old: string, recent: readonly Known[], turn: Turn): Target | null {
  const wanted = fold(old);
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(wanted)}(?![\\p{L}\\p{N}])`, "u");
  const one = recent.find((line) => whole.test(line.folded)) ?? turn.knowledge.current.find((line) => whole.test(line.folded));
  return one ? { one, words: old } : typoLine(old, recent);
}

/** "It's in chemistry" after "Has a degree in physics": what stands behind the same little word gives way. */
function behindWord(fresh: string, recent: readonly Known[]): Target | null {
  const word = /^(in|at|on|from|with|for|to|by) \S/.exec(fresh)?.[1];
  const one = word ? recent.find(({ line }) => line.text.includes(` ${word} `)) : undefined;
  return one ? { one, words: one.line.text.slice(one.line.text.lastIndexOf(` ${word} `) + 1) } : null;
}

/** The word of a recent line that looks most like what was meant; else the value of the newest line. */
function typoLine(fresh: string, recent: readonly Known[], orValue = true): Target | null {
  let found: { target: Target; share: number } | null = null;
  const count = fresh.split(/\s+/).length;
  for (const one of recent.slice(0, 4)) {
    const words = one.line.text.split(/\s+/);
    for (let i = 0; i + count <= words.length; i++) {
      const part = words
        .slice(i, i + count)
        .join(" ")
        .replace(/^[“"(]+|[”"),.;:!?]+$/g, "");
      const share = editDistance(fold(part), fold(fresh)) / Math.max(part.length, fresh.length);
      if (part && share > 0 && share <= TYPO_SHARE && (!found || share < found.share))
        found = { target: { one, words: part }, share };
    }
  }
  if (found) return found.target;
  const [newest] = recent;
  return orValue && newest?.fact.value && newest.line.text.includes(newest.fact.value)
    ? { one: newest, words: newest.fact.value }
    : null;
}

/** "I meant Tuesday": a plan gets another day, so the old line is wrong and a new one stands. */
function dayChange(
  fresh: string,
  target: Target | null,
  recent: readonly Known[],
  turn: Turn,
): Parameters<typeof write>[0] | null {
  const [day] = datesIn(fresh, turn.clock, "future");
  if (!day) return null;
  const rest = contentStems(fresh.replace(day.text, " "));
  const held = (line: Known): boolean =>
    rest.every((word) => line.stems.has(word) || (line.about !== null && contentStems(line.about).includes(word)));
  const one = [...recent, ...turn.knowledge.current].find(
    (line) => line.line.on !== undefined && line.line.id !== null && held(line),
  );
  if (
    !one ||
    (rest.length === 0 && !recent.includes(one)) ||
    (target && target.one !== one && target.one.folded.includes(fold(target.words)))
  )
    return null;
  return [
    { name: one.about, silent: true, call: { name: "revise", input: { id: one.line.id, why: "wrong" } } },
    {
      name: one.about,
      call: { name: "remember", input: { ...(one.line.path ? { path: one.line.path } : {}), text: one.line.raw, on: day.date } },
    },
  ];
}
