// The envelope of an MCP call as today's protocol wants it, for tests that speak it without a client.

/** The protocol that carries its version and its client with each call. */
export const MODERN = "2026-07-28";
const META = "io.modelcontextprotocol/";

/** A JSON-RPC request. */
export function envelope(method: string, params: Record<string, unknown> = {}, name = "bare-client") {
  return {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        [`${META}protocolVersion`]: MODERN,
        [`${META}clientInfo`]: { name, version: "1.0.0" },
        [`${META}clientCapabilities`]: {},
      },
    },
  };
}
