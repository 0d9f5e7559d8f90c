// The example memory: Mara's, a translator in Ghent. Invented. Laid out as files, taken away again by reverting their commits.
import { api, Trouble } from "../lib/api.ts";
import { invalidateAll } from "../lib/resource.ts";
import { createStore, kept } from "../lib/store.ts";

const KEY = "reverie.example";

/** Path and Markdown. Dates are days before or after today, so that plans are plans whenever it is opened. */
function files(day: (from: number) => string, month: (from: number) => string): [string, string][] {
  return [
    [
      "MEMORY.md",
      `# Memory

## Mara
- A translator in [[places/ghent|Ghent]], from Portuguese into French; see [[people/mara]] [pin: yes]
- Her sister [[people/ana|Ana]] is allergic to walnuts
- Does not eat meat
- Writes best in the mornings, before eight

## Now
- [[plans/visit|Ana’s visit]] in three weeks [on: ${day(21)}]
- Chapter nine of [[work/the-salt-year|The Salt Year]] is due [expires: ${month(70)}]
`,
    ],
    [
      "people/ana.md",
      `# Ana

## Family
- Mara’s younger sister; they speak Portuguese with each other [pin: yes]
- Lives in [[places/porto|Porto]], in a flat above the tram line [since: 2024-05; slot: home]
- Has a daughter, Inês, and is raising her with [[people/joão|João]]

## Health
- Allergic to walnuts, not to hazelnuts [pin: yes]

## Work and plans
- Glazes tiles at a ceramics studio in Matosinhos
- Teaches at the art school in [[places/porto]] [since: ${month(60)}]
- Came to carry boxes and cried over the piano [on: ${day(-80)}]

## History
- Lives in Braga, with their mother [since: 2019-09; until: 2024-05; closed: 2024-05-12; why: changed; slot: home]
- Allergic to hazelnuts [closed: ${day(-49)}; why: wrong]
`,
    ],
    [
      "people/mara.md",
      `# Mara

- Lives in [[places/ghent|Ghent]], Sleepstraat 112, second floor, above the bakery [since: ${month(-75)}; slot: home]
- Calls [[people/ana|Ana]] on Sunday evenings [since: 2019]
- Translates novels from Portuguese into French

## History
- Lives in Lyon, on the fourth floor [since: 2019-02; until: ${month(-75)}; closed: ${day(-75)}; why: changed; slot: home]
`,
    ],
    [
      "places/ghent.md",
      `# Ghent

- The bakery below opens at six
- [[people/mara]] needs a dentist here who speaks French
`,
    ],
    [
      "places/porto.md",
      `# Porto

- [[people/ana]] lives here, in Miragaia
`,
    ],
    [
      "plans/visit.md",
      `# Ana’s visit

- [[people/ana|Ana]] stays in [[places/ghent|Ghent]] for six days [on: ${day(21)}]
- Almond and orange cake, no walnuts while she is here
`,
    ],
    [
      "work/the-salt-year.md",
      `# The Salt Year

- A novel by Teresa Vilhena, translated by [[people/mara]]
- The glossary keeps “saudade” as it is
`,
    ],
  ];
}

/** Commits of the example that is laid out; null where there is none. */
export const exampleCommits = createStore<string[] | null>(read());

function read(): string[] | null {
  try {
    const value = JSON.parse(kept.get(KEY) ?? "null") as unknown;
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : null;
  } catch {
    return null;
  }
}

function write(commits: string[] | null): void {
  exampleCommits.set(commits);
  kept.set(KEY, commits === null ? null : JSON.stringify(commits));
}

/** Lays the example out. Refuses where there is a memory already: somebody's own lines and Mara's must not mix. */
export async function layOut(): Promise<void> {
  const { files: there } = await api.memory();
  if (there.some((file) => file.entries > 0))
    throw new Trouble("conflict", "Your memory has lines of its own already. The example is for an empty one.");
  const now = Date.now();
  const day = (from: number) => new Date(now + from * 86_400_000).toISOString().slice(0, 10);
  const commits: string[] = [];
  try {
    for (const [path, text] of files(day, (from) => day(from).slice(0, 7))) {
      const outcome = await api.putNewFile(path, text);
      if (outcome.commit) commits.push(outcome.commit);
    }
  } finally {
    if (commits.length > 0) write(commits);
    invalidateAll();
  }
}

/** Takes the example away; what the reader has written meanwhile stays. */
export async function takeAway(): Promise<void> {
  const commits = exampleCommits.get() ?? [];
  for (const commit of [...commits].reverse()) {
    await api.revert(commit);
    write((exampleCommits.get() ?? []).filter((one) => one !== commit));
  }
  write(null);
  invalidateAll();
}
