// Looks up where a name leads. In the runtime this goes over https to a public resolver, so it may fail where that is blocked.
import { resolve4, resolve6 } from "node:dns/promises";

const LOOK_UP_MS = 3_000;

/** The IP addresses of a name; none where it cannot be looked up in time. */
export async function addressesOf(host: string): Promise<string[]> {
  const late = new Promise<string[]>((resolve) => setTimeout(() => resolve([]), LOOK_UP_MS));
  const found = Promise.all([resolve4(host).catch(() => []), resolve6(host).catch(() => [])]).then((lists) => lists.flat());
  return Promise.race([found, late]);
}
