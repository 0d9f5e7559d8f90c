// Which web pages may act here in hosted mode: the app's own. And which headers a client may not bring along, because the app itself speaks by them.

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request can change something, or opens a line that can. */
export function changes(request: Request): boolean {
  return !READING.has(request.method) || request.headers.get("Upgrade") !== null;
}

/** The hosts' names that mean this machine, where a page without https is as good as one with it. */
const HERE = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** The origins that a page of ours has under a host. */
export function ownOrigins(host: string): string[] {
  return HERE.test(host) ? [`https://${host}`, `http://${host}`] : [`https://${host}`];
}

/** The sentence to refuse a request of another page with, or null. A client that is no browser names no origin. */
export function refuseCrossSite(request: Request): string | null {
  const { host } = new URL(request.url);
  const origin = request.headers.get("Origin");
  const site = request.headers.get("Sec-Fetch-Site");
  const own =
    origin === null
      ? site === null || site === "same-origin" || site === "none"
      : ownOrigins(host).includes(origin.toLowerCase());
  return own ? null : "Another web page may not use this memory. Open the app itself.";
}

const OURS = /^x-(?:reverie|agents|partykit)-/i;

/** The request without what only the app may say, and with what it says. */
export function withOurHeaders(request: Request, ours: Record<string, string>): Request {
  const clean = new Request(request);
  for (const name of Array.from(clean.headers.keys())) if (OURS.test(name)) clean.headers.delete(name);
  for (const [name, value] of Object.entries(ours)) clean.headers.set(name, value);
  return clean;
}
