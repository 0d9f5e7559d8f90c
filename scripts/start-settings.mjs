// What `npm start` reads from the environment, judged before anything is built: a wrong value is a sentence at once, never a default in silence.
import { resolve } from "node:path";

const PORT = 4321;
const PORT_MAX = 65_535;
const FOLDER = ".reverie";

const set = (env, name) => env[name]?.trim() ?? "";

function isWeb(text) {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

function isTable(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {{ ok: true, port: number, data: string } | { ok: false, message: string }}
 */
export function startSettings(env) {
  const no = (message) => ({ ok: false, message });
  const port = set(env, "PORT") || String(PORT);
  if (!/^\d{1,5}$/.test(port) || Number(port) > PORT_MAX)
    return no(`PORT is "${env.PORT}", which is no port number. Use one from 1 to ${PORT_MAX}, or leave it unset for ${PORT}.`);
  const endpoint = set(env, "OPENAI_BASE_URL");
  if (endpoint !== "" && !isWeb(endpoint))
    return no(`OPENAI_BASE_URL is "${endpoint}", which is no web address. Use one like https://models.example/v1.`);
  for (const name of ["CAP_USD", "INSTALLATION_CAP_USD"]) {
    const cap = set(env, name);
    if (cap !== "" && !(Number(cap) >= 0))
      return no(`${name} is "${cap}", which is no sum in US dollars. Use one like 5 or 2.50.`);
  }
  const prices = set(env, "MODEL_PRICES");
  if (prices !== "" && !isTable(prices))
    return no(`MODEL_PRICES is not JSON like {"my-model": {"in": 0.5, "out": 1.5}}. Mend it, or leave it unset.`);
  return { ok: true, port: Number(port), data: resolve(set(env, "REVERIE_DATA") || FOLDER) };
}
