// The user's settings: one row of JSON, read with today's defaults underneath, so that a new setting needs no migration.
import type { Settings } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";
import { AppError } from "../../shared/errors.ts";
import { DREAM_EVERY_HOURS, DREAM_MAX_USD, MONTHLY_CAP_USD } from "../../shared/limits.ts";
import { isZone } from "../../shared/zone.ts";

export const DEFAULT_SETTINGS: Settings = {
  chatModel: null,
  dreamModel: null,
  zone: null,
  dream: {
    mode: "automatic",
    everyHours: DREAM_EVERY_HOURS,
    nightly: true,
    unusedDays: 60,
    maxUsd: DREAM_MAX_USD,
    instructions: "",
    rewordings: false,
  },
  capUsd: MONTHLY_CAP_USD,
  memory: "on",
  instructions: "",
  relevance: false,
};

export function createSettings(sql: Sql): void {
  sql.exec("CREATE TABLE settings (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)");
}

/** The settings as they stand. */
export function readSettings(sql: Sql): Settings {
  const row = sql.exec<{ value: string }>("SELECT value FROM settings WHERE id = 1").toArray()[0];
  const stored = row ? (JSON.parse(row.value) as Partial<Settings>) : {};
  return { ...DEFAULT_SETTINGS, ...stored, dream: { ...DEFAULT_SETTINGS.dream, ...stored.dream } };
}

/** Some of the settings; of `dream` too, each field alone. */
export type SettingsChange = Partial<Omit<Settings, "dream">> & { dream?: Partial<Settings["dream"]> };

/** Changes some settings and returns all. Throws `bad-format` for a zone that does not exist. */
export function patchSettings(sql: Sql, patch: SettingsChange): Settings {
  if (patch.zone !== undefined && patch.zone !== null && !isZone(patch.zone)) {
    throw new AppError("bad-format", "That is not the name of a time zone. Use one like Europe/Lisbon.", { field: "zone" });
  }
  const before = readSettings(sql);
  const next: Settings = { ...before, ...patch, dream: { ...before.dream, ...patch.dream } };
  sql.exec("INSERT OR REPLACE INTO settings (id, value) VALUES (1, ?)", JSON.stringify(next));
  return next;
}
