// The app's own export into an empty memory: its whole history, commit ids included. Every commit is judged before the branch moves, in one transaction.
import { AppError } from "../../shared/errors.ts";
import {
  IMPORT_PACK_INFLATED_MAX_BYTES,
  IMPORT_PACK_MAX_BYTES,
  IMPORT_PACK_MAX_OBJECTS,
  IMPORT_ROW_BYTES,
  PACK_DELTA_MAX_DEPTH,
  PACK_OBJECT_MAX_BYTES,
} from "../../shared/limits.ts";
import type { Change } from "../../shared/protocol.ts";
import { parseBundleHeader } from "../git/bundle.ts";
import { judgePush, type Push } from "../git/judge-push.ts";
import { oidFromBytes, type ObjectType, type Oid } from "../git/oid.ts";
import { stagePack, type PackSource } from "../git/pack-stage.ts";
import type { PackLimits, ParsedPack } from "../git/pack-read.ts";
import { openStore, type ObjectStore } from "../git/store.ts";
import { MAIN, type LandedCommit, type MemoryContext } from "../memory/context.ts";
import { filesBetween } from "../memory/commit-detail.ts";
import { lineBetween } from "../memory/main-line.ts";
import { projectionHead } from "../memory/project.ts";
import { judgeSideCommit, landCommit, ofCommit, withPushed } from "../memory/push-entries.ts";
import { ensureProjected } from "../memory/rebuild.ts";
import { refuseWrite } from "../memory/refused.ts";

/** The repository in which a foreign pack is unpacked before anybody believes it. */
const STAGING_REPO = 7;
const SCAN_ROWS = 1_000;
/** Objects unpacked between two breaths. */
const OBJECTS_A_SLICE = 200;

const IMPORT_LIMITS: PackLimits = {
  packBytes: IMPORT_PACK_MAX_BYTES,
  inflatedBytes: IMPORT_PACK_INFLATED_MAX_BYTES,
  objects: IMPORT_PACK_MAX_OBJECTS,
  objectBytes: PACK_OBJECT_MAX_BYTES,
  deltaDepth: PACK_DELTA_MAX_DEPTH,
};

/** Staged bytes of an import from an offset on. All rows but the last have one length. */
export function stagedBytes({ sql }: Pick<MemoryContext, "sql">, id: string, skip: number): PackSource {
  const rows = sql
    .exec<{ seq: number; bytes: number }>(
      "SELECT seq, length(data) AS bytes FROM import_rows WHERE import = ? AND type = 'pack' ORDER BY seq",
      id,
    )
    .toArray();
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  let open: { index: number; data: Uint8Array } | null = null;
  const rowAt = (index: number): Uint8Array => {
    if (open?.index === index) return open.data;
    const { data } = sql.exec<{ data: ArrayBuffer }>("SELECT data FROM import_rows WHERE seq = ?", rows[index]!.seq).one();
    open = { index, data: new Uint8Array(data) };
    return open.data;
  };
  return {
    size: Math.max(0, total - skip),
    read(offset, length) {
      const from = offset + skip;
      const to = Math.min(total, from + length);
      const bytes = new Uint8Array(Math.max(0, to - from));
      for (let at = from; at < to;) {
        const index = Math.floor(at / IMPORT_ROW_BYTES);
        const row = rowAt(index);
        const inRow = at - index * IMPORT_ROW_BYTES;
        const part = row.subarray(inRow, Math.min(row.byteLength, inRow + to - at));
        if (part.byteLength === 0) break;
        bytes.set(part, at - from);
        at += part.byteLength;
      }
      return bytes;
    },
  };
}

/** Empties the staging repository. */
function clearStaging({ sql, transact }: MemoryContext): void {
  transact(() => {
    sql.exec("DELETE FROM git_commits WHERE id IN (SELECT id FROM git_objects WHERE +repo = ?)", STAGING_REPO);
    sql.exec("UPDATE git_objects SET data = zeroblob(length(data)) WHERE repo = ?", STAGING_REPO);
    sql.exec("DELETE FROM git_objects WHERE repo = ?", STAGING_REPO);
  });
}

function unpacked(store: ObjectStore): ParsedPack {
  const objects = new Map<Oid, { type: ObjectType; size: number }>();
  for (let after = 0, rows = SCAN_ROWS; rows === SCAN_ROWS;) {
    rows = 0;
    for (const row of store.scan(after, SCAN_ROWS)) {
      rows++;
      after = row.id;
      if (row.type !== null) objects.set(oidFromBytes(row.key), { type: row.type, size: row.size });
    }
  }
  return { objects, read: (oid) => store.read(oid) };
}

/** Unpacks a staged pack and hands it to `use`; the staging is empty again afterwards, whatever happened. */
export async function withPack<T>(
  ctx: MemoryContext,
  pack: PackSource,
  pause: () => Promise<void>,
  use: (pack: ParsedPack) => T,
): Promise<T> {
  const store = openStore(ctx.sql, STAGING_REPO);
  clearStaging(ctx);
  try {
    const steps = stagePack(store, pack, IMPORT_LIMITS);
    for (let done = false; !done;) {
      ctx.transact(() => {
        for (let count = 0; count < OBJECTS_A_SLICE && !done; count++) done = steps.next().done ?? false;
      });
      await pause();
    }
    return use(unpacked(store));
  } finally {
    clearStaging(ctx);
  }
}

/** The tip of a staged bundle and where its pack begins. Throws AppError("bad-format"). */
export function stagedBundle(ctx: Pick<MemoryContext, "sql">, id: string): { tip: Oid; pack: PackSource } {
  const whole = stagedBytes(ctx, id, 0);
  const { refs, packStart } = parseBundleHeader(whole.read(0, 256 * 1024));
  const tip = refs.get(MAIN) ?? refs.get("HEAD");
  if (tip === undefined) throw new AppError("bad-format", "The bundle in this archive holds no branch main.");
  return { tip, pack: stagedBytes(ctx, id, packStart) };
}

/** Judges a history and makes it this memory's own. Throws Refused with the commit and line that may not enter; then nothing has changed. */
export function adoptHistory(ctx: MemoryContext, pack: ParsedPack, tip: Oid, at: number, zone: string): LandedCommit {
  const push: Push = judgePush(ctx.store, pack, { ref: MAIN, before: null, after: tip }, ctx.now());
  return ctx.transact(() => {
    if (ensureProjected(ctx) === "rebuilding") refuseWrite("unavailable", "The index is being rebuilt. Try again in a moment.");
    if (ctx.store.ref(MAIN) !== null)
      refuseWrite("conflict", "Something was saved here meanwhile, so the history was not taken over.");
    push.write();
    const near = withPushed(ctx, push);
    const line = lineBetween(near.store, null, tip)!;
    const onLine = new Set(line);
    const commits = new Map(push.commits.map(({ oid, commit }) => [oid, commit]));
    for (const [oid, commit] of commits)
      if (!onLine.has(oid)) ofCommit(oid, commit, commits.size, () => judgeSideCommit(near, oid, commit));
    ctx.store.moveRef(MAIN, null, tip, { kind: "import", actor: "user", at: ctx.now() });
    // Tombstones came and went in this history: the gate lets the files that list them change, as it does for a forget.
    const change: Change = { base: null, kind: "forget", source: null, actor: "user", at, zone, typed: true };
    let head = projectionHead(ctx);
    for (const oid of line)
      ({ head } = ofCommit(oid, commits.get(oid)!, commits.size, () => landCommit(near, head, oid, commits.get(oid)!, change)));
    return { commit: tip, kind: "import", paths: [...filesBetween(ctx, null, tip).keys()] };
  });
}
