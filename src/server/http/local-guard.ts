// Local mode answers only to this machine: a foreign Host (DNS rebinding) or Origin (another web page) gets 403,
// on every request and every socket upgrade.

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);
const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]/@]+)(?::\d{1,5})?$/i;

/** Whether a Host header (with or without a port) names this machine. */
export function isLocalHost(host: string): boolean {
  const name = HOST.exec(host.trim())?.[1];
  return name !== undefined && LOCAL_HOSTS.has(name.toLowerCase());
}

const portOf = (host: string, scheme: string): string =>
  /:(\d+)$/.exec(host)?.[1] ?? (scheme.toLowerCase() === "https" ? "443" : "80");

/**
 * Whether an Origin header is this app's own page as it was asked under `host`: one machine, one port, whatever the machine is called. Another
 * port is another program's page. `null` (a sandboxed frame, a file) is none.
 */
export function isOwnOrigin(origin: string, host: string): boolean {
  const match = /^(https?):\/\/([^/]+)$/i.exec(origin.trim());
  return match !== null && isLocalHost(match[2]!) && portOf(match[2]!, match[1]!) === portOf(host.trim(), match[1]!);
}

/** The sentence to refuse a request with, or null where it may pass. */
export function refuseForeign(request: Request): string | null {
  const host = request.headers.get("Host") ?? new URL(request.url).host;
  if (!isLocalHost(host) || !isLocalHost(new URL(request.url).host)) {
    return "This app answers only on this machine. Open it as http://localhost with its port.";
  }
  const origin = request.headers.get("Origin");
  if (origin !== null && !isOwnOrigin(origin, host)) return "Another web page may not use this memory. Open the app itself.";
  return null;
}
