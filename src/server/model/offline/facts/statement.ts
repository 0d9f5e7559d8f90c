// A sentence's statements: clause by clause, whom it is about, which relation, on which dates. The rules themselves stand in the tables beside this file.
import { type DateMention, datesIn, partsOfDayLast, without } from "../language/dates.ts";
import { isFinite } from "../language/verbs.ts";
import { clausesOf } from "./clauses.ts";
import type { Draft, RuleContext } from "./draft.ts";
import { endingOf } from "./endings.ts";
import type { Env } from "./env.ts";
import { eventDraft } from "./events.ts";
import { type Ending, type Fact, ME } from "./fact.ts";
import { finished, severalIn } from "./finish.ts";
import { isName, petAt, roleAt } from "./heads.ts";
import { animalIn, embedded } from "./on-the-way.ts";
import { doneToMe, offOf, planOf } from "./plans.ts";
import { plainPredicate, plainSentence } from "./paraphrases.ts";
import { type Predicate, canBePast, readPredicate } from "./predicate.ts";
import { HOME_RULES } from "./rules-home.ts";
import { PEOPLE_RULES, nameIsMyRole } from "./rules-people.ts";
import { SELF_RULES } from "./rules-self.ts";
import { byRules, nameOfRole, plainThing, thingDrafts } from "./rules-things.ts";
import { WORK_RULES } from "./rules-work.ts";
import { datesFor, durations } from "./spans.ts";
import { type Clause, subjectOf, withoutLead } from "./subject.ts";
import { isChat, isPassing, isTalk, isTalkThing } from "./talk.ts";

export interface Reading {
  facts: Fact[];
  endings: Ending[];
  /** Clauses that no rule could read. */
  unread: string[];
}

const RULES = [...HOME_RULES, ...WORK_RULES, ...PEOPLE_RULES, ...SELF_RULES];
/** A sentence longer than this is a story, not a fact. */
const SENTENCE_MAX_CHARS = 600;

/** Facts and endings that a statement tells. `env.last` moves on to the person spoken of. */
export function readStatement(sentence: string, env: Env): Reading {
  const reading: Reading = { facts: [], endings: [], unread: [] };
  if (sentence.length > SENTENCE_MAX_CHARS) return reading;
  const text = partsOfDayLast(inPlainWords(whole(sentence.replace(/[.!…\s]+$/, ""))));
  const aside = WHO.exec(text);
  if (aside) return together([aside[4] ? `${aside[1]} ${aside[4]}` : aside[1]!, `${aside[2]} ${aside[3]}`], env);
  env.jobTalk = /\b(?:changed|switched|new|another|different) (?:jobs?|employer|company)\b/i.test(text);
  let inherited: DateMention[] = [];
  for (const clause of clausesOf(text, env, datesIn(text, env.clock, "future"))) {
    const found = readClause(clause, env, inherited);
    reading.facts.push(...found.facts);
    const named = found.facts.findLast(
      (fact) => fact.rel.startsWith("relation:") && fact.value !== undefined && fact.subject.kind === "me",
    );
    if (named && !found.facts.some((fact) => fact.subject.kind === "person")) env.last = { kind: "person", name: named.value! };
    // Whom one clause introduces, the next can speak of by name.
    for (const { rel, value } of found.facts) {
      if (rel.startsWith("relation:") && value && !env.people.some(({ name }) => name === value))
        env.people = [...env.people, { name: value, roles: [rel.slice(9)], path: null }];
    }
    reading.endings.push(...found.endings);
    if (found.facts.length + found.endings.length === 0) reading.unread.push(clause);
    inherited = [];
  }
  reading.facts = distinct(reading.facts);
  return reading;
}

/** "My brother Jan, who lives in Berlin, is a chef"; "I have a brother, Jan, who lives in Berlin". */
const WHO = /^((?:My|Our|I have|I've got|We have) .*?(\p{Lu}[\p{L}'’-]+)),? who ([^,]+)(?:, (?!and\b)(.+))?$/u;

/** "I was a vegetarian but I'm not any more", "I used to smoke but I stopped": said in two clauses, meant as one. */
const whole = (text: string): string =>
  text
    .replace(/\bI was (.+?),? but I am (?:not|no longer)(?: one)?(?: any ?more| any longer| now)?$/, "I am no longer $1")
    .replace(
      /\bI used to (.+?),? but (?:I (?:do not|stopped|have stopped|no longer do|quit|gave (?:it|that) up)|not)(?: (?:any ?more|any longer|now|it))*$/,
      "I no longer $1",
    );

/** The sentence behind its polite words in a form that the rules read. */
function inPlainWords(sentence: string): string {
  const { text } = withoutLead(sentence);
  const plain = plainSentence(text);
  return plain === text ? sentence : `${sentence.slice(0, sentence.length - text.length)}${plain}`;
}

