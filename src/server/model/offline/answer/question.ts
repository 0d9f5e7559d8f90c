// Reads a question: whom it is about, which relation or which words it asks for, and of which time.
import { type Env, type KnownPerson, peopleByRole, personByName } from "../facts/env.ts";
import { isName, nameAt, petAt, roleAt } from "../facts/heads.ts";
import { canBeName } from "../facts/lexicon.ts";
import { type RoleWord, roleOf } from "../facts/roles.ts";
import { datesIn, without } from "../language/dates.ts";
import { isFinite } from "../language/verbs.ts";
import { foreignTopic } from "../language/foreign-questions.ts";
import { escapeRegExp } from "../language/words.ts";
import { relOf } from "./relations.ts";

export type Asked =
  | { kind: "me" }
  | { kind: "person"; name: string }
  | { kind: "role"; role: RoleWord; label: string }
  | { kind: "anyone" };

export interface Question {
  kind: "about" | "plans" | "role" | "pet" | "relation" | "words";
  subject: Asked;
  /** Relation of `relations.ts`; a role or a pet word for those kinds. */
  rel?: string;
  role?: RoleWord;
  /** What an "about" asks for, in its words; empty for the user. */
  topic?: string;
  wh: "who" | "what" | "where" | "when" | "how" | "howmany" | "since" | "yesno";
  /** "before", "used to", "previous". */
  former: boolean;
  /** "before Edda": the value that came after. */
  beforeWhat?: string;
  /** The value that a relation question names ("Do I live in Utrecht"). */
  value?: string;
  /** All words, with "S" for the subject. */
  words: string;
}

const LEAD =
  /^(?:(?:and|so|but|ok(?:ay)?|hey|hi|hello|please|well|now|then|also|by the way|btw|quick question|question|just checking|sorry|oh|hm+|actually|anyway|(?:can|could|would|will) you (?:please )?(?:tell me|say|remind me|list|show me|give me|look up|check|find out)|tell me|remind me(?: of| again)?|show me|list|give me|say|look up|check|(?:do|did|can|could) you (?:still |happen to |even |also )*(?:know|remember|recall)(?! (?:anything|something|everything|much|all)? ?about)|I (?:forgot|forget|cannot remember|do not remember|wonder|am wondering|want to know|would like to know|need to know)|what was it again|any idea|from (?:your|my) memory|according to (?:your|my) memory|as far as you know)[\s,:;–—-]+)+/i;
const TAIL =
  /[\s,]+(?:to me|what (?:is|was) (?:it|that|he|she)(?: called)?|again|please|by the way|btw|do you (?:know|remember)|for me|then|right|exactly|at the moment|currently|these days|nowadays|in your memory|from memory|now|actually|though|already|yet|so far|still)+$/i;

const INDIRECT =
  /^([Ww]ho|[Ww]hat|[Ww]here|[Ww]hen|[Hh]ow|[Ww]hich(?: [a-z]+)?|[Ww]hat (?!is |are |was |were |do |does |did |have |has |can |will |am )[a-z]+|[Ss]ince when|[Hh]ow long) (I|we|he|she|they|(?:my|our|his|her|their) (?:\S+ ){0,3}?\S+|[A-Z]\S+) (am|is|are|was|were|live|lives|lived|work|works|worked|do|does|did|have|has|like|likes|drive|drives|speak|speaks|play|plays|study|studies|take|takes|own|owns|met|moved|called)\b\s*(.*)$/;

/** The bare question: no "do you know", no "again", an indirect one turned round ("where I live" → "where do I live"). */
export function bareQuestion(text: string): string {
  let out = text.replace(/[?!.\s]+$/, "").trim();
  for (let before = ""; before !== out;) {
    before = out;
    out = out
      .replace(LEAD, "")
      .replace(TAIL, "")
      .replace(/[\s,]+$/, "")
      .trim();
  }
  const indirect = INDIRECT.exec(out);
  if (
    indirect &&
    !/^(?:do|does|did)$/.test(indirect[3]!) &&
    !(indirect[2]!.startsWith("my") && /\b(?:is|are|do|does|was)\b/.test(indirect[2]!))
  ) {
    const [, wh, subject, verb, rest] = indirect as unknown as string[];
    if (/^(?:am|is|are|was|were)$/.test(verb!)) out = `${wh} ${verb} ${subject} ${rest}`.trim();
    else
      out =
        `${wh} ${/^(?:met|moved|lived|worked)$/.test(verb!) ? "did" : /^(?:I|we|they)$/i.test(subject!) ? "do" : "does"} ${subject} ${verb} ${rest}`.trim();
  }
  return out;
}

