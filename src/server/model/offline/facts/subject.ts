// Whom a clause is about: takes the subject off its head and names the people that it introduces on the way.
import { isAuxiliary, isFinite } from "../language/verbs.ts";
import { upperFirst } from "../language/words.ts";
import { type Env, type KnownPerson, person, peopleByRole, personByName } from "./env.ts";
import { type Fact, ME, type Subject } from "./fact.ts";
import { ROLE, ROLE_MOD, isFormer, roleOf } from "./roles.ts";
import { NAME, canBeName, isNation } from "./lexicon.ts";

export interface Clause {
  owner: Subject;
  /** "berth at the marina" of "My berth at the marina is …". */
  thing?: string;
  /** From the finite verb on, as it was said. */
  predicate: string;
  /** People whom the subject introduced ("my sister Ines"). */
  intro: Fact[];
  /** "Jonas and I": who else. */
  together?: string;
  /** A subject that is neither the user nor a person: only its plans are worth keeping. */
  other?: boolean;
}

const OF_ME = "(?:[Mm]y|[Oo]ur)";
const LEAD = /^(?:(?:and|but|so|well|oh|ah|yes|yeah|no|ok|okay|also|plus|then|actually|anyway|btw|by the way|fyi|for the record|honestly|in fact|of course|as (?:I|you) (?:said|know)|as (?:I )?(?:mentioned|told you)(?: before| earlier)?|like I said|again|hi|hey|hello|hi there|hey there|good (?:morning|evening|afternoon)|sorry|look|listen|note that|just so you know|to be clear|you should know(?: that)?|you know|(?:I|let me) (?:just )?(?:want(?:ed)? to (?:tell you|say|mention|add)|have to (?:tell you|say)|should (?:say|mention|add)|must (?:say|add)|tell you|add)(?: that)?|did I (?:tell|mention to) you(?: that)?|guess what|good news|bad news|news|update|it turns out(?: that)?|turns out(?: that)?|the (?:fact|truth|thing) is(?: that)?|now|these days|nowadays|at the moment|at present|currently|lately|recently)\b[\s,:!.–—-]*)+/i;

/** Takes polite and linking words off the head of a clause; says whether "now" stood among them. */
export function withoutLead(clause: string): { text: string; now: boolean } {
  const lead = LEAD.exec(clause)?.[0] ?? "";
  if (!lead) return { text: clause, now: false };
  return { text: clause.slice(lead.length), now: /\b(?:now|these days|nowadays|currently)\b/i.test(lead) };
}

/** "My sister Ines" as a fact: "Ines is my sister". */
export function relation(name: string, role: string, label: string, extra: Partial<Fact> = {}): Fact {
  const word = roleOf(role);
  const former = isFormer(`${label} `) || /^ex-/.test(role);
  const shown = label && label !== role ? label : (word?.name ?? role);
  return {
    subject: ME,
    text: `${name} is my ${shown.toLowerCase()}`,
    rel: former ? "relation:former" : `relation:${word?.name ?? role}`,
    value: name,
    ...(word?.slot && !former ? { slot: word.slot } : {}),
    ...extra,
  };
}

const labelOf = (modifiers: string, role: string): string => {
  const kept = modifiers.trim().toLowerCase().split(/\s+/).filter((word) => word && !/^(?:new|current|only|other|another|dear|beloved|lovely|little|big|good|close|favourite)$/.test(word));
  return [...kept, roleOf(role)?.name ?? role].join(" ");
};

export const namesIn = (list: string): string[] =>
  list
    .split(/\s*(?:,|;|&|\band\b|\bplus\b)\s*/)
    .map((name) => name.trim())
    .filter(Boolean);

