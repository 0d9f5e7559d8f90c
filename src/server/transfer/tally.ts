// Counts what becomes of the parts of an import and keeps those that a person should see.
import type { Fate, ImportCounts, ImportItem } from "../../shared/protocol.ts";
import { replaceSecrets } from "../../shared/secrets.ts";

/** Items that an answer lists; all are counted. */
const ITEMS_SHOWN = 200;
/** Characters of a name in a list. */
const NAME_CHARS = 200;

const COUNT_OF: Record<Fate, keyof ImportCounts> = {
  lands: "lands",
  duplicate: "duplicates",
  forgotten: "forgotten",
  secret: "secrets",
  refused: "refused",
  skipped: "skipped",
};
/** What is held back is seen first, then what was refused; what lands needs no eye. */
const RANK: Record<Fate, number> = { forgotten: 0, secret: 1, refused: 2, lands: 3, duplicate: 4, skipped: 5 };

function noCounts(): ImportCounts {
  return {
    lands: 0,
    duplicates: 0,
    forgotten: 0,
    secrets: 0,
    refused: 0,
    skipped: 0,
    files: 0,
    conversations: 0,
    messages: 0,
    redacted: 0,
    notes: 0,
    calls: 0,
  };
}

type Told = Pick<ImportItem, "n" | "what" | "fate"> & Partial<ImportItem>;

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

function cut(text: string): string {
  if (text.length <= NAME_CHARS) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text.slice(0, NAME_CHARS * 4))) {
    if (kept.length + segment.length > NAME_CHARS) break;
    kept += segment;
  }
  return `${kept}…`;
}

export class Tally {
  readonly counts: ImportCounts;
  #items: ImportItem[];

  constructor(counts: Partial<ImportCounts> = {}, items: ImportItem[] = []) {
    this.counts = { ...noCounts(), ...counts };
    this.#items = items;
  }

  /** Counts one part. The words of what is held back are told to nobody: not in an answer that is kept, not in a row. */
  add({ n, what, fate, name = null, why = null, path = null, line = null, thread = null }: Told): void {
    this.counts[COUNT_OF[fate]]++;
    const held = fate === "forgotten" || fate === "secret";
    this.#items.push({ n, what, name: held || name === null ? null : cut(name), fate, why, path, line, thread });
    if (this.#items.length > ITEMS_SHOWN * 2) this.#items = this.items;
  }

  /** The items to show, held back ones first. What was refused for another reason may hold a secret as well. */
  get items(): ImportItem[] {
    return [...this.#items]
      .sort((a, b) => RANK[a.fate] - RANK[b.fate] || a.n - b.n)
      .slice(0, ITEMS_SHOWN)
      .map((item) => (item.name === null ? item : { ...item, name: replaceSecrets(item.name) }));
  }
}