const ABOUT = new RegExp(
  [
    String.raw`\byou (?:\w+ )?(?:know|remember|recall|have|learned|learnt|keep|kept|saved|stored|noted|got)(?: (?:anything|something|everything|things|it|stuff|all|exactly|so far|down|stored|saved|kept|noted))* (?:about|on|of|regarding) (.+)$`,
    String.raw`\b(?:know|remember|known|stored|saved|kept|learned)(?: (?:anything|something|everything|things))* (?:about|regarding) (.+)$`,
    String.raw`\b(?:did|have) I (?:ever |already |once )?(?:tell|told|say|said|mention|mentioned|write|wrote|written)(?: to)?(?: you)?(?: anything| something)?(?: about| on| of)? (.+)$`,
    String.raw`^(?:everything|anything|something|more|all|all you know|what you know|what do you know|what else) (?:you know )?about (.+)$`,
    String.raw`^about (.+)$`,
    String.raw`\b(?:tell|say to) (?:me|us) (?:anything |something |more |all |everything )?(?:(?:that )?you (?:know|have|remember) )?about (.+)$`,
    String.raw`^(?:what|anything) about (.+)$`,
    String.raw`^what is (?:there )?(?:known|stored|saved|kept|in (?:your|the|my) memory) (?:about|on|of) (.+)$`,
  ].join("|"),
  "i",
);
const ALL_OF_ME =
  /^(?:what|which (?:facts|things)|everything|all|anything|how much)(?: things| facts| lines)? (?:do|did|have|can) you (?:already |still |actually )?(?:know|remember|recall|learned|learnt|kept|saved|stored|have|got)(?: in memory| so far| from (?:me|before|earlier|last time))?$|^(?:what is in (?:my|your|the) memory|what (?:have I told|did I tell) you|what you know|who am I(?: to you)?|describe me|my (?:facts|memory|profile)|summari[sz]e me|introduce me|what (?:facts|things) (?:do you (?:know|have)|are (?:kept|stored|saved)))(?: about me)?$/i;
const PLANS =
  /\b(?:plans?|agenda|schedule|calendar|appointments?|diary|coming up|upcoming|planned|scheduled|to-?do)\b|^what (?:am|are|is) (?:I|we) (?:doing|up to)\b|^what (?:do|will) (?:I|we) (?:have(?: (?:on|planned|to do))?|do)\b.*\b(?:tomorrow|today|tonight|next|this|on|in|weekend)\b|^(?:do|will) (?:I|we) have (?:anything|something|any)(?: [a-z]+)? ?(?:on|planned|scheduled|coming up|for|to do)?\b.*\b(?:tomorrow|today|tonight|next|this|on|in|weekend|coming up)\b|^am I (?:free|busy|doing anything)\b|^anything (?:on|planned|coming up|scheduled)\b|^what is (?:on|happening|next|ahead|going on|up)\b|^where (?:am|are) (?:I|we) (?:going|off to|off|travelling|traveling|flying|headed|heading)(?: to)?(?: (?:next|on|in|tomorrow|this|for)\b.*)?$|^what (?:have|has) (?:I|we) (?:got )?(?:on|lined up|coming|planned)\b|^what do (?:I|we) have on\b|\blined up\b|^(?:am|are) (?:I|we) doing anything\b/i;
/** "on Thursdays", "every morning": a habit, no plan. */
const HABIT =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:every|each|usually|normally|weekends|mornings|afternoons|evenings|nights|(?:free|spare|leisure) time|for fun)\b/i;
const FORMER =
  /\b(?:before(?: that| then| this)?|used? to|previous(?:ly)?|former(?:ly)?|earlier|prior to|last (?=(?:job|employer|manager|boss|home|address|city|partner|flat|car))|ex-?|old (?=(?:job|employer|manager|boss|home|address|city|flat|car|phone|name)))\b/i;

