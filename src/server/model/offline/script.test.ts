// The replay of a script over the batches that already have results.
import { expect, test } from "vitest";
import { type Script, nextStep } from "./script.ts";

function* script(): Script {
  const [found = ""] = yield [{ name: "recall", input: { query: "home" } }];
  const saved = yield [
    { name: "remember", input: { text: "a" } },
    { name: "remember", input: { text: "b" } },
  ];
  return `${found} ${saved.join("+")}`;
}

test("goes on where the results end", () => {
  expect(nextStep(script(), [])).toEqual({ calls: [{ name: "recall", input: { query: "home" } }] });
  const first = { calls: [{ name: "recall", arguments: '{"query":"home"}' }], results: ["Lyon"] };
  expect(nextStep(script(), [first])).toMatchObject({ calls: [{ input: { text: "a" } }, { input: { text: "b" } }] });
  const second = {
    calls: [
      { name: "remember", arguments: '{"text":"b"}' },
      { name: "remember", arguments: '{"text": "a"}' },
    ],
    results: ["B", "A"],
  };
  expect(nextStep(script(), [first, second])).toEqual({ text: "Lyon A+B" });
});

test("ends within the steps of a turn, whatever the script wants", () => {
  function* endless(): Script {
    for (let i = 0; i < 20; i++) yield [{ name: "recall", input: { query: String(i) } }];
    return "done";
  }
  const done = Array.from({ length: 11 }, (_, i) => ({
    calls: [{ name: "recall", arguments: JSON.stringify({ query: String(i) }) }],
    results: ["x"],
  }));
  expect(nextStep(endless(), done)).toEqual({ text: "done" });
});
