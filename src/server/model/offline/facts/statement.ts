// A sentence's statements: clause by clause, whom it is about, which relation, on which dates. The rules themselves stand in the tables beside this file.
import { type DateMention, datesIn, tidy, untilAfter, without } from "../language/dates.ts";
import { addMonths, sayDate, yearOf } from "../language/calendar.ts";
import { NUMBER, numberOf } from "../language/numbers.ts";
import { baseOfIng, thirdPerson } from "../language/verbs.ts";
import { upperFirst } from "../language/words.ts";
import { clausesOf } from "./clauses.ts";
import type { Draft, RuleContext } from "./draft.ts";
import { endingOf } from "./endings.ts";
import type { Env } from "./env.ts";
import { eventDraft } from "./events.ts";
import { type Ending, type Fact, ME, type Subject } from "./fact.ts";
import { type Predicate, readPredicate } from "./predicate.ts";
import { HOME_RULES } from "./rules-home.ts";
import { PEOPLE_RULES, nameIsMyRole } from "./rules-people.ts";
import { SELF_RULES } from "./rules-self.ts";
import { byRules, plainThing, thingDrafts } from "./rules-things.ts";
import { WORK_RULES } from "./rules-work.ts";
import { type Clause, subjectOf, withoutLead } from "./subject.ts";
import { isTalk, isTalkThing } from "./talk.ts";

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
  const text = sentence.replace(/[.!…\s]+$/, "");
  let inherited: DateMention[] = [];
  for (const clause of clausesOf(text, env, datesIn(text, env.clock, "future"))) {
    const found = readClause(clause, env, inherited);
    reading.facts.push(...found.facts);
    reading.endings.push(...found.endings);
    if (found.facts.length + found.endings.length === 0) reading.unread.push(clause);
    inherited = [];
  }
  reading.facts = distinct(reading.facts);
  return reading;
}

const distinct = (facts: Fact[]): Fact[] => facts.filter((fact, i) => facts.findIndex((other) => other.text === fact.text && other.on === fact.on && JSON.stringify(other.subject) === JSON.stringify(fact.subject)) === i);

function readClause(clause: string, env: Env, inherited: DateMention[]): Reading {
  const nothing: Reading = { facts: [], endings: [], unread: [] };
  let dates = datesIn(clause, env.clock, "future");
  const lead = withoutLead(without(clause, dates));
  let bare = fronted(lead.text);
  const byName = nameIsMyRole(bare.replace(/,? (?:now|too|as well|by the way|again)$/i, ""));
  if (byName && !env.speaker) return { facts: byName.map((draft) => finished(draft, ME, datesFor(dates), /\bnow\b/i.test(clause))), endings: [], unread: [] };
  let subject = subjectOf(bare, env);
  if (!subject) return env.speaker ? nothing : planOf(bare, dates, nothing);
  let predicate = readPredicate(subject.predicate, isThird(subject, bare));
  if (isPastTense(predicate) && dates.length > 0) {
    dates = datesIn(clause, env.clock, "past");
    bare = fronted(withoutLead(without(clause, dates)).text);
    subject = subjectOf(bare, env) ?? subject;
    predicate = readPredicate(subject.predicate, isThird(subject, bare));
  }
  if (lead.now) predicate.fresh = true;
  if (dates.length === 0) dates = inherited;
  if (subject.owner.kind !== "me") env.last = subject.owner;
  const intro = subject.intro;
  if (intro.length > 0 && intro[0]!.value) env.last = { kind: "person", name: intro[0]!.value };
  if (subject.other) {
    const planned = planOf(bare, dates, nothing);
    return planned;
  }
  const context: RuleContext = { env, owner: subject.owner, predicate, dates };
  const ended = endingOf(subject, context);
  if (ended) return { facts: [...intro, ...ended.facts], endings: ended.ending ? [ended.ending] : [], unread: [] };
  const drafts = draftsOf(subject, context);
  return { facts: [...intro, ...drafts.map((draft) => finished(draft, subject.owner, draft.dated ? {} : datesFor(dates), predicate.fresh, predicate))], endings: [], unread: [] };
}

