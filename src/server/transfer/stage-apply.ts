// What was staged out of an archive: looked through for a preview, and landed. In slices; each step can be done again after a crash.
import { AppError, refusalOf } from "../../shared/errors.ts";
import { IMPORT_SLICE_MESSAGES } from "../../shared/limits.ts";
import type { NoteView, Outcome, Settings } from "../../shared/protocol.ts";
import { parseMatch } from "../../shared/tombstone.ts";
import { searchTokens } from "../../shared/words.ts";
import { headOf, type MemoryContext } from "../memory/context.ts";
import { Draft } from "../memory/draft.ts";
import { addStones } from "../memory/forgotten-file.ts";
import { markNoteRead, putNote } from "../memory/notes.ts";
import { Refused } from "../memory/refused.ts";
import { patchSettings, readSettings } from "../memory/settings.ts";
import { write } from "../memory/writer.ts";
import { adoptHistory, stagedBundle, withPack } from "./adopt.ts";
import { bringFiles, type GivenFile } from "./bring-memory.ts";
import type { ExportedStones } from "./export.ts";
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

/** What would become of each part. */
export async function previewStaged(
  deps: ImportDeps,
  view: KeptImport,
  tally: Tally,
  tell: (done: number) => void,
): Promise<void> {
  const { ctx, pause } = deps;
  const clean = cleanerOf(ctx);
  let done = 0;
  for (const talk of stagedTalks(ctx, view.id)) {
    previewTalk(ctx, clean, talk, tally);
    tell(++done);
    await pause();
  }
  const zone = ctx.zone();
  const files = { id: view.id, files: stagedFiles(ctx, view.id), root: rootOf(ctx, view), at: ctx.now(), zone, apply: false };
  if (stagedNames(ctx.sql, view.id, "file").length > 0) {
    if (takesHistory(ctx, view)) tally.counts.files = new Set(stagedNames(ctx.sql, view.id, "file").map(({ n }) => n)).size;
    else {
      const outcome = bringFiles(ctx, files, tally);
      if (!outcome.ok) throw new Refused(outcome);
    }
  }
  if (view.kind === "export") {
    stonesOf(ctx, view.id);
    bringNotes(ctx, view.id, tally, false);
  }
}

function stonesOf({ sql }: MemoryContext, id: string): ExportedStones {
  const given = stagedJson<Partial<ExportedStones>>(sql, id, PART.tombstones) ?? {};
  const stones = (Array.isArray(given.stones) ? given.stones : []).filter(
    ({ id: stone, removed, match, replaces }) =>
      /^[a-z0-9]{4,12}$/.test(stone) &&
      /^\d{4}-\d{2}-\d{2}$/.test(removed) &&
      typeof match === "string" &&
      parseMatch(match) !== null &&
      (replaces === null || /^[a-z0-9]{4,12}$/.test(replaces)),
  );
  const kept = (Array.isArray(given.kept) ? given.kept : []).filter(
    (one) =>
      /^[a-z0-9]{4,12}$/.test(one.id) && Number.isFinite(one.at) && (one.sealed === null || typeof one.sealed === "string"),
  );
  return { keys: [...new Set(stones.map(({ match }) => parseMatch(match)!.keyId))], stones, kept };
}

/** The keys that an archive needs: those that it brings, those that are here, and those that nobody has. */
function bringKeys(ctx: MemoryContext, id: string, passphrase: string | undefined): void {
  const box = stagedJson<KeyBox>(ctx.sql, id, PART.key);
  const brought = box && passphrase !== undefined ? openKeys(box, passphrase) : new Map<string, Uint8Array>();
  const here = ctx.keyring();
  const keys = new Map<string, Uint8Array | null>();
  for (const key of stonesOf(ctx, id).keys) if (!here.keys.has(key)) keys.set(key, brought.get(key) ?? null);
  if (keys.size > 0) ctx.adoptKeys(keys);
}

/** Tombstones of an archive whose key nobody has: they keep nothing out. */
function deadAmong(ctx: MemoryContext, stones: ExportedStones["stones"]): string[] {
  const { keys } = ctx.keyring();
  return stones.flatMap(({ id, match }) => (keys.has(parseMatch(match)!.keyId) ? [] : [id]));
}