const forms = {
  myRoleName: new RegExp(`^${OF_ME} (${ROLE_MOD})${ROLE}(?:,| is called| named| called)? ${NAME}(?:,)?(?: \\(([^)]*)\\))? (.+)$`, "u"),
  nameMyRole: new RegExp(`^${NAME}, (?:who is )?${OF_ME.replace("[Mm]", "m").replace("[Oo]", "o")} (${ROLE_MOD})${ROLE},? (.+)$`, "u"),
  myRole: new RegExp(`^${OF_ME} (${ROLE_MOD})${ROLE} (.+)$`, "iu"),
  myRoleThing: new RegExp(`^${OF_ME} (${ROLE_MOD})${ROLE}(?: ${NAME})?['’]s? (.+)$`, "u"),
  myRoleThingCase: new RegExp(`^${OF_ME} (${ROLE_MOD})${ROLE}['’]s? (.+)$`, "iu"),
  nameThing: new RegExp(`^${NAME}['’]s? (.+)$`, "u"),
  me: /^(?:I|[Ww]e)\b(?:,? (?:both|all|myself))? (.+)$/,
  meToo: new RegExp(`^(?:(${OF_ME} [^,]*?|${NAME.slice(1, -1)}) and I|I and (\\S+)|me and (\\S+)) (.+)$`, "u"),
  pronoun: /^(?:[Hh]e|[Ss]he|[Tt]hey) (.+)$/,
  pronounThing: /^(?:[Hh]is|[Hh]er|[Tt]heir) (.+)$/,
  name: new RegExp(`^${NAME}(?:, who)?,? (.+)$`, "u"),
  myThing: new RegExp(`^${OF_ME} (.+)$`, "u"),
};

/** Splits "berth at the marina is number 219" at its finite verb. */
export function splitThing(words: string): { thing: string; predicate: string } | null {
  const parts = words.split(" ");
  for (let i = 1; i < parts.length; i++) {
    const word = (parts[i] as string).replace(/[,;:]$/, "");
    if (!isFinite(word)) continue;
    const before = (parts[i - 1] as string).toLowerCase();
    // "the dog that sleeps …": the verb of a clause inside; "the used car": a past form before its noun.
    if (/^(?:that|who|which|the|a|an|my|to)$/.test(before) && !isAuxiliary(word)) continue;
    if (/^(?:that|who|which)$/.test(before)) continue;
    if (/^(?:called|named)$/i.test(word)) continue;
    return { thing: parts.slice(0, i).join(" ").replace(/,$/, ""), predicate: parts.slice(i).join(" ") };
  }
  return null;
}

/** Behind a name, any small word on -s can be its verb, known or not. */
const canBeFinite = (word: string): boolean => isFinite(word) || /^(?:never|always|usually|often|sometimes|also|still|now|just|really)$/.test(word) || /^\p{Ll}{2,}[^s\P{Ll}]s$/u.test(word);

