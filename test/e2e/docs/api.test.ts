// docs/api.md is run as it stands by bash and curl against the built app: each block has to succeed, and its answer to have the shape that stands behind it. And the OpenAPI document describes every route.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "../../lib/api.ts";
import { startApp, type App } from "../../lib/app.ts";

let app: App;
const home = mkdtempSync(join(tmpdir(), "reverie-docs-"));
beforeAll(async () => {
  app = await startApp();
  // One answer a line; no example has to say so.
  writeFileSync(join(home, ".curlrc"), '-w "\\n"\n');
});
afterAll(async () => {
  await app.stop();
  rmSync(home, { recursive: true, force: true });
});

interface Block {
  lang: string;
  text: string;
  line: number;
}

function blocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    lang: match[1]!,
    text: match[2]!,
    line: markdown.slice(0, match.index).split("\n").length + 1,
  }));
}

/** Where an answer differs from the sample behind its example. "…" is any text, and of a list each item of the sample has to be somewhere. */
function missing(sample: unknown, actual: unknown, at = "$"): string | null {
  if (sample === "…") return typeof actual === "string" ? null : `${at} is no text`;
  if (Array.isArray(sample)) {
    if (!Array.isArray(actual)) return `${at} is no list`;
    const lost = sample.find((item) => !actual.some((other) => missing(item, other) === null));
    return lost === undefined ? null : `${at} has no ${JSON.stringify(lost)}`;
  }
  if (typeof sample === "object" && sample !== null) {
    if (typeof actual !== "object" || actual === null) return `${at} is no object`;
    for (const [key, value] of Object.entries(sample)) {
      const lost = missing(value, (actual as Record<string, unknown>)[key], `${at}.${key}`);
      if (lost) return lost;
    }
    return null;
  }
  if (typeof sample === "number") return typeof actual === "number" ? null : `${at} is no number`;
  return sample === actual ? null : `${at} is ${JSON.stringify(actual)}, not ${JSON.stringify(sample)}`;
}

it("every example of docs/api.md runs, and answers as it says", () => {
  const all = blocks(readFileSync("docs/api.md", "utf8"));
  const scripts = all.filter(({ lang }) => lang === "sh");
  const mark = (n: number) => `@@ block ${n}`;
  const script = ["set -euo pipefail", ...scripts.flatMap(({ text }, n) => [`echo; echo "${mark(n)}"`, text]), 'echo; echo "@@ end"'];
  const ran = spawnSync("bash", ["--noprofile", "--norc", "-c", script.join("\n")], {
    encoding: "utf8",
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, REVERIE: app.url, CLONE: join(home, "clone") },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 240_000,
  });
  const outputs = ran.stdout.split(/^@@ .*$/m).slice(1);
  const reached = scripts[outputs.length - 1];
  expect(ran.stdout.endsWith("@@ end\n"), `It stopped at line ${reached?.line}: ${outputs.at(-1)}${ran.stderr}`).toBe(true);
  let shapes = 0;
  all.forEach((block, at) => {
    if (block.lang !== "json") return;
    const n = scripts.indexOf(all[at - 1]!);
    expect(n, `line ${block.line}: a sample stands behind its example`).toBeGreaterThanOrEqual(0);
    const last = outputs[n]!.trim().split("\n").at(-1)!.replace(/^data: /, "");
    expect(missing(JSON.parse(block.text), JSON.parse(last)), `line ${block.line}: ${last.slice(0, 400)}`).toBe(null);
    shapes++;
  });
  console.log(`docs/api.md: ${scripts.length} blocks run, ${shapes} answers checked`);
  expect(shapes).toBeGreaterThan(25);
});

/** Groups whose examples stand elsewhere: sign-in asks for a passkey, and files for their own page. */
const ELSEWHERE = /^\/api\/(?:auth|tokens|sessions|imports?|export)\b/;

