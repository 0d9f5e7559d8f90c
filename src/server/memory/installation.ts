// The installation as a whole, in the object of a reserved name: how many there are, what they hold, what they may spend together. Counts only.
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import { CAP_BLOCK_SHARE } from "../../shared/limits.ts";
import type { InstallationView } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";
import type { Rooms } from "./schema.ts";

/** Name of that object. No user's id looks like it. */
export const INSTALLATION = "installation";

const NANO = 1e9;
const ERROR_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

function createInstallation(sql: Sql): void {
  // Users under a hash: enough to count each once, too little to find anybody.
  sql.exec(
    "CREATE TABLE members (who TEXT PRIMARY KEY, objects INTEGER NOT NULL, bytes INTEGER NOT NULL, secret TEXT NOT NULL) WITHOUT ROWID",
  );
  sql.exec("CREATE TABLE installation_owner (id INTEGER PRIMARY KEY CHECK (id = 1), who TEXT NOT NULL)");
  sql.exec("CREATE TABLE used_invites (id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID");
  sql.exec("CREATE TABLE errors_by_day (day TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID");
  sql.exec("CREATE TABLE granted (month TEXT PRIMARY KEY, nano INTEGER NOT NULL) WITHOUT ROWID");
}

/** The numbered steps of its tables. */
export const INSTALLATION_ROOMS: Rooms = { installation: [createInstallation] };

/** What a user's object tells about itself now and then. */
export interface Report {
  objects: number;
  bytes: number;
  /** Name of the secret that all its keys rest under. */
  secret: string;
}

export interface InstallationApi {
  /** Takes an invite, so that nobody else can; `owner` only while there is none. Throws `unauthorized`. */
  takeSeat(invite: { id: string; until: number } | null, owner: boolean, user: string): void;
  /** The sign-up did not succeed: what was taken is free again. */
  leaveSeat(invite: string | null, owner: boolean): void;
  hasOwner(): boolean;
  report(user: string, report: Report): void;
  left(user: string): void;
  /**
   * US dollars that a user may spend from the installation's cap in a month, beside those granted before: what is needed or nothing, and above it up to
   * what is wanted, but no more than a small share of what is left.
   */
  grant(month: string, wantedUsd: number, capUsd: number, neededUsd?: number): number;
  /** A user has set aside more than it took. */
  giveBack(month: string, usd: number): void;
  failed(): void;
  counts(secret: string): Omit<InstallationView, "signUp" | "money"> & { granted: { month: string; usd: number } };
}

const hash = (user: string): string => createHash("sha256").update(`member\n${user}`).digest("hex").slice(0, 24);

/** The functions of the reserved object. */
export function installationRoom({ sql, now }: { sql: Sql; now: () => number }): InstallationApi {
  const day = (): string => new Date(now()).toISOString().slice(0, 10);
  const hasOwner = (): boolean => sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM installation_owner").one().n > 0;
  const grantedIn = (month: string): number =>
    sql.exec<{ nano: number }>("SELECT nano FROM granted WHERE month = ?", month).toArray()[0]?.nano ?? 0;
  return {
    takeSeat(invite, owner, user) {
      if (owner && hasOwner()) throw new AppError("unauthorized", "This installation has its owner. Ask them for an invite.");
      sql.exec("DELETE FROM used_invites WHERE until <= ?", now());
      if (invite) {
        const taken = sql
          .exec("INSERT INTO used_invites (id, until) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id", invite.id, invite.until)
          .toArray();
        if (taken.length === 0) throw new AppError("unauthorized", "This invite was used already. Ask for another one.");
      }
      if (owner) sql.exec("INSERT INTO installation_owner (id, who) VALUES (1, ?)", hash(user));
    },
    leaveSeat(invite, owner) {
      if (invite !== null) sql.exec("DELETE FROM used_invites WHERE id = ?", invite);
      if (owner) sql.exec("DELETE FROM installation_owner");
    },
    hasOwner,
    report(user, { objects, bytes, secret }) {
      sql.exec(
        "INSERT OR REPLACE INTO members (who, objects, bytes, secret) VALUES (?, ?, ?, ?)",
        hash(user),
        objects,
        bytes,
        secret,
      );
    },
    left(user) {
      sql.exec("DELETE FROM members WHERE who = ?", hash(user));
      sql.exec("DELETE FROM installation_owner WHERE who = ?", hash(user));
    },
    grant(month, wantedUsd, capUsd, neededUsd = wantedUsd) {
      const left = Math.max(0, Math.round(capUsd * NANO) - grantedIn(month));
      const needed = Math.max(0, Math.ceil(neededUsd * NANO));
      if (needed > left) return 0;
      const nano = Math.max(needed, Math.min(Math.ceil(wantedUsd * NANO), Math.floor(left * CAP_BLOCK_SHARE)));
      if (nano > 0)
        sql.exec(
          "INSERT INTO granted (month, nano) VALUES (?, ?) ON CONFLICT (month) DO UPDATE SET nano = nano + excluded.nano",
          month,
          nano,
        );
      return nano / NANO;
    },
    giveBack(month, usd) {
      sql.exec("UPDATE granted SET nano = max(0, nano - ?) WHERE month = ?", Math.max(0, Math.floor(usd * NANO)), month);
    },
    failed() {
      sql.exec("INSERT INTO errors_by_day (day, count) VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET count = count + 1", day());
      sql.exec("DELETE FROM errors_by_day WHERE day < ?", new Date(now() - ERROR_DAYS * DAY_MS).toISOString().slice(0, 10));
    },
    counts(secret) {
      const sums = sql
        .exec<{ users: number; objects: number; bytes: number; old: number }>(
          "SELECT COUNT(*) AS users, ifnull(SUM(objects), 0) AS objects, ifnull(SUM(bytes), 0) AS bytes, ifnull(SUM(secret <> ?), 0) AS old FROM members",
          secret,
        )
        .one();
      const errors = sql.exec<{ day: string; count: number }>("SELECT day, count FROM errors_by_day ORDER BY day DESC").toArray();
      const month = day().slice(0, 7);
      const granted = { month, usd: grantedIn(month) / NANO };
      return { users: sums.users, objects: sums.objects, bytes: sums.bytes, oldSecret: sums.old, errors, granted };
    },
  };
}

/** The same, asked from elsewhere. Refusals arrive as AppError. */
export type Installation = {
  [K in keyof InstallationApi]: (...args: Parameters<InstallationApi[K]>) => Promise<ReturnType<InstallationApi[K]>>;
};
