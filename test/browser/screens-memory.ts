// The invented memory of the pictures: Mara, a translator in Ghent. Files as a hand would write them, and what is said in one conversation.
import type { Answer } from "../lib/api.ts";

/** What the pictures need to know of the memory that was laid out. */
export interface Seeded {
  thread: string;
  /** A dream that landed, and one that waits. */
  report: string;
  /** A commit of the conversation that closed one line and wrote another. */
  commit: string;
  proposal: string;
}

/** The turns of the conversation: what is said, what the model does, what it answers. */
export const SAID: { says: string; does?: { name: string; arguments: unknown }; answers: string }[] = [
  {
    says: "Ana stays in Ghent for Christmas, 23 to 28 December. What should I not bake?",
    does: {
      name: "remember",
      arguments: {
        path: "plans/christmas-2026.md",
        text: "Ana stays in Ghent for Christmas, 23 to 28 December",
        on: "2026-12-23",
      },
    },
    answers:
      "Nothing with walnuts: Ana is allergic to them, and the pen she carries only buys time. Hazelnuts are fine, the line that said otherwise was wrong. So not the cake from Lyon, which is half walnuts; the one with almonds and orange would do.",
  },
  {
    says: "Good. She has given notice at the studio. It is the art school, she starts in January.",
    does: {
      name: "revise",
      arguments: { id: "anaf0006", text: "Teaches at the art school in Porto", since: "2027-01", why: "changed" },
    },
    answers: "Noted. Until the new year the studio still stands.",
  },
];

const SOURCE = "thread/THREAD#m1";

