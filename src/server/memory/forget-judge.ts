// Whether a text states something that was forgotten, judged by fingerprints alone: it works as well where nobody has the words any more.
import { normalText } from "../../shared/normal.ts";
import { HashedText, hashWord, parseMatch, readings, readStone, type Hmac, type Stone } from "../../shared/tombstone.ts";
import { TombstoneIndex } from "../../shared/tombstone-index.ts";
import { metaValue, type Meta } from "../../shared/entry.ts";
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
  /** Whether one of the tombstones covers a sentence. */
  states(sentence: string, subject?: string | null): boolean;
  /** The largest part of a forgotten fact's words that stand in a sentence, about whomever: 0 to 1. */
  share(sentence: string): number;
  /** Whether a longer text can hold a sentence that states it: false is certain, true is not. */
  mayState(text: string): boolean;
  /** Whether an entry is one of the forgotten, by its id or its words. */
  isForgotten(entry: { text: string; meta: Meta }, subject: string | null): boolean;
}

interface Read {
  stone: Stone;
  hmac: Hmac;
  hash: (word: string) => string;
}

const CACHED_MAX = 20_000;

/** A judge over some tombstones. Those of a lost key cannot be compared and state nothing. */
export function judgeOf(ring: Keyring, stones: readonly StoneRow[]): Judge {
  const index = new TombstoneIndex(stones.map(({ id, match }) => ({ name: id, match })));
  const ids = new Set(stones.flatMap(({ replaces }) => replaces ?? []));
  const caches = new Map<string, Map<string, string>>();
  const read = stones.flatMap(({ match }): Read[] => {
    const parsed = parseMatch(match);
    const hmac = parsed === null ? undefined : ring.hmacs.get(parsed.keyId);
    if (!parsed || !hmac) return [];
    const cache = caches.get(parsed.keyId) ?? new Map<string, string>();
    caches.set(parsed.keyId, cache);
    const hash = (word: string): string => {
      let known = cache.get(word);
      if (known === undefined) {
        if (cache.size > CACHED_MAX) cache.clear();
        cache.set(word, (known = hashWord(hmac, word)));
      }
      return known;
    };
    return [{ stone: readStone(parsed.hex), hmac, hash }];
  });
  const verdicts = new Map<string, boolean>();
  const states = (sentence: string, subject: string | null = null): boolean => {
    if (read.length === 0) return false;
    const key = `${subject ?? ""}\n${sentence}`;
    let known = verdicts.get(key);
    if (known === undefined) {
      if (verdicts.size > CACHED_MAX) verdicts.clear();
      verdicts.set(key, (known = index.covering({ text: sentence, subject }, ring.hmacs).length > 0));
    }
    return known;
  };
  const over = (text: string, value: (hashed: HashedText, one: Read) => number): number => {
    let most = 0;
    const facts = read.length === 0 ? [] : readings({ text });
    for (const one of read) for (const fact of facts) most = Math.max(most, value(new HashedText(fact, one.hmac, one.hash), one));
    return most;
  };
  return {
    stones,
    ids,
    states,
    share: (sentence) =>
      over(sentence, (hashed, { stone }) => {
        if (stone.textHash === hashed.textHash) return 1;
        return stone.count === 0 ? 0 : hashed.shareOf(stone).share / stone.count;
      }),
    mayState: (text) =>
      over(text, (hashed, { stone }) => {
        const { share, missing } = hashed.shareOf(stone);
        return stone.count < 2 ? Number(share === stone.count) : Number(missing === 0 && share * 5 >= stone.count * 4);
      }) > 0,
    isForgotten: ({ text, meta }, subject) => ids.has(metaValue(meta, "id") ?? "\n") || (normalText(text) !== "" && states(text, subject)),
  };
}
