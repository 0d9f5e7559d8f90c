// Facts that were forgotten and are said again, in the same words and in others: what keeps them out, beside deleting the line and beside lists of texts.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { MemoryAgent } from "../src/server/memory/agent.ts";
import { forgetFacts } from "../src/server/memory/forget.ts";
import { dryRun, write } from "../src/server/memory/writer.ts";
import { normalWithoutSymbols } from "../src/shared/normal.ts";
import type { Change } from "../src/shared/protocol.ts";
import { TOMBSTONE_PAIRS } from "../src/shared/tombstone-pairs.ts";

const AT = Date.parse("2026-10-05T12:00:00Z");
const change = (parts: Partial<Change>): Change => ({
  base: null,
  kind: "chat",
  source: null,
  actor: "model",
  at: AT,
  zone: "UTC",
  typed: false,
  ...parts,
});

/** How the facts are said again. Only the near misses should be let in. */
const SAID: Record<string, (pair: (typeof TOMBSTONE_PAIRS)[number]) => readonly string[]> = {
  verbatim: ({ fact }) => [fact],
  "other case and signs": ({ fact }) => [fact.toUpperCase(), `${fact.toLowerCase()}!`],
  rewordings: ({ rewordings }) => rewordings,
  "near misses": ({ nearMisses }) => nearMisses,
};

test("forgotten facts, said again", async () => {
  await runInDurableObject(env.MemoryAgent.getByName("bench-said-again"), (agent: MemoryAgent) => {
    const { memory } = agent;
    for (const { fact } of TOMBSTONE_PAIRS) {
      const outcome = write(memory, change({ edits: [{ op: "add", text: fact }], actor: "user", kind: "edit", typed: true }));
      if (!outcome.ok) throw new Error(`${fact}: ${outcome.message}`);
      const { id } = outcome.entries[0]!.entry;
      const gone = forgetFacts(agent.forgetter, { id: id!, all: false, source: null, actor: "user", at: AT, zone: "UTC" });
      if (!gone.ok) throw new Error(gone.message);
    }
    const exact = new Set(TOMBSTONE_PAIRS.map(({ fact }) => fact));
    const normal = new Set(TOMBSTONE_PAIRS.map(({ fact }) => normalWithoutSymbols(fact)));
    const ways: Record<string, (text: string) => boolean> = {
      "tombstones (this memory)": (text) => {
        const { outcome } = dryRun(memory, change({ edits: [{ op: "add", text }] }));
        return !outcome.ok && outcome.code === "forgotten";
      },
      "the line is deleted": () => false,
      "a list of the exact texts": (text) => exact.has(text),
      "a list of normalised texts": (text) => normal.has(normalWithoutSymbols(text)),
    };
    const names = Object.keys(SAID);
    const results = Object.entries(ways).map(([way, refuses]) => ({
      way,
      refused: names.map((name) => {
        const texts = TOMBSTONE_PAIRS.flatMap((pair) => SAID[name]!(pair));
        return { of: texts.length, refused: texts.filter(refuses).length };
      }),
    }));
    const width = 22;
    console.log(
      [
        `\n${TOMBSTONE_PAIRS.length} facts, forgotten and said again; refused:`,
        `  ${"".padEnd(28)} ${names.map((name) => name.padStart(width)).join(" ")}`,
        ...results.map(
          ({ way, refused }) =>
            `  ${way.padEnd(28)} ${refused.map((one) => `${one.refused} of ${one.of}`.padStart(width)).join(" ")}`,
        ),
      ].join("\n"),
    );
    const [verbatim, forms, reworded, near] = results[0]!.refused;
    expect(verbatim!.refused).toBe(verbatim!.of);
    expect(forms!.refused).toBe(forms!.of);
    expect(reworded!.refused / reworded!.of).toBeGreaterThanOrEqual(0.6);
    expect(near!.refused / near!.of).toBeLessThanOrEqual(0.05);
  });
});