/** Path and Markdown of each file. SOURCE becomes the conversation's own address. */
const FILES: [string, string][] = [
  [
    "people/ana.md",
    `# Ana

## Family
- Mara’s younger sister; they speak Portuguese with each other [id: anaf0001; source: import/letters#1; added: 2026-10-01; pin: yes]
- Lives in Porto, in a flat above the tram line in Miragaia [id: anaf0002; source: ${SOURCE}; added: 2026-10-02; since: 2024-05; slot: home]
- Has a daughter, [[people/ines|Inês]], and is raising her with [[people/joão|João]] [id: anaf0003; added: 2026-10-02]

## Health
- Allergic to walnuts, not to hazelnuts [id: anaf0004; source: ${SOURCE}; added: 2026-10-12; replaces: anaf0011; pin: yes]
- The spare adrenaline pen is in the kitchen drawer in [[places/lyon|Lyon]] [id: anaf0005; source: ${SOURCE}; added: 2026-05-12; depends: [[places/lyon]]]

## Work and plans
- Glazes tiles at a ceramics studio in Matosinhos [id: anaf0006; source: ${SOURCE}; added: 2026-02-04]
- Came to carry boxes and cried over the piano [id: anaf0009; added: 2026-09-14; on: 2026-09-12]

## History
- Lives in Braga, with their mother [id: anaf0010; source: import/letters#2; since: 2019-09; until: 2024-05; closed: 2026-10-02; why: changed; added: 2026-10-01]
- Works at a bakery in Braga [id: anaf0012; since: 2021; until: 2025-02; closed: 2026-10-02; why: changed; added: 2026-10-01]
- Allergic to hazelnuts [id: anaf0011; closed: 2026-10-12; why: wrong; added: 2026-10-01]
`,
  ],
  [
    "people/mara.md",
    `# Mara

## Home
- Lives in Ghent, Sleepstraat 112, second floor, above the bakery [id: mara0001; added: 2026-09-14; since: 2026-09; slot: home; replaces: mara0002]
- Calls [[people/ana|Ana]] on Sunday evenings [id: mara0003; since: 2019; added: 2026-10-01]

## Work
- Translates from Portuguese into French [id: mara0004; added: 2026-10-01]
- Writes [[work/the-salt-year|The Salt Year]] into French, chapter nine is due in February [id: mara0005; added: 2026-10-01; expires: 2027-02]

## History
- Lives in Lyon, rue du Bon-Pasteur, on the fourth floor [id: mara0002; since: 2019-02; until: 2026-09; closed: 2026-09-14; why: changed; slot: home; added: 2026-09-01]
`,
  ],
  [
    "people/luc.md",
    `# Luc

- Tunes pianos, and kept [[people/mara|Mara]]’s in [[places/lyon]] [id: luc00001; added: 2026-10-01]
- The piano stays with Luc until somebody can fetch it [id: luc00002; added: 2026-10-01]
`,
  ],
  [
    "people/ines.md",
    `# Inês

- [[people/ana]]’s daughter, four years old in March [id: ines0001; added: 2026-10-01]
`,
  ],
  [
    "places/lyon.md",
    `# Lyon

- Where [[people/mara]] lived from February 2019 to September 2026 [id: lyon0001; added: 2026-10-01]
- [[people/luc]] lives around the corner [id: lyon0002; added: 2026-10-01]
`,
  ],
  [
    "places/ghent.md",
    `# Ghent

- The bakery below opens at six [id: ghent001; added: 2026-10-01]
- [[people/mara]] needs a dentist here who speaks French [id: ghent002; added: 2026-11-17]
- The pool at Rozebroeken is too loud; see [[plans/move-2026]] [id: ghent003; added: 2026-11-17]
`,
  ],
  [
    "places/porto.md",
    `# Porto

- [[people/ana]] lives here, in [[places/miragaia]] [id: porto001; added: 2026-10-01]
`,
  ],
  [
    "places/miragaia.md",
    `# Miragaia

- A quarter of [[places/porto]] by the river [id: mirag001; added: 2026-10-01]
`,
  ],
  [
    "plans/christmas-2026.md",
    `# Christmas in Ghent

- No nuts in anything while [[people/ana|Ana]] is here [id: xmas0001; added: 2026-11-30; on: 2026-12-24]
- Almond and orange cake, after [[people/luc|Luc]]’s mother, see [[preferences/food]] [id: xmas0002; added: 2026-11-30]
`,
  ],
  [
    "plans/move-2026.md",
    `# The move

- Boxes from [[places/lyon]] to [[places/ghent]] on 12 September [id: move0001; added: 2026-09-01; on: 2026-09-12]
- Rue du Bon-Pasteur is handed over to [[people/luc]] [id: move0002; added: 2026-09-20]
`,
  ],
  [
    "work/the-salt-year.md",
    `# The Salt Year

- A novel by [[people/teresa-vilhena|Teresa Vilhena]], translated by [[people/mara]] [id: salt0001; added: 2026-10-01]
- The glossary stands in [[work/glossary]] [id: salt0002; added: 2026-10-01]
`,
  ],
  [
    "work/glossary.md",
    `# Glossary

- saudade: leave it, see chapter two of [[work/the-salt-year]] [id: glos0001; added: 2026-10-01]
- 上海 stays 上海; مدينة is set from right to left [id: glos0002; added: 2026-10-01]
- مدينة غنت جميلة في الشتاء [id: glos0003; added: 2026-10-01]
- Donaudampfschifffahrtsgesellschaftskapitänsmütze is not to be broken by hand anywhere in this text [id: glos0004; added: 2026-10-01]
`,
  ],
  [
    "people/teresa-vilhena.md",
    `# Teresa Vilhena

- Wrote [[work/the-salt-year]] [id: tere0001; added: 2026-10-01]
`,
  ],
  [
    "health/allergies.md",
    `# Allergies

- [[people/ana|Ana]]: walnuts, see her page [id: alle0001; added: 2026-10-01]
`,
  ],
  [
    "preferences/food.md",
    `# Food

What is cooked at home, and what is not.

- Does not eat meat [id: food0001; added: 2026-10-01]
- Bakes the walnut cake from [[places/lyon|Lyon]] every December [id: food0002; added: 2026-10-01]
`,
  ],
  [
    "preferences/music.md",
    `# Music

- Bach in the morning, never in the evening [id: musi0001; added: 2026-10-01]
`,
  ],
  [
    "MEMORY.md",
    `# Memory

## Mara
- A translator in [[places/ghent|Ghent]], from Portuguese into French; see [[people/mara]] [id: memo0001; added: 2026-10-01; pin: yes]
- Her sister [[people/ana|Ana]] is allergic to walnuts [id: memo0002; added: 2026-10-12]
- Does not eat meat [id: memo0003; added: 2026-10-01]
- Writes best in the mornings, before eight [id: memo0004; added: 2026-10-01]

## Now
- [[plans/christmas-2026|Christmas]] with Ana, 23 to 28 December [id: memo0005; added: 2026-11-30; on: 2026-12-23]
- Chapter nine of [[work/the-salt-year|The Salt Year]] is due in February [id: memo0006; added: 2026-11-09]
`,
  ],
];

