// Takes a user's message apart: sentence by sentence, what it states, asks, orders, corrects, or says in passing.
import { type Correction, correctionOf } from "./corrections.ts";
import { type Env, personByName } from "./facts/env.ts";
import type { Ending, Fact } from "./facts/fact.ts";
import { isJoke, isSupposed, opensFrame, unhedged } from "./facts/frames.ts";
import { speechOf } from "./facts/speech.ts";
import { readStatement } from "./facts/statement.ts";
import { withoutLead } from "./facts/subject.ts";
import {
  asksAbility,
  asksIdentity,
  asksToKeepPaste,
  type ForgetAsk,
  forgetAsk,
  isOrder,
  rememberAsk,
  remindAsk,
} from "./language/asks.ts";
import { expand } from "./language/contractions.ts";
import { datesIn, without } from "./language/dates.ts";
import { foreignForget, foreignRemember } from "./language/phrases.ts";
import { type Sentence, mask, sentencesOf } from "./language/sentences.ts";
import { type Talk, talkOf, yesNo } from "./language/small-talk.ts";
import { upperFirst } from "./language/words.ts";

export type Intent =
  | { kind: "facts"; facts: Fact[]; endings: Ending[]; explicit: boolean; again: boolean }
  | { kind: "perhaps"; facts: Fact[] }
  | { kind: "correct"; correction: Correction }
  | { kind: "forget"; ask: ForgetAsk; foreign?: boolean }
  | { kind: "question"; text: string }
  | { kind: "keepPaste" }
  | { kind: "secret" }
  | { kind: "identity" }
  | { kind: "ability" }
  | { kind: "order" }
  | { kind: "joke" }
  | { kind: "yes" }
  | { kind: "no" }
  | { kind: "talk"; talk: Talk }
  | { kind: "none"; text: string };

/** Typed text longer than this is read only where a sentence asks for something or speaks of the user in a few words. */
const SENTENCES_MAX = 400;

/** Intents of the typed part of a message, in order. */
export function readMessage(typed: string, env: Env): Intent[] {
  const masked = mask(typed, env.masks);
  const intents: Intent[] = [];
  for (const paragraph of masked.split(/\n\s*\n/)) {
    const sentences = sentencesOf(paragraph).slice(0, SENTENCES_MAX);
    const joke = sentences.some(({ text }) => text.length < SENTENCE_MAX_CHARS && isJoke(expand(text)));
    let framed = false;
    for (const sentence of sentences) {
      if (sentence.text.length > SENTENCE_MAX_CHARS || (sentences.length > STORY_SENTENCES && !mayMatter(sentence, env))) {
        intents.push({ kind: "none", text: sentence.text });
        continue;
      }
      const plain = expand(sentence.text);
      framed ||= opensFrame(withoutLead(plain).text) || opensFrame(plain);
      intents.push(...readSentence(sentence, plain, { env, framed, joke }));
    }
  }
  return joined(intents);
}

/** "That's wrong. His name is Odhiambo." is one correction. */
function joined(intents: Intent[]): Intent[] {
  return intents.flatMap((intent, i): Intent[] => {
    const [before, next] = [intents[i - 1], intents[i + 1]];
    // "My favourite colour is green. No, blue.": put right before it is saved.
    const [righted, fresh] = [next?.kind === "correct" ? next.correction : null, before?.kind === "facts" ? before : null];
    if (intent.kind === "facts" && righted?.fresh !== undefined && righted.facts === undefined) {
      const put = rightedFacts(intent.facts, righted.fresh, righted.old);
      if (put) return [{ ...intent, facts: put }];
    }
    if (intent.kind === "correct" && fresh && intent.correction.fresh !== undefined && intent.correction.facts === undefined) {
      if (rightedFacts(fresh.facts, intent.correction.fresh, intent.correction.old)) return [];
    }
    if (intent.kind === "correct" && intent.correction.drop && next?.kind === "facts" && next.facts.length > 0) return [];
    const instead = intent.kind === "none" ? /^It (?:is|was|should be) (?:really |actually )?(.+)$/.exec(intent.text) : null;
    if (instead && before?.kind === "correct" && before.correction.drop)
      return [{ kind: "correct", correction: { fresh: instead[1]!, sure: true } }];
    if (
      intent.kind === "correct" &&
      intent.correction.drop &&
      next?.kind === "none" &&
      /^It (?:is|was|should be) /.test(next.text)
    )
      return [];
    if (intent.kind === "facts" && intent.facts.length > 0 && before?.kind === "correct" && before.correction.drop)
      return [{ kind: "correct", correction: { facts: intent.facts, sure: true } }];
    return [intent];
  });
}

