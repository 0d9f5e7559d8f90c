// Whom a clause is about: takes the subject off its head and names the people that it introduces on the way.
import { isAuxiliary, isBaseVerb, isFinite } from "../language/verbs.ts";
import { upperFirst } from "../language/words.ts";
import { type Env, type KnownPerson, person, peopleByRole, personByName } from "./env.ts";
import { type Fact, ME, type Subject } from "./fact.ts";
import { type NameHead, type RoleHead, isName, nameAt, roleAt } from "./heads.ts";
import { canBeName, isNation } from "./lexicon.ts";
import { isFormer, roleOf } from "./roles.ts";

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
  /** "the code name of my project": its words, article and all. */
  whole?: boolean;
  /** A subject that is neither the user nor a person: only its plans are worth keeping. */
  other?: boolean;
}

const LEAD =
  /^(?:(?:and|but|so|well|oh|ah|hm+|um+|uh|er|yes|yeah|no|ok|okay|also|plus|then|actually|anyway|btw|by the way|fyi|for the record|honestly|in fact|of course|as (?:I|you) (?:said|know)|as (?:I )?(?:mentioned|told you)(?: before| earlier)?|like I said|again|(?:hi|hey|hello|hiya)(?: (?:there|again|all|everyone|everybody|you))?|nice to meet you|pleased to meet you|good (?:morning|evening|afternoon)|sorry|look|listen|note that|just so you know|to be clear|you should know(?: that)?|you know|(?:I|let me) (?:just )?(?:want(?:ed)? to (?:tell you|say|mention|add)|have to (?:tell you|say)|should (?:say|mention|add)|must (?:say|add)|tell you|add)(?: that)?|did I (?:tell|mention to) you(?: that)?|guess what|good news|bad news|news|update|it turns out(?: that)?|turns out(?: that)?|the (?:fact|truth|thing) is(?: that)?|now|these days|nowadays|at the moment|at present|currently|lately|recently)\b[\s,:!.–—-]*)+/i;

/** Takes polite and linking words off the head of a clause; says whether "now" stood among them. */
export function withoutLead(clause: string): { text: string; now: boolean } {
  const lead = LEAD.exec(clause)?.[0] ?? "";
  if (!lead) return { text: clause, now: false };
  return { text: clause.slice(lead.length), now: /\b(?:now|these days|nowadays|currently)\b/i.test(lead) };
}

/** "My sister Ines" as a fact: "Ines is my sister". */
export function relation(name: string, role: string, label: string, extra: Partial<Fact> = {}): Fact {
  const word = roleOf(role);
  const former = isFormer(`${label} `) || role.startsWith("ex-");
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
  const kept = modifiers
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter(
      (word) => word && !/^(?:new|current|only|other|another|dear|beloved|lovely|little|big|good|close|favourite)$/.test(word),
    );
  return [...kept, roleOf(role)?.name ?? role].join(" ");
};

export const namesIn = (list: string): string[] =>
  list
    .split(/\s*(?:,|;|&|\band\b|\bplus\b)\s*/)
    .map((name) => name.trim())
    .filter(Boolean);

const forms = {
  me: /^(?:I|[Ww]e)\b(?:,? (?:both|all|myself))? (.+)$/,
  meToo: /^(?:((?:[Mm]y|[Oo]ur) [^,]*?|\p{Lu}\S*(?: \p{Lu}\S*)?) and I|I and (\S+)|me and (\S+)) (.+)$/u,
  pronoun: /^(?:[Hh]e|[Ss]he|[Tt]hey) (.+)$/,
  pronounThing: /^(?:[Hh]is|[Hh]er|[Tt]heir) (.+)$/,
  // "the kids", "the dog": whose they are goes without saying.
  mine: /^(?:[Mm]y|[Oo]ur|[Tt]he(?= (?:kids|children|twins|boys|girls|dog|cat|dogs|cats|baby|in-laws|grandkids|grandchildren)\b)) (.+)$/,
  ofMine: /^[Tt]he ((?:\S+ ){1,4}?of (?:my|our) .+)$/,
};

