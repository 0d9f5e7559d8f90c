// The question to the model about what was forgotten: asked where the words come close, kept, paid once, and never without the setting.
import { expect, it } from "vitest";
import { answer, FINISH, fakeWorld, type FakeWorld } from "../../../test/lib/dream-fakes.ts";
import type { ModelAnswer } from "../model/types.ts";
import { REWORDINGS_MAX } from "../../shared/limits.ts";
import { Dreams } from "./dreams.ts";

const T = "thread/ab12cd34";
const GONE = "Was treated for depression";
const SAID = "Had therapy for depression after the move";

const prose = (text: string): ModelAnswer => ({ ...answer([]), text, finish: "stop" });

function world(says: string, lines = [SAID], rewordings = true): FakeWorld {
  const made = fakeWorld((call) => {
    if (call.kind === "tombstone") return prose(says);
    const step = call.messages.filter(({ role }) => role === "assistant").length;
    return answer(
      step === 0 ? lines.map((text, at) => ["add", { path: "health.md", text, sources: [`${T}#m${at + 1}`] }]) : [FINISH],
    );
  });
  made.memory.forgotten = [GONE];
  lines.forEach((text, at) => made.inbox.say(`${T}#m${at + 1}`, `${text}.`, Date.UTC(2026, 9, 4, 8, at)));
  made.settings = { ...made.settings, rewordings };
  return made;
}

async function run(made: FakeWorld) {
  const dreams = new Dreams(made.deps);
  const { id } = dreams.request({ trigger: "user" });
  await dreams.idle();
  return dreams.detail(id);
}

const questions = (made: FakeWorld) => made.calls.filter(({ kind }) => kind === "tombstone");
const said = (made: FakeWorld) => made.memory.lines.map(({ text }) => text).filter((text) => !text.startsWith("[["));

it("a yes holds the line back, without its words", async () => {
  const made = world("Yes.");
  const dream = await run(made);
  expect(questions(made)).toHaveLength(1);
  expect(questions(made)[0]!.messages[1]!.content).toContain(GONE);
  expect(said(made)).toEqual([]);
  const held = dream.changes.filter(({ status }) => status === "held-back");
  expect(held).toMatchObject([{ heldBack: expect.stringContaining("you asked to forget") }]);
  expect(JSON.stringify(held)).not.toContain("therapy");
});

it("a no lets it land", async () => {
  const made = world("no");
  await run(made);
  expect(questions(made)).toHaveLength(1);
  expect(said(made)).toEqual([SAID]);
});

it("prose that is no answer is no leave", async () => {
  const made = world("It may or may not be the same.");
  await run(made);
  expect(said(made)).toEqual([]);
});

it("without the setting nobody is shown what was forgotten", async () => {
  const made = world("yes", [SAID], false);
  await run(made);
  expect(questions(made)).toEqual([]);
  expect(JSON.stringify(made.calls)).not.toContain(GONE);
  expect(said(made)).toEqual([SAID]);
});

it("what comes close to nothing is no question, and a dream asks at most twenty", async () => {
  const far = world("yes", ["Bakes rye bread on Sundays"]);
  await run(far);
  expect(questions(far)).toEqual([]);
  expect(said(far)).toEqual(["Bakes rye bread on Sundays"]);

  const many = Array.from({ length: REWORDINGS_MAX + 4 }, (_, at) => `Had therapy for depression with doctor number ${at + 1}`);
  const made = world("no", many);
  await run(made);
  expect(questions(made).length).toBe(REWORDINGS_MAX);
});

it("a dream that goes on after a kill asks nothing twice", async () => {
  const made = world("no", [SAID, "Took pills for depression in spring"]);
  let asked = 0;
  const { model } = made.deps;
  // The object dies behind the first answer, before the second question.
  made.deps.model = (call, ...rest) => {
    if (call.kind === "tombstone" && (asked += 1) === 2) return new Promise(() => undefined);
    return model(call, ...rest);
  };
  const first = new Dreams(made.deps);
  const { id } = first.request({ trigger: "user" });
  await expect.poll(() => asked).toBe(2);
  made.deps.model = model;
  const again = new Dreams(made.deps);
  again.recover();
  again.tick();
  await again.idle();
  expect(questions(made)).toHaveLength(2);
  expect(again.detail(id).status).toBe("landed");
  expect(said(made)).toHaveLength(2);
});
