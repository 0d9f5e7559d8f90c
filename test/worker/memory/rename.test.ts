// A file under another name: one commit, links that meant it follow, links that it would lead astray are kept where they led, and Undo brings all back.
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import { call } from "./support.ts";

afterEach(() => reset());

const address = (path: string) => `/api/memory/files/${path.split("/").map(encodeURIComponent).join("/")}`;
const write = async (path: string, text: string) => {
  const answer = await call("PUT", address(path), text, { "If-None-Match": "*" });
  expect(answer.status, answer.text).toBe(200);
};
const read = async (path: string) => (await call("GET", address(path))).text;
const rename = (from: string, to: string) => call("POST", `${address(from)}/rename`, { to });
const paths = async () => (await call("GET", "/api/memory")).body.files.map((file: { path: string }) => file.path);

test("links in every form follow, code stays, and one revert brings all of it back", async () => {
  await write("people/ana.md", "# Ana\n\n- Sister, see [[people/ana#Work]] [id: anaa0001]\n");
  await write(
    "trips.md",
    "# Trips\n\nWith [[ana]] and [[people/ana.md|her]].\n\n- To Porto, with [[people/ana|Ana]] [id: trip0001; depends: [[people/ana]]]\n\n```\n[[people/ana]]\n```\n\n## History\n- Before [[Ana#Work|that]] [id: trip0002; closed: 2026-01-01; why: wrong]\n",
  );
  const before = { ana: await read("people/ana.md"), trips: await read("trips.md") };
  const answer = await rename("people/ana.md", "family/ana maria.md");
  expect(answer.status, answer.text).toBe(200);
  expect(await paths()).toEqual(["family/ana maria.md", "trips.md"]);
  // “Ana” is what the app makes of the old name, so it follows; a title of somebody's own would stay.
  expect(await read("family/ana maria.md")).toContain("# Ana maria\n\n- Sister, see [[family/ana maria#Work]]");
  const trips = await read("trips.md");
  expect(trips).toContain("With [[family/ana maria]] and [[family/ana maria|her]].");
  expect(trips).toContain("with [[family/ana maria|Ana]] [id: trip0001; depends: [[family/ana maria]]; added: ");
  expect(trips).toContain("```\n[[people/ana]]\n```");
  expect(trips).toContain("Before [[family/ana maria#Work|that]]");
  expect((await call("GET", `/api/history/${answer.body.commit}`)).body).toMatchObject({
    kind: "edit",
    entries: { added: 0, removed: 0, changed: 3 },
  });
  expect((await call("GET", "/api/graph")).body.broken).toEqual([]);
  const undone = await call("POST", `/api/history/${answer.body.commit}/revert`, {});
  expect(undone.status, undone.text).toBe(200);
  expect(await read("people/ana.md")).toBe(before.ana);
  expect(await read("trips.md")).toBe(before.trips);
  expect(await paths()).toEqual(["people/ana.md", "trips.md"]);
});

test("what is written meanwhile stays with the new name, and stays when the rename is taken back", async () => {
  await write("people/ana.md", "# Our Ana\n\n- Nurse [id: anaa0001]\n");
  const { commit } = (await rename("people/ana.md", "people/ana-maria.md")).body;
  // A title that somebody wrote is not the name's.
  expect(await read("people/ana-maria.md")).toContain("# Our Ana\n");
  expect((await call("POST", "/api/entries", { text: "Lives in the port of Leixões", path: "people/ana-maria.md" })).status).toBe(
    200,
  );
  const undone = await call("POST", `/api/history/${commit}/revert`, {});
  expect(undone.status, undone.text).toBe(200);
  const all = (await call("GET", "/api/entries?state=all")).body.items.map((entry: { text: string }) => entry.text);
  expect(all.sort()).toEqual(["Lives in the port of Leixões", "Nurse"]);
});

test("a link that the new name would catch keeps its target", async () => {
  await write("people/rose.md", "# Rose\n\n- A friend\n");
  await write("work/plan.md", "# Plan\n\n- Ask [[rose]] and [[tulip]]\n");
  await write("garden/bulb.md", "# Bulb\n\n- Planted in May\n");
  expect((await rename("garden/bulb.md", "garden/rose.md")).status).toBe(200);
  expect(await read("work/plan.md")).toContain("Ask [[people/rose]] and [[tulip]]");
});

test("only the case of a name may change, and nothing that stands is written over", async () => {
  await write("people/ana.md", "# Ana\n\n- Nurse\n");
  await write("people/luc.md", "# Luc\n\n- Tunes [[people/ana]]’s piano\n");
  expect((await rename("people/ana.md", "people/Ana.md")).status).toBe(200);
  expect(await paths()).toEqual(["people/Ana.md", "people/luc.md"]);
  expect(await read("people/luc.md")).toContain("[[people/Ana]]");
  await write("MEMORY.md", "# Memory\n\n- Begins here\n");
  for (const [from, to, status, code] of [
    ["people/luc.md", "people/Ana.md", 400, "bad-path"],
    ["people/luc.md", "people/ana.md", 400, "bad-path"],
    ["people/luc.md", "people/Ana.md/x.md", 400, "bad-path"],
    ["people/luc.md", "../luc.md", 400, "bad-path"],
    ["people/luc.md", "people/lu:c.md", 400, "bad-path"],
    ["people/nobody.md", "people/somebody.md", 404, "not-found"],
    ["MEMORY.md", "memories.md", 403, "read-only"],
    ["people/luc.md", "forgotten.md", 403, "read-only"],
  ] as const) {
    const answer = await rename(from, to);
    expect([answer.status, answer.body.error?.code], `${from} → ${to}: ${answer.text}`).toEqual([status, code]);
  }
  expect((await rename("people/luc.md", "people/luc.md")).body).toMatchObject({ ok: true, commit: null });
  expect((await call("POST", address("people/luc.md"), { to: "x.md" })).status).toBe(404);
});
