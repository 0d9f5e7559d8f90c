// Lets the `openai` client speak to a Workers AI binding: the request goes to `run`, its answer comes back in the shape of chat completions.

/** The part of the binding that is used. */
export interface WorkersAi {
  run(model: string, input: Record<string, unknown>): Promise<unknown>;
}

interface Result {
  response?: unknown;
  tool_calls?: { id?: string; name?: string; arguments?: unknown; function?: { name: string; arguments: unknown } }[];
  usage?: unknown;
  choices?: unknown;
}

/** A `fetch` that answers chat completions by the binding. Not streamed: bindings differ in their streams, and one whole answer is the same in all. */
export function workersAiFetch(ai: WorkersAi, maxTokens: number): typeof fetch {
  return async (_input, init) => {
    const request = JSON.parse(String(init?.body)) as Record<string, unknown> & { model: string };
    const { model, messages, tools } = request;
    let result: Result;
    try {
      result = (await ai.run(model, {
        messages,
        max_tokens: request.max_tokens ?? maxTokens,
        ...(tools ? { tools } : {}),
      })) as Result;
    } catch (error) {
      return Response.json(
        { error: { message: error instanceof Error ? error.message : "the binding failed" } },
        { status: 500 },
      );
    }
    if (Array.isArray(result.choices)) return Response.json(result);
    const calls = (result.tool_calls ?? []).map((call, index) => ({
      index,
      id: call.id ?? `call_${index + 1}`,
      type: "function",
      function: {
        name: call.function?.name ?? call.name ?? "",
        arguments: textOf(call.function?.arguments ?? call.arguments ?? {}),
      },
    }));
    const message = { role: "assistant", content: typeof result.response === "string" ? result.response : "", tool_calls: calls };
    return Response.json({
      model,
      choices: [{ index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
      usage: result.usage,
    });
  };
}

function textOf(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
