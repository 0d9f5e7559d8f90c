// Who a request comes from, as every route may ask it. Set by the guard from a verified credential, never from the request's own words.
import type { Context } from "hono";
import type { Actor, TokenView } from "../../shared/protocol.ts";
import { agentName } from "../memory/tokens.ts";
import type { Session } from "../memory/sessions.ts";
import type { AppEnv } from "./app.ts";
import { fail } from "./respond.ts";

export type Identity =
  /** Local mode: whoever sits at this machine. */
  { by: "local" } | { by: "session"; session: Session; owner: boolean } | { by: "token"; token: TokenView };

/** The hand that a write counts as. */
export function actorOf(c: Context<AppEnv>): Actor {
  const identity = c.get("identity");
  return identity.by === "token" && identity.token.kind === "agent" ? `agent:${agentName(identity.token)}` : "user";
}

/** Where a write of that hand comes from: an agent's lines carry its name. */
export function sourceOf(c: Context<AppEnv>): string | null {
  const actor = actorOf(c);
  return actor.startsWith("agent:") ? `agent/${actor.slice("agent:".length)}` : null;
}

/** Whether it came with an access token: pins and tombstones are moved by a person at a browser, never through one. */
export function byToken(c: Context<AppEnv>): boolean {
  return c.get("identity").by === "token";
}

/** Whether what changes something may be done. */
export function mayWrite(c: Context<AppEnv>): boolean {
  const identity = c.get("identity");
  return identity.by !== "token" || identity.token.access === "read-write";
}

/** Throws `forbidden` unless the passkey was looked at in the last ten minutes; local mode has none. */
export function needFresh(c: Context<AppEnv>): void {
  const identity = c.get("identity");
  if (identity.by === "local") return;
  if (identity.by === "token") fail("forbidden", "A token may not do that. Do it in the app, signed in.");
  if (identity.session.freshUntil === null)
    fail("forbidden", "This cannot be undone, so your passkey has to be looked at first.", { needs: "passkey" });
}
