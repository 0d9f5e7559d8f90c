// Imports that come as an archive or from a git server: read, looked through, applied, thrown away. Their state is in rows, so that an eviction loses nothing.
import { AppError, type Refusal } from "../../shared/errors.ts";
import { IMPORT_KEEP_MS, IMPORT_WAIT_MS } from "../../shared/limits.ts";
import type { ImportKind, ImportView } from "../../shared/protocol.ts";
import type { Answer } from "../memory/api.ts";
import { headOf } from "../memory/context.ts";
import { refusalFrom } from "../memory/writer.ts";
import { viewOf, type ImportDeps } from "./import-items.ts";
import { stageGit, type GitWay } from "./from-git.ts";
import {
  dropDrafts,
  dropRows,
  importsWhere,
  keepImport,
  keptImport,
  stagedJson,
  stagedNames,
  tellImport,
  type KeptImport,
} from "./rows.ts";
import { applyStaged, checkPassphrase, previewStaged } from "./stage-apply.ts";
import { PART, stageZip, type Staged } from "./stage.ts";
import { cleanerOf } from "./talk.ts";
import { Tally } from "./tally.ts";

export interface ArchiveDeps extends ImportDeps {
  /** Comes back to `resume` after some seconds, also after an eviction. */
  later(seconds: number): void;
  git: GitWay;
  /** For what failed beside any request. */
  report(error: unknown): void;
}

/** Seconds after which unfinished work is taken up again. */
const AGAIN_S = 10;
/** Steps between two rows about the progress. */
const TELL_EVERY = 20;

