// The shapes of other assistants' exports, lists that come in pieces, bytes of every program, names of every system.
import { zipSync, strToU8 } from "fflate";
import { expect, test } from "vitest";
import { decodeText } from "./decode.ts";
import { JsonElements } from "./json-array.ts";
import { openKeys, sealKeys } from "./key-box.ts";
import { commonFolder, nameFor } from "./names.ts";
import { shapedTalk } from "./shapes.ts";
import { splitText } from "./split.ts";
import { readStatements } from "./statements.ts";
import { readTalk, type Talk } from "./talk.ts";
import { readZip, type OpenEntry } from "./zip-read.ts";

const NOW = Date.parse("2026-10-05T12:00:00Z");
const said = (talk: Talk | string) => (typeof talk === "string" ? talk : talk.messages.map(({ role, text }) => [role, text]));

test("a tree of messages gives the line that its owner last saw, without hidden and tool messages", () => {
  const node = (id: string, parent: string | null, role: string, parts: unknown[], more: object = {}) => ({
    [id]: {
      id,
      parent,
      children: [],
      message: { author: { role }, create_time: 1709287200, content: { content_type: "text", parts }, ...more },
    },
  });
  const item = {
    title: "Boat",
    create_time: 1709287100.5,
    conversation_id: "c-1",
    current_node: "d",
    mapping: {
      root: { id: "root", parent: null, children: ["a"], message: null },
      ...node("a", "root", "system", ["hidden"], { metadata: { is_visually_hidden_from_conversation: true } }),
      ...node("b", "a", "user", ["I keep a dinghy."]),
      ...node("x", "b", "assistant", ["A first answer that was replaced."]),
      ...node("c", "b", "assistant", ["Noted.", { content_type: "image_asset_pointer", asset_pointer: "file-1" }]),
      ...node("t", "c", "tool", ["a tool"]),
      ...node("d", "t", "user", ["Paint it."]),
    },
  };
  const talk = readTalk(shapedTalk(item), 1, NOW) as Talk;
  expect(said(talk)).toEqual([
    ["user", "I keep a dinghy."],
    ["assistant", "Noted."],
    ["user", "Paint it."],
  ]);
  expect(talk).toMatchObject({ id: "c-1", title: "Boat", dated: true });
  expect(talk.messages[0]!.at).toBe(1709287200000);
  const looped = {
    mapping: {
      a: { parent: "b", children: ["b"], message: null },
      b: { parent: "a", children: [], message: (item.mapping as Record<string, { message: unknown }>).b!.message },
    },
  };
  expect(said(readTalk(shapedTalk(looped), 1, NOW))).toEqual([["user", "I keep a dinghy."]]);
});

test("messages under chat_messages come in both of their forms", () => {
  const talk = shapedTalk({
    uuid: "u-1",
    name: "Boat",
    created_at: "2024-03-01T10:00:00.123456Z",
    chat_messages: [
      {
        sender: "human",
        text: "I keep a dinghy.",
        created_at: "2024-03-01T10:00:01Z",
        content: [{ type: "text", text: "I keep a dinghy." }],
      },
      {
        sender: "assistant",
        text: "",
        content: [
          { type: "thinking", thinking: "…" },
          { type: "text", text: "Noted." },
        ],
      },
    ],
  });
  expect(said(readTalk(talk, 1, NOW))).toEqual([
    ["user", "I keep a dinghy."],
    ["assistant", "Noted."],
  ]);
});

test("a list comes out element by element however it was cut, and one that is too long is passed over", () => {
  const list = [{ a: ']},{"' }, { b: [1, [2, '\\"']], c: { d: "}" } }, { e: "x".repeat(200) }, { f: 1 }];
  const text = ` ${JSON.stringify(list, null, 1)}\n`;
  for (const size of [1, 2, 7, 64, 10_000]) {
    const found: unknown[] = [];
    const elements = new JsonElements(100, (one) => found.push(one === null ? null : JSON.parse(one)));
    for (let at = 0; at < text.length; at += size) elements.push(text.slice(at, at + size));
    expect(found).toEqual([list[0], list[1], null, list[3]]);
    expect(elements.whole).toBe(true);
  }
  const one: unknown[] = [];
  const single = new JsonElements(1000, (element) => one.push(JSON.parse(element!)));
  for (const char of JSON.stringify({ id: "x", messages: [{ text: "[" }] })) single.push(char);
  expect(one).toEqual([{ id: "x", messages: [{ text: "[" }] }]);
  const cut = new JsonElements(1000, () => undefined);
  cut.push('[{"a":1},{"b"');
  expect(cut.whole).toBe(false);
});

test("bytes are read as what they are", () => {
  const utf16 = (text: string, bigEndian: boolean, mark: boolean) => {
    const bytes = Buffer.from(`${mark ? "\ufeff" : ""}${text}`, "utf16le");
    return bigEndian ? bytes.swap16() : bytes;
  };
  for (const [bytes, text] of [
    [Buffer.from("\ufeffCafé 上海", "utf8"), "Café 上海"],
    [utf16("- Sails at weekends, Café", false, true), "- Sails at weekends, Café"],
    [utf16("- Sails at weekends, Café", true, true), "- Sails at weekends, Café"],
    [utf16("- Sails at weekends", false, false), "- Sails at weekends"],
    [utf16("- Sails at weekends", true, false), "- Sails at weekends"],
    [Buffer.from("Café d’été", "latin1"), "Café d\u0019été"],
    [Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x93, 0x78, 0x94]), "Café “x”"],
  ] as const)
    expect(decodeText(bytes)).toBe(text);
  expect(decodeText(Uint8Array.from([1, 2, 0, 3, 0, 0, 9, 9, 9, 9, 1, 1]))).toBeNull();
});

