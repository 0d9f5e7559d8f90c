// What only the app's own export brings: tombstones with their keys, notes, the ledger, settings. Each can be done again after a crash.
import { refusalOf } from "../../shared/errors.ts";
import type { NoteView, Outcome, Settings } from "../../shared/protocol.ts";
import { parseMatch } from "../../shared/tombstone.ts";
import { searchTokens } from "../../shared/words.ts";
import { headOf, type MemoryContext } from "../memory/context.ts";
import { Draft } from "../memory/draft.ts";
import { addStones } from "../memory/forgotten-file.ts";
import { bringCalls } from "../memory/ledger-import.ts";
import { markNoteRead, putNote } from "../memory/notes.ts";
import { Refused } from "../memory/refused.ts";
import { patchSettings, readSettings } from "../memory/settings.ts";
import { write } from "../memory/writer.ts";
import type { ExportedStones } from "./export.ts";
import { openKeys, type KeyBox } from "./key-box.ts";
import { stagedJson, stagedText } from "./rows.ts";
import { PART } from "./stage.ts";
import type { Tally } from "./tally.ts";
import { cleanerOf } from "./talk.ts";

/** The tombstones that an archive lists; what is none is left out. */
export function stonesOf({ sql }: MemoryContext, id: string): ExportedStones {
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
export function bringKeys(ctx: MemoryContext, id: string, passphrase: string | undefined): void {
  const box = stagedJson<KeyBox>(ctx.sql, id, PART.key);
  const brought = box && passphrase !== undefined ? openKeys(box, passphrase) : new Map<string, Uint8Array>();
  const here = ctx.keyring();
  const keys = new Map<string, Uint8Array | null>();
  for (const key of stonesOf(ctx, id).keys) if (!here.keys.has(key)) keys.set(key, brought.get(key) ?? null);
  if (keys.size > 0) ctx.adoptKeys(keys);
}

/** Tombstones of an archive whose key nobody has: they keep nothing out. */
export function deadAmong(ctx: MemoryContext, stones: ExportedStones["stones"]): string[] {
  const { keys } = ctx.keyring();
  return stones.flatMap(({ id, match }) => (keys.has(parseMatch(match)!.keyId) ? [] : [id]));
}

/** Tombstones that are not here yet, behind those that are; with what is kept of them for their owner. */
export function bringStones(ctx: MemoryContext, id: string): Outcome | null {
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
export function bringNotes(ctx: MemoryContext, id: string, tally: Tally, apply: boolean): void {
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

/** The ledger of an archive, behind that of this installation. */
export function bringLedger(ctx: MemoryContext, id: string, tally: Tally, apply: boolean): void {
  const csv = stagedText(ctx.sql, id, PART.ledger);
  if (csv === null) return;
  const { fresh, standing, odd } = ctx.transact(() => bringCalls(ctx.sql, csv, apply));
  tally.counts.calls += fresh;
  tally.counts.duplicates += standing;
  for (const line of odd)
    tally.add({ n: line, what: "line", fate: "refused", name: `${PART.ledger}, line ${line}`, why: "It is no call of a model." });
}

/** Settings of an archive, where nobody has set any here. */
export function bringSettings({ sql }: MemoryContext, id: string): void {
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
