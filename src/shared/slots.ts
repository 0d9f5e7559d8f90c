// Owns how the name that a model or a person gives to an attribute finds its slot, so that `home` and `city` never hold two current answers.
import { MANY_VALUED, SLOT_TABLE } from "./slot-table.ts";
import { foldText } from "./words.ts";

export type SlotAnswer =
  /** The slot to use. `known` is false for a name that resembles none: it becomes a slot of its own. */
  | { kind: "slot"; slot: string; known: boolean }
  /** It could be one of these, or its own: ask. */
  | { kind: "ask"; candidates: string[] }
  /** A subject has several of these, so it fills no slot unless somebody insists. */
  | { kind: "many"; slot: string };

/** Characters of a slot's name (format: `a-z0-9-`). */
export const SLOT_MAX_CHARS = 40;

const CANDIDATES_MAX = 4;

/** The canonical slots, in the order of the table. */
export const SLOTS: readonly string[] = Object.keys(SLOT_TABLE);

const canonical = new Map<string, string>();
for (const [slot, synonyms] of Object.entries(SLOT_TABLE)) {
  canonical.set(slot, slot);
  for (const synonym of synonyms) canonical.set(synonym, slot);
}

// Words that say which one of a kind is meant, where there is only one.
const IDLE = /^(?:my|the|your|his|her|their|our|user|users|current|present|new|now|main|primary|actual|person|personal)-/;
const FAVOURITE = /^(?:favou?rite|fave?|fav|most-liked|best-liked|preferred)-(.+)$/;

/** A name in the form of a slot: `a-z0-9-`, folded, without "my" and "current". "" where nothing is left. */
export function slotName(name: string): string {
  const plain = foldText(name.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1-$2"))
    .replace(/['’]s\b/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  let kept = plain;
  while (!canonical.has(kept) && IDLE.test(kept)) kept = kept.replace(IDLE, "");
  return kept.slice(0, SLOT_MAX_CHARS).replace(/-+$/, "");
}

function singular(name: string): string {
  if (/(?:ss|us|is|os)$/.test(name) || name.length < 4) return name;
  return name.endsWith("ies") && !/(?:mov|cook|calor|brown)ies$/.test(name) ? `${name.slice(0, -3)}y` : name.replace(/s$/, "");
}

// The table's slot for a name, exactly or as a plural; `favorite-color` and `fav-colour` are one attribute of a pattern.
function canonicalOf(name: string): string | null {
  const direct = canonical.get(name) ?? canonical.get(singular(name));
  if (direct) return direct;
  const favourite = FAVOURITE.exec(name);
  if (!favourite || name.startsWith("preferred-")) return null;
  return `favourite-${singular(favourite[1]!)
    .replace(/^color$/, "colour")
    .replace(/^movie$/, "film")}`;
}

// Edits (insert, delete, replace, swap of neighbours) between two short names, as far as `most`.
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

// Parts that many names share say nothing about their kin.
const COMMON_PARTS = new Set("of at for in as to a the name number place date day type size current main day-of".split(" "));

function kin(name: string, other: string): boolean {
  const parts = name.split("-").map(singular);
  return other
    .split("-")
    .map(singular)
    .some((part) => part.length >= 3 && !COMMON_PARTS.has(part) && parts.includes(part));
}

/**
 * Finds the slot for a name. `fileSlots` are those that the subject's entries use already: a name of the same meaning takes the
 * file's own, whatever the table calls it.
 */
export function mapSlot(name: string, fileSlots: readonly string[] = []): SlotAnswer {
  const wanted = slotName(name);
  if (wanted === "") return { kind: "ask", candidates: [...fileSlots].slice(0, CANDIDATES_MAX) };
  const own = [...new Set(fileSlots)];
  const meaning = canonicalOf(wanted);
  const sameName = own.find((slot) => slot === wanted || singular(slotName(slot)) === singular(wanted));
  const sameMeaning = meaning === null ? [] : own.filter((slot) => canonicalOf(slotName(slot)) === meaning);
  // Where other hands brought both, the canonical one is the older habit of this app.
  const inFile = sameMeaning.find((slot) => slot === meaning) ?? sameName ?? sameMeaning[0];
  if (inFile !== undefined) return { kind: "slot", slot: inFile, known: true };
  if (meaning !== null) return { kind: "slot", slot: meaning, known: true };
  if (MANY_VALUED.has(wanted) || MANY_VALUED.has(singular(wanted))) return { kind: "many", slot: singular(wanted) };

  const most = wanted.length >= 8 ? 2 : wanted.length >= 5 ? 1 : 0;
  const meant = new Set<string>();
  for (const known of [...own.map(slotName), ...canonical.keys()]) {
    if (known.length >= 5 && distance(wanted, known, most) <= most)
      meant.add(own.find((slot) => slotName(slot) === known) ?? canonicalOf(known)!);
  }
  const typo = [...meant].map((slot) => own.find((one) => canonicalOf(slotName(one)) === slot) ?? slot);
  if (new Set(typo).size === 1) return { kind: "slot", slot: typo[0]!, known: true };

  // The last part of a name is what it is, the others say which: an email first, then what has to do with work.
  const last = (one: string): string => singular(one.slice(one.lastIndexOf("-") + 1));
  const near = new Set<string>(typo);
  const names = [...own.map((slot) => [slotName(slot), slot] as const), ...canonical];
  for (const headOnly of [true, false]) {
    for (const [known, slot] of names) {
      if (!kin(wanted, known) || (headOnly && last(known) !== last(wanted))) continue;
      near.add(own.includes(slot) ? slot : (own.find((one) => canonicalOf(slotName(one)) === slot) ?? slot));
    }
  }
  if (near.size > 0) return { kind: "ask", candidates: [...near].slice(0, CANDIDATES_MAX) };
  return { kind: "slot", slot: wanted, known: false };
}
