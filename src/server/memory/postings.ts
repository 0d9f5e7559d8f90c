// An inverted index in rows: which document holds which word how often. Serves messages and notes. Words stand in it as numbers, so that what was
// forgotten or erased never lies about in the database file as a word.
import type { Sql } from "../git/sql.ts";

/** Documents of one kind share their statistics. */
export type PostingKind = "message" | "note";

/** BM25's two constants at the values of its authors: how soon repetition saturates, and how much length counts. */
const K1 = 1.2;
const B = 0.75;
/** Share of all documents above which a word says nothing, so long as the query holds a rarer one: its rows are not read. */
const COMMON_SHARE = 0.2;
const COMMON_MIN_DOCS = 200;

/** From this weight a word is a form of the one asked for and counts with it; below, it only stands for it. */
const FORM_MIN_WEIGHT = 0.8;

export function createPostings(sql: Sql): void {
  sql.exec(
    "CREATE TABLE postings (kind TEXT NOT NULL, term INTEGER NOT NULL, doc INTEGER NOT NULL, tf INTEGER NOT NULL, PRIMARY KEY (kind, term, doc)) WITHOUT ROWID",
  );
  sql.exec(
    "CREATE TABLE posting_docs (kind TEXT NOT NULL, doc INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (kind, doc)) WITHOUT ROWID",
  );
  sql.exec("CREATE TABLE posting_sums (kind TEXT PRIMARY KEY, docs INTEGER NOT NULL, length INTEGER NOT NULL) WITHOUT ROWID");
}

/** A word as a whole number of 53 bits (cyrb53): among a million words two meet with a chance of one in twenty thousand. */
export function termNumber(word: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

function counted(tokens: readonly string[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const token of tokens) counts.set(termNumber(token), (counts.get(termNumber(token)) ?? 0) + 1);
  return [...counts];
}

/** Indexes a document. It must not be in the index yet. */
export function addPostings(sql: Sql, kind: PostingKind, doc: number, tokens: readonly string[]): void {
  sql.exec(
    "INSERT INTO postings (kind, term, doc, tf) SELECT ?, value ->> 0, ?, value ->> 1 FROM json_each(?)",
    kind,
    doc,
    JSON.stringify(counted(tokens)),
  );
  sql.exec("INSERT INTO posting_docs (kind, doc, length) VALUES (?, ?, ?)", kind, doc, tokens.length);
  sql.exec(
    "INSERT INTO posting_sums (kind, docs, length) VALUES (?, 1, ?) ON CONFLICT (kind) DO UPDATE SET docs = docs + 1, length = length + excluded.length",
    kind,
    tokens.length,
  );
}

/** Takes a document out. `tokens` are those it was indexed with: the rows are found by their words, which needs no second index. */
export function dropPostings(sql: Sql, kind: PostingKind, doc: number, tokens: readonly string[]): void {
  const known = sql
    .exec<{ length: number }>("SELECT length FROM posting_docs WHERE kind = ? AND doc = ?", kind, doc)
    .toArray()[0];
  if (!known) return;
  sql.exec(
    "DELETE FROM postings WHERE kind = ? AND doc = ? AND term IN (SELECT value FROM json_each(?))",
    kind,
    doc,
    JSON.stringify([...new Set(tokens.map(termNumber))]),
  );
  sql.exec("DELETE FROM posting_docs WHERE kind = ? AND doc = ?", kind, doc);
  sql.exec("UPDATE posting_sums SET docs = docs - 1, length = length - ? WHERE kind = ?", known.length, kind);
}

/** A query word with its weight: 1 for what was asked, less for what merely stands for it. Words of one group are as rare as all of them together. */
export interface QueryTerm {
  term: string;
  weight: number;
  group?: string;
}

/** How well a document answers: BM25, and what each query word that it holds brought to it. */
export interface Scored {
  score: number;
  terms: Map<string, number>;
}

/** BM25 of all documents that hold one of the words. Words of a fifth of all documents are read only where no rarer one is asked. */
export function scoreDocs(sql: Sql, kind: PostingKind, query: readonly QueryTerm[]): Map<number, Scored> {
  const scored = new Map<number, Scored>();
  const sums = sql
    .exec<{ docs: number; length: number }>("SELECT docs, length FROM posting_sums WHERE kind = ?", kind)
    .toArray()[0];
  if (!sums || sums.docs === 0) return scored;
  const mean = Math.max(1, sums.length / sums.docs);
  const terms = new Map<string, QueryTerm>();
  for (const one of query) if (one.weight > (terms.get(one.term)?.weight ?? 0)) terms.set(one.term, one);
  const found = [...terms.values()].map(({ term, weight, group = term }) => {
    const df = sql
      .exec<{ n: number }>("SELECT COUNT(*) AS n FROM postings WHERE kind = ? AND term = ?", kind, termNumber(term))
      .one().n;
    return { term, weight, group, df };
  });
  const groups = new Map<string, number>();
  for (const { group, df, weight } of found) groups.set(group, (groups.get(group) ?? 0) + (weight >= FORM_MIN_WEIGHT ? df : 0));
  const present = found.filter(({ df }) => df > 0).sort((a, b) => a.df - b.df);
  const limit = Math.max(COMMON_MIN_DOCS, sums.docs * COMMON_SHARE);
  const read = present.filter(({ df }, at) => at === 0 || df <= limit);
  for (const { term, weight, group, df } of read) {
    const common = Math.min(sums.docs, Math.max(df, groups.get(group) ?? 0));
    const idf = Math.log(1 + (sums.docs - common + 0.5) / (common + 0.5));
    const rows = sql.exec<{ doc: number; tf: number; length: number }>(
      "SELECT p.doc AS doc, p.tf AS tf, d.length AS length FROM postings p JOIN posting_docs d ON d.kind = p.kind AND d.doc = p.doc WHERE p.kind = ? AND p.term = ?",
      kind,
      termNumber(term),
    );
    for (const { doc, tf, length } of rows) {
      const part = (weight * idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / mean));
      const known = scored.get(doc);
      if (known) {
        known.score += part;
        known.terms.set(term, part);
      } else scored.set(doc, { score: part, terms: new Map([[term, part]]) });
    }
  }
  return scored;
}