it("every route of the document has its example, a sentence, and schemas that hold", async () => {
  const { body } = await call<any>(app.url, "GET", "/api/openapi.json");
  const docs = readFileSync("docs/api.md", "utf8");
  expect([body.openapi, typeof body.info.title, typeof body.info.version]).toEqual(["3.1.0", "string", "string"]);
  const wrong: string[] = [];
  const say = (where: string, what: string): void => void wrong.push(`${where}: ${what}`);
  const schemaOf = (where: string, schema: any): void => {
    if (typeof schema !== "object" || schema === null) return say(where, "no schema");
    if (typeof schema.$ref === "string" && !resolve(body, schema.$ref)) say(where, `${schema.$ref} leads nowhere`);
    const types = [schema.type].flat().filter((type) => type !== undefined);
    for (const type of types)
      if (!["string", "number", "integer", "boolean", "array", "object", "null"].includes(type)) say(where, `type ${type}`);
    if (schema.nullable !== undefined) say(where, "nullable is of OpenAPI 3.0");
    for (const [key, inner] of Object.entries(schema.properties ?? {})) schemaOf(`${where}.${key}`, inner);
    for (const part of ["anyOf", "oneOf", "allOf", "prefixItems"]) (schema[part] ?? []).forEach((inner: any) => schemaOf(where, inner));
    if (schema.items) schemaOf(`${where}[]`, schema.items);
    for (const name of schema.required ?? []) if (!(name in (schema.properties ?? {}))) say(where, `${name} is required and unknown`);
  };
  for (const [path, methods] of Object.entries<any>(body.paths)) {
    for (const [method, operation] of Object.entries<any>(methods)) {
      const where = `${method.toUpperCase()} ${path}`;
      const names = new Set<string>();
      for (const parameter of operation.parameters ?? []) {
        const { name, in: place, required, schema } = parameter;
        if (names.has(`${place} ${name}`)) say(where, `${name} twice`);
        names.add(`${place} ${name}`);
        if (!["query", "path", "header"].includes(place)) say(where, `${name} in ${place}`);
        if (place === "path" && (required !== true || !path.includes(`{${name}}`))) say(where, `${name} is not of the path`);
        schemaOf(`${where} ${name}`, schema);
      }
      for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) if (!names.has(`path ${name}`)) say(where, `${name} is not described`);
      const { requestBody, responses } = operation;
      if (requestBody) for (const { schema } of Object.values<any>(requestBody.content)) schemaOf(where, schema);
      if (!responses || !Object.keys(responses).some((status) => /^2\d\d$/.test(status))) say(where, "no answer");
      for (const [status, response] of Object.entries<any>(responses ?? {})) {
        if (typeof response.description !== "string") say(where, `${status} without a description`);
        for (const { schema } of Object.values<any>(response.content ?? {})) schemaOf(`${where} ${status}`, schema);
      }
      if (ELSEWHERE.test(path)) continue;
      if (operation.summary === where || operation.summary.startsWith(`${method.toUpperCase()} /`)) say(where, "says nothing");
      const shape = new RegExp(
        `\\$REVERIE${path.replace(/\{path\}/g, "[^\\s\"]+").replace(/\{[^}]+\}/g, "[^\\s\"/]+").replace(/\./g, "\\.")}(?=["?\\s)\\\\|;]|$)`,
        "m",
      );
      if (!shape.test(docs) && !docs.includes(`\`${where}\``)) say(where, "has no example");
    }
  }
  expect(wrong).toEqual([]);
});

function resolve(document: any, ref: string): unknown {
  return ref
    .replace(/^#\//, "")
    .split("/")
    .reduce((at, part) => at?.[part], document);
}

it("the skill file speaks of this app, in forty lines", async () => {
  const response = await fetch(`${app.url}/skill.md`);
  const text = await response.text();
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  expect(text).toMatch(/^---\nname: reverie-memory\ndescription: .+\n---\n/);
  expect(text).toContain(`${app.url}/mcp`);
  expect(text).toContain(`git clone`);
  expect(text).not.toContain("localhost:4321");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(42);
});