/** "my job" → "what is my job"; "which book do I like best" → "what is my favourite book". */
function completed(q: string): string {
  const best = /^(?:which|what) (.+?) (?:do|does) (I|he|she|\S+) (?:like|love|enjoy|prefer) (?:the )?(?:best|most)$/i.exec(q);
  if (best) return `what is ${best[2] === "I" ? "my" : `${best[2]}'s`} favourite ${best[1]}`;
  return /^(?:my|our) (?:[\w'’-]+ ?){1,5}$/i.test(q) &&
    !q.split(" ").some((word) => isFinite(word)) &&
    roleAt(q.split(" "), 1) === null
    ? `what is ${q}`
    : q;
}

export function readQuestion(text: string, env: Env): Question {
  const q = completed(bareQuestion(text));
  const wh = whOf(q);
  const former = FORMER.test(q) || /^[Ww]ho was (?:my|our|\p{Lu}\S*['’]s) /u.test(q);
  const beforeWhat = /\b(?:before|prior to) ((?:\p{Lu}|the |my )[\p{L}'’ &-]*)$/u.exec(q)?.[1];
  const base = { wh, former, words: q, ...(beforeWhat ? { beforeWhat } : {}) };
  if (ALL_OF_ME.test(q)) return { ...base, kind: "about", subject: { kind: "me" }, topic: "" };
  const abroad = foreignTopic(q);
  if (abroad !== null)
    return abroad === "" ? { ...base, kind: "about", subject: { kind: "me" }, topic: "" } : aboutQuestion(abroad, base, env);
  const about = ABOUT.exec(q);
  const day = about ? datesIn(about.slice(1).find(Boolean)!, env.clock, "future") : [];
  // "And what about Friday?"
  if (day.length === 1 && without(about!.slice(1).find(Boolean)!, day).replace(/^(?:on|the)$/i, "") === "")
    return { ...base, kind: "plans", subject: { kind: "me" } };
  if (about) return aboutQuestion(about.slice(1).find(Boolean)!, base, env);
  if (
    PLANS.test(q) &&
    !HABIT.test(q) &&
    !/^(?:when|what time|where is|who)\b/i.test(q) &&
    !/\bplan to\b|\bfloor plan|\bpension plan|\bphone plan/i.test(q)
  )
    return { ...base, kind: "plans", subject: subjectIn(q, env).subject };
  const who = /^(?:[Ww]ho|[Ww]hat) (?:is|was|are) (.+)$/.exec(q)?.[1];
  if (
    who &&
    ((isName(who) && (personByName(env.people, who) !== null || canBeName(who.split(" ")[0]!))) ||
      (env.lowerCase && /^[a-z]+$/.test(who) && /^who/i.test(q)))
  )
    return aboutQuestion(who, base, env);
  const role = roleQuestion(q, base);
  if (role) return role;
  const { subject, words } = subjectIn(q, env);
  // "Where did I live in 2024?" asks for the relation; the day is looked at later.
  const undated = relOf(without(words, datesIn(words, env.clock, "past")));
  const rel = relOf(words) ?? (undated?.rel === "job" ? null : undated);
  return rel ? { ...base, kind: "relation", subject, words, ...rel } : { ...base, kind: "words", subject, words };
}

function whOf(q: string): Question["wh"] {
  if (/^(?:since when|how long|for how long|from when)\b/i.test(q)) return "since";
  if (/^how many\b/i.test(q)) return "howmany";
  if (
    /^(?:when|what (?:day|date|time|year|month)|on (?:what|which) (?:day|date)|in (?:what|which) (?:year|month)|which (?:day|date|year|month))\b/i.test(
      q,
    )
  )
    return "when";
  const word = /^(?:(?:at|in|for|to|with|on|from|of) )?(who|whose|whom|what|which|where|how|why)\b/i.exec(q)?.[1]?.toLowerCase();
  if (word === "who" || word === "whose" || word === "whom") return "who";
  if (word === "where" || word === "how") return word;
  if (/^(?:do|does|did|am|is|are|was|were|have|has|can|could|will|would|should)\b/i.test(q)) return "yesno";
  return "what";
}

type Base = Pick<Question, "wh" | "former" | "words" | "beforeWhat">;

function aboutQuestion(topic: string, base: Base, env: Env): Question {
  const clean = topic
    .replace(/^(?:the |this |that )?(?:topic|subject|person|thing)(?: of| called)? /i, "")
    .replace(/[?.!\s]+$/, "")
    .trim();
  if (/^(?:me|myself|us|I)$/i.test(clean)) return { ...base, kind: "about", subject: { kind: "me" }, topic: "" };
  const found = personPhrase(clean, env);
  if (found && found.kind !== "me") return { ...base, kind: "about", subject: found, topic: clean };
  return { ...base, kind: "about", subject: { kind: "anyone" }, topic: clean };
}

/** "Karel", "my brother Karel", "my brother", "him". */
function personPhrase(words: string, env: Env): Asked | null {
  if (/^(?:him|her|them|he|she|they)$/i.test(words)) return lastAsked(env);
  const mine = /^(?:my|our) (.+)$/i.exec(words)?.[1]?.split(" ");
  const head = mine ? roleAt(mine, 0) : null;
  if (mine && head) {
    const name = nameAt(mine, head.end);
    if (name?.end === mine.length) return { kind: "person", name: personByName(env.people, name.name)?.name ?? name.name };
    if (head.end === mine.length) return roleAsked(head.modifiers, head.said, env);
  }
  const known = personByName(env.people, words);
  if (known) return { kind: "person", name: known.name };
  return null;
}

function roleAsked(modifiers: string, role: string, env: Env): Asked | null {
  const word = roleOf(role);
  if (!word) return null;
  const people = peopleByRole(env.people, word, roleOf);
  return people.length === 1 && !word.plural
    ? { kind: "person", name: (people[0] as KnownPerson).name }
    : { kind: "role", role: word, label: `${modifiers} ${role}`.trim().toLowerCase() };
}

const lastAsked = (env: Env): Asked | null => {
  if (!env.last) return null;
  if (env.last.kind === "person") return { kind: "person", name: env.last.name };
  if (env.last.kind === "role") return roleAsked("", env.last.role, env);
  return { kind: "me" };
};

/** Questions for a role or an animal; "N" is the noun with its adjectives. */
const NOUN_FORMS = [
  /^(?:who|what|which) (?:is|are|was|were)(?: the)?(?: names? of)? (?:my|our) (?:(?:previous|former|last|old|current|new) )?N(?:(?:'s?)? names?)?(?: (?:(?:before|prior to)(?: .+)?|now|called|named|by name|used to be|right now))*$/i,
  /^what (?:do|does|did) (?:I|we) call (?:my|our) N$/i,
  /^how (?:is|are) (?:my|our) N (?:called|named)$/i,
  /^(?:how many|which|what) N (?:do|did|have) (?:I|we) (?:have|own|keep|got)$/i,
  /^(?:do|did|have) (?:I|we) (?:have |got |own |keep )?(?:an?|any|some) N$/i,
  /^(?:the )?(?:names? of )?(?:my|our) N(?:(?:'s?)? names?)?$/i,
  /^who (?:used to be|was) (?:my|our) (?:(?:previous|former|last|old) )?N(?: before.*)?$/i,
];

/** "Who is my husband", "What are my daughters called", "How many cats do I have", "the name of our tortoise". */
function roleQuestion(q: string, base: Base): Question | null {
  const words = q.split(" ");
  for (let at = 0; at < words.length; at++) {
    const role = roleAt(words, at);
    const animal = role ? null : (petAt(words, at) ?? anyAnimal(words, at));
    const head = role ?? (animal && animal.adjectives === "" ? animal : null);
    if (!head || /,/.test(head.tail)) continue;
    const form = [...words.slice(0, at), `N${head.tail.replace("’", "'")}`, ...words.slice(head.end)].join(" ");
    if (!NOUN_FORMS.some((one) => one.test(form))) continue;
    if (role)
      return { ...base, kind: "role", subject: { kind: "me" }, role: role.role, rel: `${role.modifiers} ${role.said}`.trim() };
    return { ...base, kind: "pet", subject: { kind: "me" }, rel: animal!.kind };
  }
  return null;
}

const anyAnimal = (words: readonly string[], at: number) =>
  /^(?:pets?|animals?)(?:'s?)?$/i.test(words[at]!)
    ? { kind: /^animal/i.test(words[at]!) ? "animal" : "pet", said: "pet", adjectives: "", plural: true, end: at + 1, tail: "" }
    : null;

/** Finds the subject of a question and puts "S" in its place ("Where does my sister live" → "Where does S live"). */
export function subjectIn(q: string, env: Env): { subject: Asked; words: string } {
  const words = q.split(" ");
  // "Which neighbour keeps bees", "which of my friends sails"
  const from = /^which$/i.test(words[0] ?? "") ? (/^of$/i.test(words[1] ?? "") ? 3 : 1) : 0;
  const which = from > 0 ? roleAt(words, from) : null;
  if (which && which.tail === "" && !/^(?:do|does|did|have|has|am|is|are)$/i.test(words[which.end] ?? "")) {
    return {
      subject: { kind: "role", role: which.role, label: which.said },
      words: ["who", ...words.slice(which.end)].join(" "),
    };
  }
  const at = words.findIndex((word, i) => /^(?:my|our)$/i.test(word) && roleAt(words, i + 1) !== null);
  const head = at >= 0 ? roleAt(words, at + 1) : null;
  // "my dentist appointment" is about the appointment.
  const thing =
    head?.tail === "" &&
    /^(?:appointment|visit|meeting|check-?up|bill|lesson|class|practice|interview|party|group|list)s?$/i.test(
      words[head.end] ?? "",
    );
  // "When did I visit my grandmother?" asks about the one who visited.
  const mine = /\b(?:do|did|have|am|was|were|will|can|could|should) (?:I|we)\b/.test(words.slice(0, Math.max(at, 0)).join(" "));
  if (head && !thing && !mine && !(/^(?:with|for|to|by|from|about)$/i.test(words[at - 1] ?? "") && /\bI\b/.test(q))) {
    const name = head.tail === "" ? nameAt(words, head.end) : null;
    const asked = name
      ? ({ kind: "person", name: personByName(env.people, name.name)?.name ?? name.name } as const)
      : roleAsked(head.modifiers, head.said, env);
    const tail = name?.tail ?? head.tail;
    if (asked)
      return {
        subject: asked,
        words: [...words.slice(0, at), /['’]/.test(tail) ? "S's" : "S", ...words.slice(name?.end ?? head.end)].join(" "),
      };
  }
  for (const { name } of env.people) {
    for (const part of new Set([name, name.split(" ")[0]!])) {
      const match = new RegExp(`(?<![\\p{L}])${escapeRegExp(part)}(['’]s?)?(?![\\p{L}])`, env.lowerCase ? "i" : "u").exec(q);
      if (
        !match ||
        /\b(?:I|we)\b/.test(q.slice(0, match.index)) ||
        /^(?:with|to|for|by|from|before)$/i.test(q.slice(0, match.index).trim().split(" ").at(-1) ?? "")
      )
        continue;
      return { subject: { kind: "person", name }, words: placed(q, match.index, match[0].length, match[1]) };
    }
  }
  if (/\b(?:I|we|me|my|our|mine|us|myself|ours)\b/i.test(q)) {
    return { subject: { kind: "me" }, words: q.replace(/\b(?:I|we|me|us)\b/g, "S").replace(/\b(?:my|our)\b/gi, "S's") };
  }
  const pronoun = /\b(?:he|she|they|him|her|them|his|hers|their)\b/i.exec(q);
  const last = pronoun ? lastAsked(env) : null;
  if (last)
    return { subject: last, words: q.replace(/\b(?:he|she|they|him|them)\b/gi, "S").replace(/\b(?:his|her|their)\b/gi, "S's") };
  const name =
    /(?<=\b(?:[Dd]o|[Dd]oes|[Dd]id|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]as|[Hh]ave|[Cc]an|[Ww]ill) )(\p{Lu}[\p{L}’-]*?\p{L})(['’]s)?(?= |$)/u.exec(
      q,
    );
  if (name && canBeName(name[1]!))
    return { subject: { kind: "person", name: name[1]! }, words: placed(q, name.index, name[0].length, name[2]) };
  return { subject: { kind: "anyone" }, words: q };
}

const placed = (q: string, index: number, length: number, possessive: string | undefined): string =>
  `${q.slice(0, index)}S${possessive ? "'s" : ""}${q.slice(index + length)}`;
