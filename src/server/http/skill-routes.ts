// GET /skill.md: how a coding agent uses this memory, with this app's own address in it. Says nothing about anybody.
import { Hono } from "hono";
import skill from "../../../docs/skill/SKILL.md?raw";
import type { AppEnv } from "./app.ts";

/** The address that the file in the repository names. */
const WRITTEN_FOR = "http://localhost:4321";

/** The route of the skill file. */
export function skillRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/", (c) =>
    c.body(
      skill.replaceAll(WRITTEN_FOR, () => new URL(c.req.url).origin),
      200,
      {
        "Content-Type": "text/markdown; charset=utf-8",
        "X-Content-Type-Options": "nosniff",
      },
    ),
  );
}