/** The facts with their last value replaced, or the words that were wrong; null where they hold none. */
function rightedFacts(facts: readonly Fact[], fresh: string, old?: string): Fact[] | null {
  const last = facts.at(-1);
  const wrong = old ?? last?.value;
  if (!last || wrong === undefined || !last.text.includes(wrong)) return null;
  return [
    ...facts.slice(0, -1),
    {
      ...last,
      text: last.text.replace(wrong, () => fresh),
      ...(last.value ? { value: last.value.replace(wrong, () => fresh) } : {}),
    },
  ];
}

/** Longer than this is no sentence that a rule could read. */
const SENTENCE_MAX_CHARS = 4_000;
/** A paragraph of more sentences tells a story; of those only such are read as can concern the user. */
const STORY_SENTENCES = 8;
const CONCERNS =
  /\b(?:I|i|[Mm]y|me|mine|[Mm]yself|[Ww]e|[Oo]ur|us|[Yy]ou|im|ive|[Rr]emember|[Ff]orget|[Rr]emind|[Nn]ote|[Tt]ypo|[Cc]orrection|[Ss]orry|today|tonight|tomorrow|yesterday|next|[A-Z][a-z]+day|kidding|joking)\b|\d|[^\u0000-\u024f\u2000-\u206f\ue000-\uf8ff]/;

function mayMatter(sentence: Sentence, env: Env): boolean {
  return (
    CONCERNS.test(sentence.text) ||
    sentence.end.includes("?") ||
    env.last !== null ||
    env.people.some(({ name }) => sentence.text.includes(name.split(" ")[0]!))
  );
}

interface Frame {
  env: Env;
  /** A supposition was opened in this paragraph. */
  framed: boolean;
  joke: boolean;
}

