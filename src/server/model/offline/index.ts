// The door of the built-in offline model: answers requests of the `openai` client in process.

/** A `fetch` for the `openai` client. */
export const offlineFetch: typeof fetch = async () => {
  const chunk = { id: "c", object: "chat.completion.chunk", created: 0, model: "offline", choices: [{ index: 0, delta: { content: "I am the offline model; my rules are not built in yet." }, finish_reason: "stop" }] };
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
};
