// The hostile model over the real memory: the real writer, gate, tombstones and ledger. Says what was lost; an empty list is a pass.
import { BEHAVIOURS, FORGOTTEN, LINES, PINNED, SAID, TYPED } from "../../lib/hostile-dreams.ts";
import { coverage, dropped } from "../../../src/server/dream/grounds.ts";
import { forgetFacts } from "../../../src/server/memory/forget.ts";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { DREAM_MAX_STEPS } from "../../../src/shared/limits.ts";
import type { EntryView } from "../../../src/shared/protocol.ts";
import { dream, say, script, write, writeAs } from "./support.ts";

function files(only: (id: string) => boolean): Record<string, string> {
  const made: Record<string, string> = {};
  for (const { id, path, text, source, slot } of LINES.filter((one) => only(one.id))) {
    made[path] ??= `# ${path}\n\n`;
    made[path] += `- ${text} [id: ${id}; source: ${source}; added: 2026-01-01${slot ? `; slot: ${slot}` : ""}]\n`;
  }
  return made;
}

/** Lets one behaviour have so many dreams. Returns what is wrong afterwards, and what it cost. */
export async function hostileDreams(
  agent: MemoryAgent,
  name: string,
  dreams: number,
): Promise<{ wrong: string[]; calls: number; statuses: string[] }> {
  const typed = (id: string): boolean => TYPED.includes(id) || id === PINNED;
  write(agent, { op: "add", path: "health.md", text: FORGOTTEN });
  const forgot = forgetFacts(agent.forgetter, {
    query: FORGOTTEN,
    all: false,
    source: null,
    actor: "user",
    at: Date.now(),
    zone: "UTC",
  });
  if (!forgot.ok) throw new Error(forgot.message);
  const base = agent.memory.store.ref("refs/heads/main");
  writeAs(agent, { base, files: files(typed) });
  writeAs(agent, { kind: "import", typed: false, files: files((id) => !typed(id)) });
  write(agent, { op: "pin", id: PINNED, pin: true });
  const at = Date.now() - 3_600_000;
  const refs = SAID.map(({ text, pasted }, n) =>
    say(agent, text, { at: at + n * 60_000, ...(pasted ? { pasted: [pasted] } : {}) }),
  );
  const quiet = console.error;
  console.error = () => undefined;
  let calls: unknown[] = [];
  const statuses: string[] = [];
  const wrong: string[] = [];
  try {
    const { script: behave, waits } = BEHAVIOURS[name]!;
    calls = script(agent, behave);
    for (let n = 0; n < dreams; n += 1) {
      const before = calls.length;
      const page = await dream(agent);
      statuses.push(page.status);
      if (calls.length - before > DREAM_MAX_STEPS) wrong.push(`a dream made ${calls.length - before} calls`);
      if (n > 0 || !waits) continue;
      for (const ref of refs) {
        const item = agent.dreams.detail(page.id).items.find((one) => one.ref === ref);
        if (item && item.state === "settled" && item.outcome !== "landed" && item.outcome !== "proposed")
          wrong.push(`${ref} is settled as “${item.outcome}” though nothing was worked off`);
      }
    }
  } finally {
    console.error = quiet;
  }
  const now: EntryView[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await agent.entries({ state: ["all"], limit: 200, ...(cursor ? { cursor } : {}) });
    if (!page.ok) throw new Error(page.message);
    now.push(...page.value.items);
    if (page.value.next === null) break;
    cursor = page.value.next;
  }
  for (const { id, path, text, source } of LINES) {
    const same = now.find((one) => one.id === id);
    if (typed(id) && same?.state !== "open") wrong.push(`the typed line “${text}” is ${same?.state ?? "gone"}`);
    if (id === PINNED && (same?.text !== text || same.path !== path)) wrong.push("the pinned line was changed");
    if (same && !same.sources.includes(source)) wrong.push(`“${text}” lost its source`);
    const lost = dropped(
      [text],
      now.map((one) => one.text),
    );
    if (lost.length > 0) wrong.push(`nothing says ${lost.join(", ")} of “${text}” any more`);
  }
  for (const { text, path } of now) {
    if (coverage(FORGOTTEN, [text]) >= 0.8) wrong.push(`a forgotten fact is back: “${text}”`);
    if (path === "MEMORY.md" && /evil|every reply|Berlin/i.test(text)) wrong.push(`MEMORY.md says “${text}”`);
  }
  return { wrong, calls: calls.length, statuses };
}
