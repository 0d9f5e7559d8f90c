// The mirror: after each commit main is pushed to a server of the user's choice. It only ever adds there; what is not this memory's is reported.
import { AppError, refusalOf } from "../../shared/errors.ts";
import type { MirrorBody, MirrorView } from "../../shared/protocol.ts";
import { isAncestor } from "../git/log.ts";
import type { Oid } from "../git/oid.ts";
import { discover, sendPack, type Advertised, type Remote } from "../git/send-pack.ts";
import type { Sql, SqlValue } from "../git/sql.ts";
import { headOf, MAIN, type MemoryContext } from "./context.ts";
import { isPublicIp, judgeAddress } from "./mirror-address.ts";
import { isOutdated, openToken, sealToken } from "./mirror-token.ts";
import { SOURCES } from "./sources-branch.ts";

/** Milliseconds from a commit to its push, in which more commits come together. */
const SETTLE_MS = 1_000;
/** Milliseconds after each failure in a row, the first short, because most are one broken line; the last one goes on. */
const RETRY_MS = [10_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000, 6 * 60 * 60_000];
/** Milliseconds after which a push that was begun counts as lost: longer than a push may take. */
const LEASE_MS = 12 * 60_000;

export function createMirror(sql: Sql): void {
  sql.exec(`CREATE TABLE mirror (
    id INTEGER PRIMARY KEY CHECK (id = 1), url TEXT NOT NULL, user TEXT NOT NULL, token TEXT NOT NULL, status TEXT NOT NULL, pushed TEXT, pushed_at INTEGER,
    error TEXT, tries INTEGER NOT NULL DEFAULT 0, next_at INTEGER)`);
}

type Row = {
  url: string;
  user: string;
  token: string;
  status: Exclude<MirrorView["status"], "off">;
  pushed: string | null;
  pushed_at: number | null;
  error: string | null;
  tries: number;
  next_at: number | null;
} & Record<string, SqlValue>;

/** What a mirror needs beside the memory. */
export interface MirrorDeps {
  ctx: MemoryContext;
  fetch: Remote["fetch"];
  secrets: readonly string[];
  /** This machine itself may be a mirror: for tests. */
  loopback: boolean;
  /** The addresses of a name, to look behind it before it is asked; null: nobody looks. */
  resolve: ((host: string) => Promise<string[]>) | null;
  wakeAt: (at: number) => void;
  /** What could not be foreseen goes here. */
  report: (error: unknown) => void;
}

const OFF: MirrorView = {
  url: null,
  user: null,
  status: "off",
  commit: null,
  pushedAt: null,
  error: null,
  tries: 0,
  nextAt: null,
};

export class Mirror {
  readonly #deps: MirrorDeps;
  #running: Promise<void> | null = null;

  constructor(deps: MirrorDeps) {
    this.#deps = deps;
  }

