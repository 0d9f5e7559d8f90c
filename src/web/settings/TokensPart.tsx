// Access tokens: what they may, how long they hold, and the one moment in which a new one can be read.
import { useState } from "react";
import type { NewToken, TokenView } from "../../shared/protocol.ts";
import { json, troubleOf } from "../lib/api.ts";
import { dayInWords, nearTime } from "../lib/dates.ts";
import { invalidate, useResource } from "../lib/resource.ts";
import { Problem } from "../ui/Problem.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { Choice, CopyWord, Row } from "./controls.tsx";

const KIND = { agent: "beside you", mine: "as you" } as const;
const ACCESS = { read: "reads", "read-write": "reads and writes" } as const;

function Maker({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<TokenView["kind"]>("agent");
  const [access, setAccess] = useState<TokenView["access"]>("read");
  const [made, setMade] = useState<NewToken | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const make = async () => {
    setTrouble(null);
    try {
      setMade(await json<NewToken>("POST", "/api/tokens", { body: { name: name.trim(), kind, access } }));
      invalidate("tokens");
    } catch (error) {
      setTrouble(troubleOf(error).message);
    }
  };
  if (made)
    return (
      <Sheet title={`The token “${made.name}”`} broad close={close}>
        <p className="body">Copy it to where it is needed. It is shown now and never again; it holds for ninety days.</p>
        <pre className="snippet" translate="no" style={{ margin: "12px 0" }}>
          {made.token}
        </pre>
        <p className="acts">
          <CopyWord text={made.token} />
          <button type="button" className="btn primary" onClick={close}>
            It is kept
          </button>
        </p>
      </Sheet>
    );
  return (
    <Sheet title="A new token" close={close}>
      <label>
        Whose it is, for instance a program’s name
        <input
          className="field"
          value={name}
          maxLength={60}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <div style={{ marginTop: 16 }}>
        <Choice
          label="How it writes"
          value={kind}
          options={[
            ["agent", "Beside you: its lines carry its name, and it touches no others"],
            ["mine", "As you: your own scripts and clones"],
          ]}
          set={setKind}
        />
      </div>
      <div style={{ marginTop: 16 }}>
        <Choice
          label="What it may"
          value={access}
          options={[
            ["read", "Read"],
            ["read-write", "Read and write"],
          ]}
          set={setAccess}
        />
      </div>
      {trouble ? (
        <p className="why" role="alert">
          No token was made. {trouble}
        </p>
      ) : null}
      <p className="acts">
        <button type="button" className="act" onClick={close}>
          Leave it
        </button>
        <button type="button" className="btn primary" disabled={name.trim() === ""} onClick={() => void make()}>
          Make the token
        </button>
      </p>
    </Sheet>
  );
}

export function TokensPart() {
  const { data, error, reload } = useResource<{ items: TokenView[] }>("tokens", (signal) =>
    json("GET", "/api/tokens", { signal }),
  );
  const [making, make] = useState(false);
  const drop = async (token: TokenView) => {
    try {
      await json("DELETE", `/api/tokens/${token.id}`);
      invalidate("tokens");
      say(`“${token.name}” opens nothing any more.`);
    } catch (problem) {
      warn(`The token still holds. ${troubleOf(problem).message}`);
    }
  };
  return (
    <section>
      <h2 className="section">Tokens</h2>
      {error && !data ? <Problem what="The tokens could not be read." trouble={error} retry={reload} /> : null}
      {(data?.items ?? []).map((token) => (
        <Row
          key={token.id}
          label={token.name}
          help={`${ACCESS[token.access] === "reads" ? "Reads" : "Reads and writes"} ${KIND[token.kind]}. ${
            token.lastUsed ? `Last used ${nearTime(token.lastUsed)}` : "Never used"
          }, ends on ${dayInWords(token.expiresAt)}.`}
        >
          <button
            type="button"
            className="act grave"
            aria-label={`Take back the token ${token.name}`}
            onClick={() => void drop(token)}
          >
            Take it back
          </button>
        </Row>
      ))}
      <Row
        label="A new token"
        help="For git as the password, for MCP and HTTP as the bearer. No token sets pins, lifts, erases or exports."
      >
        <button type="button" className="btn" onClick={() => make(true)}>
          Make a token
        </button>
      </Row>
      {making ? <Maker close={() => make(false)} /> : null}
    </section>
  );
}
