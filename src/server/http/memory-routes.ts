// The memory over HTTP: files, entries, graph, history, check, rebuild. Parses and answers; decides nothing.
import { Hono, type Context } from "hono";
import { FILE_MAX_BYTES } from "../../shared/limits.ts";
import { RenameBody, type Change, type Edit, type Outcome } from "../../shared/protocol.ts";
import type { AppEnv } from "./app.ts";
import { answer, idempotencyKey, memoryOf, outcome } from "./memory-of.ts";
import {
  AtQuery,
  CheckQuery,
  CloseBody,
  CommitParam,
  EntriesQuery,
  EntryParam,
  GraphQuery,
  HistoryQuery,
  MoveBody,
  PlainBody,
  RememberBody,
  RevertBody,
  ReviseEntryBody,
} from "./memory-schemas.ts";
import { actorOf, byToken, sourceOf } from "./identity.ts";
import { checked, fail, readBytes, readJson, readQuery, refuse } from "./respond.ts";

type Ctx = Context<AppEnv>;

/** A change that the user makes with their own hands, or a token in their name or beside them. */
function byHand(c: Ctx, change: Partial<Change>): Change {
  const actor = actorOf(c);
  const said = { source: sourceOf(c), actor, byToken: byToken(c), typed: actor === "user" };
  return { base: null, kind: "edit", ...said, at: Date.now(), zone: "", ...change };
}

async function edit(c: Ctx, one: Edit, { base, read, tz }: { base?: string; read?: string; tz?: string }): Promise<Response> {
  const memory = await memoryOf(c);
  const change = byHand(c, { edits: [one], base: base ?? null, zone: tz ?? "", ...(read ? { read } : {}) });
  return outcome(c, await memory.write(change, { idempotencyKey: idempotencyKey(c) }));
}

/** All routes of the memory core below /api. */
export function memoryRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/memory", async (c) => answer(c, await (await memoryOf(c)).files(readQuery(c, AtQuery))))
    .get("/memory/files/*", readFile)
    .put("/memory/files/*", async (c) => writeFile(c, decodeText(await readBytes(c.req.raw, FILE_MAX_BYTES))))
    .delete("/memory/files/*", (c) => writeFile(c, null))
    .post("/memory/files/*", renameFile)
    .get("/entries", async (c) => answer(c, await (await memoryOf(c)).entries(readQuery(c, EntriesQuery))))
    .post("/entries", async (c) => {
      const { base, read, tz, ...fact } = await readJson(c, RememberBody);
      return edit(c, { op: "add", ...fact }, { base, read, tz });
    })
    .get("/entries/:id", async (c) => answer(c, await (await memoryOf(c)).entry(idOf(c))))
    .post("/entries/:id/revise", async (c) => {
      const { base, read, tz, ...fact } = await readJson(c, ReviseEntryBody);
      return edit(c, { op: "revise", id: idOf(c), ...fact }, { base, read, tz });
    })
    .post("/entries/:id/close", async (c) => {
      const { until, why, ...proof } = await readJson(c, CloseBody);
      return edit(c, { op: "close", id: idOf(c), why, ...(until ? { until } : {}) }, proof);
    })
    .post("/entries/:id/reopen", async (c) => edit(c, { op: "reopen", id: idOf(c) }, await readJson(c, PlainBody)))
    .post("/entries/:id/pin", async (c) => edit(c, { op: "pin", id: idOf(c), pin: true }, await readJson(c, PlainBody)))
    .post("/entries/:id/unpin", async (c) => edit(c, { op: "pin", id: idOf(c), pin: false }, await readJson(c, PlainBody)))
    .post("/entries/:id/confirm", async (c) => edit(c, { op: "confirm", id: idOf(c) }, await readJson(c, PlainBody)))
    .post("/entries/:id/move", async (c) => {
      const { path, section, ...proof } = await readJson(c, MoveBody);
      return edit(c, { op: "move", id: idOf(c), path, ...(section === undefined ? {} : { section }) }, proof);
    })
    .get("/graph", async (c) => answer(c, await (await memoryOf(c)).graph(readQuery(c, GraphQuery))))
    .get("/history", async (c) => answer(c, await (await memoryOf(c)).historyPage(readQuery(c, HistoryQuery))))
    .get("/history/:commit", async (c) => answer(c, await (await memoryOf(c)).commitDetail(commitOf(c))))
    .post("/history/:commit/revert", async (c) => {
      const { tz, ...parts } = await readJson(c, RevertBody);
      const memory = await memoryOf(c);
      const ask = { ...parts, actor: "user" as const, at: Date.now(), zone: tz ?? "" };
      return outcome(c, await memory.revert(commitOf(c), ask, { idempotencyKey: idempotencyKey(c) }));
    })
    .get("/check", async (c) => answer(c, await (await memoryOf(c)).check(readQuery(c, CheckQuery).cursor)))
    .post("/rebuild", async (c) => answer(c, await (await memoryOf(c)).rebuild()));
}

