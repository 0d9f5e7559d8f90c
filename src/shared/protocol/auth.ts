// Who somebody is and what they may open: passkeys, sessions, access tokens, recovery codes, own model key. Secrets are shown once, when they are made.
import * as z from "zod/mini";

/** Whether a newcomer may make an account: anybody, whoever holds a signed invite, nobody. */
export const SignUp = z.enum(["open", "invite", "closed"]);
export type SignUp = z.infer<typeof SignUp>;

const Label = z.string().check(z.minLength(1), z.maxLength(60));
/** What a browser's authenticator answers; its inside is checked by the library that verifies it. */
const Credential = z.looseObject({ id: z.string().check(z.maxLength(2000)) });
const Ticket = z.string().check(z.minLength(1), z.maxLength(4000));

export const RegisterAskBody = z.object({
  invite: z.optional(z.string().check(z.maxLength(500))),
  /** The owner's way in: takes over the memory that was kept here before sign-in was switched on. */
  adopt: z.optional(z.boolean()),
});
export const PasskeyBody = z.object({ ticket: Ticket, response: Credential, name: z.optional(Label) });
export const RecoverBody = z.object({ code: z.string().check(z.minLength(1), z.maxLength(200)) });

export const TokenKind = z.enum(["agent", "mine"]);
export const TokenAccess = z.enum(["read", "read-write"]);
export const TokenBody = z.object({
  name: Label,
  /** agent: beside the user, never MEMORY.md, pins or lines from elsewhere. mine: as the user. */
  kind: z._default(TokenKind, "agent"),
  access: z._default(TokenAccess, "read"),
  days: z._default(z.int().check(z.gte(1), z.lte(365)), 90),
});
export type TokenBody = z.infer<typeof TokenBody>;

export const InviteBody = z.object({ days: z._default(z.int().check(z.gte(1), z.lte(30)), 7) });

export const ModelKeyBody = z.object({
  url: z.string().check(z.minLength(1), z.maxLength(2000)),
  /** Absent: the one that is kept goes on, as long as the endpoint stays the same. */
  key: z.optional(z.string().check(z.minLength(1), z.maxLength(2000))),
  chatModel: z.string().check(z.minLength(1), z.maxLength(200)),
  dreamModel: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
});
export type ModelKeyBody = z.infer<typeof ModelKeyBody>;

/** How a browser stands. */
export interface AuthView {
  mode: "local" | "hosted";
  signedIn: boolean;
  signUp: SignUp;
  /** Owner of the installation: sees its counts and makes invites. */
  owner: boolean;
  /** Until when what cannot be undone may be done without another look at the passkey, null = not now. */
  freshUntil: string | null;
}

export interface PasskeyView {
  id: string;
  name: string;
  createdAt: string;
  lastUsed: string | null;
  /** Kept in the maker's cloud, so that a lost device loses nothing. */
  backedUp: boolean;
}

export interface SessionView {
  id: string;
  /** The browser, in its own words shortened. */
  device: string;
  createdAt: string;
  lastSeen: string;
  expiresAt: string;
  /** The one that asks. */
  current: boolean;
}

export interface TokenView {
  id: string;
  name: string;
  kind: z.infer<typeof TokenKind>;
  access: z.infer<typeof TokenAccess>;
  createdAt: string;
  expiresAt: string;
  lastUsed: string | null;
}

/** A token at its birth: the only time that it is readable. */
export interface NewToken extends TokenView {
  token: string;
}

export interface RecoveryView {
  left: number;
  madeAt: string | null;
}

/** The user's own endpoint. Its key goes in and never comes back. */
export interface ModelKeyView {
  url: string | null;
  chatModel: string | null;
  dreamModel: string | null;
  /** False = there is one, but no secret of the installation opens it any more. */
  usable: boolean;
}

/** Counts of an installation for its owner: nothing of anyone's memory. */
export interface InstallationView {
  users: number;
  objects: number;
  bytes: number;
  /** Unexpected errors by day, newest first, of the last 30 days. */
  errors: { day: string; count: number }[];
  signUp: SignUp;
  money: { month: string; capUsd: number | null; grantedUsd: number };
  /** Users whose keys still rest under an earlier AUTH_SECRET. */
  oldSecret: number;
}
