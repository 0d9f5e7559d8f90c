// `npm run bench -- doors`: what it takes to bring in two thousand lines, ten thousand messages and fifty megabytes, and to take everything out again.
import { exports } from "cloudflare:workers";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { rng, row, sentence, timeOf } from "./support.ts";

const call = async (path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<any> => {
  const response = await exports.default.fetch(new Request(`http://localhost:4321${path}`, { method: "POST", body, headers }));
  return response.json();
};
const list = (kind: string, items: unknown[]) => call("/api/import", JSON.stringify({ kind, items, apply: true }));

test("imports and the export", async () => {
  const random = rng(7);
  const statements = Array.from({ length: 2_000 }, (_, n) => ({
    text: `${sentence(random)}, number ${n}`,
    at: new Date(Date.UTC(2024, 0, 1) + n * 3_600_000).toISOString(),
    ...(n % 10 === 0 ? { slot: ["home", "employer", "phone", "car"][(n / 10) % 4] } : {}),
  }));
  let counts: any = null;
  const lines = await timeOf(async () => (counts = (await list("statements", statements)).counts));
  expect(counts.lands).toBe(2_000);
  const talks = (from: number, many: number) =>
    Array.from({ length: many }, (_, t) => ({
      uuid: `talk-${from + t}`,
      name: `Talk ${from + t}`,
      chat_messages: Array.from({ length: 50 }, (__, m) => ({
        sender: m % 2 ? "assistant" : "human",
        created_at: new Date(Date.UTC(2023, 0, 1) + (from + t) * 86_400_000 + m * 60_000).toISOString(),
        text: `${sentence(random)}. ${sentence(random)}. ${sentence(random)}.`,
      })),
    }));
  const messages = await timeOf(() =>
    list(
      "conversations",
      talks(0, 200).map(({ uuid, chat_messages: said }) => ({
        id: uuid,
        messages: said.map(({ sender, created_at: at, text }) => ({ role: sender, at, text })),
      })),
    ),
  );
  // Text of fifty megabytes, most of it pictures' worth of words that no index holds twice.
  const archive = zipSync({ "conversations.json": strToU8(JSON.stringify(talks(1_000, 1_000))) }, { level: 1 });
  let begun: any = null;
  const reading = await timeOf(async () => (begun = await call("/api/import", archive, { "Content-Type": "application/zip" })));
  const landing = await timeOf(async () => {
    let view = await call(`/api/imports/${begun.id}/apply`, "{}");
    while (view.status !== "applied") {
      const response = await exports.default.fetch(new Request(`http://localhost:4321/api/imports/${begun.id}`));
      view = await response.json();
      if (view.status === "failed") throw new Error(view.message);
    }
  });
  let bytes = 0;
  let first = 0;
  const out = await timeOf(async () => {
    const from = performance.now();
    const response = await exports.default.fetch(new Request("http://localhost:4321/api/export", { method: "POST", body: "{}" }));
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      first ||= performance.now() - from;
      bytes += part.byteLength;
    }
  });
  console.log(
    [
      "",
      row("2,000 statements, one commit", lines, "ms", 10_000),
      row("10,000 messages as a list", messages, "ms"),
      row("50,000 messages in a zip: read", reading, "ms"),
      row("  landed", landing, "ms"),
      row("  archive", archive.byteLength / 1024 / 1024, "MB"),
      row("export, whole", out, "ms"),
      row("  first byte", first, "ms"),
      row("  archive", bytes / 1024 / 1024, "MB"),
    ].join("\n"),
  );
  expect(lines).toBeLessThanOrEqual(10_000);
});
