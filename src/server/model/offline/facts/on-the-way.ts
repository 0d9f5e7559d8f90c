// People and animals that a sentence names on the way to something else.
import type { Draft } from "./draft.ts";
import type { Env } from "./env.ts";
import type { Fact } from "./fact.ts";
import { nameAt, namesFrom, petAt, roleAt } from "./heads.ts";
import { isNation } from "./lexicon.ts";
import { type Clause, relation } from "./subject.ts";

/** People whom a sentence names on the way: "I live with my girlfriend Moa and our two sons, Ture and Love". */
export function embedded(bare: string, subject: Clause): Fact[] {
  const words = bare.split(" ");
  const found: Fact[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!/^(?:my|our|My|Our)$/.test(words[at]!)) continue;
    const counted = /^(?:two|three|four|five|six|\d+)$/.test(words[at + 1] ?? "") ? at + 2 : at + 1;
    const head = roleAt(words, counted);
    if (!head || /['’]/.test(head.tail)) continue;
    for (const name of namesFrom(words, head.end, head.role.plural).names) {
      if (!isNation(name) && !subject.intro.some(({ value }) => value === name))
        found.push(relation(name, head.said, [head.modifiers, head.role.name].filter(Boolean).join(" ")));
    }
  }
  return found;
}

/** "My cat Misty is diabetic" tells that there is a cat called Misty. */
export function animalIn(thing: string, env: Env): Draft[] {
  const words = thing.split(" ");
  const animal = petAt(words, 0);
  const name = animal ? nameAt(words, animal.end) : null;
  if (name && env.pets?.some((pet) => pet.name === name.name)) return [];
  return animal && name && name.end === words.length && name.tail === ""
    ? [{ text: `has a ${animal.adjectives}${animal.said} called ${name.name}`, rel: "pet", value: name.name }]
    : [];
}
