// One account: what its object answers about passkeys, sessions, tokens, recovery and the own model key. Knows no cookie and no header.
import { AppError, refusalOf, type Refusal } from "../../shared/errors.ts";
import { USER_BURST, USER_CHAT_BURST, USER_CHAT_PER_SECOND, USER_PER_SECOND } from "../../shared/limits.ts";
import type {
  ModelKeyBody,
  ModelKeyView,
  NewToken,
  PasskeyView,
  RecoveryView,
  SessionView,
  TokenBody,
  TokenView,
} from "../../shared/protocol.ts";
import type { Sql, Transact } from "../git/sql.ts";
import { hasAccount } from "./account-tables.ts";
import type { Answer } from "./api.ts";
import { dropModelKey, modelKeyView, setModelKey } from "./model-key.ts";
import {
  credentialsOf,
  keepPasskey,
  listPasskeys,
  removePasskey,
  spendChallenge,
  verifyKnown,
  verifyNew,
  type Ceremony,
} from "./passkeys.ts";
import { Bucket } from "./rate.ts";
import { makeCodes, recoveryView, spendCode } from "./recovery.ts";
import type { Secrets } from "./secret-box.ts";
import {
  beginSession,
  crowdedOut,
  endSessions,
  freshen,
  listSessions,
  nextEnd,
  noteThread,
  sessionAt,
  sessionIds,
  type Ended,
  type Session,
} from "./sessions.ts";
import { dropToken, listTokens, makeToken, tokenAt } from "./tokens.ts";

/** What a request brings: the session that its cookie names, or the hash of its token. Signatures were checked before. */
export type Credential = { session: string } | { token: string };

/** What is asked for beside being let in. */
export interface AdmitAsk {
  /** A message to a model, which is counted apart. */
  chat?: boolean;
  /** A socket to this conversation is about to be opened. */
  thread?: string;
}

export type Admission =
  | { ok: true; session: Session; owner: boolean }
  | { ok: true; token: TokenView }
  | { ok: false; code: "unauthorized" }
  | { ok: false; code: "rate-limited"; retryAfterS: number };

/** A session that has just begun. */
export interface Begun {
  session: string;
  expiresAt: number;
}

export interface AccountDeps {
  sql: Sql;
  transact: Transact;
  now(): number;
  random(bytes: number): Uint8Array;
  randomId(): string;
  /** The object's own name: the user. */
  user: string;
  secrets: Secrets;
  loopback: boolean;
  /** Sessions have ended: their sockets are to be closed. */
  ended(sessions: Ended[]): void;
  wakeAt(at: number): void;
}

/** What the Worker asks of an account, by one door. `session` is the one that asks. */
export interface AccountApi {
  admit(credential: Credential, ask: AdmitAsk): Admission;
  /** Whether somebody's account is here already. */
  taken(): boolean;
  register(ceremony: Ceremony, about: { name: string; device: string; owner: boolean }): Promise<Begun & { codes: string[] }>;
  signIn(ceremony: Ceremony, about: { device: string }): Promise<Begun>;
  /** A look at the passkey in the middle of a session. */
  check(ceremony: Ceremony, session: string): Promise<void>;
  recover(code: string, about: { device: string }): Begun;
  credentials(): { id: string; transports: string[] }[];
  passkeys(): PasskeyView[];
  addPasskey(ceremony: Ceremony, about: { name: string; session: string }): Promise<PasskeyView[]>;
  removePasskey(id: string): PasskeyView[];
  recovery(): RecoveryView;
  newCodes(): { codes: string[] };
  sessions(session: string): SessionView[];
  /** Ends one, all but the asking one, or all. */
  endSessions(which: { id: string } | { but: string } | "all"): { ended: number };
  tokens(): TokenView[];
  makeToken(body: TokenBody): NewToken;
  dropToken(id: string): void;
  modelKey(): ModelKeyView;
  setModelKey(body: ModelKeyBody): ModelKeyView;
  dropModelKey(): ModelKeyView;
  /** Ends what is over. */
  sweep(): void;
}

