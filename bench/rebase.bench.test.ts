// A dream works on MEMORY.md while the chat saves one line in it: what is lost or refused when the two are laid on one another entry by entry, and by
// ways that know files and lines only. The same random histories for all of them.
import { diff3Merge } from "node-diff3";
import { expect, test } from "vitest";
import { parseDocument } from "../src/shared/document.ts";
import { metaValue } from "../src/shared/entry.ts";
import { rebase } from "../src/shared/rebase.ts";
import { rng, sentence } from "./support.ts";

const HISTORIES = 2_000;
const FILE = "MEMORY.md";
const TODAY = "2026-10-08";
const SECTIONS = ["", "Work", "Home", "People"];

interface Fact {
  id: string;
  text: string;
  section: string;
  closed: boolean;
}

/** One thing that a side did, and how to see that it stands. */
interface Done {
  id: string;
  stands: (lines: Map<string, Fact>) => boolean;
}

interface History {
  base: string;
  dream: string;
  chat: string;
  dreamed: Done[];
  said: Done;
}

function render(facts: readonly Fact[]): string {
  const of = (section: string): string[] =>
    facts
      .filter((fact) => fact.section === section)
      .map(({ id, text, closed }) => `- ${text} [id: ${id}${closed ? `; closed: ${TODAY}; why: changed` : ""}]`);
  const parts = [...SECTIONS, "History"].flatMap((section) => {
    const lines = of(section);
    if (lines.length === 0) return [];
    return section === "" ? [lines.join("\n")] : [`## ${section}\n\n${lines.join("\n")}`];
  });
  return `${["# Memory", ...parts].join("\n\n")}\n`;
}

function read(text: string): Map<string, Fact> {
  const document = parseDocument(text);
  return new Map(
    document.entries.map(({ text: words, meta, section }) => {
      const id = metaValue(meta, "id") ?? words;
      const closed = metaValue(meta, "closed") !== undefined;
      return [id, { id, text: words, section: section === document.title ? "" : (section ?? ""), closed }];
    }),
  );
}

function historyOf(seed: number): History {
  const random = rng(seed);
  const below = (n: number): number => Math.floor(random() * n);
  let count = 0;
  const fresh = (section: string): Fact => {
    const id = `e${String(++count).padStart(5, "0")}`;
    return { id, text: `${sentence(random)}, note ${count}`, section, closed: false };
  };
  const base = SECTIONS.flatMap((section) => Array.from({ length: 1 + below(12) }, () => fresh(section)));
  const dream = base.map((fact) => ({ ...fact }));
  const chat = base.map((fact) => ({ ...fact }));
  const dreamed: Done[] = [];
  const touched = new Set<string>();
  /** A line that the dream has not touched yet. */
  const pick = (): Fact | undefined => {
    const free = dream.filter(({ id }) => !touched.has(id));
    const fact = free[below(free.length)];
    if (fact) touched.add(fact.id);
    return fact;
  };
  for (let n = 1 + below(6); n > 0; n--) {
    const kind = below(5);
    const fact = kind === 0 ? fresh(SECTIONS[below(SECTIONS.length)]!) : pick();
    if (!fact) continue;
    const { id } = fact;
    if (kind === 0) {
      dream.push(fact);
      touched.add(id);
      dreamed.push({ id, stands: (lines) => lines.get(id)?.text === fact.text });
    } else if (kind === 1) {
      const text = (fact.text = `${fact.text}, as the dream put it`);
      dreamed.push({ id, stands: (lines) => lines.get(id)?.text === text });
    } else if (kind === 2) {
      // Joined into another line, as equal facts are.
      dream.splice(dream.indexOf(fact), 1);
      dreamed.push({ id, stands: (lines) => !lines.has(id) });
    } else if (kind === 3) {
      const section = (fact.section = SECTIONS.filter((one) => one !== fact.section)[below(SECTIONS.length - 1)]!);
      dream.push(...dream.splice(dream.indexOf(fact), 1));
      dreamed.push({ id, stands: (lines) => lines.get(id)?.section === section });
    } else {
      fact.section = "History";
      fact.closed = true;
      dream.push(...dream.splice(dream.indexOf(fact), 1));
      dreamed.push({ id, stands: (lines) => lines.get(id)?.closed === true });
    }
  }
  // Four times in five the chat adds a line; else it changes one.
  let said: Fact;
  if (below(5) > 0) {
    said = fresh(SECTIONS[below(SECTIONS.length)]!);
    chat.push(said);
  } else {
    said = chat[below(chat.length)]!;
    said.text = `${said.text}, as the user said today`;
  }
  const { id, text } = said;
  return {
    base: render(base),
    dream: render(dream),
    chat: render(chat),
    dreamed,
    said: { id, stands: (lines) => lines.get(id)?.text === text },
  };
}

