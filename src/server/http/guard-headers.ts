// What every answer tells the browser: which scripts may run, who may frame it, what may be kept. No script that stands in the page runs.

const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  // The toasts and the popovers set styles of their own; a style runs no code.
  "style-src 'self' 'unsafe-inline'",
  // A picture of elsewhere is loaded only after a click on it; the policy cannot know of clicks.
  "img-src 'self' data: blob: https:",
  "font-src 'self' data:",
  "connect-src",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** A year, as browsers ask for it. */
const HSTS = "max-age=31536000; includeSubDomains";

/** The policy for a page at `host`: its own sockets, no others. */
export function contentPolicy(host: string): string {
  return POLICY.map((rule) => (rule.startsWith("connect-src") ? `connect-src 'self' ws://${host} wss://${host}` : rule)).join(
    "; ",
  );
}

/** The headers of an answer. `host` as the request names it. */
export function securityHeaders({ host, hosted, api }: { host: string; hosted: boolean; api: boolean }): Record<string, string> {
  return {
    "Content-Security-Policy": contentPolicy(host),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ...(hosted ? { "Strict-Transport-Security": HSTS } : {}),
    ...(api ? { "Cache-Control": "no-store" } : {}),
  };
}
