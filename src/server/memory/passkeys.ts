// The passkeys of an account: taken in, checked, listed, removed. The library verifies; this file keeps what it needs, and spends each challenge once.
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { AppError } from "../../shared/errors.ts";
import { PASSKEYS_MAX } from "../../shared/limits.ts";
import type { PasskeyView } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";

/** What an authenticator answered, and what it had been asked. */
export interface Ceremony {
  challenge: string;
  /** Milliseconds: when the challenge expires. */
  until: number;
  /** The host that a passkey belongs to, and the origins a page of it may have. */
  rpId: string;
  origins: string[];
  response: unknown;
}

type Row = {
  id: string;
  public_key: ArrayBuffer;
  counter: number;
  transports: string;
  rp_id: string;
  name: string;
  made_at: number;
  used_at: number | null;
  backed_up: number;
};

const REFUSED = "That passkey does not open this memory, or the question to it had expired. Try again.";
const refused = (cause?: unknown): AppError => new AppError("unauthorized", REFUSED, {}, { cause });

/** Marks a challenge as answered. Throws `unauthorized` for one that was answered before or is too old. */
export function spendChallenge(sql: Sql, { challenge, until }: Pick<Ceremony, "challenge" | "until">, now: number): void {
  sql.exec("DELETE FROM spent_challenges WHERE until <= ?", now);
  if (until <= now) throw refused();
  const spent = sql
    .exec(
      "INSERT INTO spent_challenges (challenge, until) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING challenge",
      challenge,
      until,
    )
    .toArray();
  if (spent.length === 0) throw refused();
}

/** A new passkey as it is to be kept. */
export interface NewPasskey {
  id: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
  rpId: string;
  backedUp: boolean;
}

/** Verifies a registration. The challenge has to be spent before. Throws `unauthorized`. */
export async function verifyNew({ challenge, rpId, origins, response }: Ceremony): Promise<NewPasskey> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]["response"],
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: rpId,
      requireUserVerification: true,
    });
    if (!verified) throw refused();
    const { credential, credentialBackedUp } = registrationInfo;
    const { id, publicKey, counter, transports = [] } = credential;
    return { id, publicKey, counter, transports: transports.map(String).slice(0, 8), rpId, backedUp: credentialBackedUp };
  } catch (error) {
    throw error instanceof AppError ? error : refused(error);
  }
}

export function keepPasskey(sql: Sql, passkey: NewPasskey, name: string, now: number): void {
  const { n } = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM passkeys").one();
  if (n >= PASSKEYS_MAX)
    throw new AppError("too-large", `An account has at most ${PASSKEYS_MAX} passkeys. Remove one that you no longer use.`);
  sql.exec(
    `INSERT INTO passkeys (id, public_key, counter, transports, rp_id, name, made_at, used_at, backed_up) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)
     ON CONFLICT (id) DO NOTHING`,
    passkey.id,
    passkey.publicKey.slice().buffer,
    passkey.counter,
    JSON.stringify(passkey.transports),
    passkey.rpId,
    name,
    now,
    passkey.backedUp ? 1 : 0,
  );
}

/** Verifies an answer of one of the passkeys. Spends the challenge first, so that of two at once one is refused. Throws `unauthorized`. */
export async function verifyKnown(sql: Sql, ceremony: Ceremony, now: number): Promise<void> {
  spendChallenge(sql, ceremony, now);
  const response = ceremony.response as Parameters<typeof verifyAuthenticationResponse>[0]["response"];
  const row = sql.exec<Row>("SELECT * FROM passkeys WHERE id = ?", String(response.id)).toArray()[0];
  if (!row || row.rp_id !== ceremony.rpId) throw refused();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: ceremony.challenge,
      expectedOrigin: ceremony.origins,
      expectedRPID: ceremony.rpId,
      requireUserVerification: true,
      credential: { id: row.id, publicKey: new Uint8Array(row.public_key), counter: row.counter, transports: [] },
    });
    if (!verified) throw refused();
    // Of two answers that were checked side by side the later counter stands; one that did not move it on is a copy's.
    const moved = sql
      .exec(
        "UPDATE passkeys SET counter = ?, used_at = ? WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0)) RETURNING id",
        authenticationInfo.newCounter,
        now,
        row.id,
        authenticationInfo.newCounter,
        authenticationInfo.newCounter,
      )
      .toArray();
    if (moved.length === 0) throw refused();
  } catch (error) {
    throw error instanceof AppError ? error : refused(error);
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function listPasskeys(sql: Sql): PasskeyView[] {
  return sql
    .exec<Row>("SELECT * FROM passkeys ORDER BY made_at, id")
    .toArray()
    .map((row) => ({
      id: row.id,
      name: row.name,
      createdAt: iso(row.made_at),
      lastUsed: row.used_at === null ? null : iso(row.used_at),
      backedUp: row.backed_up === 1,
    }));
}

/** Credentials of the account, for an authenticator to choose from. */
export function credentialsOf(sql: Sql): { id: string; transports: string[] }[] {
  return sql
    .exec<Row>("SELECT * FROM passkeys ORDER BY made_at, id")
    .toArray()
    .map((row) => ({ id: row.id, transports: JSON.parse(row.transports) as string[] }));
}

/** Removes a passkey; the last one stays, for without it only a recovery code would open the memory. */
export function removePasskey(sql: Sql, id: string): void {
  const all = sql.exec<{ id: string }>("SELECT id FROM passkeys").toArray();
  if (!all.some((row) => row.id === id)) throw new AppError("not-found", "There is no such passkey.");
  if (all.length === 1) throw new AppError("conflict", "This is the only passkey. Add another one before you remove it.");
  sql.exec("DELETE FROM passkeys WHERE id = ?", id);
}
