// Server-sent events out of a response body, however its bytes are cut.

export interface SseEvent {
  event: string;
  data: string;
}

/** Yields each event as it is complete. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SseEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (done) rest += "\n\n";
      // A CR at the very end may be half of a line end whose LF is still on its way.
      rest = rest.replace(/\r\n|\r(?!$)/g, "\n");
      let end = rest.indexOf("\n\n");
      while (end >= 0) {
        const event = parse(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (event) yield event;
        end = rest.indexOf("\n\n");
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parse(block: string): SseEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(line.charAt(5) === " " ? 6 : 5));
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
}
