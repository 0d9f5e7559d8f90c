// Import and export over HTTP. Parses and answers; decides nothing.
import { getAgentByName } from "agents";
import { Hono, type Context } from "hono";
import * as z from "zod";
import { IMPORT_JSON_MAX_BYTES } from "../../shared/limits.ts";
import { ApplyImportBody, ExportBody, ImportBody, ImportKind } from "../../shared/protocol.ts";
import { TRANSFER_PATH, transferOf, type Transfer, type TransferDoor } from "../transfer/transfer.ts";
import type { AppEnv } from "./app.ts";
import { answer, idempotencyKey } from "./memory-of.ts";
import { checked, fail, readJson, readQuery, refuse } from "./respond.ts";

type Ctx = Context<AppEnv>;
type Door = TransferDoor & { fetch(request: Request): Promise<Response> };

const KindQuery = z.object({ kind: z.optional(ImportKind) });
const IdParam = z.object({ id: z.string().regex(/^[a-z0-9]{8}$/, "An import is named by 8 of a-z and 0-9.") });

const doorOf = async (c: Ctx): Promise<Door> =>
  (await getAgentByName(c.env.MemoryAgent as never, c.get("user"))) as unknown as Door;
const transfer = async (c: Ctx): Promise<Transfer> => transferOf(await doorOf(c));
const idOf = (c: Ctx): string => checked(IdParam, { id: c.req.param("id") }, "id").id;

/** An archive goes through as it streams in. */
async function bringArchive(c: Ctx): Promise<Response> {
  const { kind } = readQuery(c, KindQuery);
  const path = `http://memory${TRANSFER_PATH}import${kind ? `?kind=${kind}` : ""}`;
  const response = await (await doorOf(c)).fetch(new Request(path, { method: "POST", body: c.req.raw.body }));
  return new Response(response.body, response);
}

/** The routes below /api. */
export function transferRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post("/import", async (c) => {
      const type = (c.req.header("Content-Type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
      if (type === "application/zip" || type === "application/x-zip-compressed") return bringArchive(c);
      const body = await readJson(c, ImportBody, IMPORT_JSON_MAX_BYTES);
      const key = idempotencyKey(c);
      if (body.url !== undefined) {
        if (body.kind !== "memory" || body.items.length > 0)
          fail("bad-format", "A repository is imported as kind memory, without items.");
        const begun = await (await transfer(c)).importGit(body.url);
        return begun.ok ? c.json(begun.value, 202) : answer(c, begun);
      }
      return answer(c, await (await transfer(c)).importItems(body, key));
    })
    .get("/imports/:id", async (c) => answer(c, await (await transfer(c)).importView(idOf(c))))
    .post("/imports/:id/apply", async (c) => {
      const { passphrase } = await readJson(c, ApplyImportBody);
      const applied = await (await transfer(c)).applyImport(idOf(c), passphrase);
      if (applied.ok) return c.json(applied.value, applied.value.status === "applied" ? 200 : 202);
      const { ok: _, ...refusal } = applied;
      return refuse(c, refusal);
    })
    .delete("/imports/:id", async (c) => answer(c, await (await transfer(c)).dropImport(idOf(c))))
    .post("/export", async (c) => {
      const body = await readJson(c, ExportBody);
      const request = new Request(`http://memory${TRANSFER_PATH}export`, { method: "POST", body: JSON.stringify(body) });
      const response = await (await doorOf(c)).fetch(request);
      return new Response(response.body, response);
    });
}
