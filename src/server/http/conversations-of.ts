// The way from a request to the user's conversations: the MemoryAgent's room of them, and the ChatAgent of one.
import { getAgentByName } from "agents";
import type { Context } from "hono";
import type { ChatAgent } from "../chat/agent.ts";
import { conversationsOf as clientOf, type ConversationDoor, type Conversations } from "../memory/conversation-api.ts";
import type { AppEnv } from "./app.ts";
import { fail } from "./respond.ts";

/** Conversations, notes, settings, search and costs of the user that the request belongs to. Refusals arrive as AppError. */
export async function conversationsOf(c: Context<AppEnv>): Promise<Conversations> {
  return clientOf((await getAgentByName(c.env.MemoryAgent as never, c.get("user"))) as unknown as ConversationDoor);
}

/** The methods of a ChatAgent that the routes call, without what RPC makes of their types. */
export type ChatDoor = Pick<ChatAgent, "beginTemporary" | "temporaryDetail" | "inFlight" | "clear" | "answerCard" | "stop"> & {
  fetch(request: Request): Promise<Response>;
};

/** One conversation of the user. The user's part of its name is the server's: nobody names another's. */
export async function chatOf(c: Context<AppEnv>, thread: string): Promise<ChatDoor> {
  return (await getAgentByName(c.env.ChatAgent as never, `${c.get("user")}.${thread}`)) as unknown as ChatDoor;
}

const THREAD = /^[a-z0-9]{4,12}$/;

/** The `:id` of a route as the id of a conversation. Throws `not-found`: what is no id names nothing. */
export function threadParam(c: Context<AppEnv>): string {
  const id = c.req.param("id") ?? "";
  if (!THREAD.test(id)) fail("not-found", "There is no such conversation. It may have been deleted.");
  return id;
}
