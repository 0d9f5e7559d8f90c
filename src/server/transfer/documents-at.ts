// Files of the memory as they stand, by any spelling of their path.
import type { Document } from "../../shared/document.ts";
import { pathKey } from "../../shared/paths.ts";
import type { MemoryContext } from "../memory/context.ts";
import { parsedFile } from "../memory/documents.ts";
import { fileAt } from "../memory/rows.ts";

type Ctx = Pick<MemoryContext, "sql" | "store" | "cache">;

/** A file as head has it, parsed; null where there is none. */
export function documentAt(ctx: Ctx, path: string): Document | null {
  const file = fileAt(ctx.sql, null, path);
  return file ? parsedFile(ctx, file.blob).document : null;
}

/** Its text; null where there is none. */
export function textAt(ctx: Ctx, path: string): string | null {
  const file = fileAt(ctx.sql, null, path);
  return file ? parsedFile(ctx, file.blob).text : null;
}

/** The path under which a file of this name stands, or the name itself. */
export function standingPath(ctx: Pick<MemoryContext, "sql">, path: string): string {
  return ctx.sql.exec<{ path: string }>("SELECT path FROM files WHERE fold = ?", pathKey(path)).toArray()[0]?.path ?? path;
}
