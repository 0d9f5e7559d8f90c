// What the tests of hosted mode share: people with passkeys at browsers, and calls through the Worker's own door.
import { exports } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { Passkey, type Asked } from "../../lib/authenticator.ts";

export const HOST = "reverie.example.org";
export const ORIGIN = `https://${HOST}`;

export interface Called {
  status: number;
  body: any;
  text: string;
  headers: Headers;
}

/** One call over https. A string body is sent as it is. */
export async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Called> {
  const init: RequestInit = { method, headers, redirect: "manual" };
  if (body !== undefined)
    init.body = typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body);
  const response = await exports.default.fetch(new Request(`${ORIGIN}${path}`, init));
  const text = response.status === 101 ? "" : await response.text();
  let parsed: any = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Markdown, git, a page.
  }
  return { status: response.status, body: parsed, text, headers: response.headers };
}

export const askedOf = (options: { challenge: string }): Asked => ({ challenge: options.challenge, origin: ORIGIN, rpId: HOST });

/** The name and value of the cookie that an answer sets. */
export function cookieOf(headers: Headers): string {
  const set = headers.get("Set-Cookie") ?? "";
  return set.slice(0, set.indexOf(";"));
}

/** Somebody with a passkey, and the browser that they are signed in with. */
export class Person {
  readonly passkey = new Passkey();
  user = "";
  cookie = "";
  codes: string[] = [];

  /** Makes an account. */
  static async register(ask: object = {}): Promise<Person> {
    const person = new Person();
    const { options, ticket } = (await call("POST", "/api/auth/register/options", ask)).body;
    person.user = Buffer.from(options.user.id, "base64url").toString("utf8");
    const response = await person.passkey.create(askedOf(options), options.user.id);
    const made = await call("POST", "/api/auth/register", { ticket, response });
    if (made.status !== 201) throw new Error(`No account was made: ${made.text}`);
    person.codes = made.body.codes;
    person.cookie = cookieOf(made.headers);
    return person;
  }

  /** Signs in at another browser. */
  async signIn(): Promise<string> {
    const { options, ticket } = (await call("POST", "/api/auth/sign-in/options")).body;
    const done = await call("POST", "/api/auth/sign-in", { ticket, response: await this.passkey.get(askedOf(options)) });
    if (done.status !== 200) throw new Error(`Not signed in: ${done.text}`);
    return cookieOf(done.headers);
  }

  /** A call from their browser. */
  call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Called> {
    return call(method, path, body, { Cookie: this.cookie, Origin: ORIGIN, ...headers });
  }

  /** A token of theirs. */
  async token(body: object = {}): Promise<string> {
    const made = await this.call("POST", "/api/tokens", { name: "Robot", ...body });
    if (made.status !== 201) throw new Error(`No token was made: ${made.text}`);
    return made.body.token;
  }
}

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
