// People whom somebody has: relatives, friends, partners; and animals, which come by name too.
import { type Draft, type Rule, dayOf, listItems, sinceOf } from "./draft.ts";
import type { Subject } from "./fact.ts";
import { isName, namesFrom, petAt, roleAt } from "./heads.ts";
import { isNation } from "./lexicon.ts";
import { roleOf } from "./roles.ts";
import { namesIn, relation } from "./subject.ts";

/** "a son, Aksel, and a daughter, Tuva", "two cats called Tiffin and Roti and a dog": each with its names; null where other words stand between. */
function household(said: string, owner: Subject): Draft[] | null {
  const words = said.split(" ");
  const drafts: Draft[] = [];
  let at = 0;
  let named = 0;
  while (at < words.length) {
    while (/^(?:and|also|got|plus)$/.test(words[at] ?? "")) at++;
    const start = at;
    while (/^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|another|\d+|both|new|pet|second)$/.test(words[at] ?? ""))
      at++;
    const role = owner.kind === "role" ? null : roleAt(words, at);
    const animal = role ? null : petAt(words, at);
    const head = role ?? animal;
    if (!head || at === start || /['’]/.test(head.tail)) return null;
    at = head.end;
    if (/^(?:called|named)$/.test(words[at] ?? "")) at++;
    const names = namesFrom(words, at, role ? role.role.plural : animal!.plural);
    at = names.end;
    named += names.names.length;
    const kind = words.slice(start, head.end).join(" ").replace(/[,;]$/, "");
    if (names.names.length === 0) drafts.push({ text: `has ${kind}`, rel: "has" });
    for (const name of names.names) {
      if (animal) drafts.push(pet(`${animal.adjectives}${animal.said}`, name));
      else if (owner.kind === "person")
        drafts.push({ text: `has a ${role!.role.name} called ${name}`, rel: `has:${role!.role.name}`, value: name });
      else drafts.push(drafted(name, role!.said, labelled(role!.modifiers, role!.said)));
      const age = names.ages.get(name);
      if (age && !animal)
        drafts.push({ text: `is ${age} years old`, rel: "age", value: age, one: true, subject: { kind: "person", name } });
    }
  }
  return named > 0 && drafts.length > 1 ? drafts : null;
}

const COUNTED =
  /^(?:got )?(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|another|\d+|also an?|both|a new|a pet|a second) )*/;
const CALLED = /^(?:who (?:is|are) (?:called|named) |whose names? (?:is|are) |called |named |by the names? of |[-–—:] )?/;
const allNames = (list: string): string[] | null => {
  const names = namesIn(list.replace(CALLED, ""));
  return names.length > 0 && names.every((name) => /^[\p{Lu}\p{Lo}\uE000-\uEFFF]/u.test(name) && !/^(?:I|My|The)\b/.test(name))
    ? names
    : null;
};
const drafted = (name: string, role: string, label: string): Draft => {
  const { text, rel, value, slot } = relation(name, role, label);
  return { text, rel, whole: true, ...(value ? { value } : {}), ...(slot ? { slot } : {}) };
};
const pet = (kind: string, name: string): Draft => ({
  text: `has ${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind} called ${name}`,
  rel: "pet",
  value: name,
});
const labelled = (modifiers: string, role: string): string =>
  `${modifiers.replace(/\b(?:new|other|another|only)\b/g, "").trim()} ${roleOf(role)?.name ?? role}`.trim();

