// Conversations: list, one, rename, pin, scope, delete; stop, regenerate and resume an answer; the buttons of cards.
import { Hono } from "hono";
import * as z from "zod/mini";
import { CardBody, PageQuery, ThreadBody, ThreadPatch } from "../../shared/protocol.ts";
import type { AppEnv } from "./app.ts";
import { chatOf, conversationsOf, threadParam } from "./conversations-of.ts";
import { fail, readJson, readQuery, refuse } from "./respond.ts";

const ListQuery = z.extend(PageQuery, { q: z.optional(z.string().check(z.maxLength(200))) });
export const Again = z.object({
  reply: z.optional(z.string().check(z.regex(/^m[1-9][0-9]{0,6}$/, "An answer is named m2, m4, …"))),
});

/** Routes under /api/threads. */
export function threadRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get("/", async (c) => {
    const { limit, cursor, q } = readQuery(c, ListQuery);
    return c.json(await (await conversationsOf(c)).threads({ limit, ...(cursor ? { cursor } : {}), ...(q ? { q } : {}) }));
  });

  app.post("/", async (c) => {
    const { temporary = false, scope = null } = await readJson(c, ThreadBody);
    const at = Date.now();
    const thread = await (await conversationsOf(c)).createThread({ scope, at, temporary });
    return c.json(temporary ? await (await chatOf(c, thread.id)).beginTemporary(scope, at) : thread, 201);
  });

  app.get("/:id", async (c) => {
    const id = threadParam(c);
    const chat = await chatOf(c, id);
    const temporary = await chat.temporaryDetail();
    if (temporary) return c.json(temporary);
    const detail = await (await conversationsOf(c)).thread(id);
    const writing = await chat.inFlight();
    if (!writing) return c.json(detail);
    const items = detail.items.filter((item) => item.id !== writing.id);
    return c.json({ ...detail, answering: true, items: [...items, writing] });
  });

  app.patch("/:id", async (c) => {
    const patch = await readJson(c, ThreadPatch);
    return c.json(
      await (
        await conversationsOf(c)
      ).patchThread(threadParam(c), patch as { title?: string; pinned?: boolean; scope?: string | null }),
    );
  });

  app.delete("/:id", async (c) => {
    const id = threadParam(c);
    const chat = await chatOf(c, id);
    if (await chat.temporaryDetail()) {
      await chat.clear();
      return c.json({
        deleted: true,
        messages: 0,
        facts: 0,
        message: "The temporary conversation is gone. Nothing of it was kept.",
      });
    }
    const { messages, facts } = await (await conversationsOf(c)).deleteThread(id);
    await chat.clear();
    const stay =
      facts === 0
        ? "No fact in memory came from it."
        : facts === 1
          ? "1 fact that came from it stays in memory; its source is shown as deleted."
          : `${facts} facts that came from it stay in memory; their source is shown as deleted.`;
    return c.json({ deleted: true, messages, facts, message: `${messages} messages were deleted. ${stay}` });
  });

  app.post("/:id/stop", async (c) => c.json(await (await chatOf(c, threadParam(c))).stop()));

  for (const how of ["regenerate", "resume"] as const) {
    app.post(`/:id/${how}`, async (c) => {
      const id = threadParam(c);
      const body = await readJson(c, Again);
      const reply = body.reply ?? (await lastAnswer(c, id));
      const chat = await chatOf(c, id);
      const response = await chat.fetch(
        new Request("http://chat/turn", {
          method: "POST",
          headers: { "content-type": "application/json", accept: c.req.header("accept") ?? "application/json" },
          body: JSON.stringify({ do: "again", reply, how }),
        }),
      );
      return new Response(response.body, response);
    });
  }

  app.post("/:id/cards/:card", async (c) => {
    const { accept } = await readJson(c, CardBody);
    const answered = await (await chatOf(c, threadParam(c))).answerCard(c.req.param("card"), accept);
    if (answered.ok) return c.json({ message: answered.message, action: answered.action, outcome: answered.action.outcome });
    const { ok: _, ...refusal } = answered;
    return refuse(c, refusal);
  });
  return app;
}

// The answer to the last message; where it was never written, its name is the one after the message's.
async function lastAnswer(c: Parameters<typeof conversationsOf>[0], id: string): Promise<string> {
  const { items } = await (await conversationsOf(c)).thread(id);
  const last = items.at(-1);
  if (!last) fail("not-found", "This conversation has no message yet.");
  return last.role === "assistant" ? last.id : `m${Number(last.id.slice(1)) + 1}`;
}
