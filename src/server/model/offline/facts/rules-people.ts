// People whom somebody has: relatives, friends, partners; and animals, which come by name too.
import { NAME } from "./lexicon.ts";
import { type Draft, type Rule, dayOf, listItems, sinceOf } from "./draft.ts";
import { PET, ROLE, ROLE_MOD, petOf, roleOf } from "./roles.ts";
import { namesIn, relation } from "./subject.ts";
import { isNation } from "./lexicon.ts";

const COUNT = "(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|another|\\d+|also an?|both)";
const allNames = (list: string): string[] | null => {
  const names = namesIn(list);
  return names.length > 0 && names.every((name) => /^[\p{Lu}\p{Lo}\uE000-\uEFFF]/u.test(name) && !/^(?:I|My|The)\b/.test(name)) ? names : null;
};
const drafted = (name: string, role: string, label: string): Draft => {
  const { text, rel, value, slot } = relation(name, role, label);
  return { text, rel, whole: true, ...(value ? { value } : {}), ...(slot ? { slot } : {}) };
};
const pet = (kind: string, name: string): Draft => ({ text: `has ${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind} called ${name}`, rel: "pet", value: name });

const singularLabel = (modifiers: string, role: string): string => `${modifiers.replace(/\b(?:new|other|another|only)\b/gi, "").trim()} ${roleOf(role)?.name ?? role}`.trim();

export const PEOPLE_RULES: Rule[] = [
  {
    name: "has a sister called Ines",
    form: new RegExp(`^has (?:got )?(?:${COUNT} )?(${ROLE_MOD})${ROLE}(?:,|:| -|\\s*[–—])? ?(?:who (?:is|are) (?:called|named)|whose names? (?:is|are)|called|named|by the names? of)?:? (.+)$`, "u"),
    make: ([, modifiers = "", role = "", list = ""], { owner }) => {
      const names = allNames(list);
      if (!names || !roleOf(role) || owner.kind === "role") return null;
      if (owner.kind === "person") return names.map((name) => ({ text: `has a ${roleOf(role)!.name} called ${name}`, rel: `has:${roleOf(role)!.name}`, value: name }));
      return names.map((name) => drafted(name, role, singularLabel(modifiers, role)));
    },
  },
  {
    name: "is married to somebody",
    form: new RegExp(`^(?:is|got|has been|has got|is getting|am) ?(married|engaged|divorced)?(?: to)? ${NAME}$`, "u"),
    make: ([whole, state, name = ""], context) => {
      if (!state || state === "divorced" || !/ to /.test(whole!)) return null;
      const since = dayOf(context) ?? sinceOf(context);
      return [{ text: `is ${state} to ${name}`, rel: "relation:partner", value: name, slot: "partner", ...(since ? { since } : {}), dated: true }];
    },
  },
  {
    name: "married somebody",
    form: new RegExp(`^(?:has |just )?(married|wed) ${NAME}$`, "u"),
    make: ([, , name = ""], context) => {
      const since = dayOf(context);
      return isNation(name) ? null : [{ text: `is married to ${name}`, rel: "relation:partner", value: name, slot: "partner", ...(since ? { since } : {}), dated: true }];
    },
  },
  {
    name: "is dating somebody",
    form: new RegExp(`^(?:is|has been|has started|started) (?:dating|going out with|together with|in a relationship with|seeing) ${NAME}$`, "u"),
    make: ([whole, name = ""], context) => {
      if (/ seeing /.test(whole!) && context.dates.some(({ role }) => role === "on")) return null;
      const since = sinceOf(context);
      return [{ text: `${name} is my partner`, rel: "relation:partner", value: name, slot: "partner", whole: true, ...(since ? { since } : {}), dated: true }];
    },
  },
  {
    name: "has a dog called Truffle",
    form: new RegExp(`^(?:has|owns|keeps|has adopted|adopted|got|has got|bought|rescued|has rescued)(?: (?:${COUNT}|a new|a pet|a second))* ((?:[\\p{L}-]+ ){0,3}?)${PET}(?:,|:)? ?(?:who (?:is|are) (?:called|named)|whose names? (?:is|are)|called|named|by the name of)?:? (.+)$`, "u"),
    make: ([, adjectives = "", kind = "", list = ""]) => {
      const names = allNames(list);
      const one = petOf(kind);
      if (!names || !one || /\b(?:and|for|with|in|on|of)\b/.test(adjectives)) return null;
      return names.map((name) => pet(`${adjectives}${one}`, name));
    },
  },
  {
    name: "has dogs and cats",
    form: /^(has|owns|keeps) (.+)$/,
    make: ([, verb, list = ""]) => {
      const items = listItems(list.replace(/^got /, ""));
      if (items.length < 2 || !items.every((item) => /^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|my|some|no|another)\s/i.test(item))) return null;
      return items.map((item) => {
        const named = new RegExp(`^an? ((?:[\\p{L}-]+ ){0,3}?)${PET} (?:called|named) (.+)$`, "u").exec(item);
        return named ? pet(`${named[1]}${petOf(named[2]!) ?? named[2]}`, named[3]!) : { text: `${verb} ${item}`, rel: "has" };
      });
    },
  },
];

