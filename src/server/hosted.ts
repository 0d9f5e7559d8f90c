// What hosted mode adds around both classes: the object of the installation, its cap, the way to users' own models. Ties rooms together; decides nothing.
import { getAgentByName } from "agents";
import type { Env } from "./env.ts";
import { clientOf } from "./memory/account.ts";
import type { Answer } from "./memory/api.ts";
import { INSTALLATION, type Installation } from "./memory/installation.ts";
import { addressesOf } from "./memory/mirror-resolve.ts";
import { ownFetch } from "./memory/own-fetch.ts";

/** Whether the app asks for a sign-in. */
export function isHosted(env: Pick<Env, "AUTH_SECRET">): boolean {
  return Boolean(env.AUTH_SECRET);
}

/** The object that keeps the installation's counts. */
export async function installationAt(env: Env): Promise<Installation> {
  const door = (await getAgentByName(env.MemoryAgent as never, INSTALLATION)) as unknown as {
    installation(method: string, args: unknown[]): Promise<Answer<unknown>>;
  };
  return clientOf<Installation>((method, args) => door.installation(method, args));
}

/** US dollars a month that all users together may spend on the operator's key; null = no such cap. What is no number allows nothing. */
export function capOf(env: Env): number | null {
  return isHosted(env) ? usdOf(env.INSTALLATION_CAP_USD) : null;
}

/** A sum of US dollars from the environment; null = none is set. What is no number allows nothing: a slip of the pen must not lift a cap. */
export function usdOf(setting: string | undefined): number | null {
  const text = setting?.trim();
  if (!text) return null;
  const usd = Number(text);
  return usd >= 0 ? usd : 0;
}

/** The way to a user's own endpoint. */
export function ownFetchOf(env: Env): typeof fetch {
  return ownFetch({
    fetch: (input, init) => fetch(input, init),
    loopback: env.MIRROR_LOOPBACK === "yes",
    resolve: addressesOf,
  });
}
