import { expect, test } from "vitest";
import { readEvents } from "./sse.ts";

async function events(chunks: Uint8Array[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const out: string[] = [];
  for await (const { event, data } of readEvents(body)) out.push(`${event}=${data}`);
  return out;
}

test("events are whole however the bytes are cut, letters of several bytes included", async () => {
  const bytes = new TextEncoder().encode(
    'event: delta\ndata: {"t":"mãe 上海"}\n\n: a comment\n\nevent: done\r\ndata: a\r\ndata: b\r\n\r\n',
  );
  const whole = await events([bytes]);
  expect(whole).toEqual(['delta={"t":"mãe 上海"}', "done=a\nb"]);
  for (const size of [1, 2, 3, 7]) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
    expect(await events(chunks)).toEqual(whole);
  }
});

test("a last event without its blank line still counts", async () => {
  expect(await events([new TextEncoder().encode("data: x")])).toEqual(["message=x"]);
});