/** What a way makes of a history; `refused` names the lines whose change it gave back, or all of the dream's. */
interface Made {
  text: string;
  refused: ReadonlySet<string> | "all";
}

const NONE: ReadonlySet<string> = new Set();
const set = (text: string): Map<string, string> => new Map([[FILE, text]]);

const WAYS: Record<string, (history: History) => Made> = {
  "entry by entry (this memory)": ({ base, dream, chat }) => {
    const { files, conflicts } = rebase(set(base), set(dream), set(chat), TODAY);
    return { text: files.get(FILE)!, refused: new Set(conflicts.flatMap(({ entry }) => entry ?? [])) };
  },
  "the dream overwrites the file": ({ dream }) => ({ text: dream, refused: NONE }),
  "a changed file refuses the dream": ({ chat }) => ({ text: chat, refused: "all" }),
  "merge of lines, a clash refuses": ({ base, dream, chat }) => {
    const regions = diff3Merge(dream.split("\n"), base.split("\n"), chat.split("\n"));
    if (regions.some(({ conflict }) => conflict)) return { text: chat, refused: "all" };
    return { text: regions.flatMap(({ ok }) => ok ?? []).join("\n"), refused: NONE };
  },
};

test("one chat line in MEMORY.md while a dream works on it", () => {
  const histories = Array.from({ length: HISTORIES }, (_, seed) => historyOf(seed + 1));
  const changes = histories.reduce((sum, { dreamed }) => sum + dreamed.length, 0);
  const results = Object.entries(WAYS).map(([name, way]) => {
    let chatLost = 0;
    let dreamLost = 0;
    let refused = 0;
    let whole = 0;
    for (const history of histories) {
      const made = way(history);
      const lines = read(made.text);
      if (!history.said.stands(lines)) chatLost++;
      if (made.refused === "all" && history.dreamed.length > 0) whole++;
      for (const { id, stands } of history.dreamed) {
        if (stands(lines)) continue;
        if (made.refused === "all" || made.refused.has(id)) refused++;
        else dreamLost++;
      }
    }
    return { name, chatLost, dreamLost, refused, whole };
  });
  const cell = (n: number, width: number): string => n.toLocaleString("en-US").padStart(width);
  console.log(
    [
      `\n${HISTORIES.toLocaleString("en-US")} random histories, ${changes.toLocaleString("en-US")} changes of dreams, one line of the chat in each`,
      `  ${"".padEnd(34)} ${"chat lines lost".padStart(16)} ${"dream changes lost".padStart(19)} ${"given back".padStart(11)} ${"dreams refused whole".padStart(21)}`,
      ...results.map(
        ({ name, chatLost, dreamLost, refused, whole }) =>
          `  ${name.padEnd(34)} ${cell(chatLost, 16)} ${cell(dreamLost, 19)} ${cell(refused, 11)} ${cell(whole, 21)}`,
      ),
    ].join("\n"),
  );
  const ours = results[0]!;
  expect(ours).toMatchObject({ chatLost: 0, dreamLost: 0, whole: 0 });
  // What is given back clashes with the line that the chat changed: at most one change a history.
  expect(ours.refused).toBeLessThan(HISTORIES / 10);
});
