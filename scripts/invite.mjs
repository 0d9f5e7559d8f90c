// `node scripts/invite.mjs`: the owner's invite, made from AUTH_SECRET itself. Whoever uses it first owns the installation; after that it opens nothing.
import { createHmac, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";

const DAY_MS = 24 * 60 * 60_000;

/**
 * Written as src/server/http/invite.ts reads it.
 * @param {string} secret AUTH_SECRET
 * @param {number} days until it expires
 */
export function ownersInvite(secret, days) {
  const value = { i: randomBytes(12).toString("base64url"), e: Date.now() + days * DAY_MS, o: 1 };
  const body = Buffer.from(JSON.stringify(value)).toString("base64url");
  const key = createHmac("sha256", secret).update("reverie\ninvite").digest();
  return `rvi_${body}.${createHmac("sha256", key).update(body).digest("base64url")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.env.AUTH_SECRET) {
    console.error("Set AUTH_SECRET to the installation's secret and run this again.");
    process.exit(1);
  }
  const address = (process.argv[2] ?? "https://your-address").replace(/\/+$/, "");
  console.log(`${address}/sign-in#invite=${ownersInvite(process.env.AUTH_SECRET, 7)}`);
}
