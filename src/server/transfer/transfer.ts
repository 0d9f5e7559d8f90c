// Import and export of one memory, as its MemoryAgent hands them on.
import { ImportKind, type ImportBody, type ImportView, type Outcome } from "../../shared/protocol.ts";
import { dayIn } from "../../shared/zone.ts";
import { bodyChunks, drainUnread } from "../body.ts";
import type { Answer } from "../memory/api.ts";
import { answerOf, keepAnswer, requestHash } from "../memory/idempotency.ts";
import { AppError, refusalOf, STATUS } from "../../shared/errors.ts";
import { openArchives, type ArchiveDeps } from "./archives.ts";
import { exportZip } from "./export.ts";
import { importItems } from "./import-items.ts";

export interface TransferDeps extends ArchiveDeps {
  version: string;
}

/** What can be asked for. A list is previewed or landed; the same key with the same list gives the same answer. */
export interface Transfer {
  importItems(body: ImportBody, key?: string): Promise<Answer<ImportView>>;
  /** Begins the import of a public git repository. */
  importGit(url: string): Promise<Answer<ImportView>>;
  importView(id: string): Promise<Answer<ImportView>>;
  applyImport(id: string, passphrase?: string): Promise<Answer<ImportView>>;
  dropImport(id: string): Promise<Answer<{ dropped: true }>>;
}

/** The one method of a MemoryAgent through which all of it is asked. */
export interface TransferDoor {
  transferring(method: string, args: unknown[]): Promise<Answer<unknown>>;
}

/** Calls a method by its name. Refusals come back as data. */
export async function transferAnswer(transfer: Transfer, method: string, args: unknown[]): Promise<Answer<unknown>> {
  try {
    if (!Object.hasOwn(transfer, method)) throw new AppError("not-found", "There is no such thing to ask for.");
    return await (transfer[method as keyof Transfer] as (...given: unknown[]) => Promise<Answer<unknown>>)(...args);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { ok: false, ...refusal };
  }
}

/** Asks through the door of a MemoryAgent. */
export function transferOf(door: TransferDoor): Transfer {
  const ask = (method: string, ...args: unknown[]) => door.transferring(method, args) as Promise<Answer<never>>;
  return {
    importItems: (body, key) => ask("importItems", body, key),
    importGit: (url) => ask("importGit", url),
    importView: (id) => ask("importView", id),
    applyImport: (id, passphrase) => ask("applyImport", id, passphrase),
    dropImport: (id) => ask("dropImport", id),
  };
}

/** What a MemoryAgent hands on: calls, requests that stream, and the alarm. */
export interface OpenTransfer {
  calls: Transfer;
  /** An archive that streams in, or the export that streams out. */
  answer(request: Request): Promise<Response>;
  resume(): Promise<boolean>;
}

/** Paths of the requests that stream, within the object. */
export const TRANSFER_PATH = "/transfer/";

const refused = (error: unknown): Response => {
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  return Response.json({ error: refusal }, { status: STATUS[refusal.code] });
};

/** A stream that makes a chunk when one is asked for; a reader that goes away ends it. */
function streamOf(chunks: AsyncGenerator<Uint8Array>, report: (error: unknown) => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          report(error);
          controller.error(error);
        }
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Import and export over one memory. */
export function openTransfer(deps: TransferDeps): OpenTransfer {
  const { ctx } = deps;
  // What was asked twice at once is done one after the other, so that the second finds what the first has done.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run, run);
    last = next.catch(() => undefined);
    return next;
  };
  const archives = openArchives(deps);
  const calls: Transfer = {
    importGit: (url) => inTurn(async () => ({ ok: true, value: await archives.bringGit(url) })),
    importView: async (id) => archives.view(id),
    applyImport: (id, passphrase) => archives.apply(id, passphrase),
    dropImport: async (id) => archives.drop(id),
    importItems: (body, key) =>
      inTurn(async () => {
        const request =
          key === undefined || !body.apply ? null : requestHash({ kind: body.kind, items: JSON.stringify(body.items) });
        if (request !== null) {
          const known = answerOf(ctx, key!, request);
          if (known) return known as unknown as Answer<ImportView>;
        }
        const answer = await importItems(deps, body, ctx.now());
        if (request !== null && answer.ok) ctx.transact(() => keepAnswer(ctx, key!, request, answer as unknown as Outcome));
        return answer;
      }),
  };
  return {
    calls,
    resume: () => archives.resume(),
    async answer(request) {
      const url = new URL(request.url);
      try {
        if (url.pathname === `${TRANSFER_PATH}import`) {
          const wanted = ImportKind.safeParse(url.searchParams.get("kind"));
          try {
            const begun = await inTurn(() => archives.bring(bodyChunks(request), wanted.success ? wanted.data : null));
            return Response.json(begun, { status: 202 });
          } finally {
            await drainUnread(request);
          }
        }
        const { passphrase } = (await request.json()) as { passphrase?: string };
        const day = dayIn(ctx.now(), ctx.zone());
        return new Response(streamOf(exportZip(deps, passphrase ?? null), deps.report), {
          headers: {
            "Content-Type": "application/zip",
            "Content-Disposition": `attachment; filename="reverie-${day}.zip"`,
          },
        });
      } catch (error) {
        return refused(error);
      }
    },
  };
}