/** Several sentences as one reading. */
function together(sentences: readonly string[], env: Env): Reading {
  const parts = sentences.map((sentence) => readStatement(sentence, env));
  return {
    facts: distinct(parts.flatMap(({ facts }) => facts)),
    endings: parts.flatMap(({ endings }) => endings),
    unread: parts.flatMap(({ unread }) => unread),
  };
}

const distinct = (facts: Fact[]): Fact[] =>
  facts.filter(
    (fact, i) =>
      facts.findIndex(
        (other) =>
          other.text === fact.text && other.on === fact.on && JSON.stringify(other.subject) === JSON.stringify(fact.subject),
      ) === i,
  );

function readClause(clause: string, env: Env, inherited: DateMention[]): Reading {
  const nothing: Reading = { facts: [], endings: [], unread: [] };
  let dates = datesIn(clause, env.clock, "future");
  const lead = withoutLead(turned(without(clause, dates)));
  let bare = fronted(lead.text);
  const byName = nameIsMyRole(bare.replace(/,? (?:now|too|as well|by the way|again)$/i, ""));
  if (byName && !env.speaker)
    return {
      facts: byName.map((draft) => finished(draft, ME, datesFor(dates, env.clock.today), /\bnow\b/i.test(clause))),
      endings: [],
      unread: [],
    };
  let subject = subjectOf(bare, env);
  if (!subject) return env.speaker ? nothing : othersPlan(bare, dates, env);
  const day = dates.find(({ role }) => role === "on");
  const longAgo =
    day !== undefined && canBePast(subject.predicate) && !/\b(?:next|tomorrow|in \S+ (?:days|weeks|months))\b/i.test(day.text);
  let predicate = readPredicate(subject.predicate, isThird(subject, bare), longAgo);
  if (isPastTense(predicate) && dates.length > 0 && !PUT_OFF.test(predicate.text) && !bookedAhead(predicate, dates)) {
    dates = datesIn(clause, env.clock, "past");
    bare = fronted(withoutLead(without(clause, dates)).text);
    subject = subjectOf(bare, env) ?? subject;
    predicate = readPredicate(subject.predicate, isThird(subject, bare), longAgo);
  }
  const plain = plainPredicate(predicate.text);
  if (plain !== predicate.text)
    predicate = { ...predicate, text: plain, negative: false, tense: /^(?:was|married) /.test(`${plain} `) ? "past" : "present" };
  if (lead.now || subject.thing?.startsWith("new ")) predicate.fresh = true;
  if (dates.length === 0) dates = inherited;
  if (subject.owner.kind !== "me") env.last = subject.owner;
  const intro = [...subject.intro, ...(env.speaker || dates.length > 0 ? [] : embedded(bare, subject))];
  if (subject.intro.length > 0) env.last = { kind: "person", name: subject.intro[0]!.value! };
  if (subject.other) return othersPlan(bare, dates, env);
  const context: RuleContext = { env, owner: subject.owner, predicate, dates };
  const ended = endingOf(subject, context);
  if (ended) return { facts: [...intro, ...ended.facts], endings: ended.ending ? [ended.ending] : [], unread: [] };
  const drafts = draftsOf(subject, context);
  return {
    facts: [
      ...intro,
      ...drafts.map((draft) =>
        finished(draft, subject.owner, draft.dated ? {} : datesFor(context.dates, env.clock.today), predicate.fresh, predicate),
      ),
    ],
    endings: [],
    unread: [],
  };
}

/** A clause about neither the user nor a person: only its plans matter. */
function othersPlan(bare: string, dates: DateMention[], env: Env): Reading {
  const ending = offOf(bare, env, dates);
  const plan = ending ? null : (planOf(bare, dates, env.clock.today) ?? (env.speaker ? null : doneToMe(bare)));
  return { facts: plan ? [plan] : [], endings: ending ? [ending] : [], unread: [] };
}