test("names of every system become portable ones, and none leads out", () => {
  const path = (raw: string) => {
    const named = nameFor(raw);
    return named.ok ? named.path : named.fate;
  };
  expect(path("Cafe\u0301/Note.markdown")).toBe("Café/Note.md");
  expect(path("a\\b.txt")).toBe("a/b.md");
  expect(path("What? is: this. .md")).toBe("What- is- this.md");
  expect(path("-rf/con.md")).toBe("rf/con_.md");
  for (const out of ["../x.md", "/etc/x.md", "C:/x.md", "a/../../x.md", "a/./x.md"]) expect(path(out)).toBe("refused");
  for (const other of [".obsidian/x.md", "a/.git/x.md", "x.png", "forgotten.md", "FORGOTTEN/2.md", "a/"])
    expect(path(other)).toBe("skipped");
  expect(commonFolder(["Vault/a.md", "Vault/b/c.md", "__MACOSX/x"])).toBe("Vault/");
  expect(commonFolder(["a.md", "b/c.md"])).toBe("");
  expect(commonFolder(["people/a.md"])).toBe("");
});

test("a long text is cut where something ends, and loses nothing", () => {
  for (const text of ["x".repeat(5000), "A sentence. ".repeat(900), `# T\n\n${"- a line\n".repeat(700)}`, "上海😀".repeat(900)]) {
    const parts = splitText("a.md", text, 1000);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    for (const part of parts) expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(1000);
    expect(parts.every((part) => !/\p{Cs}/u.test(part.text))).toBe(true);
  }
});

test("dates of statements in every form, and none that no calendar has", () => {
  const { statements, refused } = readStatements(
    [
      { text: "a", at: "2024-05-01T23:30:00-05:00" },
      { text: "b", at: 1714608000 },
      { text: "c", at: "2024-02-30" },
      { text: "d", since: "2024-05", until: "2023" },
      { text: "e", since: "2021" },
    ],
    "2026-10-05",
    "Europe/Lisbon",
  );
  expect(statements.map(({ text, saidOn, since }) => [text, saidOn, since])).toEqual([
    ["a", "2024-05-02", null],
    ["b", "2024-05-02", null],
    ["e", "2026-10-05", "2021"],
  ]);
  expect(refused.map(({ n }) => n)).toEqual([3, 4]);
});

test("keys open with their passphrase and no other", () => {
  const keys = new Map([["k1ab", Uint8Array.from({ length: 32 }, (_, at) => at)]]);
  const box = sealKeys(keys, "correct horse", (count) => new Uint8Array(count).fill(7));
  expect(openKeys(JSON.parse(JSON.stringify(box)), "correct horse").get("k1ab")).toEqual(Buffer.from(keys.get("k1ab")!));
  expect(() => openKeys(box, "wrong horse")).toThrow(/does not open/);
  expect(() => openKeys({ ...box, N: 2 ** 30 }, "correct horse")).toThrow(/not known here/);
});

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size = 1000): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const open: OpenEntry = (name) => {
    if (name.endsWith(".bin")) return null;
    found[name] = "";
    return { chunk: (part) => void (found[name] += Buffer.from(part).toString("latin1")), end: () => undefined };
  };
  await readZip(chunked(bytes, size), open, async () => undefined);
  return found;
}

test("names in UTF-8 are read as such, also where the archive does not say that they are", async () => {
  const whole = zipSync({ "Café/日本.md": strToU8("- One\n"), "plain.md": strToU8("- Two\n") });
  const unsaid = whole.slice();
  for (let at = 0; at < unsaid.byteLength - 4; at++) {
    const [a, b, c, d] = unsaid.subarray(at, at + 4);
    if (a === 0x50 && b === 0x4b && c === 3 && d === 4) unsaid[at + 7]! &= ~8;
    if (a === 0x50 && b === 0x4b && c === 1 && d === 2) unsaid[at + 9]! &= ~8;
  }
  expect(unsaid).not.toEqual(whole);
  expect(Object.keys(await read(unsaid))).toEqual(["Café/日本.md", "plain.md"]);
  expect(Object.keys(await read(whole))).toEqual(["Café/日本.md", "plain.md"]);
});

test("an archive is read in pieces; one that is cut off, damaged or a bomb is refused", async () => {
  const files = {
    "a.md": strToU8("- One\n".repeat(500)),
    "big.bin": new Uint8Array(300_000).map((_, at) => (at * 7919) % 251),
    "dir/": new Uint8Array(0),
    "b.md": [strToU8("stored"), { level: 0 }] as [Uint8Array, { level: 0 }],
  };
  const whole = zipSync(files);
  for (const size of [1, 999, 1_000_000])
    expect(await read(whole, size)).toEqual({ "a.md": "- One\n".repeat(500), "dir/": "", "b.md": "stored" });
  for (const at of [10, 200, Math.floor(whole.byteLength / 2), whole.byteLength - 30, whole.byteLength - 1])
    await expect(read(whole.subarray(0, at)), `cut at ${at}`).rejects.toMatchObject({ code: "bad-format" });
  const broken = whole.slice();
  broken.fill(0xff, 60, 70);
  await expect(read(broken)).rejects.toMatchObject({ code: "bad-format" });
  await expect(read(strToU8("no zip at all, only words"))).rejects.toMatchObject({ code: "bad-format" });
  await expect(read(new Uint8Array(0))).rejects.toMatchObject({ code: "bad-format" });
  const bomb = zipSync({ "a.md": new Uint8Array(20 * 1024 * 1024) });
  await expect(read(bomb)).rejects.toMatchObject({ code: "too-large" });
});
