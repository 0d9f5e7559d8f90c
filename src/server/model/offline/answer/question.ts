// Reads a question: whom it is about, which relation or which words it asks for, and of which time.
import { type Env, type KnownPerson, peopleByRole, personByName } from "../facts/env.ts";
import { NAME, canBeName } from "../facts/lexicon.ts";
import { PET, ROLE, ROLE_MOD, type RoleWord, petOf, roleOf } from "../facts/roles.ts";
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
  /** All words, with "S" for the subject. */
  words: string;
}

const LEAD =
  /^(?:(?:and|so|but|ok(?:ay)?|hey|hi|hello|please|well|now|then|also|by the way|btw|quick question|question|just checking|sorry|oh|hm+|actually|anyway|(?:can|could|would|will) you (?:please )?(?:tell me|say|remind me|list|show me|give me|look up|check|find out)|tell me|remind me(?: of| again)?|show me|list|give me|say|look up|check|(?:do|did|can|could) you (?:still |happen to |even |also )*(?:know|remember|recall)(?! (?:anything|something|everything|much|all)? ?about)|I (?:forgot|forget|cannot remember|do not remember|wonder|am wondering|want to know|would like to know|need to know)|what was it again|any idea|from (?:your|my) memory|according to (?:your|my) memory|as far as you know)[\s,:;–—-]+)+/i;
const TAIL = /[\s,]+(?:again|please|by the way|btw|do you (?:know|remember)|for me|then|right|exactly|at the moment|currently|these days|nowadays|in your memory|from memory|now|actually|though|already|yet|so far|still)+$/i;

