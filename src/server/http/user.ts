// Who a request belongs to. Local mode has one user; hosted mode asks the session or token.
/** The one user of local mode. */
export const LOCAL_USER = "me";

export { isHosted } from "../hosted.ts";