function readSentence(sentence: Sentence, plain: string, frame: Frame): Intent[] {
  const { env } = frame;
  if (/\[secret:/.test(env.masks.unmask(sentence.text))) return [{ kind: "secret" }];
  const answer = yesNo(plain);
  if (answer && !sentence.end.includes("?")) return [{ kind: answer }];
  if (asksToKeepPaste(plain)) return [{ kind: "keepPaste" }];
  const asked = asksOf(sentence, plain, frame);
  if (asked) return asked;
  if (asksIdentity(plain)) return [{ kind: "identity" }];
  if (asksAbility(plain)) return [{ kind: "ability" }];
  if (isQuestion(sentence, plain)) return questionOf(plain, frame);
  const talk = talkOf(plain);
  if (talk) return [{ kind: "talk", talk }];
  if (frame.joke) return [{ kind: "joke" }];
  const bare = unhedged(withoutLead(plain).text) ?? withoutLead(plain).text;
  if (frame.framed || isSupposed(bare) || (bare === withoutLead(plain).text && isSupposed(plain)))
    return [{ kind: "none", text: plain }];
  return statementOf(sentence, plain, frame);
}

const CALL_ME =
  /^(?:(?:[Pp]lease|[Jj]ust|[Ss]o|[Aa]nd|[Bb]ut|[Hh]i|[Hh]ey|[Hh]ello)[,!]? )*(?:(?:[Yy]ou|[Ee]veryone|[Ee]verybody|[Pp]eople|[Ff]riends|[Mm]y friends|[Mm]ost people|[Tt]hey all|[Tt]hey) (?:can |may |could |usually |mostly |all |just |should )*)?[Cc]alls? me (\p{Lu}[\p{L}'’-]+)(?=$|[,;.] | (?:for short|please|everybody|everyone|though)\b)/u;

/** "Always answer me in French", "from now on write without emojis": a wish about all answers, not about this one. */
const STYLE =
  /^(?:(?:please|from now on|in future|in general|always)[, ]+)*(?:answer|reply|respond|write|talk|speak)(?: to)?(?: me)?(?: always)? ((?:in|with|without|like) [^:?]{3,60}?|briefly|formally|informally)(?:,? (?:please|from now on|in future|always))*$/iu;
const LASTING_STYLE = /\b(?:from now on|in future|in general|always)\b/i;

/** Orders that concern the memory: remember, remind, forget, and corrections. */
function asksOf(sentence: Sentence, plain: string, frame: Frame): Intent[] | null {
  const { env } = frame;
  const called = CALL_ME.exec(plain)?.[1];
  if (called && !frame.framed)
    return [
      {
        kind: "facts",
        facts: [{ subject: { kind: "me" }, text: `Likes to be called ${called}`, rel: "nickname", value: called, one: true }],
        endings: [],
        explicit: false,
        again: false,
      },
    ];
  const style = LASTING_STYLE.test(plain) ? STYLE.exec(plain)?.[1] : undefined;
  if (style && !frame.framed)
    return [
      {
        kind: "facts",
        facts: [{ subject: { kind: "me" }, text: `Prefers answers ${style}`, rel: "does:prefer", value: `answers ${style}` }],
        endings: [],
        explicit: false,
        again: false,
      },
    ];
  const remember = rememberAsk(plain);
  if (remember && !/\?/.test(sentence.end.slice(0, 1)))
    return [explicit(remember.content, contentAsSaid(sentence.text, remember.content), remember.again, env)];
  if (remember && /^(?:can|could|would|will) you/i.test(plain))
    return [explicit(remember.content, contentAsSaid(sentence.text, remember.content), remember.again, env)];
  const remind = remindAsk(plain);
  if (remind && !/^(?:what|where|who|when|how|which)\b/i.test(remind)) {
    const planned = planFrom(remind, env);
    if (planned) return [{ kind: "facts", facts: [planned], endings: [], explicit: false, again: false }];
    if (!/^(?:of )?(?:my|our|the)\b/i.test(remind)) return [{ kind: "order" }];
  }
  const forget = forgetAsk(plain, (name) => /^\p{Lu}/u.test(name) && personByName(env.people, name) !== null);
  if (forget) return [{ kind: "forget", ask: { ...forget, content: env.masks.unmask(forget.content) } }];
  const abroad =
    /^[\p{ASCII}\uE000-\uEFFF]*$/u.test(plain) && /^(?:I|my|the|we|it|is|are|do|what|who|where|when|how)\b/i.test(plain)
      ? null
      : foreignRemember(sentence.text);
  if (abroad)
    return [
      {
        kind: "facts",
        facts: [{ subject: { kind: "me" }, text: upperFirst(env.masks.unmask(abroad.content)), rel: "raw" }],
        endings: [],
        explicit: true,
        again: true,
      },
    ];
  const forgetAbroad = foreignForget(sentence.text);
  if (forgetAbroad)
    return [
      { kind: "forget", ask: { content: env.masks.unmask(forgetAbroad.content), all: false, clause: false }, foreign: true },
    ];
  const correction = sentence.end.includes("?") ? null : correctionOf(plain, env, (text) => readStatement(text, env));
  return correction ? [{ kind: "correct", correction }] : null;
}

/** The content as it was typed, before short forms were written out: what no rule reads is stored in the words it came in. */
function contentAsSaid(said: string, expanded: string): string {
  const words = expanded.split(/\s+/).length;
  for (let i = 0; i < said.length; i++) {
    if (i > 0 && !/\s|[:,]/.test(said[i - 1]!)) continue;
    const rest = said.slice(i).trim();
    if (rest && expand(rest) === expanded) return rest;
    if (rest.split(/\s+/).length < words - 2) break;
  }
  return expanded;
}

function explicit(content: string, asSaid: string, again: boolean, env: Env): Intent {
  // "The tin says tea; until: it is gone" is one line, signs and all.
  const reading = /^(?:the|an?|this|that|these|those)\b.*[;:]/is.test(content)
    ? { facts: [], endings: [], unread: [] }
    : readStatement(content, env);
  const allergy = /^(?:my|our) (.+ allergy)$/i.exec(content);
  if (allergy)
    return { kind: "facts", facts: readStatement(`I have a ${allergy[1]}`, env).facts, endings: [], explicit: true, again };
  const whole = reading.facts.length + reading.endings.length === 0;
  const raw = whole ? [asSaid] : reading.unread.filter((clause) => clause.split(/\s+/).length > 2);
  const facts = [...reading.facts, ...raw.map((clause) => rawFact(clause, env))];
  return { kind: "facts", facts: unmasked(facts, env), endings: reading.endings, explicit: true, again: true };
}

/** A line in the user's own words; a day ahead that it names is resolved. */
function rawFact(clause: string, env: Env): Fact {
  const ahead = datesIn(clause, env.clock, "future").filter(({ date, role }) => role === "on" && date > env.clock.today);
  const text = ahead.length === 1 ? without(clause, ahead) : clause;
  const plain = text.replace(/[.!\s]+$/, "").trim();
  return { subject: { kind: "me" }, text: upperFirst(plain), rel: "raw", ...(ahead.length === 1 ? { on: ahead[0]!.date } : {}) };
}

/** "Remind me to call Ana tomorrow": a plan, where a day is named. */
function planFrom(words: string, env: Env): Fact | null {
  const dates = datesIn(words, env.clock, "future").filter(({ role }) => role === "on" || role === "by");
  if (dates.length === 0) return null;
  const text = without(words, dates);
  return text ? { subject: { kind: "me" }, text: upperFirst(env.masks.unmask(text)), rel: "plan", on: dates[0]!.date } : null;
}

const WH =
  /^(?:(?:and|so|but|ok(?:ay)?|hey|hi|please|well|now|then|also|by the way|btw|oh|just|sorry)[,:]? )*(?:(?:at|in|for|to|with|on|from|of|since) )?(?:what|who|whose|whom|which|where|when|why|how)\b/i;
const AUX =
  /^(?:(?:and|so|but|ok(?:ay)?|hey|hi|well|then|also|oh)[,:]? )*(?:do|does|did|am|is|are|was|were|have|has|can|could|will|would|should|shall|may) (?:I|we|you|he|she|they|it|my|our|your|the|there|this|that|anyone|anybody|\p{Lu}\p{L}+)\b/u;
const TELL =
  /^(?:(?:please|ok|and|so|now|hey|can you|could you|would you)[, ]*)*(?:tell me|remind me|show me|list|give me|say) (?:again )?(?:about|what|where|who|when|which|how|everything|all|anything|my|our|the name)\b/i;

function isQuestion(sentence: Sentence, plain: string): boolean {
  if (TELL.test(plain) && !/\b(?:a joke|a story|a poem|jokes|recipe)\b/i.test(plain)) return true;
  if (sentence.end.includes("?") || /？/.test(sentence.end)) return true;
  if (AUX.test(plain)) return true;
  // "What a day for the old harbour", "When I was young …" are none.
  return (
    WH.test(plain) &&
    !/^(?:what an?\b|how (?:nice|lovely|great|funny|sad|sweet|kind|cool|awful|odd|strange)\b|when (?:I|we|he|she|it|they|the|my)\b(?!.*\?)|which (?:is|was|means|I)\b|who(?:ever)? (?:knows|cares)|why not$|how about that|whenever|wherever|whatever|however)/i.test(
      plain.replace(/^(?:and|so|but|well|oh)[,:]? /i, ""),
    )
  );
}

/** "Could you write a letter to my landlord?" asks for work, whoever is named in it. */
const WORK_ORDER =
  /^(?:(?:and|so|please|hey|hi|ok)[, ]+)*(?:can|could|would|will) you (?:please |maybe |perhaps |kindly )*(?:write|translate|explain|draft|compose|fix|help|make|create|generate|summari[sz]e|sum|calculate|compute|book|order|send|call|suggest|recommend|plan|correct|check|proofread|rewrite|improve|design|build|code|sing|draw|describe|compare|analy[sz]e|convert|give me (?:a|an|some)|tell me (?:a|an))\b/i;

function questionOf(plain: string, frame: Frame): Intent[] {
  const { env } = frame;
  if (/\b(?:and|how about|what about) (?:you|yourself|u)$/i.test(plain)) return [{ kind: "talk", talk: "howareyou" }];
  if (talkOf(plain) === "howareyou" || talkOf(plain) === "greeting") return [{ kind: "talk", talk: "howareyou" }];
  // "I live in Graz, what can I do there?" states something before it asks.
  const mixed =
    /^((?:I|My|We|Our)\b.+?)(?:[,;:]|\s+[–—-])\s+(?:so |and |but )?((?:what|where|when|who|how|which|why|do|does|did|can|could|should|would|any|is there|are there)\b.+)$/s.exec(
      withoutLead(plain).text,
    );
  const before = mixed && !frame.framed && !frame.joke && !isSupposed(mixed[1]!) ? readStatement(mixed[1]!, env) : null;
  const stated: Intent[] =
    before && before.facts.length + before.endings.length > 0
      ? [{ kind: "facts", facts: unmasked(before.facts, env), endings: before.endings, explicit: false, again: false }]
      : [];
  const text = stated.length > 0 ? mixed![2]! : plain;
  if (frame.framed || isSupposed(text)) return [{ kind: "none", text }];
  if (
    isOrder(text) &&
    !TELL.test(text) &&
    (!/\b(?:remember|recall|know|my|I)\b/.test(text.replace(/^can I\b/, "")) || WORK_ORDER.test(text))
  )
    return [...stated, { kind: "order" }];
  const asked = text.split(
    /\s*(?:,\s*and|,|\band)\s+(?=(?:where|what|who|when|how|which) (?:do|does|did|am|is|are|was|were|have|has|\w+ (?:do|does|did|am|is|are|have|has))\b)/i,
  );
  return [...stated, ...asked.map((one): Intent => ({ kind: "question", text: env.masks.unmask(one) }))];
}

function statementOf(sentence: Sentence, plain: string, frame: Frame): Intent[] {
  const { env } = frame;
  if (
    isOrder(plain) &&
    !startsWithSubject(plain) &&
    /^(?:please |kindly |pls )?(?:write|translate|explain|rewrite|summari[sz]e|sum|draft|fix|correct|proofread|paraphrase|say|repeat|continue|give|tell)\b/i.test(
      plain,
    )
  )
    return [{ kind: "order" }];
  const speech = speechOf(plain, env);
  if (speech)
    return speech.facts.length > 0
      ? [{ kind: "facts", facts: unmasked(speech.facts, env), endings: speech.endings, explicit: false, again: false }]
      : [{ kind: "none", text: plain }];
  const perhaps = unhedged(withoutLead(plain).text);
  const reading = readStatement(perhaps ?? plain, env);
  if (reading.facts.length + reading.endings.length > 0) {
    if (perhaps !== null)
      return reading.facts.length > 0
        ? [{ kind: "perhaps", facts: unmasked(reading.facts, env) }]
        : [{ kind: "none", text: plain }];
    // "Ask plays handball": Ask is somebody.
    const [first] = reading.facts;
    const somebody = first?.subject.kind === "person" && withoutLead(plain).text.startsWith(first.subject.name.split(" ")[0]!);
    if (!isOrder(plain) || startsWithSubject(plain) || somebody)
      return [
        {
          kind: "facts",
          facts: unmasked(reading.facts, env),
          endings: unmaskedEndings(reading.endings, env),
          explicit: false,
          again: false,
        },
      ];
  }
  if (isOrder(plain) && !startsWithSubject(plain)) return [{ kind: "order" }];
  void sentence;
  return [{ kind: "none", text: plain }];
}

const startsWithSubject = (plain: string): boolean =>
  /^(?:I|My|We|Our)\b/i.test(withoutLead(plain).text) &&
  !/^(?:I|we) (?:want|need|would like) (?:you|your|some help)\b/i.test(plain);

/** Gives the hidden parts back to texts and values. */
export const unmasked = (facts: readonly Fact[], env: Env): Fact[] =>
  facts.map((fact) => ({
    ...fact,
    text: env.masks.unmask(fact.text),
    ...(fact.value ? { value: env.masks.unmask(fact.value) } : {}),
    ...(fact.subject.kind === "person"
      ? { subject: { kind: "person" as const, name: env.masks.unmask(fact.subject.name) } }
      : {}),
  }));

export const unmaskedEndings = (endings: readonly Ending[], env: Env): Ending[] =>
  endings.map((ending) => ({ ...ending, text: env.masks.unmask(ending.text), words: env.masks.unmask(ending.words) }));
