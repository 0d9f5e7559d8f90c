// Owns the look-up of a text among all tombstones of a memory: a few comparisons a text, whatever their number (format, Tombstones).
import {
  type Fact,
  HashedText,
  type Hmac,
  REQUIRED_MARKS,
  type Stone,
  TEXT_MARK,
  hashWord,
  parseMatch,
  readStone,
  readings,
} from "./tombstone.ts";

/** A text that shares this part of a tombstone's words, and is not covered, may say the same in other words (design, Dreaming). */
const NEAR_SHARE = 0.4;
const CACHED_WORDS_MAX = 5_000;

interface Row extends Stone {
  name: string;
  lifted: boolean;
}

interface RowsOfKey {
  rows: Row[];
  /** In how many tombstones each word stands. */
  frequency: Map<string, number>;
  /** Tombstones by one of the words without which they cover nothing. */
  byWord: Map<string, Row[]>;
  byText: Map<string, Row[]>;
}

function put(map: Map<string, Row[]>, hash: string, row: Row): void {
  const list = map.get(hash);
  if (list) list.push(row);
  else map.set(hash, [row]);
}

// At least one of these words stands in every text that the tombstone covers; the rarest are chosen, so that a look-up meets few.
// A name or a number must be there at all; of n other words at most a fifth may be missing, so one of any n/5 + 1 is there.
function keyWords(row: Row, frequency: ReadonlyMap<string, number>): string[] {
  const rarest = (hashes: string[]): string[] =>
    hashes.sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1));
  if (row.count < 2) return rarest([...row.subject]).slice(0, 1);
  const ofText = [...row.words].filter(([, marks]) => (marks & TEXT_MARK) !== 0);
  const required = ofText.filter(([, marks]) => (marks & REQUIRED_MARKS) !== 0).map(([hash]) => hash);
  if (required.length > 0) return rarest(required).slice(0, 1);
  const mayMiss = row.count - Math.ceil((row.count * 4) / 5);
  return rarest(ofText.map(([hash]) => hash)).slice(0, mayMiss + 1);
}

/** All tombstones of a memory. */
export class TombstoneIndex {
  private readonly byName = new Map<string, { row: Row; keyId: string }>();
  private readonly keys = new Map<string, RowsOfKey>();
  // By the hash function, not by its name: a word must never be taken for its hash under another key.
  private readonly hashes = new WeakMap<Hmac, Map<string, string>>();
  /** Names of rows whose `match` cannot be read: the gate refuses writes while there are any. */
  readonly unreadable = new Set<string>();

  /** Rows: the id of each tombstone and its `match`. */
  constructor(rows: Iterable<{ name: string; match: string | undefined }> = []) {
    const read = [...rows].flatMap(({ name, match }) => this.read(name, match) ?? []);
    for (const { row, keyId } of read) this.index(row, keyId);
  }

  /** How many tombstones can be compared. */
  get size(): number {
    return this.byName.size;
  }

  /** The ids of the keys that the tombstones were made with. Those of a key that is lost are dead. */
  get keyIds(): string[] {
    return [...new Set([...this.byName.values()].map(({ keyId }) => keyId))];
  }

  /** Adds a tombstone. A `match` that cannot be read goes to `unreadable`. */
  add(name: string, match: string | undefined): void {
    const read = this.read(name, match);
    if (read) this.index(read.row, read.keyId);
  }

  /** Takes a lifted tombstone out. */
  remove(name: string): void {
    this.unreadable.delete(name);
    const known = this.byName.get(name);
    if (known) known.row.lifted = true;
    this.byName.delete(name);
  }

  private read(name: string, match: string | undefined): { row: Row; keyId: string } | null {
    this.remove(name);
    const parsed = match === undefined ? null : parseMatch(match);
    if (parsed === null) {
      this.unreadable.add(name);
      return null;
    }
    const row: Row = { ...readStone(parsed.hex), name, lifted: false };
    this.byName.set(name, { row, keyId: parsed.keyId });
    const { frequency } = this.rowsOf(parsed.keyId);
    for (const hash of row.words.keys()) frequency.set(hash, (frequency.get(hash) ?? 0) + 1);
    return { row, keyId: parsed.keyId };
  }

  private rowsOf(keyId: string): RowsOfKey {
    let rows = this.keys.get(keyId);
    if (!rows) this.keys.set(keyId, (rows = { rows: [], frequency: new Map(), byWord: new Map(), byText: new Map() }));
    return rows;
  }

  private index(row: Row, keyId: string): void {
    const { rows, frequency, byWord, byText } = this.rowsOf(keyId);
    rows.push(row);
    put(byText, row.textHash, row);
    for (const hash of keyWords(row, frequency)) put(byWord, hash, row);
  }

  private hashOf(hmac: Hmac): (word: string) => string {
    let known = this.hashes.get(hmac);
    if (!known) this.hashes.set(hmac, (known = new Map()));
    const cache = known;
    return (word) => {
      let hash = cache.get(word);
      if (hash === undefined) {
        hash = hashWord(hmac, word);
        if (cache.size >= CACHED_WORDS_MAX) cache.clear();
        cache.set(word, hash);
      }
      return hash;
    };
  }

  private *texts(candidate: Fact, hmacs: ReadonlyMap<string, Hmac>): Generator<{ text: HashedText; of: RowsOfKey }> {
    if (this.byName.size === 0) return;
    const read = readings(candidate);
    for (const [keyId, of] of this.keys) {
      const hmac = hmacs.get(keyId);
      if (!hmac) continue;
      for (const reading of read) yield { text: new HashedText(reading, hmac, this.hashOf(hmac)), of };
    }
  }

  /**
   * The names of the tombstones that cover a text, in the order in which they were added. `hmacs` holds the keyed hash of each
   * key id; tombstones of other keys cannot be compared.
   */
  covering(candidate: Fact, hmacs: ReadonlyMap<string, Hmac>): string[] {
    const found = new Set<Row>();
    for (const { text, of } of this.texts(candidate, hmacs)) {
      const consider = (rows: Row[] | undefined): void => {
        for (const row of rows ?? []) if (!row.lifted && !found.has(row) && text.isCoveredBy(row)) found.add(row);
      };
      consider(of.byText.get(text.textHash));
      for (const hash of text.all) consider(of.byWord.get(hash));
    }
    return this.inOrder(found);
  }

  /** The names of the tombstones that share 40 to 79 % of their words with a text and do not cover it. Looks at every tombstone. */
  near(candidate: Fact, hmacs: ReadonlyMap<string, Hmac>): string[] {
    const found = new Set<Row>();
    const covering = new Set<Row>();
    for (const { text, of } of this.texts(candidate, hmacs)) {
      for (const row of of.rows) {
        if (row.lifted || row.count < 2) continue;
        const { share } = text.shareOf(row);
        if (share < row.count * NEAR_SHARE) continue;
        if (text.isCoveredBy(row)) covering.add(row);
        else if (share * 5 < row.count * 4) found.add(row);
      }
    }
    for (const row of covering) found.delete(row);
    return this.inOrder(found);
  }

  private inOrder(found: ReadonlySet<Row>): string[] {
    if (found.size < 2) return [...found].map(({ name }) => name);
    return [...this.byName.values()].filter(({ row }) => found.has(row)).map(({ row }) => row.name);
  }
}
