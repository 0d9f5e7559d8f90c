// The official MCP client in front of a running app, and bare JSON-RPC for what no client sends.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { MODERN } from "./mcp-wire.ts";

export interface ToolAnswer {
  isError: boolean;
  text: string;
  data: any;
}

/** A client with its tools as functions. */
export interface McpTester {
  client: Client;
  tool(name: string, input?: Record<string, unknown>, headers?: Record<string, string>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** Connects. `era`: the handshake of 2025, or what came after it. */
export async function connect(
  url: string,
  name: string,
  era: "legacy" | "modern" = "modern",
  headers: Record<string, string> = {},
): Promise<McpTester> {
  const client = new Client(
    { name, version: "1.0.0" },
    era === "modern" ? { versionNegotiation: { mode: { pin: MODERN } } } : { versionNegotiation: { mode: "legacy" } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    client,
    async tool(tool, input = {}) {
      const { isError, content, structuredContent } = await client.callTool({ name: tool, arguments: input });
      const text = (content as { type: string; text: string }[]).map((part) => part.text).join("\n");
      return { isError: isError === true, text, data: structuredContent };
    },
    close: () => client.close(),
  };
}

/** One POST to /mcp as it stands. A string body is sent as it is. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: any; headers: Headers }> {
  const method = (body as { method?: string }).method;
  const named = (body as { params?: { name?: string; uri?: string } }).params;
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": MODERN,
      ...(method ? { "Mcp-Method": method } : {}),
      ...(method === "tools/call" && named?.name ? { "Mcp-Name": named.name } : {}),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  let parsed: unknown = data;
  try {
    parsed = JSON.parse(data);
  } catch {
    // Not every refusal is JSON.
  }
  return { status: response.status, body: parsed, headers: response.headers };
}