/** The archives of one memory. */
export function openArchives(deps: ArchiveDeps) {
  const { ctx } = deps;
  const { sql } = ctx;
  const running = new Map<string, Promise<void>>();
  const passphrases = new Map<string, string>();
  /** Why a landing was refused, for whoever waits for it. */
  const refusals = new Map<string, Refusal>();

  const shown = (view: KeptImport): ImportView => ({ ...view, head: headOf(ctx) });
  const keep = (view: KeptImport): void => ctx.transact(() => tellImport(sql, view, ctx.now()));
  const end = (view: KeptImport): void =>
    ctx.transact(() => {
      tellImport(sql, view, ctx.now());
      dropRows(sql, view.id);
    });

  /** Throws away what nobody applied for a day, and what was read of an archive before the app stopped. */
  const sweep = (): void => {
    ctx.transact(() => dropDrafts(sql));
    const old = importsWhere(sql, (_, at) => at < ctx.now() - IMPORT_KEEP_MS);
    for (const { id } of old)
      ctx.transact(() => {
        dropRows(sql, id);
        sql.exec("DELETE FROM imports WHERE id = ?", id);
      });
  };

  const refusalIn = (error: unknown): Refusal => {
    try {
      return refusalFrom(error);
    } catch {
      deps.report(error);
      return { code: "unavailable", message: "Something failed in the app. Try again; nothing that has landed lands twice." };
    }
  };

  const progressOf = (view: KeptImport): ((done: number) => void) => {
    return (done) => {
      view.progress = { ...view.progress, done };
      if (done % TELL_EVERY === 0) keep(view);
    };
  };

  const lookThrough = async (view: KeptImport): Promise<void> => {
    const tally = new Tally(
      { ...view.counts },
      view.items.filter(({ fate }) => fate === "refused" || fate === "skipped"),
    );
    try {
      const message = await previewStaged(deps, view, tally, progressOf(view));
      const progress = { ...view.progress, done: view.progress.of ?? view.progress.done };
      keep({ ...view, status: "preview", progress, counts: tally.counts, items: tally.items, message });
    } catch (error) {
      const { message } = refusalIn(error);
      end({ ...view, status: "failed", message });
    }
  };

  const land = async (view: KeptImport): Promise<void> => {
    const tally = new Tally();
    try {
      const { commit, deadTombstones, message } = await applyStaged(
        deps,
        view,
        passphrases.get(view.id),
        tally,
        progressOf(view),
      );
      const progress = { ...view.progress, done: view.progress.of ?? view.progress.done };
      end({ ...view, status: "applied", progress, counts: tally.counts, items: tally.items, commit, deadTombstones, message });
    } catch (error) {
      const refusal = refusalIn(error);
      const { message } = refusal;
      refusals.set(view.id, refusal);
      // The archive stays for another try: with another passphrase, or when there is room.
      keep({ ...view, status: "preview", message });
    } finally {
      passphrases.delete(view.id);
    }
  };

  /** One piece of work an import, whoever asks for it. */
  const work = (id: string, run: (view: KeptImport) => Promise<void>): Promise<void> => {
    const known = running.get(id);
    if (known) return known;
    deps.later(AGAIN_S);
    const done = run(keptImport(sql, id))
      .catch(deps.report)
      .finally(() => running.delete(id));
    running.set(id, done);
    return done;
  };

  /** Whether an import is being looked through or landed: its rows are not to be laid anew. */
  const busy = (id: string): boolean => running.has(id);

  /** Keeps what was staged as an import that is being looked through. */
  const begin = ({ id, kind, known }: Staged, tally: Tally): ImportView => {
    if (known) return shown(keptImport(sql, id));
    const key = stagedJson(sql, id, PART.key) !== null;
    const partsOf = (type: "talk" | "file") => new Set(stagedNames(sql, id, type).map(({ n }) => n)).size;
    const of = partsOf("talk") + partsOf("file") || null;
    const { head: _, ...view } = viewOf({ id, kind, status: "reading" }, tally, {
      progress: { done: 0, of },
      needsPassphrase: key,
    });
    ctx.transact(() => keepImport(sql, view, ctx.now()));
    void work(id, lookThrough);
    return shown(view);
  };

  return {
    /** Reads an archive as it streams in. Throws what it refuses, with nothing left behind. */
    async bring(body: AsyncIterable<Uint8Array>, wanted: ImportKind | null): Promise<ImportView> {
      sweep();
      const tally = new Tally();
      return begin(await stageZip(ctx, body, wanted, tally, cleanerOf(ctx), deps.pause, busy), tally);
    },

    /** Fetches the tip of a public repository. */
    async bringGit(url: string): Promise<ImportView> {
      sweep();
      const tally = new Tally();
      return begin(await stageGit(ctx, url, deps.git, tally, deps.pause, busy), tally);
    },

    view: (id: string): Answer<ImportView> => ({ ok: true, value: shown(keptImport(sql, id)) }),

    /** Lands a previewed import. Waits for it for some seconds; a longer one goes on by itself. */
    async apply(id: string, passphrase: string | undefined): Promise<Answer<ImportView>> {
      await running.get(id);
      const view = keptImport(sql, id);
      if (view.status === "applied") return { ok: true, value: shown(view) };
      if (view.status === "failed")
        throw new AppError("bad-format", view.message ?? "This import failed. Bring the archive again.");
      checkPassphrase(ctx, id, passphrase);
      if (passphrase !== undefined) passphrases.set(id, passphrase);
      refusals.delete(id);
      keep({ ...view, status: "applying", message: null, progress: { ...view.progress, done: 0 } });
      const done = work(id, land);
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, IMPORT_WAIT_MS))]);
      const refused = refusals.get(id);
      if (refused) return { ok: false, ...refused };
      return { ok: true, value: shown(keptImport(sql, id)) };
    },

    /** Throws a previewed import away. */
    drop(id: string): Answer<{ dropped: true }> {
      const view = keptImport(sql, id);
      if (view.status === "applying")
        throw new AppError("conflict", "This import is landing. It can be taken back in History once it has.");
      ctx.transact(() => {
        dropRows(sql, id);
        sql.exec("DELETE FROM imports WHERE id = ?", id);
      });
      return { ok: true, value: { dropped: true } };
    },

    /** Goes on with what an eviction cut off; true while something is left. */
    async resume(): Promise<boolean> {
      for (const view of importsWhere(sql, ({ status }) => status === "reading" || status === "applying")) {
        if (view.status === "reading") await work(view.id, lookThrough);
        else if (view.needsPassphrase && !passphrases.has(view.id) && !running.has(view.id))
          // The passphrase was in memory only. Without it the tombstones would be dead, and nobody asked for that.
          keep({ ...view, status: "preview", message: "It was cut off before it ended. Apply it again, with the passphrase." });
        else await work(view.id, land);
      }
      return running.size > 0;
    },
  };
}
