// Recovery codes: the way in when every passkey is lost. Shown once, kept as hashes, each good for one time; few wrong ones close the way for a while.
import { createHash, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import { RECOVERY_CODES, RECOVERY_GUESSES, RECOVERY_LOCK_MS } from "../../shared/limits.ts";
import type { RecoveryView } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";

/** Without 0, o, 1, l and i: people copy these by hand. 31 letters, 20 of them: 99 bits. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_CHARS = 5;

/** A code as it was typed, in the form that is hashed: case, spaces and the kind of hyphen do not matter. */
export function plainCode(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

const hashOf = (code: string): string =>
  createHash("sha256")
    .update(`recovery\n${plainCode(code)}`)
    .digest("hex");

function groupFrom(random: (bytes: number) => Uint8Array): string {
  let text = "";
  while (text.length < GROUP_CHARS) {
    for (const byte of random(8)) if (byte < 248 && text.length < GROUP_CHARS) text += ALPHABET[byte % 31];
  }
  return text;
}

/** Makes new codes; the old ones open nothing any more. The user's id stands in front, so that a code says whose memory it opens. */
export function makeCodes(sql: Sql, user: string, now: number, random: (bytes: number) => Uint8Array): string[] {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    [user, ...Array.from({ length: GROUPS }, () => groupFrom(random))].join("-"),
  );
  sql.exec("DELETE FROM recovery_codes");
  for (const code of codes) sql.exec("INSERT INTO recovery_codes (hash) VALUES (?)", hashOf(code));
  sql.exec("UPDATE account SET recovery_at = ?, wrong = 0, locked_until = 0", now);
  return codes;
}

export function recoveryView(sql: Sql): RecoveryView {
  const left = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM recovery_codes").one().n;
  const { at } = sql.exec<{ at: number | null }>("SELECT recovery_at AS at FROM account").one();
  return { left, madeAt: at === null ? null : new Date(at).toISOString() };
}

/**
 * Spends a code. Synchronous, so that a hundred guesses at once are counted one by one. Throws `unauthorized` for a wrong one, `rate-limited`
 * after too many, which are not even looked at.
 */
export function spendCode(sql: Sql, code: string, now: number): void {
  const account = sql.exec<{ wrong: number; locked_until: number }>("SELECT wrong, locked_until FROM account").one();
  if (account.locked_until > now) {
    const retryAfterS = Math.ceil((account.locked_until - now) / 1000);
    throw new AppError("rate-limited", "Too many wrong codes. Wait a quarter of an hour, then try again.", { retryAfterS });
  }
  const given = Buffer.from(hashOf(code), "hex");
  const rows = sql.exec<{ hash: string }>("SELECT hash FROM recovery_codes").toArray();
  // All are compared, each in the same time.
  const hits = rows.filter(({ hash }) => timingSafeEqual(Buffer.from(hash, "hex"), given));
  const hit = hits[0];
  if (!hit) {
    const wrong = account.wrong + 1;
    const locked = wrong >= RECOVERY_GUESSES;
    sql.exec("UPDATE account SET wrong = ?, locked_until = ?", locked ? 0 : wrong, locked ? now + RECOVERY_LOCK_MS : 0);
    throw new AppError("unauthorized", "That code opens nothing. Look whether you copied all of it; each works once.");
  }
  sql.exec("DELETE FROM recovery_codes WHERE hash = ?", hit.hash);
  sql.exec("UPDATE account SET wrong = 0");
}
