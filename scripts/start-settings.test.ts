import { resolve } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error a script without types
import { startSettings as untyped } from "./start-settings.mjs";

const startSettings = untyped as (env: Record<string, string>) => { ok: boolean; message?: string; port?: number; data?: string };

test.each([
  [{}, 4321, ".reverie"],
  [{ PORT: "", REVERIE_DATA: "" }, 4321, ".reverie"],
  [{ PORT: " 8080 ", REVERIE_DATA: "my data" }, 8080, "my data"],
  [{ PORT: "0", CAP_USD: "0", INSTALLATION_CAP_USD: " 12.5 ", MODEL_PRICES: "{}" }, 0, ".reverie"],
  [{ OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" }, 4321, ".reverie"],
])("%j starts", (env, port, data) => {
  expect(startSettings(env as Record<string, string>)).toEqual({ ok: true, port, data: resolve(data) });
});

test.each([
  ["PORT", "abc"],
  ["PORT", "70000"],
  ["PORT", "-1"],
  ["PORT", "0x50"],
  ["PORT", "43.5"],
  ["PORT", "1e3"],
  ["OPENAI_BASE_URL", "models.example/v1"],
  ["OPENAI_BASE_URL", "ftp://models.example"],
  ["CAP_USD", "five"],
  ["CAP_USD", "-1"],
  ["CAP_USD", "$5"],
  ["INSTALLATION_CAP_USD", "NaN"],
  ["MODEL_PRICES", "{bad"],
  ["MODEL_PRICES", "[1]"],
])("%s=%s is refused by name, with what to use", (name, value) => {
  const { ok, message } = startSettings({ [name]: value });
  expect(ok).toBe(false);
  expect(message).toMatch(new RegExp(`^${name} is .*(?:Use one|Mend it)`));
});
