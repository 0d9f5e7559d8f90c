// What is known in this turn: lines of the memory block, of recall and of tools, each read once: whom it is about and which relation it states.
import { lineFact } from "./facts/line-fact.ts";
import type { KnownPerson } from "./facts/env.ts";
import type { Fact } from "./facts/fact.ts";
import { fold, lineStems } from "./language/words.ts";
import { type MemoryLine, isIndex, nameOfPath } from "./lines.ts";
import { kindsOf } from "./facts/lexicon.ts";
import { petWord } from "./facts/roles.ts";

export interface Known {
  line: MemoryLine;
  /** Name of the person it is about; null = the user. */
  about: string | null;
  fact: Fact;
  stems: ReadonlySet<string>;
  /** Wider words for its nouns. */
  kinds: ReadonlySet<string>;
  folded: string;
}

/** "whippet" is a dog, and what a dog is. */
const breedOf = (word: string): string[] => {
  const pet = petWord(word);
  return pet && pet.kind !== pet.word ? [pet.kind, ...kindsOf(pet.kind)] : [];
};

const cache = new Map<string, Omit<Known, "line">>();
const CACHE_MAX_LINES = 5_000;

function known(line: MemoryLine): Known {
  const key = `${line.path ?? ""}\n${line.raw}`;
  let read = cache.get(key);
  if (!read) {
    const about = line.path?.startsWith("people/") ? nameOfPath(line.path) : null;
    const stems = new Set(lineStems(line.text));
    const words = fold(line.text).split(/[^\p{L}\p{N}-]+/u);
    read = {
      about,
      fact: lineFact(line.text, about),
      stems,
      kinds: new Set(
        words.flatMap((word) =>
          [word, word.replace(/s$/, ""), word.replace(/es$/, "")].flatMap((form) => [...kindsOf(form), ...breedOf(form)]),
        ),
      ),
      folded: fold(line.text),
    };
    if (cache.size >= CACHE_MAX_LINES) cache.clear();
    cache.set(key, read);
  }
  return { line, ...read };
}

export class Knowledge {
  readonly all: Known[] = [];
  private readonly links = new Map<string, string>();

  constructor(lines: readonly MemoryLine[]) {
    this.add(lines);
  }

  /** Adds lines that are new; returns them. */
  add(lines: readonly MemoryLine[]): Known[] {
    const added: Known[] = [];
    for (const line of lines) {
      for (const [, path = "", label] of line.raw.matchAll(/\[\[(people\/[^\]|#]+)(?:#[^\]|]*)?(?:\|([^\]]+))?\]\]/g))
        this.links.set(path.replace(/\.md$/, ""), label ?? nameOfPath(path));
      if (isIndex(line)) {
        this.indexes.push(line);
        continue;
      }
      if (
        this.all.some(
          (one) =>
            (line.id && one.line.id === line.id) ||
            (one.line.raw === line.raw && one.line.path === line.path && one.line.on === line.on),
        )
      )
        continue;
      const one = known(line);
      this.all.push(one);
      added.push(one);
    }
    return added;
  }

  /** Lines that are only links. */
  readonly indexes: MemoryLine[] = [];

  get current(): Known[] {
    return this.all.filter(({ line }) => line.state !== "closed");
  }

  hasLink(path: string): boolean {
    return this.links.has(path);
  }

  /** Everybody who has a name: from relations, links and files. */
  people(): KnownPerson[] {
    const found = new Map<string, KnownPerson>();
    const put = (name: string, role: string | null, path: string | null): void => {
      const key = fold(name);
      const one = found.get(key) ??
        [...found.values()].find((other) => path !== null && other.path === path) ?? { name, roles: [], path: null };
      if (role && !one.roles.includes(role)) one.roles.push(role);
      if (path) one.path = path;
      if (role && name.length >= one.name.length) one.name = name;
      found.set(fold(one.name), one);
    };
    for (const [path, label] of this.links) put(label, null, path);
    for (const { line, about } of this.all) if (about && line.path) put(about, null, line.path);
    for (const { fact, line, about } of this.current) {
      if (about !== null || !fact.rel.startsWith("relation:") || !fact.value) continue;
      const link = /\[\[(people\/[^\]|#]+)/.exec(line.raw)?.[1]?.replace(/\.md$/, "") ?? null;
      put(fact.value, fact.rel.slice("relation:".length), link);
    }
    return [...found.values()];
  }
}
