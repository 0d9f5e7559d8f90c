// The chat-completions format: one step of the model as a whole answer, or as a stream of server-sent events.
import type { Step } from "./script.ts";

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export interface Frames {
  whole(): unknown;
  stream(withUsage: boolean): ReadableStream<Uint8Array>;
}

/** Frames of one answer. `created` is 0: the model has no clock. */
export function answerFrames(step: Step, about: { model: string; id: string; usage: Usage }): Frames {
  const { model, id, usage } = about;
  const calls =
    "calls" in step
      ? step.calls.map((call, index) => ({
          index,
          id: `${id}-${index + 1}`,
          type: "function",
          function: { name: call.name, arguments: JSON.stringify(call.input) },
        }))
      : [];
  const finish = calls.length > 0 ? "tool_calls" : "stop";
  const frame = (choices: unknown[], extra: object = {}) => ({
    id,
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices,
    ...extra,
  });
  const delta = (part: object, reason: string | null = null) => frame([{ index: 0, delta: part, finish_reason: reason }]);
  return {
    whole() {
      const message =
        "text" in step
          ? { role: "assistant", content: step.text }
          : {
              role: "assistant",
              content: null,
              tool_calls: calls.map(({ id: callId, type, function: fn }) => ({ id: callId, type, function: fn })),
            };
      return { id, object: "chat.completion", created: 0, model, choices: [{ index: 0, message, finish_reason: finish }], usage };
    },
    stream(withUsage) {
      const events: unknown[] = [delta({ role: "assistant", content: "" })];
      if ("text" in step) for (const piece of pieces(step.text)) events.push(delta({ content: piece }));
      else events.push(...calls.map((call) => delta({ tool_calls: [call] })));
      events.push(delta({}, finish));
      if (withUsage) events.push(frame([], { usage }));
      const encoder = new TextEncoder();
      const lines = [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"];
      return new ReadableStream({
        start(controller) {
          for (const line of lines) controller.enqueue(encoder.encode(line));
          controller.close();
        },
      });
    },
  };
}

/** A text in pieces of a word each, white space included. */
const pieces = (text: string): string[] => text.match(/\s*\S+\s*?(?=\s|$)|\s+/gu) ?? [];
