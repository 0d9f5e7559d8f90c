// The other doors to the memory: git and MCP, with the addresses to copy.
import type { Health } from "../../shared/protocol.ts";
import { CopyWord, Row } from "./controls.tsx";
import { TokensPart } from "./TokensPart.tsx";

export function DoorsPart({ health }: { health: Health | undefined }) {
  const git = `git clone ${location.origin}/git/memory.git`;
  const mcp = `${location.origin}/mcp`;
  return (
    <>
      <p className="lede" style={{ marginTop: 8 }}>
        {health?.mode === "hosted"
          ? "Every door but this page needs a token."
          : "On this machine the doors stand open to you alone: the app answers to no other."}
      </p>
      {health?.mode === "hosted" ? <TokensPart /> : null}
      <h2 className="section">git</h2>
      <Row
        label="Clone and push"
        help="The whole memory with its history. A push lands as it was sent, or not at all, and says why in your terminal."
      >
        <CopyWord text={git} />
      </Row>
      <pre className="snippet">{git}</pre>
      <h2 className="section">MCP</h2>
      <Row
        label="Other assistants"
        help="They read and remember through the same gate. What they write is marked as theirs, and they may not touch what you pinned."
      >
        <CopyWord text={mcp} />
      </Row>
      <pre className="snippet">{mcp}</pre>
      <h2 className="section">HTTP</h2>
      <Row label="The contract" help="All that this page does can be done over HTTP.">
        <a className="act" href="/api/openapi.json">
          Open it
        </a>
      </Row>
    </>
  );
}
