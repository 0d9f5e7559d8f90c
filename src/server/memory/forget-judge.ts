// Whether a text states something that was forgotten, judged by fingerprints alone: it works as well where nobody has the words any more.
import { normalText } from "../../shared/normal.ts";
import { HashedText, hashWord, parseMatch, readings, readStone, type Hmac, type Stone } from "../../shared/tombstone.ts";
import { TombstoneIndex } from "../../shared/tombstone-index.ts";
import { metaValue, type Meta } from "../../shared/entry.ts";
import { clausesOf } from "./forget-cut.ts";
import type { Keyring } from "./keys.ts";

/** A tombstone as rows hold it. */
export interface StoneRow {
  id: string;
  match: string;
  replaces: string | null;
}

/** What a look for forgotten words goes by. */
export interface Judge {
  stones: readonly StoneRow[];
  /** Ids of the entries that were forgotten. */
  ids: ReadonlySet<string>;
  /** Files that went as a whole: their names name who is forgotten. */
  paths: readonly string[];
  /** Whether one of the tombstones covers a sentence. */
  states(sentence: string, subject?: string | null): boolean;
  /** The same of talk: the sentence, or one of its clauses. */
  says(sentence: string): boolean;
  /** The largest part of a forgotten fact's words that stand in a sentence, about whomever: 0 to 1. */
  share(sentence: string): number;
  /** Whether a longer text can hold a sentence that states it: false is certain, true is not. */
  mayState(text: string): boolean;
  /** Whether an entry is one of the forgotten, by its id or its words. */
  isForgotten(entry: { text: string; meta: Meta }, subject: string | null): boolean;
}

/** The tombstones of one key. */
interface OfKey {
  stones: Stone[];
  hmac: Hmac;
  hash: (word: string) => string;
}

const CACHED_MAX = 20_000;

function byKey(ring: Keyring, stones: readonly StoneRow[]): OfKey[] {
  const found = new Map<string, OfKey>();
  for (const { match } of stones) {
    const parsed = parseMatch(match);
    const hmac = parsed === null ? undefined : ring.hmacs.get(parsed.keyId);
    if (!parsed || !hmac) continue;
    const known = found.get(parsed.keyId);
    if (known) {
      known.stones.push(readStone(parsed.hex));
      continue;
    }
    const cache = new Map<string, string>();
    const hash = (word: string): string => {
      let value = cache.get(word);
      if (value === undefined) {
        if (cache.size > CACHED_MAX) cache.clear();
        cache.set(word, (value = hashWord(hmac, word)));
      }
      return value;
    };
    found.set(parsed.keyId, { stones: [readStone(parsed.hex)], hmac, hash });
  }
  return [...found.values()];
}

/** A judge over some tombstones. Those of a lost key cannot be compared and state nothing. */
export function judgeOf(ring: Keyring, stones: readonly StoneRow[], paths: readonly string[] = []): Judge {
  const index = new TombstoneIndex(stones.map(({ id, match }) => ({ name: id, match })));
  const ids = new Set(stones.flatMap(({ replaces }) => replaces ?? []));
  const keys = byKey(ring, stones);
  const verdicts = new Map<string, boolean>();
  const states = (sentence: string, subject: string | null = null): boolean => {
    if (keys.length === 0) return false;
    const key = `${subject ?? ""}\n${sentence}`;
    let known = verdicts.get(key);
    if (known === undefined) {
      if (verdicts.size > CACHED_MAX) verdicts.clear();
      verdicts.set(key, (known = index.covering({ text: sentence, subject }, ring.hmacs).length > 0));
    }
    return known;
  };
  const over = (text: string, value: (hashed: HashedText, stone: Stone) => number): number => {
    let most = 0;
    const facts = keys.length === 0 ? [] : readings({ text });
    for (const { stones: own, hmac, hash } of keys) {
      for (const fact of facts) {
        const hashed = new HashedText(fact, hmac, hash);
        for (const stone of own) {
          most = Math.max(most, value(hashed, stone));
          if (most === 1) return 1;
        }
      }
    }
    return most;
  };
  return {
    stones,
    ids,
    paths,
    states,
    says: (sentence) => clausesOf(sentence).some((clause) => states(clause)),
    share: (sentence) =>
      over(sentence, (hashed, stone) => {
        if (stone.textHash === hashed.textHash) return 1;
        return stone.count === 0 ? 0 : hashed.shareOf(stone).share / stone.count;
      }),
    mayState: (text) =>
      over(text, (hashed, stone) => {
        const { share, missing } = hashed.shareOf(stone);
        return stone.count < 2 ? Number(share === stone.count) : Number(missing === 0 && share * 5 >= stone.count * 4);
      }) > 0,
    isForgotten: ({ text, meta }, subject) =>
      ids.has(metaValue(meta, "id") ?? "\n") || (normalText(text) !== "" && states(text, subject)),
  };
}