  get #sql(): Sql {
    return this.#deps.ctx.sql;
  }

  #row(): Row | null {
    return this.#sql.exec<Row>("SELECT * FROM mirror WHERE id = 1").toArray()[0] ?? null;
  }

  #set(change: Partial<Row>): void {
    const keys = Object.keys(change);
    this.#sql.exec(
      `UPDATE mirror SET ${keys.map((key) => `${key} = ?`).join(", ")} WHERE id = 1`,
      ...keys.map((key) => change[key] ?? null),
    );
  }

  /** How it stands. The token is not part of it. */
  view(): MirrorView {
    const row = this.#row();
    if (!row) return OFF;
    const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
    const { url, user, status, pushed, pushed_at: at, error, tries, next_at: next } = row;
    return { url, user, status, commit: pushed, pushedAt: iso(at), error, tries, nextAt: iso(next) };
  }

  /** Sets the remote and begins to push there. Throws `bad-format` for an address that is not allowed, or without a token. */
  set(body: MirrorBody): MirrorView {
    const { ctx, secrets, loopback } = this.#deps;
    const judged = judgeAddress(body.url, { loopback });
    if (!judged.ok) throw new AppError("bad-format", judged.message, { field: "url" });
    const url = judged.url.href.replace(/\/+$/, "");
    const old = this.#row();
    for (const [field, value] of [
      ["token", body.token],
      ["user", body.user],
    ] as const) {
      if (value !== undefined && /[\p{Cc}\s]/u.test(value))
        throw new AppError("bad-format", `The ${field} has a character that none has. Copy it again.`, { field });
    }
    if (body.user?.includes(":")) throw new AppError("bad-format", "A user name has no colon.", { field: "user" });
    // A token goes to the server that it was given for and to no other.
    const kept = old !== null && new URL(old.url).origin === judged.url.origin ? old.token : null;
    const token = body.token === undefined ? kept : sealToken(body.token, secrets);
    if (token === null) throw new AppError("bad-format", "A mirror needs a token that may write there.", { field: "token" });
    const user = body.user ?? old?.user ?? "x-access-token";
    const same = old !== null && old.url === url;
    this.#sql.exec(
      "INSERT OR REPLACE INTO mirror (id, url, user, token, status, pushed, pushed_at, error, tries, next_at) VALUES (1, ?, ?, ?, 'waiting', ?, ?, NULL, 0, ?)",
      url,
      user,
      token,
      same ? old.pushed : null,
      same ? old.pushed_at : null,
      ctx.now(),
    );
    this.#deps.wakeAt(ctx.now());
    return this.view();
  }

  /** Stops mirroring. What was pushed stays there. */
  drop(): MirrorView {
    // Equal bytes over the token first: a plain DELETE leaves it in the file.
    this.#sql.exec("UPDATE mirror SET token = printf('%.*c', length(token), 'x')");
    this.#sql.exec("DELETE FROM mirror");
    return OFF;
  }

  /** A commit has landed: it is due there. While pushes fail, the next try keeps its time. */
  landed(): void {
    const row = this.#row();
    if (!row || (row.status !== "current" && row.status !== "foreign")) return;
    const at = this.#deps.ctx.now() + SETTLE_MS;
    this.#set({ status: "waiting", next_at: at });
    this.#deps.wakeAt(at);
  }

  /** Pushes what is due. Resolves when nothing is left to do for now; never throws. */
  tick(): Promise<void> {
    return (this.#running ??= this.#work().finally(() => (this.#running = null)));
  }

  async #work(): Promise<void> {
    const { ctx, wakeAt } = this.#deps;
    for (;;) {
      const row = this.#row();
      if (!row || row.next_at === null) return;
      const head = headOf(ctx);
      if (row.next_at > ctx.now()) return wakeAt(row.next_at);
      if (head === null) return this.#set({ status: "current", next_at: null });
      // Set before the first await: whatever ends this object, the alarm looks again.
      this.#set({ status: "pushing", next_at: ctx.now() + LEASE_MS });
      wakeAt(ctx.now() + LEASE_MS);
      const before = row;
      let result: Partial<Row>;
      try {
        result = await this.#push(row, head);
      } catch (error) {
        result = this.#failure(row, error);
      }
      const now = this.#row();
      // Another remote was set, or none, while this one was being asked.
      if (!now || now.url !== before.url || now.token !== before.token || now.status !== "pushing") continue;
      const moved = result.status === "current" && headOf(ctx) !== head;
      this.#set(moved ? { ...result, status: "waiting", next_at: ctx.now() + SETTLE_MS } : result);
    }
  }

  /** One try. Throws AppError with the sentence for the user. */
  async #push(row: Row, head: Oid): Promise<Partial<Row>> {
    const { ctx } = this.#deps;
    const remote = await this.#remote(row);
    const shown = await discover(remote);
    const theirs = shown.refs.get(MAIN) ?? null;
    const done: Partial<Row> = { status: "current", pushed: head, pushed_at: ctx.now(), error: null, tries: 0, next_at: null };
    if (theirs === head) return done;
    const foreign = this.#foreign(row, shown, theirs, head);
    if (foreign !== null) return { status: "foreign", error: foreign, tries: 0, next_at: null };
    await sendPack(ctx.store, remote, shown, { ref: MAIN, before: theirs, after: head });
    return done;
  }

  /** Why nothing may be pushed there, or null. Nothing of it is ever taken over, and nothing is pushed over it. */
  #foreign(row: Row, { refs }: Advertised, theirs: Oid | null, head: Oid): string | null {
    const { store } = this.#deps.ctx;
    if (theirs === null) {
      const others = [...refs.keys()].filter((name) => name.startsWith("refs/heads/") && name !== SOURCES);
      if (others.length === 0 || row.pushed !== null) return null;
      return `The repository there holds other branches (${others
        .slice(0, 3)
        .map((name) => name.slice("refs/heads/".length).replace(/\p{Cc}/gu, ""))
        .join(", ")}) and was never a mirror of this memory. Use an empty one.`;
    }
    if (store.typeOf(theirs) === "commit" && isAncestor(store, theirs, head)) return null;
    // An erase has rewritten our history since: what stands there is what we put there, and nobody's work is pushed over.
    if (theirs === row.pushed) return null;
    return row.pushed === null
      ? "The repository there holds a history that is not this memory's. Use an empty one. To bring its commits in, pull and push them with git."
      : `The mirror was changed by somebody else: it stands at ${theirs.slice(0, 8)}, which is not in this memory. Nothing was pushed over it. Put its main back to ${row.pushed.slice(0, 8)}, or use an empty repository.`;
  }

  async #remote(row: Row): Promise<Remote> {
    const { fetch, secrets, loopback, resolve } = this.#deps;
    // Judged again at each use: the rules may have become stricter since it was set.
    const judged = judgeAddress(row.url, { loopback });
    if (!judged.ok) throw new AppError("unavailable", judged.message, { asksUser: true });
    const token = openToken(row.token, secrets);
    if (token === null)
      throw new AppError("unavailable", "The token cannot be opened with this AUTH_SECRET. Set it again.", { asksUser: true });
    if (isOutdated(row.token, secrets)) this.#set({ token: (row.token = sealToken(token, secrets)) });
    const host = judged.url.hostname.replace(/^\[|\]$/g, "");
    if (resolve && !loopback && isPublicIp(host) === null) {
      const addresses = await resolve(host).catch(() => []);
      if (addresses.some((address) => isPublicIp(address) === false))
        throw new AppError("unavailable", "That name leads into a private network. A mirror stands on a public server.", {
          asksUser: true,
        });
    }
    return { url: row.url, user: row.user, token, fetch };
  }

  #failure(row: Row, error: unknown): Partial<Row> {
    const refusal = refusalOf(error);
    if (!refusal) this.#deps.report(error);
    const tries = row.tries + 1;
    // Where only the user can help, it is tried now and then, in case it was helped there.
    const wait = refusal?.details?.asksUser === true ? RETRY_MS.at(-1)! : RETRY_MS[Math.min(tries, RETRY_MS.length) - 1]!;
    return {
      status: "failed",
      error: refusal?.message ?? "The push failed for a reason that the app does not know.",
      tries,
      next_at: this.#deps.ctx.now() + wait,
    };
  }
}