/** Splits "berth at the marina is number 219" at its finite verb. */
export function splitThing(words: string): { thing: string; predicate: string } | null {
  const parts = words.split(" ");
  for (let i = 1; i < parts.length; i++) {
    const word = (parts[i] as string).replace(/[,;:]$/, "");
    if (word === "no" && parts[i + 1] === "longer")
      return { thing: parts.slice(0, i).join(" "), predicate: parts.slice(i).join(" ") };
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
const canBeFinite = (said: string, word = said.replace(/[,:;]$/, "")): boolean =>
  word === "no" ||
  (!/^(?:upstairs|downstairs|overseas|across|besides|perhaps|nowadays)$/.test(word) &&
    (isFinite(word) ||
      /^(?:never|always|usually|often|sometimes|also|still|now|just|really)$/.test(word) ||
      /^\p{Ll}{2,}[^s\P{Ll}]s$/u.test(word)));

const begins = (predicate: string): boolean => predicate.startsWith("used to ") || canBeFinite(predicate.split(" ")[0]!);

/** Reads the subject of a clause, or null where nobody that matters is its subject. */
export function subjectOf(clause: string, env: Env): Clause | null {
  const me = env.speaker ?? ME;
  const none: Fact[] = [];
  let match = forms.meToo.exec(clause);
  if (match && !env.speaker)
    return {
      owner: me,
      predicate: match.at(-1) as string,
      intro: none,
      together: match[1] ?? match[2] ?? match[3] ?? "",
    };
  match = forms.me.exec(clause);
  if (match) return { owner: me, predicate: match[1] as string, intro: none };
  if (!env.speaker) {
    const mine = mineOf(clause, env);
    if (mine) return mine;
  }
  match = env.speaker ? null : forms.ofMine.exec(clause);
  if (match) {
    const split = splitThing(match[1]!);
    return split && /\bof (?:my|our)\b/.test(split.thing) ? { owner: ME, ...split, whole: true, intro: none } : null;
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

/** "My sister …", "my sister Ines …", "my sister's dog …", "my berth at the marina …". */
function mineOf(clause: string, env: Env): Clause | null {
  const rest = forms.mine.exec(clause)?.[1];
  if (!rest) return null;
  const words = rest.split(" ");
  const head = roleAt(words, 0);
  const named = head ? ofRole(words, head, env) : null;
  if (named) return named;
  const split = splitThing(rest);
  return split ? { owner: ME, ...split, intro: [] } : null;
}

function ofRole(words: readonly string[], head: RoleHead, env: Env): Clause | null {
  const label = labelOf(head.modifiers, head.said);
  if (/['’]/.test(head.tail)) {
    const split = splitThing(words.slice(head.end).join(" "));
    const owner = split && !/^(?:(?:first|full|last) )?names?$/.test(split.thing) ? ownerOfRole(head) : null;
    return split && owner ? { owner: owner(env), ...split, intro: [] } : null;
  }
  const called = /^(?:called|named)$/.test(words[head.end] ?? "") ? 1 : 0;
  const name = nameAt(words, head.end + called) ?? lowerCaseName(words, head.end, env);
  if (name && !isNation(name.name) && !head.role.plural) {
    const intro = [relation(name.name, head.said, label, /\bnew\b/.test(head.modifiers) ? { fresh: true } : {})];
    const owner = person(knownOr(name.name, env));
    const predicate = words
      .slice(name.end)
      .join(" ")
      .replace(/^\([^)]*\),? |^who (?=.*, )/, "");
    if (/['’]/.test(name.tail)) {
      const split = splitThing(predicate);
      return split ? { owner, ...split, intro } : null;
    }
    return begins(predicate) ? { owner, predicate, intro } : null;
  }
  const predicate = words
    .slice(head.end)
    .join(" ")
    .replace(/^(?:also|really|still|just|now|recently|both|all) /, "");
  if (head.role.plural) return ofSeveral(words, head, env);
  const said =
    /^(?:is|are|was|were) (?:now )?(?:called |named )?(.+?)(?: now| these days| currently| at the moment| again)?$/.exec(
      predicate,
    )?.[1];
  const known = said && env.lowerCase ? personByName(env.people, said) : null;
  if (known) return { owner: ME, thing: words.slice(0, head.end).join(" "), predicate: `is ${known.name}`, intro: [] };
  if (said && (isName(said) || /^(?:is|are) (?:called|named) /.test(predicate))) return null;
  return begins(predicate) ? { owner: ownerOfRole(head)(env), predicate, intro: [] } : null;
}

/** "my parents live in Bonn", "my friends Jan and Els have a boat". */
function ofSeveral(words: readonly string[], head: RoleHead, env: Env): Clause | null {
  const rest = words.slice(head.end);
  const at = rest.findIndex((word) => isFinite(word) || isBaseVerb(word));
  if (at < 0) return null;
  const names = at > 0 ? namesIn(rest.slice(0, at).join(" ")) : [];
  if (!names.every(isName)) return null;
  const said = /^(?:are|were) (?:called |named )?(\p{Lu}.*)$/u.exec(rest.slice(at).join(" "));
  if (names.length === 0 && said && namesIn(said[1]!).every((name) => isName(name.replace(/ \(.*\)$/, "")))) return null;
  const intro = names.map((name) => relation(name, head.said, labelOf(head.modifiers, head.said)));
  const owner: Subject =
    names.length > 0
      ? { kind: "role", role: head.role.name, label: `${head.modifiers} ${head.said} ${rest.slice(0, at).join(" ")}`.trim() }
      : ownerOfRole(head)(env);
  return { owner, predicate: rest.slice(at).join(" "), intro };
}

/** "my brother tom lives …" in a message without capitals. */
function lowerCaseName(words: readonly string[], at: number, env: Env): NameHead | null {
  const [word = "", next = ""] = words.slice(at);
  if (
    !env.lowerCase ||
    !/^\p{Ll}{2,}$/u.test(word) ||
    isFinite(word) ||
    !isFinite(next) ||
    /^(?:also|who|that|in|at|and|group|tongue|still|never|always)$/.test(word)
  )
    return null;
  return { name: upperFirst(word), end: at + 1, tail: "" };
}

/** "my sister": the known person in that role where there is just one, else the role itself. */
const ownerOfRole =
  (head: RoleHead) =>
  (env: Env): Subject => {
    const { role, modifiers, said } = head;
    if (role.plural) return { kind: "role", role: role.name, label: `${modifiers} ${said}`.trim().toLowerCase() };
    const known = peopleByRole(env.people, role, roleOf).filter((one) => one.roles.includes(role.name));
    return known.length === 1 && !/\b(?:new|other|another|second)\b/.test(modifiers)
      ? person((known[0] as KnownPerson).name)
      : { kind: "role", role: role.name, label: labelOf(modifiers, said) };
  };

const knownOr = (name: string, env: Env): string => personByName(env.people, name)?.name ?? name;

/** Verbs and states by which an unknown capitalised word shows itself as a person. */
const PERSONAL =
  /^(?:(?:is|was) (?:an? |my |allergic|afraid|scared|married|vegan|vegetarian|pregnant|born|left-handed|\d+ years|(?:good|bad|interested|fond|into)\b)|lives|works|plays|likes|loves|hates|enjoys|speaks|studies|teaches|collects|keeps|has (?:an? |two |three |\d )|turned|moved|said|told|does not (?:like|eat|drink)|cannot (?:stand|swim)|prefers|cooks|sings|paints|swims|runs|bakes|cycles|drives|smokes)/;

const OWN_THING =
  /^(?:birthday|name|sister|brother|wife|husband|son|daughter|dog|cat|favourite|job|phone|address|surname|mother|father)\b/i;

function namedOf(clause: string, env: Env): Clause | null {
  const words = (env.lowerCase ? capitaliseKnown(clause, env) : clause).split(" ");
  const head = nameAt(words, 0);
  if (!head) return null;
  const pet = env.pets?.find(({ name }) => name === head.name);
  if (pet && head.tail === "" && head.end < words.length)
    return { owner: ME, thing: `${pet.kind} ${pet.name}`, predicate: words.slice(head.end).join(" "), intro: [] };
  const known = personByName(env.people, head.name);
  const possible = known !== null || canBeName(head.name.split(" ")[0]!);
  if (!possible) return null;
  if (/['’]/.test(head.tail)) {
    const split = splitThing(words.slice(head.end).join(" "));
    return split && (known || OWN_THING.test(split.thing))
      ? { owner: person(known?.name ?? head.name), ...split, intro: [] }
      : null;
  }
  if (head.tail.endsWith(",")) {
    const at = /^(?:who)$/.test(words[head.end] ?? "") ? head.end + 2 : head.end;
    const role = /^(?:my|our)$/.test(words[at] ?? "") ? roleAt(words, at + 1) : null;
    if (role && role.end < words.length)
      return {
        owner: person(known?.name ?? head.name),
        predicate: words.slice(role.end).join(" "),
        intro: [relation(head.name, role.said, labelOf(role.modifiers, role.said))],
      };
  }
  const predicate = words.slice(head.end).join(" ").replace(/^who /, "");
  const verb = predicate.split(" ")[0]!.replace(/[,:;]$/, "");
  if (
    !isFinite(verb) &&
    !predicate.startsWith("used to ") &&
    !/^(?:no|never|always|usually|often|sometimes|also|still|now)$/i.test(verb) &&
    !(known && /^\p{Ll}+s$/u.test(verb))
  )
    return null;
  if (known) return { owner: person(known.name), predicate, intro: [] };
  return { owner: person(head.name), predicate, intro: [], ...(PERSONAL.test(predicate) ? {} : { other: true }) };
}

function capitaliseKnown(clause: string, env: Env): string {
  for (const { name } of env.people) {
    const first = name.split(" ")[0] as string;
    if (clause.toLowerCase().startsWith(`${first.toLowerCase()} `) || clause.toLowerCase().startsWith(`${first.toLowerCase()}'`))
      return `${first}${clause.slice(first.length)}`;
  }
  return clause;
}
