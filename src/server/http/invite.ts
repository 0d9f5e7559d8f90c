// Invites: signed, with an end, good for one account. The owner's own one is made from AUTH_SECRET itself, by scripts/invite.mjs.
import { readSigned, signedValue, type Secrets } from "../memory/secret-box.ts";

const PREFIX = "rvi_";
const PURPOSE = "invite";

export interface Invite {
  /** What is remembered once it was used. */
  id: string;
  /** Milliseconds. */
  until: number;
  /** Whoever uses it owns the installation. */
  owner: boolean;
}

/** Writes an invite. */
export function formatInvite({ id, until, owner }: Invite, secrets: Secrets): string {
  return PREFIX + signedValue(PURPOSE, { i: id, e: until, ...(owner ? { o: 1 } : {}) }, secrets);
}

/** Reads an invite; null where it was not made here or its time is over. */
export function readInvite(text: string, secrets: Secrets, now: number): Invite | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith(PREFIX)) return null;
  const value = readSigned<{ i: unknown; e: unknown; o?: unknown }>(PURPOSE, trimmed.slice(PREFIX.length), secrets);
  if (!value || typeof value.i !== "string" || typeof value.e !== "number" || value.e <= now) return null;
  return { id: value.i, until: value.e, owner: value.o === 1 };
}
