// What was staged out of an archive: looked through for a preview, and landed. In slices; each step can be done again after a crash.
import { AppError } from "../../shared/errors.ts";
import { IMPORT_SLICE_MESSAGES } from "../../shared/limits.ts";
import { headOf, type MemoryContext } from "../memory/context.ts";
import { Refused } from "../memory/refused.ts";
import { adoptHistory, stagedBundle, withPack } from "./adopt.ts";
import { bringKeys, bringLedger, bringNotes, bringSettings, bringStones, deadAmong, stonesOf } from "./bring-export.ts";
import { bringFiles, type GivenFile } from "./bring-memory.ts";
import type { ImportDeps } from "./import-items.ts";
import { openKeys, type KeyBox } from "./key-box.ts";
import { commonFolder } from "./names.ts";
import { stagedJson, stagedNames, stagedRows, type KeptImport } from "./rows.ts";
import { PART } from "./stage.ts";
import type { Tally } from "./tally.ts";
import { cleanerOf, landTalk, previewTalk, type Talk } from "./talk.ts";

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

function* stagedFiles(ctx: MemoryContext, id: string): Generator<GivenFile> {
  for (const { n, name, data } of stagedRows(ctx.sql, id, "file")) yield { n, path: name, text: utf8.decode(data), day: null };
}

/** Staged conversations, each put together from its rows. */
function* stagedTalks({ sql }: MemoryContext, id: string): Generator<Talk> {
  let n = 0;
  let parts: Uint8Array[] = [];
  const whole = (): Talk => {
    const decoder = new TextDecoder();
    return JSON.parse(parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode()) as Talk;
  };
  for (const row of stagedRows(sql, id, "talk")) {
    if (row.n !== n && parts.length > 0) {
      yield whole();
      parts = [];
    }
    n = row.n;
    parts.push(row.data);
  }
  if (parts.length > 0) yield whole();
}

const rootOf = (ctx: MemoryContext, { id, kind }: KeptImport): string =>
  kind === "export" ? "" : commonFolder(stagedNames(ctx.sql, id, "file").map(({ name }) => name));

/** Whether the history of an export can be taken over: nothing was ever saved here. */
const takesHistory = (ctx: MemoryContext, view: KeptImport): boolean =>
  view.kind === "export" && headOf(ctx) === null && stagedNames(ctx.sql, view.id, "pack").length > 0;

/** What would become of each part. Gives what else is to be said. */
export async function previewStaged(
  deps: ImportDeps,
  view: KeptImport,
  tally: Tally,
  tell: (done: number) => void,
): Promise<string | null> {
  const { ctx, pause } = deps;
  const clean = cleanerOf(ctx);
  let message: string | null = null;
  let done = 0;
  for (const talk of stagedTalks(ctx, view.id)) {
    previewTalk(ctx, clean, talk, tally);
    tell(++done);
    await pause();
  }
  const zone = ctx.zone();
  const files = {
    id: view.id,
    files: stagedFiles(ctx, view.id),
    root: rootOf(ctx, view),
    at: ctx.now(),
    zone,
    apply: false,
    pause,
  };
  if (stagedNames(ctx.sql, view.id, "file").length > 0) {
    if (takesHistory(ctx, view)) tally.counts.files = new Set(stagedNames(ctx.sql, view.id, "file").map(({ n }) => n)).size;
    else {
      const outcome = await bringFiles(ctx, { ...files, tell: countFiles(done, tell) }, tally);
      if (!outcome.ok) throw new Refused(outcome);
      message = outcome.warnings?.join(" ") ?? null;
    }
  }
  if (view.kind === "export") {
    stonesOf(ctx, view.id);
    bringNotes(ctx, view.id, tally, false);
    bringLedger(ctx, view.id, tally, false);
  }
  return message;
}

/** Counts files as they are told, behind what was done before; a file in several rows is one. */
function countFiles(done: number, tell: (done: number) => void): (n: number) => void {
  let last = 0;
  return (n) => {
    if (n !== last) tell(++done);
    last = n;
  };
}

/** What came of it beside the counts. */
export interface Applied {
  commit: string | null;
  deadTombstones: string[];
  message: string | null;
}

/** Lands what was staged. Throws Refused or AppError with the sentence that says why it did not; what had landed until then is found again by the next try. */
export async function applyStaged(
  deps: ImportDeps,
  view: KeptImport,
  passphrase: string | undefined,
  tally: Tally,
  tell: (done: number) => void,
): Promise<Applied> {
  const { ctx, pause } = deps;
  const applied: Applied = { commit: null, deadTombstones: [], message: null };
  let done = 0;
  const history = takesHistory(ctx, view);
  if (view.kind === "export") bringKeys(ctx, view.id, passphrase);
  if (history) {
    const { tip, pack } = stagedBundle(ctx, view.id);
    const landed = await withPack(ctx, pack, pause, (parsed) => adoptHistory(ctx, parsed, tip, ctx.now(), ctx.zone()));
    ctx.landed?.(landed);
    applied.commit = landed.commit;
    tally.counts.files = landed.paths.length;
  }
  // Tombstones first: they judge what comes behind them.
  if (view.kind === "export") bringStones(ctx, view.id);
  if (!history && stagedNames(ctx.sql, view.id, "file").length > 0) {
    const at = ctx.now();
    const request = {
      id: view.id,
      files: stagedFiles(ctx, view.id),
      root: rootOf(ctx, view),
      at,
      zone: ctx.zone(),
      apply: true,
      pause,
      tell: countFiles(0, (count) => tell((done = count))),
    };
    const outcome = await bringFiles(ctx, request, tally);
    if (!outcome.ok) throw new Refused(outcome);
    applied.commit = outcome.commit;
    applied.message = outcome.warnings?.join(" ") ?? null;
  }
  const clean = cleanerOf(ctx);
  let since = 0;
  for (const talk of stagedTalks(ctx, view.id)) {
    for (const stored of landTalk(ctx, clean, talk, tally, IMPORT_SLICE_MESSAGES)) {
      since += stored;
      if (since < IMPORT_SLICE_MESSAGES) continue;
      since = 0;
      await pause();
    }
    tell(++done);
  }
  if (view.kind === "export") {
    bringNotes(ctx, view.id, tally, true);
    bringLedger(ctx, view.id, tally, true);
    bringSettings(ctx, view.id);
    applied.deadTombstones = deadAmong(ctx, stonesOf(ctx, view.id).stones);
  }
  const told = tally.items.find(({ fate, thread }) => fate === "lands" && thread !== null);
  if (told) deps.talked(told.thread!);
  return applied;
}

/** Refuses a passphrase that is none before anything lands. */
export function checkPassphrase({ sql }: Pick<MemoryContext, "sql">, id: string, passphrase: string | undefined): void {
  const box = stagedJson<KeyBox>(sql, id, PART.key);
  if (box && passphrase !== undefined) openKeys(box, passphrase);
  if (!box && passphrase !== undefined)
    throw new AppError("bad-format", "This archive holds no key, so it needs no passphrase. Leave it empty.");
}
