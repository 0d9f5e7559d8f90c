// Credentials as they travel: the session's signed cookie, and tokens in the Authorization header. Only their shape and signature are judged here.
import { Buffer } from "node:buffer";
import { isSigned, signature, type Secrets } from "../memory/secret-box.ts";
import type { Credential } from "../memory/account.ts";
import { tokenHash } from "../memory/tokens.ts";

/** `__Host-`: only https (or this machine), only this host, only the whole site. */
export const COOKIE = "__Host-reverie";
const PURPOSE = "session-cookie";

/** A user's id: made here, 24 of a-z0-9 behind a u, or the memory that a local installation had. */
const USER = /^(?:u[a-z0-9]{24}|me)$/;
const SESSION = /^[A-Za-z0-9_-]{24}$/;
const TOKEN = /^rv_([a-z0-9]{2,25})_[A-Za-z0-9_-]{43}$/;
const HEADER_MAX_CHARS = 2_000;

/** A new user's id out of random bytes. */
export function newUserId(random: (bytes: number) => Uint8Array): string {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  let id = "";
  while (id.length < 24) for (const byte of random(32)) if (byte < 252 && id.length < 24) id += letters[byte % 36];
  return `u${id}`;
}

/** Whether a text has the shape of a user's id. */
export function isUserId(text: string): boolean {
  return USER.test(text);
}

/** The cookie of a session that began now. `expiresAt` in milliseconds. */
export function sessionCookie(user: string, session: string, expiresAt: number, now: number, secrets: Secrets): string {
  const value = `${user}.${session}.${expiresAt}`;
  const age = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  return `${COOKIE}=${value}.${signature(PURPOSE, value, secrets)}; Path=/; Max-Age=${age}; HttpOnly; Secure; SameSite=Lax`;
}

/** Takes the cookie away. */
export const NO_COOKIE = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`;

/** Whom a credential names, and what their object is asked about it. */
export interface Claim {
  user: string;
  credential: Credential;
}

/** The session that a request's cookie names, if its signature holds and its time is not over. Asks nobody. */
export function claimOfCookie(header: string | null, secrets: Secrets, now: number): Claim | null {
  for (const part of (header ?? "").split(";")) {
    const [name, ...rest] = part.trim().split("=");
    if (name !== COOKIE) continue;
    const [user = "", session = "", expires = "", signed = "", more] = rest.join("=").split(".");
    if (more !== undefined || !USER.test(user) || !SESSION.test(session) || !/^\d{1,16}$/.test(expires)) continue;
    if (Number(expires) <= now || !isSigned(PURPOSE, `${user}.${session}.${expires}`, signed, secrets)) continue;
    return { user, credential: { session } };
  }
  return null;
}

/** The token of an Authorization header: Bearer, or the password of Basic, as git sends it. */
export function claimOfHeader(header: string): Claim | null {
  if (header.length > HEADER_MAX_CHARS) return null;
  const [scheme = "", value = ""] = header.trim().split(/\s+/, 2);
  let token = "";
  if (/^bearer$/i.test(scheme)) token = value;
  else if (/^basic$/i.test(scheme)) {
    const pair = Buffer.from(value, "base64").toString("utf8");
    const [name = "", password = ""] = [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)];
    // Some clients have one field only and put the token there.
    token = password.startsWith("rv_") ? password : name;
  }
  const user = TOKEN.exec(token)?.[1];
  return user !== undefined && USER.test(user) ? { user, credential: { token: tokenHash(token) } } : null;
}
