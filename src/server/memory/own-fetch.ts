// The way to a user's own endpoint: looks where the address leads before anything is sent, and follows nobody elsewhere.
import { AppError } from "../../shared/errors.ts";
import { isPublicIp, judgeAddress } from "./mirror-address.ts";

export interface OwnFetchDeps {
  fetch: typeof fetch;
  /** This machine itself may be asked: for tests. */
  loopback: boolean;
  /** The addresses of a name. */
  resolve(host: string): Promise<string[]>;
}

/** A fetch that goes to public servers over https only. Throws `forbidden` for everything else, also for a redirect. */
export function ownFetch({ fetch, loopback, resolve }: OwnFetchDeps): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input as RequestInfo, { ...(init as RequestInit), redirect: "manual" });
    const judged = judgeAddress(request.url, { loopback, what: "endpoint" });
    if (!judged.ok) throw new AppError("forbidden", judged.message);
    const host = judged.url.hostname.replace(/^\[|\]$/g, "");
    if (!loopback && isPublicIp(host) === null) {
      const addresses = await resolve(host).catch(() => []);
      if (addresses.some((address) => isPublicIp(address) === false))
        throw new AppError("forbidden", "The name of your endpoint leads into a private network.");
    }
    const response = await fetch(request);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new AppError("forbidden", "Your endpoint sends its callers elsewhere. Give the address that answers itself.");
    }
    return response;
  };
}