/** The functions of one user's account. */
export function accountRoom(deps: AccountDeps): AccountApi {
  const { sql, transact, now, random, secrets } = deps;
  const requests = new Bucket(USER_BURST, USER_PER_SECOND);
  const chats = new Bucket(USER_CHAT_BURST, USER_CHAT_PER_SECOND);
  const end = (ids: readonly string[]): Ended[] => {
    const ended = transact(() => endSessions(sql, ids));
    if (ended.length > 0) deps.ended(ended);
    return ended;
  };
  const begin = (device: string, by: "passkey" | "code"): Begun => {
    const { id, expiresAt } = beginSession(sql, { device, by, now: now(), random });
    end(crowdedOut(sql));
    deps.wakeAt(nextEnd(sql) ?? expiresAt);
    return { session: id, expiresAt };
  };
  const existing = (): void => {
    if (!hasAccount(sql)) throw new AppError("unauthorized", "That opens no memory here.");
  };
  return {
    admit(credential, ask) {
      if (!hasAccount(sql)) return { ok: false, code: "unauthorized" };
      const session = "session" in credential ? sessionAt(sql, credential.session, now()) : null;
      const token = "token" in credential ? tokenAt(sql, credential.token, now()) : null;
      if (!session && !token) return { ok: false, code: "unauthorized" };
      const wait = requests.take(now()) || (ask.chat ? chats.take(now()) : 0);
      if (wait > 0) return { ok: false, code: "rate-limited", retryAfterS: wait };
      if (token) return { ok: true, token };
      if (ask.thread !== undefined) noteThread(sql, session!.id, ask.thread);
      const { owner } = sql.exec<{ owner: number }>("SELECT owner FROM account").one();
      return { ok: true, session: session!, owner: owner === 1 };
    },
    taken: () => hasAccount(sql),
    async register(ceremony, { name, device, owner }) {
      const taken = () => {
        if (hasAccount(sql)) throw new AppError("conflict", "This account was made already. Sign in with its passkey.");
      };
      taken();
      spendChallenge(sql, ceremony, now());
      const passkey = await verifyNew(ceremony);
      taken();
      const codes = transact(() => {
        sql.exec("INSERT INTO account (id, made_at, owner) VALUES (1, ?, ?)", now(), owner ? 1 : 0);
        keepPasskey(sql, passkey, name, now());
        return makeCodes(sql, deps.user, now(), random);
      });
      return { ...begin(device, "passkey"), codes };
    },
    async signIn(ceremony, { device }) {
      existing();
      await verifyKnown(sql, ceremony, now());
      return begin(device, "passkey");
    },
    async check(ceremony, session) {
      await verifyKnown(sql, ceremony, now());
      freshen(sql, session, now());
    },
    recover(code, { device }) {
      existing();
      spendCode(sql, code, now());
      return begin(device, "code");
    },
    credentials: () => credentialsOf(sql),
    passkeys: () => listPasskeys(sql),
    async addPasskey(ceremony, { name, session }) {
      spendChallenge(sql, ceremony, now());
      const passkey = await verifyNew(ceremony);
      transact(() => {
        keepPasskey(sql, passkey, name, now());
        // A recovery code lets in one passkey; with it the session is as good as signed in with one.
        freshen(sql, session, now());
      });
      return listPasskeys(sql);
    },
    removePasskey(id) {
      removePasskey(sql, id);
      return listPasskeys(sql);
    },
    recovery: () => recoveryView(sql),
    newCodes: () => ({ codes: transact(() => makeCodes(sql, deps.user, now(), random)) }),
    sessions: (session) => listSessions(sql, session, now()),
    endSessions(which) {
      const ids =
        which === "all"
          ? sessionIds(sql, "all")
          : "but" in which
            ? sessionIds(sql, "all").filter((id) => id !== which.but)
            : [which.id];
      const ended = end(ids).length;
      if (ended === 0 && typeof which === "object" && "id" in which)
        throw new AppError("not-found", "There is no such session. It may have ended already.");
      return { ended };
    },
    tokens: () => listTokens(sql, now()),
    makeToken: (body) => transact(() => makeToken(sql, { user: deps.user, body, now: now(), id: deps.randomId(), random })),
    dropToken: (id) => dropToken(sql, id),
    modelKey: () => modelKeyView(sql, secrets),
    setModelKey(body) {
      setModelKey(sql, body, { secrets, loopback: deps.loopback });
      return modelKeyView(sql, secrets);
    },
    dropModelKey() {
      dropModelKey(sql);
      return modelKeyView(sql, secrets);
    },
    sweep() {
      end(sessionIds(sql, { expiredAt: now() }));
      const next = nextEnd(sql);
      if (next !== null) deps.wakeAt(next);
    },
  };
}

/** The same, asked from the Worker. Refusals arrive as AppError. */
export type Account = {
  [K in keyof AccountApi]: (...args: Parameters<AccountApi[K]>) => Promise<Awaited<ReturnType<AccountApi[K]>>>;
};

/** The door on the MemoryAgent. */
export interface AccountDoor {
  account(method: keyof AccountApi, args: unknown[]): Promise<Answer<unknown>>;
}

/** A client over a door that answers with data. */
export function clientOf<T extends object>(ask: (method: string, args: unknown[]) => Promise<Answer<unknown>>): T {
  return new Proxy({} as T, {
    get: (_, method) => {
      if (typeof method !== "string" || method === "then") return undefined;
      return async (...args: unknown[]) => {
        const answer = await ask(method, args);
        if (!answer.ok) throw new AppError(answer.code, answer.message, answer.details);
        return answer.value;
      };
    },
  });
}

/** Runs one method of a room; refusals come back as data. */
export async function answerRoom(room: object, method: string, args: unknown[]): Promise<Answer<unknown>> {
  if (!Object.hasOwn(room, method)) return { ok: false, code: "not-found", message: "There is no such thing to ask for." };
  try {
    return { ok: true, value: await (room as Record<string, (...args: unknown[]) => unknown>)[method]!(...args) };
  } catch (error) {
    const refusal: Refusal | null = refusalOf(error);
    if (refusal) return { ok: false, ...refusal };
    throw error;
  }
}