/** Tombstones that are not here yet, behind those that are; with what is kept of them for their owner. */
function bringStones(ctx: MemoryContext, id: string): Outcome | null {
  const { stones, kept } = stonesOf(ctx, id);
  const fresh = stones.filter(
    ({ id: stone }) =>
      ctx.sql.exec("SELECT 1 FROM ids WHERE id = ? UNION ALL SELECT 1 FROM tombstones WHERE id = ?", stone, stone).toArray()
        .length === 0,
  );
  return ctx.transact(() => {
    const known = new Set(stones.map((one) => one.id));
    for (const { id: stone, at, sealed, source, erased_at: erased } of kept) {
      if (!known.has(stone)) continue;
      ctx.sql.exec(
        "INSERT OR IGNORE INTO forgotten_facts (id, at, sealed, source, receipt, held, erased_at) VALUES (?, ?, ?, ?, '', 0, ?)",
        stone,
        at,
        sealed,
        typeof source === "string" ? source : null,
        typeof erased === "number" ? erased : null,
      );
    }
    if (fresh.length === 0) return null;
    const draft = new Draft(ctx);
    addStones(draft, fresh);
    const files = Object.fromEntries([...draft.changed()].map(([path, { after }]) => [path, after]));
    const outcome = write(ctx, {
      base: headOf(ctx),
      files,
      kind: "forget",
      message: fresh.length === 1 ? "1 tombstone imported" : `${fresh.length} tombstones imported`,
      source: `import/${id}`,
      actor: "user",
      at: ctx.now(),
      zone: ctx.zone(),
      typed: true,
    });
    if (!outcome.ok) throw new Refused(outcome);
    return outcome;
  });
}

/** The user's notes: one that is here stays as it is. */
function bringNotes(ctx: MemoryContext, id: string, tally: Tally, apply: boolean): void {
  const clean = cleanerOf(ctx);
  const notes = stagedJson<NoteView[]>(ctx.sql, id, PART.notes) ?? [];
  notes.forEach((note, index) => {
    const { id: own, title, text, updatedAt, readByDream } = note;
    if (!/^[a-z0-9]{4,12}$/.test(own) || typeof text !== "string" || !Number.isFinite(Date.parse(updatedAt))) return;
    const stands = ctx.sql.exec("SELECT 1 FROM notes WHERE id = ?", own).toArray().length > 0;
    const words = { title: clean(String(title)), text: clean(text) };
    if (words.title.changed || words.text.changed) tally.counts.redacted++;
    tally.add({
      n: index + 1,
      what: "note",
      fate: stands ? "duplicate" : "lands",
      name: words.title.text,
      why: stands ? "A note of this id stands here, and stays as it is." : null,
    });
    if (stands) return;
    tally.counts.notes++;
    if (!apply) return;
    ctx.transact(() => {
      putNote(ctx.sql, { id: own, title: words.title.text, text: words.text.text, at: Date.parse(updatedAt) }, searchTokens);
      if (readByDream !== null) markNoteRead(ctx.sql, own, updatedAt);
    });
  });
}

/** Settings of an archive, where nobody has set any here. */
function bringSettings({ sql }: MemoryContext, id: string): void {
  if (sql.exec("SELECT 1 FROM settings WHERE id = 1").toArray().length > 0) return;
  const given = stagedJson<Settings>(sql, id, PART.settings);
  if (!given || typeof given !== "object") return;
  const known = readSettings(sql);
  // Models are the installation's: a name from elsewhere may not exist here.
  const { zone, dream, memory, instructions, capUsd } = given;
  try {
    patchSettings(sql, {
      ...(typeof zone === "string" ? { zone } : {}),
      ...(typeof instructions === "string" && instructions.length <= 4000 ? { instructions } : {}),
      ...(typeof capUsd === "number" && capUsd >= 0 ? { capUsd: Math.min(capUsd, known.capUsd) } : {}),
      ...(["on", "read-only", "off"].includes(memory) ? { memory } : {}),
      ...(dream && ["automatic", "review", "off"].includes(dream.mode) ? { dream: { mode: dream.mode } } : {}),
    });
  } catch (error) {
    // A zone that this runtime does not know is no reason to bring nothing.
    if (refusalOf(error) === null) throw error;
  }
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
    const request = { id: view.id, files: stagedFiles(ctx, view.id), root: rootOf(ctx, view), at, zone: ctx.zone(), apply: true };
    const outcome = bringFiles(ctx, request, tally);
    if (!outcome.ok) throw new Refused(outcome);
    applied.commit = outcome.commit;
    applied.message = outcome.warnings?.join(" ") ?? null;
  }
  const clean = cleanerOf(ctx);
  let done = 0;
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