/** Reads the subject of a clause, or null where nobody that matters is its subject. */
export function subjectOf(clause: string, env: Env): Clause | null {
  const me = env.speaker ?? ME;
  const none: Fact[] = [];
  let match = forms.meToo.exec(clause);
  if (match && !env.speaker) return { owner: me, predicate: match.at(-1) as string, intro: none, together: (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").replace(/^(?:my|our) /i, "") };
  match = forms.me.exec(clause);
  if (match) return { owner: me, predicate: match[1] as string, intro: none };
  if (!env.speaker) {
    const mine = mineOf(clause, env);
    if (mine) return mine;
  }
  match = forms.pronoun.exec(clause);
  if (match) return env.last ? { owner: env.last, predicate: match[1] as string, intro: none } : null;
  match = forms.pronounThing.exec(clause);
  if (match) {
    const split = splitThing(match[1] as string);
    return env.last && split ? { owner: env.last, ...split, intro: none } : null;
  }
  if (env.speaker) return null;
  return namedOf(clause, env);
}

function mineOf(clause: string, env: Env): Clause | null {
  let match = forms.myRoleThing.exec(clause) ?? forms.myRoleThingCase.exec(clause);
  if (match) {
    const split = splitThing(match.at(-1) as string);
    const [name, role] = [match.length > 4 ? match[3] : undefined, match[2] as string];
    const owner = name ? person(name) : ownerOfRole(match[1] as string, role, env);
    if (split && owner) return { owner, ...split, intro: name ? [relation(name, role, labelOf(match[1] as string, role))] : [] };
  }
  match = forms.myRoleName.exec(clause);
  if (match && canBeFinite((match[5] as string).split(" ")[0] as string) && !isNation(match[3] as string)) {
    const [, modifiers, role, name, aside, predicate] = match as unknown as string[];
    const fresh = /\bnew\b/i.test(modifiers as string) ? { fresh: true } : {};
    const intro = [relation(name as string, role as string, labelOf(modifiers as string, role as string), fresh)];
    const known = knownOr(name as string, env);
    void aside;
    return { owner: person(known), predicate: predicate as string, intro };
  }
  match = forms.nameMyRole.exec(clause);
  if (match) {
    const [, name, modifiers, role, predicate] = match as unknown as string[];
    return { owner: person(knownOr(name as string, env)), predicate: predicate as string, intro: [relation(name as string, role as string, labelOf(modifiers as string, role as string))] };
  }
  match = forms.myRole.exec(clause);
  if (match) {
    const [, modifiers, role, rest] = match as unknown as string[];
    const plain = (rest as string).replace(/^(?:also|really|always|usually|often|still|just|now|never|sometimes|recently|both|all) /i, (adverb) => (/^(?:never|always|usually|often|sometimes)/i.test(adverb) ? adverb : ""));
    const first = plain.split(" ")[0] as string;
    if (isFinite(first) || /^(?:never|always|usually|often|sometimes)$/i.test(first)) {
      const owner = ownerOfRole(modifiers as string, role as string, env);
      if (owner) return { owner, predicate: plain, intro: [] };
    }
    const lower = env.lowerCase ? /^(\p{Ll}{2,}) (.+)$/u.exec(plain) : null;
    if (lower && isFinite((lower[2] as string).split(" ")[0] as string) && !isFinite(lower[1] as string)) {
      const name = upperFirst(lower[1] as string);
      return { owner: person(knownOr(name, env)), predicate: lower[2] as string, intro: [relation(name, role as string, labelOf(modifiers as string, role as string))] };
    }
  }
  match = forms.myThing.exec(clause);
  const split = match ? splitThing(match[1] as string) : null;
  return split ? { owner: ME, ...split, intro: [] } : null;
}

/** "my sister": the known person in that role where there is just one, else the role itself. */
function ownerOfRole(modifiers: string, role: string, env: Env): Subject | null {
  const word = roleOf(role);
  if (!word) return null;
  if (word.plural) return { kind: "role", role: word.name, label: `${modifiers}${role}`.toLowerCase() };
  const known = peopleByRole(env.people, word, roleOf).filter((one) => one.roles.includes(word.name));
  return known.length === 1 && !/\b(?:new|other|another|second)\b/i.test(modifiers)
    ? person((known[0] as KnownPerson).name)
    : { kind: "role", role: word.name, label: labelOf(modifiers, role) };
}

const knownOr = (name: string, env: Env): string => personByName(env.people, name)?.name ?? name;

/** Verbs and states by which an unknown capitalised word shows itself as a person. */
const PERSONAL =
  /^(?:(?:is|was) (?:an? |my |allergic|afraid|scared|married|vegan|vegetarian|pregnant|born|left-handed|\d+ years|(?:good|bad|interested|fond|into)\b)|lives|works|plays|likes|loves|hates|enjoys|speaks|studies|teaches|collects|keeps|has (?:an? |two |three |\d )|turned|moved|said|told|does not (?:like|eat|drink)|cannot (?:stand|swim)|prefers|cooks|sings|paints|swims|runs|bakes|cycles|drives|smokes)/;

function namedOf(clause: string, env: Env): Clause | null {
  const cased = env.lowerCase ? capitaliseKnown(clause, env) : clause;
  let match = forms.nameThing.exec(cased);
  if (match && (canBeName((match[1] as string).split(" ")[0] as string) || personByName(env.people, match[1] as string))) {
    const split = splitThing(match[2] as string);
    const known = personByName(env.people, match[1] as string);
    if (split && (known || /^(?:birthday|name|sister|brother|wife|husband|son|daughter|dog|cat|favourite|job|phone|address|surname|mother|father)\b/i.test(split.thing)))
      return { owner: person(known?.name ?? (match[1] as string)), ...split, intro: [] };
  }
  match = forms.name.exec(cased);
  if (!match) return null;
  const [, name, predicate] = match as unknown as [string, string, string];
  const known = personByName(env.people, name);
  const verb = predicate.split(" ")[0]!.replace(/,$/, "");
  const finite = isFinite(verb) || /^(?:never|always|usually|often|sometimes|also|still|now)$/i.test(verb) || (known !== null && /^\p{Ll}+s$/u.test(verb));
  if (!finite) return null;
  if (known) return { owner: person(known.name), predicate, intro: [] };
  if (!canBeName(name.split(" ")[0] as string)) return null;
  return PERSONAL.test(predicate) ? { owner: person(name), predicate, intro: [] } : { owner: person(name), predicate, intro: [], other: true };
}

function capitaliseKnown(clause: string, env: Env): string {
  for (const { name } of env.people) {
    const first = name.split(" ")[0] as string;
    if (clause.toLowerCase().startsWith(`${first.toLowerCase()} `) || clause.toLowerCase().startsWith(`${first.toLowerCase()}'`)) return `${first}${clause.slice(first.length)}`;
  }
  return clause;
}


