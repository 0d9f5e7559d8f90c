// Takes roles, names and animals off the head of a row of words. Word by word, since patterns with all of them in are slow to compile.
import { isNation } from "./lexicon.ts";
import { type RoleWord, petWord, roleOf } from "./roles.ts";

const MODIFIERS = new Set(
  "best oldest old older elder eldest younger youngest little big middle twin only first second third late new current former previous other another good close dear beloved lovely next-door upstairs downstairs closest adopted foster estranged future favourite".split(
    " ",
  ),
);
const PARTICLES = new Set("van von de der den del della di da dos la le bin ibn al el ter zu".split(" "));
const CAPITAL = /^\p{Lu}[\p{L}\p{M}'’-]*\p{L}$/u;
const TITLE = /^(?:Dr|Mr|Mrs|Ms|Miss|Prof|Sir|Frau|Herr|Mme)\.?$/;
const INITIAL = /^\p{Lu}\.$/u;
const TAIL = /(?:['’]s?)?[,;:]?$/;

export interface Head {
  /** Index of the first word behind it. */
  end: number;
  /** "'s", "," or nothing, as it stood behind the last word. */
  tail: string;
}

export interface RoleHead extends Head {
  /** "older", "best"; empty where none. */
  modifiers: string;
  /** The role as it was said. */
  said: string;
  role: RoleWord;
}

function bareOf(word: string): { bare: string; tail: string } {
  const tail = TAIL.exec(word)?.[0] ?? "";
  const bare = word.slice(0, word.length - tail.length);
  // "Ines'": the s belongs to the name.
  return { bare, tail };
}

/** "older sister", "line manager", "mother in law" from `at` on. */
export function roleAt(words: readonly string[], at: number): RoleHead | null {
  let last = at;
  while (last < words.length && MODIFIERS.has(words[last]!.toLowerCase())) last++;
  for (let from = last; from >= at; from--) {
    for (const count of [3, 2, 1]) {
      if (from + count > words.length) continue;
      const { bare, tail } = bareOf(words[from + count - 1]!);
      const said = [...words.slice(from, from + count - 1), bare].join(" ");
      const role = roleOf(said);
      if (role) return { modifiers: words.slice(at, from).join(" ").toLowerCase(), said, role, end: from + count, tail };
    }
  }
  return null;
}

export interface NameHead extends Head {
  name: string;
}

/** "Ines", "Maud Verhoeven", "Jan van der Berg" from `at` on; at most four words. */
export function nameAt(words: readonly string[], at: number): NameHead | null {
  const parts: string[] = [];
  let end = at;
  let tail = "";
  while (end < words.length && parts.length < 5) {
    let particles = 0;
    while (parts.length > 0 && PARTICLES.has(words[end + particles] ?? "")) particles++;
    const word = words[end + particles];
    if (word === undefined) break;
    if ((parts.length > 0 && INITIAL.test(word)) || (parts.length === 0 && TITLE.test(word) && words[end + 1] !== undefined)) {
      parts.push(word);
      end++;
      continue;
    }
    const { bare, tail: own } = bareOf(word);
    if (!CAPITAL.test(bare) || (parts.length > 0 && /^(?:I|My|The|And|But|Is|Has)$/.test(bare))) break;
    parts.push(...words.slice(end, end + particles), bare);
    end += particles + 1;
    tail = own;
    if (tail !== "") break;
  }
  return parts.length > 0 ? { name: parts.join(" "), end, tail } : null;
}

export interface Names {
  names: string[];
  /** "9" of "Ask (9)", beside its name. */
  ages: Map<string, string>;
  end: number;
}

/** Names in a row from `at` on, with the ages in brackets behind them, and where they end; more than one only where `several` are expected. */
export function namesFrom(words: readonly string[], at: number, several: boolean): Names {
  const names: string[] = [];
  const ages = new Map<string, string>();
  let next = at;
  for (;;) {
    const skip = names.length > 0 && words[next] === "and" ? next + 1 : next;
    const name = nameAt(words, skip);
    if (!name || /['’]/.test(name.tail)) return { names, ages, end: next };
    names.push(name.name);
    next = name.end;
    let { tail } = name;
    const age = tail === "" ? /^\((?:aged? )?(\d{1,2})\)([,;]?)$/.exec(words[next] ?? "") : null;
    if (age) {
      ages.set(name.name, age[1]!);
      tail = age[2]!;
      next++;
    }
    if (!several || (tail === "" && words[next] !== "and")) return { names, ages, end: next };
  }
}

/** Whether words are one name and nothing else; nationalities and languages are none. */
export function isName(words: string): boolean {
  const parts = words.trim().split(" ");
  const head = nameAt(parts, 0);
  return head !== null && head.end === parts.length && head.tail === "" && !(parts.length === 1 && isNation(words));
}

export interface PetHead extends Head {
  /** "old grey ", with its space; empty where none. */
  adjectives: string;
  /** "dog", whatever breed was named. */
  kind: string;
  /** The word as it was said, singular: "retriever". */
  said: string;
  plural: boolean;
}

/** "grey parrot", "guinea pigs" from `at` on, with at most three adjectives. */
export function petAt(words: readonly string[], at: number): PetHead | null {
  for (let from = at; from <= at + 3 && from < words.length; from++) {
    for (const count of [2, 1]) {
      if (from + count > words.length) continue;
      const { bare, tail } = bareOf(words[from + count - 1]!);
      const said = [...words.slice(from, from + count - 1), bare].join(" ");
      const kind = petWord(said);
      if (kind)
        return {
          adjectives: words
            .slice(at, from)
            .map((word) => `${word} `)
            .join(""),
          kind: kind.kind,
          said: kind.word,
          plural: kind.plural,
          end: from + count,
          tail,
        };
    }
    if (/^(?:and|for|with|in|on|of|to|at|or|the|a|an)$/.test(words[from]!) || /[,;:.]$/.test(words[from]!)) return null;
  }
  return null;
}