const NOTES = [
  {
    title: "Walnut tree",
    text: "The walnut tree behind the house in Braga was cut in 2009. Our father kept the stump as a table.",
  },
  {
    title: "For the 23rd",
    text: "- [x] ask Luc for the recipe\n- [ ] almonds, oranges\n\nAna brings the *good* olive oil. Inês wants the blue cup. Baking the walnut cake is over, since Ana is with us.",
  },
];

/** What each dream does with the note of the same place in NOTES: its tool calls, `REF` standing for the note. */
export const DREAMT: { name: string; arguments: object }[][] = [
  [
    {
      name: "add",
      arguments: {
        path: "places/braga.md",
        text: "The walnut tree behind the house was cut in 2009",
        on: "2009",
        sources: ["REF"],
        reason: "It has a day and a place, and nothing here said so yet.",
      },
    },
    {
      name: "add",
      arguments: {
        path: "places/braga.md",
        text: "The stump of the walnut tree is their father’s table",
        sources: ["REF"],
        reason: "Said in the same note.",
      },
    },
  ],
  [
    {
      name: "add",
      arguments: {
        path: "people/ines.md",
        text: "Inês wants the blue cup",
        sources: ["REF"],
        reason: "For the days in December.",
      },
    },
    {
      name: "retire",
      arguments: { id: "food0002", why: "changed", sources: ["REF"], reason: "The note says that the walnut cake is over." },
    },
    {
      name: "revise",
      arguments: {
        id: "xmas0002",
        text: "Almond and orange cake, after Luc’s mother, with the good olive oil that Ana brings; see [[preferences/food]]",
        sources: ["REF"],
        reason: "Ana brings the oil, so it belongs to the cake.",
      },
    },
  ],
];

/** What is forgotten: a line each, by its words, and how far. */
const FORGOTTEN: { path: string; text: string; erase: boolean }[] = [
  { path: "people/luc.md", text: "Luc owes Mara 300 euros for the piano stool", erase: false },
  { path: "people/mara.md", text: "Had an operation on the left knee in 2017", erase: false },
  { path: "people/teresa-vilhena.md", text: "Teresa did not like the cover of the second edition", erase: true },
];

/** Milliseconds between two looks at a dream that runs. */
const POLL_MS = 200;

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<Record<string, unknown>>>;

function must(answer: Answer<Record<string, unknown>>, what: string): Record<string, unknown> {
  if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Lays the memory out in an empty app and holds the conversation. */
export async function seed(url: string, call: Call): Promise<Seeded> {
  const thread = String(must(await call("POST", "/api/threads", {}), "a conversation").id);
  for (const [path, text] of FILES) {
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    const response = await fetch(`${url}/api/memory/files/${encoded}`, {
      method: "PUT",
      headers: { "if-none-match": "*", "content-type": "text/markdown" },
      body: text.replaceAll("THREAD", thread),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  for (const { says } of SAID) must(await call("POST", "/api/chat", { message: says, thread }), "a turn");
  const dreams: string[] = [];
  for (const note of NOTES) {
    must(await call("POST", "/api/notes", note), "a note");
    const { id } = must(await call("POST", "/api/dream", {}), "a dream");
    dreams.push(String(id));
    for (;;) {
      const { status } = must(await call("GET", `/api/dreams/${String(id)}`), "the dream");
      if (!/queued|running/.test(String(status))) break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  for (const { path, text, erase } of FORGOTTEN) {
    const saved = must(await call("POST", "/api/entries", { path, text }), "a line") as { entries?: { entry: { id: string } }[] };
    must(await call("POST", "/api/forget", { id: saved.entries?.[0]?.entry.id, ...(erase ? { erase } : {}) }), "a forgetting");
  }
  const { items } = must(await call("GET", "/api/history?kind=chat"), "the history") as { items?: { commit: string }[] };
  return { thread, report: dreams[0] ?? "", proposal: dreams[1] ?? "", commit: items?.[0]?.commit ?? "" };
}
