// Access tokens: made, listed, taken back, recognised. Only their hashes rest here.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import { TOKENS_MAX } from "../../shared/limits.ts";
import type { NewToken, TokenBody, TokenView } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";

type Row = {
  id: string;
  name: string;
  kind: TokenView["kind"];
  access: TokenView["access"];
  made_at: number;
  expires_at: number;
  used_at: number | null;
};

const DAY_MS = 24 * 60 * 60_000;
const SECRET_BYTES = 32;
const USED_EVERY_MS = 60_000;
const COLUMNS = "id, name, kind, access, made_at, expires_at, used_at";

/** What rests of a token. It has 256 bits of chance, so that one round of a hash is enough. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const iso = (ms: number): string => new Date(ms).toISOString();
const viewOf = (row: Row): TokenView => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  access: row.access,
  createdAt: iso(row.made_at),
  expiresAt: iso(row.expires_at),
  lastUsed: row.used_at === null ? null : iso(row.used_at),
});

/** The tokens that stand, newest first. */
export function listTokens(sql: Sql, now: number): TokenView[] {
  return sql.exec<Row>(`SELECT ${COLUMNS} FROM tokens WHERE expires_at > ? ORDER BY made_at DESC, id`, now).toArray().map(viewOf);
}

/** Makes a token. It is `rv_<user>_<chance>`: the user stands in it, so that nothing has to be looked up to know whom to ask. */
export function makeToken(
  sql: Sql,
  {
    user,
    body,
    now,
    id,
    random,
  }: { user: string; body: TokenBody; now: number; id: string; random: (bytes: number) => Uint8Array },
): NewToken {
  sql.exec("DELETE FROM tokens WHERE expires_at <= ?", now);
  if (sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM tokens").one().n >= TOKENS_MAX)
    throw new AppError("too-large", `There are ${TOKENS_MAX} tokens already. Take one back that is no longer used.`);
  const token = `rv_${user}_${Buffer.from(random(SECRET_BYTES)).toString("base64url")}`;
  sql.exec(
    `INSERT INTO tokens (hash, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, NULL)`,
    tokenHash(token),
    id,
    body.name,
    body.kind,
    body.access,
    now,
    now + body.days * DAY_MS,
  );
  return { ...listTokens(sql, now).find((one) => one.id === id)!, token };
}

export function dropToken(sql: Sql, id: string): void {
  if (sql.exec("DELETE FROM tokens WHERE id = ? RETURNING id", id).toArray().length === 0)
    throw new AppError("not-found", "There is no such token. It may have been taken back already.");
}

/** The token behind a hash, or null where it was taken back, has expired or never was. */
export function tokenAt(sql: Sql, hash: string, now: number): TokenView | null {
  const row = sql.exec<Row>(`SELECT ${COLUMNS} FROM tokens WHERE hash = ? AND expires_at > ?`, hash, now).toArray()[0];
  if (!row) return null;
  if (now - (row.used_at ?? 0) > USED_EVERY_MS) sql.exec("UPDATE tokens SET used_at = ? WHERE id = ?", now, row.id);
  return viewOf(row);
}

const AGENT_NAME_MAX = 40;

/** The name that an agent's lines are marked with: the token's, in letters, digits and hyphens. */
export function agentName(token: { id: string; name: string }): string {
  const name = token.name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^[-\p{M}]+|-+$/gu, "");
  return [...name].slice(0, AGENT_NAME_MAX).join("").replace(/-+$/, "") || token.id;
}