const DATE_IS = /^(?:is|was|will be) ((?:my|our|the|\p{Lu}\S*['’]s) [^,]+)$/u;
const IS_MINE = /^(?!What|Which|Who|That|This|It|There|Here|He|She|They|I\b)(\S.*?) (?:is|are) (?:now )?(?:my|our) ([^,]+)$/;

/** "Tomorrow is my birthday" → "My birthday is"; "Dune is my favourite book" → "My favourite book is Dune"; people are left to their own rule. */
function turned(clause: string): string {
  const thing = DATE_IS.exec(clause)?.[1];
  if (thing) return `${thing.charAt(0).toUpperCase()}${thing.slice(1)} is`;
  const home = clause.replace(/^home (?:for me )?is (?=\S)/i, "My home is ");
  const mine = IS_MINE.exec(home);
  if (!mine) return home;
  const words = mine[2]!.split(" ");
  if (roleAt(words, 0) !== null || words.some((word) => isFinite(word))) return home;
  return petAt(words, 0)?.end === words.length ? `My ${mine[2]} is called ${mine[1]}` : `My ${mine[2]} is ${mine[1]}`;
}

/** "In my spare time I build ships" → "I build ships in my spare time". */
const FRONT =
  /^((?:In|On|At|Every|Each|Most|During|After|Before|Once|Twice|When|Whenever|As an?|With|By|For|Two|Three|From|Until|Around|Outside|Besides|Last|This(?! is\b)) [^,]{2,60}?),? ((?:I|[Ww]e|[Mm]y|[Oo]ur|[Hh]e|[Ss]he|[Tt]hey) .+)$/;
function fronted(clause: string): string {
  const match = FRONT.exec(clause);
  if (!match || /\b(?:I|we)\b/.test(match[1]!.replace(/^When(?:ever)? I\b/, ""))) return clause;
  return `${match[2]} ${match[1]!.charAt(0).toLowerCase()}${match[1]!.slice(1)}`;
}

/** "bought tickets for the opera on 3 October": what was booked lies ahead. */
const BOOKED =
  /^(?:has )?(?:bought (?:a )?(?:\S+ )?tickets?|got (?:a )?tickets?|booked|reserved|signed up|registered|enrolled|arranged|scheduled|planned|organi[sz]ed|been invited|was invited)\b/;
const bookedAhead = (predicate: Predicate, dates: readonly DateMention[]): boolean =>
  BOOKED.test(predicate.text) && !dates.some(({ text }) => /yesterday|last|ago|today/i.test(text));

/** What was put off has its new day ahead. */
const PUT_OFF = /^(?:was|has been|got|is) (?:moved|postponed|rescheduled|pushed|brought forward|put off|shifted)\b/;
const isThird = (subject: Clause, bare: string): boolean =>
  !/^(?:I|we)\b/i.test(bare) &&
  (subject.owner.kind !== "me" || subject.thing !== undefined) &&
  !/^[Tt]hey\b/.test(bare) &&
  !(subject.owner.kind === "role" && severalIn(subject.owner.label) && !subject.thing);
const isPastTense = (predicate: Predicate): boolean => predicate.tense === "past" || predicate.tense === "perfect";

function draftsOf(subject: Clause, context: RuleContext): Draft[] {
  const { predicate, dates, owner } = context;
  const dated = dates.some(({ role, date }) => role !== "since" && date > context.env.clock.today.slice(0, date.length));
  const mine = owner.kind === "me";
  if (subject.thing !== undefined) {
    if (subject.whole)
      return predicate.tense === "modal" || (predicate.tense === "past" && dates.length === 0)
        ? []
        : [{ ...plainThing(subject.thing, context), text: `The ${subject.thing} ${predicate.text}`, whole: true }];
    const special = thingDrafts(subject.thing, context, mine);
    if (special) return special;
    if ((isTalkThing(subject.thing, predicate.text) && !dated) || predicate.tense === "modal") return [];
    if (
      predicate.tense === "past" &&
      dates.length === 0 &&
      !/^(?:died|passed away|was born|was (?:a|an|the|called|named|built))/.test(predicate.text)
    )
      return [];
    return [...animalIn(subject.thing, context.env), plainThing(subject.thing, context)];
  }
  const called = owner.kind !== "me" ? /^is (?:called|named) (.+)$/.exec(predicate.text)?.[1] : undefined;
  const relation = called && isName(called) ? nameOfRole(called, context) : null;
  if (relation) return relation;
  if (!mine && isPassing(predicate, dates.length > 0)) return [];
  if (mine && isChat(predicate, dates.length > 0)) return [];
  const text = durations(predicate.text, context);
  if (!predicate.negative || /^is not a\b|^does not /.test(text)) {
    const found = byRules(RULES, text, { ...context, predicate: { ...predicate, text } });
    if (found) return predicate.additive ? found.map((draft) => ({ ...draft, slot: undefined })) : found;
  }
  if (mine && isTalk({ ...predicate, text, tense: text === predicate.text ? predicate.tense : "present" }, dates.length > 0))
    return [];
  const event = eventDraft(
    { ...context, predicate: { ...predicate, text, tense: text === predicate.text ? predicate.tense : "present" } },
    mine,
  );
  if (!event) return [];
  const others = subject.together?.replace(/^(?:My|Our) /, (word) => word.toLowerCase());
  return [others && !/ with /.test(event.text) ? { ...event, text: `${event.text} with ${others}` } : event];
}