const idOf = (c: Ctx) => checked(EntryParam, { id: c.req.param("id") }, "id").id;
const commitOf = (c: Ctx) => checked(CommitParam, { commit: c.req.param("commit") }, "commit").commit;

/** The path behind /api/memory/files/. Decoded once: `%2F` is a slash like any other, and whatever comes out meets the path rules. */
function pathOf(c: Ctx, behind = ""): string {
  const raw = new URL(c.req.url).pathname.replace(/^\/api\/memory\/files\//, "").slice(0, -behind.length || undefined);
  try {
    return decodeURIComponent(raw);
  } catch {
    fail("bad-path", "That path is not well encoded. Write it as UTF-8 with %XX.");
  }
}

/** Markdown by default; with `Accept: application/json` the file with its entries, links and backlinks. */
async function readFile(c: Ctx): Promise<Response> {
  const file = await (await memoryOf(c)).readFile(pathOf(c), readQuery(c, AtQuery));
  if (!file.ok) return answer(c, file);
  if (file.value.head) c.header("ETag", `"${file.value.head}"`);
  if ((c.req.header("Accept") ?? "").includes("application/json")) return c.json(file.value);
  return c.body(file.value.text, 200, { "Content-Type": "text/markdown; charset=utf-8" });
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    fail("bad-format", "The file is not valid UTF-8. Save it as UTF-8 and send it again.");
  }
}

/** The commit that the writer of a file had read: If-Match, or `If-None-Match: *` for a file that must not exist yet. */
function baseOf(c: Ctx): { base: string | null; fresh: boolean } | null {
  const match = c.req.header("If-Match")?.trim();
  if (match === undefined) return c.req.header("If-None-Match")?.trim() === "*" ? { base: null, fresh: true } : null;
  const base = match.replace(/^(?:W\/)?"?|"$/g, "");
  if (/^0{40}$/.test(base)) return { base: null, fresh: true };
  if (!/^[0-9a-f]{40}$/.test(base))
    fail("bad-format", "If-Match names the commit that you had read, by its 40 hexadecimal digits.");
  return { base, fresh: false };
}

async function writeFile(c: Ctx, text: string | null): Promise<Response> {
  const base = baseOf(c);
  if (!base) {
    return refuse(c, {
      code: "no-base",
      message: "Say which version you had read: If-Match with the head of GET /api/memory (or If-None-Match: * for a new file).",
    });
  }
  const path = pathOf(c);
  const memory = await memoryOf(c);
  if (base.fresh) {
    const standing = await memory.readFile(path, {});
    if (standing.ok) return refuse(c, await clash(path, standing.value.head, text, standing.value.text));
  }
  const result: Outcome = await memory.write(byHand(c, { base: base.base, files: { [path]: text } }), {
    idempotencyKey: idempotencyKey(c),
  });
  return outcome(c, result);
}

/** POST …/rename: the only thing that is posted to a file. */
async function renameFile(c: Ctx): Promise<Response> {
  const verb = "/rename";
  if (!c.req.path.endsWith(verb)) fail("not-found", "Only …/rename can be posted to a file.");
  const { to, tz } = await readJson(c, RenameBody);
  const change = byHand(c, { rename: { from: pathOf(c, verb), to: to.normalize("NFC") }, zone: tz ?? "" });
  return outcome(c, await (await memoryOf(c)).write(change, { idempotencyKey: idempotencyKey(c) }));
}

async function clash(path: string, head: string | null, mine: string | null, theirs: string) {
  return {
    code: "conflict" as const,
    message: `“${path}” exists already. Read it and send If-Match.`,
    details: { head, base: null, mine, theirs },
  };
}
