import { describe, expect, test } from "vitest";
import { AnswerBuilder } from "./answer.ts";

const choice = (delta: object, finish: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) => ({
  tool_calls: [
    {
      ...(index === undefined ? {} : { index }),
      ...(id === undefined ? {} : { id }),
      function: { ...(name === undefined ? {} : { name }), arguments: args },
    },
  ],
});

/** Chunks as providers send them, and what must come out. */
const SHAPES: {
  name: string;
  chunks: unknown[];
  text?: string;
  calls?: { id: string; name: string; arguments: string }[];
  finish: string;
  usage?: object;
}[] = [
  {
    name: "text in pieces, an empty delta, usage in a last chunk without choices",
    chunks: [
      choice({ role: "assistant", content: "" }),
      choice({ content: "Hel" }),
      choice({}),
      choice({ content: "lo" }),
      choice({}, "stop"),
      { choices: [], usage: { prompt_tokens: 12, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 8 } } },
    ],
    text: "Hello",
    finish: "stop",
    usage: { tokensIn: 12, cachedIn: 8, tokensOut: 2, reasoning: 0 },
  },
  {
    name: "two parallel calls, arguments interleaved",
    chunks: [
      choice(call(0, "a", "remember", "")),
      choice(call(1, "b", "recall", "")),
      choice(call(0, undefined, undefined, '{"te')),
      choice(call(1, undefined, undefined, '{"query"')),
      choice(call(0, undefined, undefined, 'xt":"x"}')),
      choice(call(1, undefined, undefined, ':"y"}')),
      choice({}, "tool_calls"),
    ],
    calls: [
      { id: "a", name: "remember", arguments: '{"text":"x"}' },
      { id: "b", name: "recall", arguments: '{"query":"y"}' },
    ],
    finish: "tool_calls",
  },
  {
    name: "calls without an id",
    chunks: [
      choice(call(0, undefined, "read", '{"path":"a"}')),
      choice(call(1, "", "read", '{"path":"b"}')),
      choice({}, "tool_calls"),
    ],
    calls: [
      { id: "call_1", name: "read", arguments: '{"path":"a"}' },
      { id: "call_2", name: "read", arguments: '{"path":"b"}' },
    ],
    finish: "tool_calls",
  },
  {
    name: "all calls numbered 0, told apart by id, finish reason stop",
    chunks: [choice(call(0, "a", "read", '{"path":"a"}')), choice(call(0, "b", "read", '{"path":"b"}')), choice({}, "stop")],
    calls: [
      { id: "a", name: "read", arguments: '{"path":"a"}' },
      { id: "b", name: "read", arguments: '{"path":"b"}' },
    ],
    finish: "tool_calls",
  },
  {
    name: "no index, whole calls, arguments as an object",
    chunks: [
      choice(call(undefined, undefined, "read", { path: "a" })),
      choice(call(undefined, undefined, "read", { path: "b" })),
      choice({}, "tool_use"),
    ],
    calls: [
      { id: "call_1", name: "read", arguments: '{"path":"a"}' },
      { id: "call_2", name: "read", arguments: '{"path":"b"}' },
    ],
    finish: "tool_calls",
  },
  {
    name: "no index and id in the first piece only",
    chunks: [
      choice(call(undefined, "a", "read", '{"pa')),
      choice(call(undefined, undefined, undefined, 'th":"a"}')),
      choice({}, "tool_calls"),
    ],
    calls: [{ id: "a", name: "read", arguments: '{"path":"a"}' }],
    finish: "tool_calls",
  },
  {
    name: "the name repeated with every piece",
    chunks: [choice(call(0, "a", "read", '{"path"')), choice(call(0, "a", "read", ':"a"}')), choice({}, "tool_calls")],
    calls: [{ id: "a", name: "read", arguments: '{"path":"a"}' }],
    finish: "tool_calls",
  },
  {
    name: "the old function_call",
    chunks: [
      choice({ function_call: { name: "read", arguments: "" } }),
      choice({ function_call: { arguments: '{"path":"a"}' } }),
      choice({}, "function_call"),
    ],
    calls: [{ id: "call_1", name: "read", arguments: '{"path":"a"}' }],
    finish: "tool_calls",
  },
  {
    name: "reasoning in a field of its own",
    chunks: [
      choice({ reasoning_content: "hm" }),
      choice({ reasoning: "hm", content: null }),
      choice({ content: "Yes." }, "end_turn"),
    ],
    text: "Yes.",
    finish: "stop",
  },
  {
    name: "thinking inside the text, cut anywhere",
    chunks: [
      choice({ content: "\n<th" }),
      choice({ content: "ink>let me" }),
      choice({ content: " see</thi" }),
      choice({ content: "nk>\n\nYes" }),
      choice({ content: "." }, "stop"),
    ],
    text: "Yes.",
    finish: "stop",
  },
  {
    name: "a text that only looks like thinking",
    chunks: [choice({ content: "<thi" }), choice({ content: "s>" }, "stop")],
    text: "<this>",
    finish: "stop",
  },
  {
    name: "content as parts",
    chunks: [
      choice(
        {
          content: [
            { type: "thinking", text: "hm" },
            { type: "text", text: "Yes." },
          ],
        },
        "STOP",
      ),
    ],
    text: "Yes.",
    finish: "stop",
  },
  {
    name: "a whole message instead of deltas",
    chunks: [
      {
        choices: [{ index: 0, message: { content: "Yes.", tool_calls: null }, finish_reason: "stop" }],
        usage: { prompt_tokens: 3, completion_tokens: 1 },
      },
    ],
    text: "Yes.",
    finish: "stop",
    usage: { tokensIn: 3, cachedIn: 0, tokensOut: 1, reasoning: 0 },
  },
  {
    name: "usage in another place, with every chunk",
    chunks: [
      { ...choice({ content: "Yes." }), usage: null },
      {
        ...choice({}, "stop"),
        x_groq: { usage: { prompt_tokens: 5, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } } },
      },
    ],
    text: "Yes.",
    finish: "stop",
    usage: { tokensIn: 5, cachedIn: 0, tokensOut: 2, reasoning: 1 },
  },
  {
    name: "cut by length",
    chunks: [choice(call(0, "a", "remember", '{"te')), choice({}, "MAX_TOKENS")],
    calls: [{ id: "a", name: "remember", arguments: '{"te' }],
    finish: "length",
  },
  { name: "a filter", chunks: [choice({ content: "I" }), choice({}, "content_filter")], text: "I", finish: "filtered" },
];

describe("an answer out of chunks", () => {
  for (const shape of SHAPES) {
    test(shape.name, () => {
      const builder = new AnswerBuilder();
      const seen = shape.chunks.map((chunk) => builder.add(chunk)).join("") + builder.end();
      expect(builder.text).toBe(shape.text ?? "");
      expect(seen).toBe(shape.text ?? "");
      expect(builder.toolCalls).toEqual(shape.calls ?? []);
      expect(builder.finish).toBe(shape.finish);
      if (shape.usage) expect(builder.usage).toMatchObject(shape.usage);
    });
  }

  test("is not finished before the provider says so", () => {
    const builder = new AnswerBuilder();
    builder.add(choice(call(0, "a", "forget", '{"all":true}')));
    expect(builder.finished).toBe(false);
  });

  test("an error inside the stream is kept as an error", () => {
    const builder = new AnswerBuilder();
    builder.add({ error: { message: "overloaded", code: 529 } });
    expect(builder.error).toBe("overloaded");
  });
});