/** "In my spare time I build ships" → "I build ships in my spare time". */
const FRONT = /^((?:In|On|At|Every|Each|Most|During|After|Before|Once|Twice|When|Whenever|As an?|With|By|For|Two|Three|From|Until|Around|Outside|Besides) [^,]{2,60}?),? ((?:I|[Ww]e|[Mm]y|[Oo]ur|[Hh]e|[Ss]he|[Tt]hey) .+)$/;
function fronted(clause: string): string {
  const match = FRONT.exec(clause);
  if (!match || /\b(?:I|we)\b/.test(match[1]!.replace(/^When(?:ever)? I\b/, ""))) return clause;
  return `${match[2]} ${match[1]!.charAt(0).toLowerCase()}${match[1]!.slice(1)}`;
}

const isThird = (subject: Clause, bare: string): boolean => (subject.owner.kind !== "me" || subject.thing !== undefined) && !/^[Tt]hey\b/.test(bare) && !(subject.owner.kind === "role" && /s$/.test(subject.owner.label) && !subject.thing);
const isPastTense = (predicate: Predicate): boolean => predicate.tense === "past" || predicate.tense === "perfect";

function draftsOf(subject: Clause, context: RuleContext): Draft[] {
  const { predicate, dates, owner } = context;
  const dated = dates.some(({ role, date }) => role !== "since" && date > context.env.clock.today.slice(0, date.length));
  const mine = owner.kind === "me";
  if (subject.thing !== undefined) {
    const special = thingDrafts(subject.thing, context, mine);
    if (special) return special;
    if ((isTalkThing(subject.thing, predicate.text) && !dated) || predicate.tense === "modal") return [];
    if (predicate.tense === "past" && dates.length === 0 && !/^(?:died|passed away|was born|was (?:a|an|the|called|named|built))/.test(predicate.text)) return [];
    return [plainThing(subject.thing, context)];
  }
  const text = durations(predicate.text, context);
  if (!predicate.negative || /^is not a\b|^does not /.test(text)) {
    const found = byRules(RULES, text, { ...context, predicate: { ...predicate, text } });
    if (found) return predicate.additive ? found.map(({ slot: _, ...rest }) => rest) : found;
  }
  if (mine && isTalk({ ...predicate, text }, dates.length > 0)) return [];
  const event = eventDraft({ ...context, predicate: { ...predicate, text } }, mine);
  return event ? [event] : [];
}

const LASTING = new RegExp(`^(.*?) for (?:about |over |almost |nearly |more than |at least |the (?:last|past) )?(${NUMBER}) (years|months)(?: now)?$`);

/** "has been learning the cello since May", "has lived here for ten years": a state that began, as the state itself. */
function durations(text: string, context: RuleContext): string {
  let out = text;
  const lasting = LASTING.exec(out);
  const begun = context.dates.some(({ role }) => role === "since");
  if (lasting && /^has /.test(out)) {
    const n = numberOf(lasting[2]!) ?? 1;
    const date = lasting[3] === "years" ? String(yearOf(context.env.clock.today) - n) : addMonths(context.env.clock.today, -n).slice(0, 7);
    context.dates = [...context.dates, { index: 0, text: "", date, role: "since" }];
    out = lasting[1]!;
  } else if (!begun) return text;
  const been = /^has been (\S+)(.*)$/.exec(out);
  if (been) {
    const base = baseOfIng(been[1]!);
    return base && /^(?:live|work|play|teach|study|collect|drive|sing|swim|run|cook|keep|smoke|volunteer|wear|use)$/.test(base) ? `${thirdPerson(base)}${been[2]}` : `is ${been[1]}${been[2]}`;
  }
  const had = /^has had (.+)$/.exec(out);
  if (had) return `has ${had[1]}`;
  const lived = /^has (lived|worked|played|taught|studied|owned|known|volunteered|kept|used|driven|sung|coached) (.+)$/.exec(out);
  const bases: Record<string, string> = { lived: "lives", worked: "works", played: "plays", taught: "teaches", studied: "studies", owned: "owns", known: "knows", volunteered: "volunteers", kept: "keeps", used: "uses", driven: "drives", sung: "sings", coached: "coaches" };
  return lived ? `${bases[lived[1]!]} ${lived[2]}` : out;
}