/** "My dog is called Truffle", "my dog's name is Truffle", "my sister's name is Ines", "my cats are called Sooty and Fig". */
export function namedThing(thing: string, predicate: string, owned: boolean): Draft[] | null {
  const said = /^(?:is|are|was|were) (?:called|named) (.+)$/.exec(predicate)?.[1] ?? (/['’]s? names?$/.test(thing) ? /^(?:is|are) (.+)$/.exec(predicate)?.[1] : /^(?:is|are) (\p{Lu}.*)$/u.exec(predicate)?.[1]);
  if (!said) return null;
  const byName = /^(?:is|are) (?:called|named)/.test(predicate) || /['’]s? names?$/.test(thing);
  const bare = thing.replace(/['’]s? names?$/, "");
  const petForm = new RegExp(`^((?:[\\p{L}-]+ ){0,3}?)${PET}$`, "u").exec(bare);
  if (petForm && petOf(petForm[2]!) && byName) {
    const adjectives = petForm[1]!.replace(/\b(?:other|new|second|first|own|little|dear|beloved|pet|oldest|older|youngest|younger|another) /g, "");
    const names = namesIn(said);
    return (petForm[2] === petOf(petForm[2]!) ? [said] : names).map((name) => pet(`${adjectives}${petOf(petForm[2]!)}`, name));
  }
  const roleForm = new RegExp(`^(${ROLE_MOD})${ROLE}$`, "iu").exec(bare);
  if (!roleForm || !roleOf(roleForm[2]!)) return null;
  const names = namesIn(said);
  if (!names.every((name) => /^[\p{Lu}\p{Lo}\uE000-\uEFFF]/u.test(name)) || names.some((name) => isNation(name))) return null;
  if (!owned) return names.map((name) => ({ text: `has a ${roleOf(roleForm[2]!)!.name} called ${name}`, rel: `has:${roleOf(roleForm[2]!)!.name}`, value: name }));
  return names.map((name) => drafted(name, roleForm[2]!, singularLabel(roleForm[1]!, roleForm[2]!)));
}

/** "Tomas is my neighbour", "Freya and Odile are my daughters". */
export function nameIsMyRole(clause: string): Draft[] | null {
  const match = new RegExp(`^((?:${NAME.slice(1, -1)})(?:(?:, | and |, and )(?:${NAME.slice(1, -1)}))*),? (?:is|are|became|has become|is now|is going to be|will be) (?:now |also )?(?:my|our) (${ROLE_MOD})${ROLE}$`, "u").exec(clause);
  if (!match) return null;
  return namesIn(match[1]!).map((name) => drafted(name, match[3]!, singularLabel(match[2]!, match[3]!)));
}
