// The user's own notes.
import { Hono } from "hono";
import { FILE_MAX_BYTES } from "../../shared/limits.ts";
import { NoteBody, PageQuery } from "../../shared/protocol.ts";
import type { AppEnv } from "./app.ts";
import { conversationsOf } from "./conversations-of.ts";
import { readJson, readQuery } from "./respond.ts";

const BODY_MAX_BYTES = FILE_MAX_BYTES * 2;
const fields = ({ title, text }: { title?: string | undefined; text: string }) => ({
  text,
  ...(title === undefined ? {} : { title }),
});

/** Routes under /api/notes. */
export function noteRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/", async (c) => {
      const { limit, cursor } = readQuery(c, PageQuery);
      return c.json(await (await conversationsOf(c)).notes({ limit, ...(cursor ? { cursor } : {}) }));
    })
    .post("/", async (c) => {
      const body = await readJson(c, NoteBody, BODY_MAX_BYTES);
      return c.json(await (await conversationsOf(c)).putNote({ ...fields(body), at: Date.now() }), 201);
    })
    .get("/:id", async (c) => c.json(await (await conversationsOf(c)).note(c.req.param("id"))))
    .put("/:id", async (c) => {
      const body = await readJson(c, NoteBody, BODY_MAX_BYTES);
      return c.json(await (await conversationsOf(c)).putNote({ id: c.req.param("id"), ...fields(body), at: Date.now() }));
    })
    .delete("/:id", async (c) => {
      await (await conversationsOf(c)).deleteNote(c.req.param("id"));
      return c.json({ deleted: true });
    });
}
