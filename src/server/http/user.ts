// Who a request belongs to. Local mode has one user; hosted mode asks the session or token.
import type { Env } from "../env.ts";

/** The one user of local mode. */
export const LOCAL_USER = "me";

/** Whether the app asks for a sign-in. */
export function isHosted(env: Env): boolean {
  return Boolean(env.AUTH_SECRET);
}
