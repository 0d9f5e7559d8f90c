// The memory as git clients meet it: main, which takes pushes through the gate, and the read-only branch of what it cites.
import type { Actor } from "../../shared/protocol.ts";
import { handleGit } from "../git/smart-http.ts";
import { MAIN, headOf, type MemoryContext } from "./context.ts";
import { landPush } from "./land-push.ts";
import { renewSources, SOURCES, SOURCES_REPO, sourcesHead, sourcesListed, sourcesStore } from "./sources-branch.ts";
import { joinStores } from "./sources-store.ts";

/** How the route tells the object who asks; whatever a client sends under these names is taken away before. */
export const GIT_ACTOR_HEADER = "X-Reverie-Actor";
export const GIT_ACCESS_HEADER = "X-Reverie-Access";
export const GIT_BY_HEADER = "X-Reverie-By";

/** Who asks: decided before, by session or token. */
export interface GitCaller {
  actor: Actor;
  mayPush: boolean;
  /** Came with an access token, which moves neither pins nor tombstones. */
  byToken: boolean;
}

/** Who asks, as the Worker wrote it into the headers. */
export function callerOf(request: Request): GitCaller {
  const { headers } = request;
  return {
    actor: decodeURIComponent(headers.get(GIT_ACTOR_HEADER) ?? "user") as Actor,
    mayPush: headers.get(GIT_ACCESS_HEADER) !== "read",
    byToken: headers.get(GIT_BY_HEADER) === "token",
  };
}

/** Answers one request of a git client. */
export async function answerGit(ctx: MemoryContext, request: Request, caller: GitCaller): Promise<Response> {
  const { store, now } = ctx;
  const url = new URL(request.url);
  const main = { name: MAIN, oid: headOf(ctx) };
  const pushing = url.searchParams.get("service") === "git-receive-pack" || url.pathname.endsWith("/git-receive-pack");
  // A client leaves out of its push what the shown refs lead to; objects of `sources` are not for main to lean on, so they are not shown here.
  if (pushing) {
    return handleGit(request, {
      store,
      now,
      allowPush: caller.mayPush && ((push) => landPush(ctx, push, { actor: caller.actor, byToken: caller.byToken })),
      noPushReason: "This token may only read.",
      repoRefs: () => ({ head: MAIN, refs: store.refs(MAIN) }),
    });
  }
  // Every clone and fetch begins here, in both protocols; the requests that follow see what was shown.
  const sources = url.pathname.endsWith("/info/refs") ? renewSources(ctx) : sourcesHead(ctx);
  const refs = [main, { name: SOURCES, oid: sources }].flatMap(({ name, oid }) => (oid === null ? [] : [{ name, oid }]));
  return handleGit(request, {
    store: sources === null ? store : joinStores(ctx.sql, store, sourcesStore(ctx), SOURCES_REPO),
    now,
    allowPush: false,
    repoRefs: () => ({ head: MAIN, refs, lately: sourcesListed(ctx) }),
  });
}
