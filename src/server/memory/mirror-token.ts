// The token of a mirror at rest: sealed with the installation's secret where there is one, in the clear in local mode.
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** As it stands in the row: `local:` and the token, or `<name of the secret>:` and what only that secret opens. */
export type RestingToken = string;

const LOCAL = "local";
const IV_BYTES = 12;
const TAG_BYTES = 16;

const hash = (purpose: string, secret: string): Buffer => createHash("sha256").update(`${purpose}\n${secret}`).digest();
const nameOf = (secret: string): string => hash("mirror-token-name", secret).toString("hex").slice(0, 12);

/** Seals a token with the first of the secrets. */
export function sealToken(token: string, secrets: readonly string[]): RestingToken {
  const secret = secrets[0];
  if (secret === undefined) return `${LOCAL}:${token}`;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", hash("mirror-token-key", secret), iv);
  return `${nameOf(secret)}:${Buffer.concat([iv, cipher.update(token, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64")}`;
}

/** The token, or null where none of the secrets opens it. */
export function openToken(resting: RestingToken, secrets: readonly string[]): string | null {
  const split = resting.indexOf(":");
  const [name, rest] = [resting.slice(0, split), resting.slice(split + 1)];
  if (name === LOCAL) return rest;
  const secret = secrets.find((one) => nameOf(one) === name);
  if (secret === undefined) return null;
  const bytes = Buffer.from(rest, "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", hash("mirror-token-key", secret), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES)), decipher.final()]).toString(
      "utf8",
    );
  } catch {
    return null;
  }
}

/** Whether it rests under another secret than the present one, or in the clear though there is one. */
export function isOutdated(resting: RestingToken, secrets: readonly string[]): boolean {
  return resting.slice(0, resting.indexOf(":")) !== (secrets[0] === undefined ? LOCAL : nameOf(secrets[0]));
}