interface Dates {
  on?: string;
  since?: string;
  until?: string;
  expires?: string;
  /** What is left to say in the text. */
  tail?: string;
}

/** Which key of the format each date of a clause becomes. */
export function datesFor(dates: readonly DateMention[]): Dates {
  const out: Dates = {};
  for (const { role, date, last } of dates) {
    if (role === "since" && last && !out.on) Object.assign(out, { on: date, tail: `until ${sayDate(last)}` });
    else if (role === "since") out.since ??= date;
    else if (role === "until") out.until ??= untilAfter(date);
    else if (role === "expires") out.expires ??= date;
    else if (role === "before" || role === "after") out.tail ??= `${role} ${sayDate(date)}`;
    else if (!out.on) Object.assign(out, { on: date }, last ? { tail: last.length === 10 && date.length === 10 ? `until ${sayDate(last)}` : "" } : {});
    else out.tail ??= `on ${sayDate(date)}`;
    if (role === "by" && out.on === date) out.tail ??= `by ${sayDate(date)}`;
  }
  return out;
}

function finished(draft: Draft, owner: Subject, dates: Dates, fresh: boolean, predicate?: Predicate): Fact {
  const { tail, ...keys } = dates;
  const subject = draft.whole ? ME : (draft.subject ?? owner);
  const words = tidy(tail ? `${draft.text} ${tail}` : draft.text);
  let text = upperFirst(words);
  if (!draft.whole && draft.noun && subject.kind === "me") text = `My ${words}`;
  if (!draft.whole && subject.kind === "role") text = draft.noun ? `My ${subject.label}'s ${words}` : `My ${subject.label} ${words}`;
  const slot = subject.kind === "role" ? undefined : draft.slot;
  return {
    subject,
    text,
    rel: draft.rel,
    ...(draft.value ? { value: draft.value } : {}),
    ...(slot ? { slot } : {}),
    ...(draft.one && !slot ? { one: true } : {}),
    ...(predicate?.negative ? { negative: true } : {}),
    ...(fresh ? { fresh: true } : {}),
    ...keys,
    ...(draft.since ? { since: draft.since } : {}),
    ...(draft.on ? { on: draft.on } : {}),
    ...(draft.expires ? { expires: draft.expires } : {}),
  };
}

const THERE_IS = /^(?:there (?:is|will be|are)|it is|that is|we have)\s+(?:an?\s+)?/i;
const NO_PLAN = /^(?:what|when|where|who|why|how|which|do|does|did|is|are|can|could|would|should|will|was|were|it|this|that|he|she|they|you|thanks|thank|please|see|until|till|since|happy|merry|good|talk|write|give|tell|explain|translate|summari[sz]e|show|find|make|remember|forget|yes|no|ok|okay|sure|maybe|hi|hello|hey|bye)\b/i;

/** A plan whose subject is neither the user nor a person: "The concert is on 12 December", "Dentist on Friday at 3". */
function planOf(bare: string, dates: readonly DateMention[], nothing: Reading): Reading {
  const ahead = dates.filter(({ role }) => role === "on" || role === "by" || role === "expires");
  if (ahead.length === 0) return nothing;
  const there = THERE_IS.test(bare);
  const words = tidy(bare.replace(THERE_IS, "").replace(/\s+(?:is|are|will be|takes place|happens)(?: (?:due|at home))?$/i, "").replace(/^the (?=\S)/i, ""));
  if (!words || words.split(" ").length > 12 || (!there && NO_PLAN.test(bare))) return nothing;
  const finite = /\b(?:was|were|came|went|had|did|got|said|made|took)\b/i.test(words);
  if (finite) return nothing;
  return { facts: [finished({ text: words, rel: "plan", whole: true }, ME, datesFor(dates), false)], endings: [], unread: [] };
}
