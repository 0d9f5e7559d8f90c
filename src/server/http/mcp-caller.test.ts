import { expect, it } from "vitest";
import type { TokenView } from "../../shared/protocol.ts";
import { agentName, callerOf, nameInSession, productOf, sessionFor } from "./mcp-caller.ts";
import { filePath } from "./mcp-tools.ts";
import { pathOf, uriOf } from "./mcp-resources.ts";

it.each([
  ["claude-code", "claude-code"],
  ["Claude Code", "Claude Code"],
  ["Łukasz’ agent; pin: yes]", "Łukasz- agent- pin- yes-"],
  ["  \u200b--x", "x"],
  ["thread/ab12cd34#m1", "thread-ab12cd34-m1"],
  ["a".repeat(90), "a".repeat(64)],
  ["", null],
  ["—", null],
  [7, null],
])("the name %j is %j", (said, name) => {
  expect(agentName(said)).toBe(name);
});

it("a session id holds the name, and nothing that is none of ours holds one", () => {
  for (const name of ["claude-code", "Café один 上海", "a".repeat(64)]) expect(nameInSession(sessionFor(name))).toBe(name);
  for (const id of [null, "", "agent-", "agent-%%", "agent-gg", "other-YQ", `agent-${"A".repeat(500)}`])
    expect(nameInSession(id)).toBe(null);
  expect(sessionFor("Ωmega name")).toMatch(/^[\x21-\x7e]+$/);
  expect(productOf("scribbler/2.1 (linux)")).toBe("scribbler");
  expect(productOf(null)).toBe(null);
});

it("only a token of the user's own is anything but an agent", () => {
  const token = (parts: object) =>
    ({ by: "token", token: { id: "t1", name: "My Robot", access: "read", ...parts } as unknown as TokenView }) as const;
  expect(callerOf({ by: "local" }, "cli", null)).toEqual({ name: "cli", actor: "agent:cli", mayWrite: true, byToken: false });
  expect(callerOf({ by: "local" }, null, null)).toMatchObject({ actor: "agent:mcp" });
  expect(callerOf(token({ kind: "agent" }), "cli", null)).toEqual({
    name: "my-robot",
    actor: "agent:my-robot",
    mayWrite: false,
    byToken: true,
  });
  expect(callerOf(token({ kind: "mine", access: "read-write" }), "cli", null)).toEqual({
    name: "cli",
    actor: "user",
    mayWrite: true,
    byToken: true,
  });
});

it("files are named like links, and as addresses", () => {
  expect(["people/ana", "[[people/ana]]", "/people/ana.md", " MEMORY.md "].map(filePath)).toEqual([
    "people/ana.md",
    "people/ana.md",
    "people/ana.md",
    "MEMORY.md",
  ]);
  for (const path of ["people/ana bo.md", "łódź/a#b?.md", "50%.md"]) expect(pathOf(uriOf(path))).toBe(path);
  expect([pathOf("file:///etc/passwd"), pathOf("memory:///%E0%A4")]).toEqual([null, null]);
});