/** The bare question: no "do you know", no "again", an indirect one turned round ("where I live" → "where do I live"). */
export function bareQuestion(text: string): string {
  let out = text.replace(/[?!.\s]+$/, "").trim();
  for (let before = ""; before !== out; ) {
    before = out;
    out = out.replace(LEAD, "").replace(TAIL, "").replace(/[\s,]+$/, "").trim();
  }
  const indirect = /^(who|what|where|when|how|which(?: \p{L}+)?|what \p{L}+|since when|how long)\s+((?:I|we|he|she|they)|(?:my|our|his|her|their) (?:[\p{L}'’-]+ ){0,3}?[\p{L}'’-]+|\p{Lu}[\p{L}'’-]+)\s+(am|is|are|was|were|live|lives|lived|work|works|worked|do|does|did|have|has|like|likes|drive|drives|speak|speaks|play|plays|study|studies|take|takes|own|owns|met|moved|called)\b\s*(.*)$/iu.exec(out);
  if (indirect && !/^(?:do|does|did)$/.test(indirect[3]!) && !(indirect[2]!.startsWith("my") && /\b(?:is|are|do|does|was)\b/.test(indirect[2]!))) {
    const [, wh, subject, verb, rest] = indirect as unknown as string[];
    if (/^(?:am|is|are|was|were)$/.test(verb!)) out = `${wh} ${verb} ${subject} ${rest}`.trim();
    else out = `${wh} ${/^(?:met|moved|lived|worked)$/.test(verb!) ? "did" : /^(?:I|we|they)$/i.test(subject!) ? "do" : "does"} ${subject} ${verb} ${rest}`.trim();
  }
  return out;
}

const ABOUT =
  /\b(?:know|remember|recall|have(?: (?:stored|saved|kept|noted))?|learned|learnt|keep|kept|saved|stored|noted|got)(?: (?:anything|something|everything|things|it|stuff|all|exactly|so far|down))* (?:about|on|of|regarding) (.+)$|\b(?:did|have) I (?:ever |already |once )?(?:tell|told|say|said|mention|mentioned|write|wrote|written)(?: to)?(?: you)?(?: anything| something)?(?: about| on| of)? (.+)$|^(?:everything|anything|something|more|all|all you know|what you know|what do you know|what else) (?:you know )?about (.+)$|^about (.+)$|^(?:what|anything) about (.+)$|^what is (?:there )?(?:known|stored|saved|kept|in (?:your|the|my) memory) (?:about|on|of) (.+)$/i;
const ALL_OF_ME = /^(?:what|which (?:facts|things)|everything|all|anything|how much)(?: things| facts| lines)? (?:do|did|have|can) you (?:already |still |actually )?(?:know|remember|recall|learned|learnt|kept|saved|stored|have|got)(?: in memory| so far| from (?:me|before|earlier|last time))?$|^(?:what is in (?:my|your|the) memory|what (?:have I told|did I tell) you|what you know|who am I(?: to you)?|describe me|my (?:facts|memory|profile)|summari[sz]e me|introduce me|what (?:facts|things) (?:do you (?:know|have)|are (?:kept|stored|saved)))(?: about me)?$/i;
const PLANS =
  /\b(?:plans?|agenda|schedule|calendar|appointments?|diary|coming up|upcoming|planned|scheduled|to-?do)\b|^what (?:am|are|is) (?:I|we) (?:doing|up to)\b|^what (?:do|will) (?:I|we) (?:have (?:on|planned|to do)|do)\b.*\b(?:tomorrow|today|tonight|next|this|on|in|weekend)\b|^(?:do|will) (?:I|we) have (?:anything|something|any)(?: \p{L}+)? ?(?:on|planned|scheduled|coming up|for|to do)?\b.*\b(?:tomorrow|today|tonight|next|this|on|in|weekend|coming up)\b|^am I (?:free|busy|doing anything)\b|^anything (?:on|planned|coming up|scheduled)\b|^what is (?:on|happening|next|ahead|going on|up)\b|^where am I going (?:next|on|in|tomorrow|this)\b/iu;
const FORMER = /\b(?:before(?: that| then| this)?|used to|previous(?:ly)?|former(?:ly)?|earlier|prior to|last (?=(?:job|employer|manager|boss|home|address|city|partner|flat|car))|ex-?|old (?=(?:job|employer|manager|boss|home|address|city|flat|car|phone|name)))\b/i;

export function readQuestion(text: string, env: Env): Question {
  const q = bareQuestion(text);
  const wh = whOf(q);
  const former = FORMER.test(q);
  const beforeWhat = /\b(?:before|prior to) ((?:\p{Lu}|the |my )[\p{L}'’ &-]*)$/u.exec(q)?.[1];
  const base = { wh, former, words: q, ...(beforeWhat ? { beforeWhat } : {}) };
  if (ALL_OF_ME.test(q)) return { ...base, kind: "about", subject: { kind: "me" }, topic: "" };
  const about = ABOUT.exec(q);
  if (about) return aboutQuestion(about.slice(1).find(Boolean)!, base, env);
  if (PLANS.test(q) && !/\bplan to\b|\bfloor plan|\bpension plan|\bphone plan/i.test(q)) return { ...base, kind: "plans", subject: subjectIn(q, env).subject };
  const who = new RegExp(`^(?:who|what) (?:is|was|are) ${NAME}$`, "u").exec(q) ?? (env.lowerCase ? /^(?:who) (?:is|was) (\p{L}+)$/u.exec(q) : null);
  if (who && who[1] && !/^(?:my|your|our|his|her|the|a|an|this|that|it)\b/i.test(who[1]) && (personByName(env.people, who[1]) || canBeName(who[1].split(" ")[0]!) || env.lowerCase)) return aboutQuestion(who[1], base, env);
  const role = roleQuestion(q, base, env);
  if (role) return role;
  const { subject, words } = subjectIn(q, env);
  const rel = relOf(words);
  return rel ? { ...base, kind: "relation", subject, words, ...rel } : { ...base, kind: "words", subject, words };
}

function whOf(q: string): Question["wh"] {
  if (/^(?:since when|how long|for how long|from when)\b/i.test(q)) return "since";
  if (/^how many\b/i.test(q)) return "howmany";
  if (/^(?:when|what (?:day|date|time|year|month)|on (?:what|which) (?:day|date)|in (?:what|which) (?:year|month)|which (?:day|date|year|month))\b/i.test(q)) return "when";
  const word = /^(?:(?:at|in|for|to|with|on|from|of) )?(who|whose|whom|what|which|where|how|why)\b/i.exec(q)?.[1]?.toLowerCase();
  if (word === "who" || word === "whose" || word === "whom") return "who";
  if (word === "where" || word === "how") return word;
  if (/^(?:do|does|did|am|is|are|was|were|have|has|can|could|will|would|should)\b/i.test(q)) return "yesno";
  return "what";
}

type Base = Pick<Question, "wh" | "former" | "words" | "beforeWhat">;

function aboutQuestion(topic: string, base: Base, env: Env): Question {
  const clean = topic.replace(/^(?:the |this |that )?(?:topic|subject|person|thing)(?: of| called)? /i, "").replace(/[?.!\s]+$/, "").trim();
  if (/^(?:me|myself|us|I)$/i.test(clean)) return { ...base, kind: "about", subject: { kind: "me" }, topic: "" };
  const found = personPhrase(clean, env);
  if (found && found.kind !== "me") return { ...base, kind: "about", subject: found, topic: clean };
  return { ...base, kind: "about", subject: { kind: "anyone" }, topic: clean };
}

/** "Karel", "my brother Karel", "my brother", "him". */
function personPhrase(words: string, env: Env): Asked | null {
  if (/^(?:him|her|them|he|she|they)$/i.test(words)) return lastAsked(env);
  const role = new RegExp(`^(?:my|our) (${ROLE_MOD})${ROLE}(?: ${NAME})?$`, "iu").exec(words);
  if (role) return role[3] && /^\p{Lu}/u.test(role[3]) ? { kind: "person", name: personByName(env.people, role[3])?.name ?? role[3] } : roleAsked(role[1]!, role[2]!, env);
  const known = personByName(env.people, words);
  if (known) return { kind: "person", name: known.name };
  return null;
}

function roleAsked(modifiers: string, role: string, env: Env): Asked | null {
  const word = roleOf(role);
  if (!word) return null;
  const people = peopleByRole(env.people, word, roleOf);
  return people.length === 1 && !word.plural ? { kind: "person", name: (people[0] as KnownPerson).name } : { kind: "role", role: word, label: `${modifiers}${role}`.toLowerCase() };
}

const lastAsked = (env: Env): Asked | null => {
  if (!env.last) return null;
  if (env.last.kind === "person") return { kind: "person", name: env.last.name };
  if (env.last.kind === "role") return roleAsked("", env.last.role, env);
  return { kind: "me" };
};

/** "Who is my husband", "What are my daughters called", "How many cats do I have", "the name of our tortoise". */
function roleQuestion(q: string, base: Base, env: Env): Question | null {
  const before = "(?: (?:before|prior to)(?: .+)?| now| called| named| by name|['’]s? names?| (?:used to be|right now))*";
  const mods = `(?:(?:previous|former|last|old|current|new) )?(${ROLE_MOD})`;
  const forms = (noun: string): RegExp[] => [
    new RegExp(`^(?:who|what|which) (?:is|are|was|were)(?: the)?(?: names? of)? (?:my|our) ${mods}${noun}${before}$`, "iu"),
    new RegExp(`^what (?:do|does|did) (?:I|we) call (?:my|our) ${mods}${noun}$`, "iu"),
    new RegExp(`^(?:what|which) (?:is|are) the names? of (?:my|our) ${mods}${noun}$`, "iu"),
    new RegExp(`^(?:how many|which|what) ${mods}${noun} (?:do|did|have) (?:I|we) (?:have|own|keep|got)$`, "iu"),
    new RegExp(`^(?:do|did|have) (?:I|we) (?:have |got |own |keep )?(?:an?|any|some) ${mods}${noun}$`, "iu"),
    new RegExp(`^(?:my|our) ${mods}${noun}(?:['’]s? names?)?$`, "iu"),
    new RegExp(`^names? of (?:my|our) ${mods}${noun}$`, "iu"),
    new RegExp(`^who (?:used to be|was) (?:my|our) ${mods}${noun}${before}$`, "iu"),
    new RegExp(`^what (?:is|are) (?:my|our) ${mods}${noun} (?:called|named)$`, "iu"),
  ];
  for (const form of ROLE_FORMS ?? (ROLE_FORMS = forms(ROLE))) {
    const match = form.exec(q);
    const role = match ? roleOf(match[2]!) : null;
    if (match && role) return { ...base, kind: "role", subject: { kind: "me" }, role, rel: `${match[1] ?? ""}${match[2]}` };
  }
  for (const form of PET_FORMS ?? (PET_FORMS = forms(PET.replace(/\)$/, "|pets?|animals?)")))) {
    const match = form.exec(q);
    if (match) return { ...base, kind: "pet", subject: { kind: "me" }, rel: petOf(match[2]!) ?? "pet" };
  }
  void env;
  return null;
}
let ROLE_FORMS: RegExp[] | undefined;
let PET_FORMS: RegExp[] | undefined;

/** Finds the subject of a question and puts "S" in its place ("Where does my sister live" → "Where does S live"). */
export function subjectIn(q: string, env: Env): { subject: Asked; words: string } {
  const role = new RegExp(`\\b(?:my|our) (${ROLE_MOD})${ROLE}(?: (\\p{Lu}[\\p{L}'’-]+))?(['’]s?)?(?= |$)`, "iu").exec(q);
  if (role && roleOf(role[2]!) && !(/^(?:with|for|to|by|from|about)$/i.test(q.slice(0, role.index).trim().split(" ").at(-1) ?? "") && /\bI\b/.test(q))) {
    const name = role[3] && /^\p{Lu}/u.test(role[3]) ? role[3] : undefined;
    const asked = name ? ({ kind: "person", name: personByName(env.people, name)?.name ?? name } as const) : roleAsked(role[1]!, role[2]!, env);
    if (asked) return { subject: asked, words: placed(q, role.index, role[0].length, role[4]) };
  }
  for (const { name } of env.people) {
    for (const part of new Set([name, name.split(" ")[0]!])) {
      const match = new RegExp(`(?<![\\p{L}])${part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(['’]s?)?(?![\\p{L}])`, "iu").exec(q);
      if (!match || /\b(?:I|we)\b/.test(q.slice(0, match.index)) || /^(?:with|to|for|by|from|before)$/i.test(q.slice(0, match.index).trim().split(" ").at(-1) ?? "")) continue;
      return { subject: { kind: "person", name }, words: placed(q, match.index, match[0].length, match[1]) };
    }
  }
  if (/\b(?:I|we|me|my|our|mine|us|myself|ours)\b/i.test(q)) {
    return { subject: { kind: "me" }, words: q.replace(/\b(?:I|we|me|us)\b/g, "S").replace(/\b(?:my|our)\b/gi, "S's") };
  }
  const pronoun = /\b(?:he|she|they|him|her|them|his|hers|their)\b/i.exec(q);
  const last = pronoun ? lastAsked(env) : null;
  if (last) return { subject: last, words: q.replace(/\b(?:he|she|they|him|them)\b/gi, "S").replace(/\b(?:his|her|their)\b/gi, "S's") };
  const name = /(?<=^(?:who|what|where|when|how|which|since when|how long|how old)?(?: \p{Ll}+)?\s?(?:do|does|did|is|are|was|were|has|have|can|will)\s)(\p{Lu}[\p{L}'’-]+?)(['’]s)?(?= |$)/iu.exec(q);
  if (name && canBeName(name[1]!)) return { subject: { kind: "person", name: name[1]! }, words: placed(q, name.index, name[0].length, name[2]) };
  return { subject: { kind: "anyone" }, words: q };
}

const placed = (q: string, index: number, length: number, possessive: string | undefined): string => `${q.slice(0, index)}S${possessive ? "'s" : ""}${q.slice(index + length)}`;
