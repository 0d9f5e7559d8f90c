// F3: the process is killed at random times while five writers save. No acknowledged save is lost, none is half there.
import { rmSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { all, call } from "../lib/api.ts";
import { startApp } from "../lib/app.ts";
import { broken, projectionsEqualRebuild } from "../lib/invariants.ts";

const RUNS = process.env.SOAK ? 200 : 6;
const WRITERS = 5;
/** The latest moment of the kill after the writers start, in milliseconds. */
const KILL_WITHIN_MS = 600;

const data = mkdtempSync(join(tmpdir(), "reverie-kill-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

test("a killed process loses no acknowledged save", async () => {
  const acknowledged: { text: string; commit: string }[] = [];
  let sent = 0;
  for (let run = 0; run < RUNS; run++) {
    const app = await startApp({ data });
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; ; n++) {
        const text = `Run ${run} writer ${writer} said fact number ${n} of the kill test`;
        sent += 1;
        const answer = await call<{ ok: boolean; commit: string }>(app.url, "POST", "/api/entries", {
          text,
          path: `log/${writer}.md`,
        }).catch(() => null);
        if (!answer) return;
        if (answer.body.ok) acknowledged.push({ text, commit: answer.body.commit });
      }
    });
    // A fault at a random moment is the subject of this test, so a timer is what it needs.
    const delay = 50 + Math.random() * KILL_WITHIN_MS;
    await new Promise((resolve) => setTimeout(resolve, delay));
    await app.kill();
    await Promise.all(writers);
  }
  const app = await startApp({ data });
  const kept = new Set((await all<{ text: string }>(app.url, "/api/entries?state=all")).map((entry) => entry.text));
  const lost = acknowledged.filter(({ text }) => !kept.has(text));
  const problems = await broken(
    app.url,
    acknowledged.map(({ commit }) => commit),
  );
  const same = await projectionsEqualRebuild(app.url);
  await app.stop();
  console.log(
    `F3: ${RUNS} kills, ${WRITERS} writers, ${sent} saves sent, ${acknowledged.length} acknowledged, ${lost.length} lost`,
  );
  expect(lost).toEqual([]);
  expect(problems).toEqual([]);
  expect(same).toBe(true);
  expect(acknowledged.length).toBeGreaterThan(RUNS);
});
