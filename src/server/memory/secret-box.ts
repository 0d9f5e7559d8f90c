// What is derived from the installation's secret: signatures, and boxes that only it opens. Each purpose has a key of its own.
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The present secret first, then the earlier one while it rotates. */
export type Secrets = readonly string[];

/** The secrets of an environment; none in local mode. */
export function secretsOf(env: { AUTH_SECRET?: string; AUTH_SECRET_PREVIOUS?: string }): Secrets {
  return env.AUTH_SECRET ? [env.AUTH_SECRET, ...(env.AUTH_SECRET_PREVIOUS ? [env.AUTH_SECRET_PREVIOUS] : [])] : [];
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyFor = (purpose: string, secret: string): Buffer => createHmac("sha256", secret).update(`reverie\n${purpose}`).digest();
const nameOf = (secret: string): string => keyFor("name", secret).toString("hex").slice(0, 12);

/** The name of the present secret: tells which one it is, and nothing about it. */
export function presentName(secrets: Secrets): string {
  return secrets[0] === undefined ? "" : nameOf(secrets[0]);
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function sameText(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHmac("sha256", "compare").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}

/** The signature of a text for one purpose, with the present secret. */
export function signature(purpose: string, text: string, secrets: Secrets): string {
  const [secret] = secrets;
  if (secret === undefined) throw new Error("Nothing is signed without AUTH_SECRET.");
  return createHmac("sha256", keyFor(purpose, secret)).update(text).digest("base64url");
}

/** Whether one of the secrets made that signature. */
export function isSigned(purpose: string, text: string, signed: string, secrets: Secrets): boolean {
  return secrets.map((secret) => sameText(signature(purpose, text, [secret]), signed)).includes(true);
}

/** A value that may travel through a client: readable there, and changed by nobody. */
export function signedValue(purpose: string, value: object, secrets: Secrets): string {
  const body = Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${body}.${signature(purpose, body, secrets)}`;
}

/** The value back; null where it was not signed here for this purpose. */
export function readSigned<T>(purpose: string, text: string, secrets: Secrets): T | null {
  const dot = text.lastIndexOf(".");
  const body = text.slice(0, dot);
  if (dot < 1 || !isSigned(purpose, body, text.slice(dot + 1), secrets)) return null;
  try {
    return JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as T;
  } catch {
    return null;
  }
}

/** Seals a text: `<name of the secret>:<iv, bytes, tag>`. */
export function sealText(purpose: string, text: string, secrets: Secrets): string {
  const [secret] = secrets;
  if (secret === undefined) throw new Error("Nothing is sealed without AUTH_SECRET.");
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyFor(purpose, secret), iv);
  const bytes = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${nameOf(secret)}:${bytes.toString("base64")}`;
}

/** Opens a sealed text; null where none of the secrets does. */
export function openText(purpose: string, sealed: string, secrets: Secrets): string | null {
  const split = sealed.indexOf(":");
  const secret = secrets.find((one) => nameOf(one) === sealed.slice(0, split));
  if (secret === undefined) return null;
  const bytes = Buffer.from(sealed.slice(split + 1), "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyFor(purpose, secret), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const body = bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** Whether a text is sealed with another secret than the present one. */
export function isOldSeal(sealed: string, secrets: Secrets): boolean {
  return secrets[0] !== undefined && sealed.slice(0, sealed.indexOf(":")) !== nameOf(secrets[0]);
}
