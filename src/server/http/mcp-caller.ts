// Who speaks MCP: the name that its writes carry, and what it may do. In local mode every client is an agent; in hosted mode the guard says who it is.
import { stripInvisible } from "../../shared/invisible.ts";
import type { Actor } from "../../shared/protocol.ts";
import { parseSource } from "../../shared/source.ts";
import { agentName as nameOfToken } from "../memory/tokens.ts";
import type { Identity } from "./identity.ts";

/** The client as its writes carry it. */
export interface McpCaller {
  /** Behind `agent/` in sources. */
  name: string;
  actor: Actor;
  mayWrite: boolean;
  /** It came with an access token of either kind. */
  byToken: boolean;
}

/** What a client without a name is called. */
const NAMELESS = "mcp";
const NAME_MAX_CHARS = 64;

/** A name as a source may hold it: what does not fit becomes a dash. Null where nothing is left. */
export function agentName(said: unknown): string | null {
  if (typeof said !== "string") return null;
  const plain = stripInvisible(said.slice(0, NAME_MAX_CHARS * 4))
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}\p{M}._@ -]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+/u, "");
  const name = [...plain].slice(0, NAME_MAX_CHARS).join("").trim();
  return name !== "" && parseSource(`agent/${name}`) ? name : null;
}

/** The first product of a User-Agent: all that an older client says of itself with a call. */
export function productOf(userAgent: string | null): string | null {
  return agentName(userAgent?.split(/[/\s(]/, 1)[0]);
}

/**
 * The caller of a request. An agent's token has a name that its owner gave it, whatever the client says of itself; everybody else is called
 * as the client says, else as its program. Only a token of the user's own makes a client anything but an agent.
 */
export function callerOf(identity: Identity, clientName: string | null, userAgent: string | null): McpCaller {
  const said = clientName ?? productOf(userAgent) ?? NAMELESS;
  if (identity.by !== "token") return { name: said, actor: `agent:${said}`, mayWrite: true, byToken: false };
  const { token } = identity;
  const mayWrite = token.access === "read-write";
  if (token.kind === "mine") return { name: said, actor: "user", mayWrite, byToken: true };
  const name = nameOfToken(token);
  return { name, actor: `agent:${name}`, mayWrite, byToken: true };
}

const SESSION = /^agent-([A-Za-z0-9_-]{1,400})$/;

/** Older clients say their name once and repeat the session id with each call: the id is the name, and nothing is kept. */
export function sessionFor(name: string): string {
  const bytes = new TextEncoder().encode(name);
  return `agent-${btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "")}`;
}

/** The name in a session id, or null. */
export function nameInSession(id: string | null): string | null {
  const coded = SESSION.exec(id ?? "")?.[1];
  if (coded === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(coded.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
    return agentName(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    return null;
  }
}
