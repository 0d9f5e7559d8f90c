// The files of the memory as MCP resources: `memory:///people/ana.md`, listed in pages and read as Markdown.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type McpServer } from "@modelcontextprotocol/server";
import type { McpCall } from "./mcp-tools.ts";
import { MEMORY_OFF } from "./mcp-tools.ts";

const SCHEME = "memory:///";
/** Resources of one page. */
const PAGE_RESOURCES = 500;
const TEMPLATE = {
  name: "file",
  title: "A file of the memory",
  uriTemplate: `${SCHEME}{+path}`,
  mimeType: "text/markdown",
  description: "Markdown with one fact a bullet; what stands in [key: value] behind it is its metadata.",
};

/** The address of a file. */
export function uriOf(path: string): string {
  return SCHEME + path.split("/").map(encodeURIComponent).join("/");
}

/** The path in an address, or null where it is none of ours. */
export function pathOf(uri: string): string | null {
  if (!uri.startsWith(SCHEME)) return null;
  try {
    return decodeURIComponent(uri.slice(SCHEME.length));
  } catch {
    return null;
  }
}

async function mayRead({ caller, memory }: McpCall): Promise<void> {
  if (caller.actor !== "user" && (await memory.talk.settings()).memory === "off")
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, MEMORY_OFF.message);
}

/** Puts the files on a server. Listed in pages: a memory holds up to 10,000 of them. */
export function registerResources({ server }: McpServer, call: McpCall): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    await mayRead(call);
    const from = Number(params?.cursor ?? 0);
    const answer = await call.memory.core.files({});
    if (!answer.ok) throw new ProtocolError(ProtocolErrorCode.InternalError, answer.message);
    if (!Number.isSafeInteger(from) || from < 0)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "That cursor is none of ours. Begin without one.");
    const { files } = answer.value;
    const resources = files.slice(from, from + PAGE_RESOURCES).map(({ path, bytes, entries }) => ({
      uri: uriOf(path),
      name: path,
      mimeType: path.toLowerCase().endsWith(".md") ? "text/markdown" : "text/plain",
      size: bytes,
      description: entries === 1 ? "1 line" : `${entries} lines`,
    }));
    const next = from + resources.length;
    return { resources, ...(next < files.length ? { nextCursor: String(next) } : {}) };
  });
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: [TEMPLATE] }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    await mayRead(call);
    const path = pathOf(params.uri);
    const file = path === null ? null : await call.memory.core.readFile(path, {});
    if (!file || (!file.ok && (file.code === "not-found" || file.code === "bad-path")))
      throw new ResourceNotFoundError(params.uri);
    if (!file.ok) throw new ProtocolError(ProtocolErrorCode.InternalError, file.message);
    return { contents: [{ uri: params.uri, mimeType: "text/markdown", text: file.value.text }] };
  });
}