export const PEOPLE_RULES: Rule[] = [
  {
    name: "has a son, Aksel, and a cat called Bean",
    form: /^has (.+)$/,
    make: ([, said = ""], { owner }) => household(said, owner),
  },
  {
    name: "has a sister called Ines",
    form: /^has (.+)$/,
    make: ([, said = ""], { owner }) => {
      const words = said.replace(COUNTED, "").split(" ");
      const head = roleAt(words, 0);
      const names = head && !/['’]/.test(head.tail) ? allNames(words.slice(head.end).join(" ")) : null;
      if (!head || !names || owner.kind === "role") return null;
      if (owner.kind === "person")
        return names.map((name) => ({
          text: `has a ${head.role.name} called ${name}`,
          rel: `has:${head.role.name}`,
          value: name,
        }));
      return names.map((name) => drafted(name, head.said, labelled(head.modifiers, head.said)));
    },
  },
  {
    name: "has a brother in Berlin called Jan",
    form: /^has (.+?) in (\p{Lu}.*?) (?:called|named|whose name is) (.+)$/u,
    make: ([, said = "", place = "", name = ""], { owner }) => {
      const words = said.replace(COUNTED, "").split(" ");
      const head = roleAt(words, 0);
      if (!head || head.end !== words.length || !isName(name) || owner.kind !== "me") return null;
      return [
        drafted(name, head.said, labelled(head.modifiers, head.said)),
        { text: `lives in ${place}`, rel: "home", value: place, slot: "home", subject: { kind: "person", name } },
      ];
    },
  },
  {
    name: "is married to somebody",
    form: /^(?:is|got|has been|has got|is getting) (married|engaged) to (.+)$/,
    make: ([, state, name = ""], context) => {
      if (!isName(name)) return null;
      const since = dayOf(context) ?? sinceOf(context);
      return [
        {
          text: `is ${state} to ${name}`,
          rel: "relation:partner",
          value: name,
          slot: "partner",
          ...(since ? { since } : {}),
          dated: true,
        },
      ];
    },
  },
  {
    name: "married somebody",
    form: /^(?:has |just )?(married|wed) (.+)$/,
    make: ([, , name = ""], context) => {
      const since = dayOf(context);
      return !isName(name)
        ? null
        : [
            {
              text: `is married to ${name}`,
              rel: "relation:partner",
              value: name,
              slot: "partner",
              ...(since ? { since } : {}),
              dated: true,
            },
          ];
    },
  },
  {
    name: "is dating somebody",
    form: /^(?:is|has been|has started|started) (?:dating|going out with|together with|in a relationship with|seeing) (.+)$/,
    make: ([whole, name = ""], context) => {
      if (!isName(name) || (/ seeing /.test(whole!) && context.dates.some(({ role }) => role === "on"))) return null;
      const since = sinceOf(context);
      return [
        {
          text: `${name} is my partner`,
          rel: "relation:partner",
          value: name,
          slot: "partner",
          whole: true,
          ...(since ? { since } : {}),
          dated: true,
        },
      ];
    },
  },
  {
    name: "has a dog called Truffle",
    form: /^(?:has|owns|keeps|has adopted|adopted|got|has got|bought|has bought|rescued|has rescued) (.+)$/,
    make: ([, said = ""], context) => {
      const words = said.replace(COUNTED, "").split(" ");
      const head = petAt(words, 0);
      const since = context.predicate.tense === "present" ? undefined : dayOf(context);
      const names = head && !/['’]/.test(head.tail) ? allNames(words.slice(head.end).join(" ")) : null;
      return head && names
        ? names.map((name) => ({ ...pet(`${head.adjectives}${head.said}`, name), ...(since ? { since, dated: true } : {}) }))
        : null;
    },
  },
  {
    name: "has dogs and cats",
    form: /^(has|owns|keeps) (.+)$/,
    make: ([, verb, list = ""], { owner }) => {
      const items = listItems(list.replace(/^got /, ""));
      if (
        items.length < 2 ||
        !items.every((item) => /^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|my|some|no|another)\s/i.test(item))
      )
        return null;
      return items.flatMap((item): Draft[] => {
        const words = item.replace(COUNTED, "").split(" ");
        const role = owner.kind === "me" ? roleAt(words, 0) : null;
        const names = role ? allNames(words.slice(role.end).join(" ")) : null;
        if (role && names) return names.map((name) => drafted(name, role.said, labelled(role.modifiers, role.said)));
        const [kind = "", name] = item.replace(/^an? /, "").split(/ (?:called|named) /);
        const head = name ? petAt(kind.split(" "), 0) : null;
        return [head && name ? pet(`${head.adjectives}${head.said}`, name) : { text: `${verb} ${item}`, rel: "has" }];
      });
    },
  },
];

/** "My dog is called Truffle", "my dog's name is Truffle", "my sister's name is Ines", "my cats are called Sooty and Fig". */
export function namedThing(thing: string, predicate: string, owned: boolean): Draft[] | null {
  const said =
    /^(?:is|are|was|were) (?:called|named) (.+)$/.exec(predicate)?.[1] ??
    (/(?:['’]s?|s) names?$/.test(thing)
      ? /^(?:is|are) (.+)$/.exec(predicate)?.[1]
      : /^(?:is|are) (\p{Lu}.*)$/u.exec(predicate)?.[1]);
  if (!said) return null;
  const byName = /^(?:is|are) (?:called|named)/.test(predicate) || /(?:['’]s?|s) names?$/.test(thing);
  const words = thing.replace(/(?:['’]s?)? names?$/, "").split(" ");
  const animal = byName ? petAt(words, 0) : null;
  if (animal?.end === words.length) {
    const adjectives = animal.adjectives.replace(
      /\b(?:other|new|second|first|own|little|dear|beloved|pet|oldest|older|youngest|younger|another) /g,
      "",
    );
    return (animal.plural ? namesIn(said) : [said]).map((name) => pet(`${adjectives}${animal.said}`, name));
  }
  const head = roleAt(words, 0);
  if (head?.end !== words.length) return null;
  const names = namesIn(said);
  if (!names.every((name) => /^[\p{Lu}\p{Lo}\uE000-\uEFFF]/u.test(name)) || names.some((name) => isNation(name))) return null;
  if (!owned)
    return names.map((name) => ({ text: `has a ${head.role.name} called ${name}`, rel: `has:${head.role.name}`, value: name }));
  return names.flatMap((said_) => {
    const [, name = said_, age] = /^(.+?) \((?:aged? )?(\d{1,2})(?: years(?: old)?)?\)$/.exec(said_) ?? [];
    const own: Draft[] = age
      ? [{ text: `is ${age} years old`, rel: "age", value: age, one: true, subject: { kind: "person", name } }]
      : [];
    return [drafted(name, head.said, labelled(head.modifiers, head.said)), ...own];
  });
}

const IS_MY = /^(\p{Lu}.*?),? (?:is|are|became|has become|is now|is going to be|will be) (?:now |also )?(?:my|our) (.+)$/u;

/** "Tomas is my neighbour", "Freya and Odile are my daughters". */
export function nameIsMyRole(clause: string): Draft[] | null {
  const match = IS_MY.exec(clause.replace(/ (is|was) an? (.+) of (?:mine|ours)$/, " $1 my $2"));
  const names = match ? namesIn(match[1]!) : [];
  const words = match?.[2]?.split(" ") ?? [];
  const head = roleAt(words, 0);
  if (!head || head.end !== words.length || head.tail !== "" || !names.every(isName)) return null;
  return names.map((name) => drafted(name, head.said, labelled(head.modifiers, head.said)));
}
