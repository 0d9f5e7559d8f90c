// Somebody with a passkey who speaks HTTP to a running app in hosted mode.
import { Passkey } from "./authenticator.ts";
import type { Answer } from "./api.ts";

export class Member {
  readonly passkey = new Passkey();
  cookie = "";
  codes: string[] = [];
  /** The address as a browser on this machine has it: passkeys know names, not numbers. */
  readonly at: string;

  constructor(url: string) {
    this.at = url.replace("127.0.0.1", "localhost");
  }

  /** Makes an account. */
  static async register(url: string, ask: object = {}): Promise<Member> {
    const member = new Member(url);
    const { options, ticket } = (await member.call<any>("POST", "/api/auth/register/options", ask)).body;
    const response = await member.passkey.create(member.#asked(options), options.user.id);
    const made = await member.call<any>("POST", "/api/auth/register", { ticket, response });
    if (made.status !== 201) throw new Error(`No account was made: ${JSON.stringify(made.body)}`);
    member.codes = made.body.codes;
    return member;
  }

  #asked(options: { challenge: string }) {
    return { challenge: options.challenge, origin: this.at, rpId: "localhost" };
  }

  /** Signs in; with it what cannot be undone may be done. */
  async signIn(url = this.at): Promise<void> {
    (this as { at: string }).at = url.replace("127.0.0.1", "localhost");
    this.cookie = "";
    const { options, ticket } = (await this.call<any>("POST", "/api/auth/sign-in/options")).body;
    const response = await this.passkey.get(this.#asked(options));
    const done = await this.call("POST", "/api/auth/sign-in", { ticket, response });
    if (done.status !== 200) throw new Error(`Not signed in: ${JSON.stringify(done.body)}`);
  }

  /** One call from their browser. */
  async call<T = any>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const response = await fetch(`${this.at}${path}`, {
      method,
      headers: { Origin: this.at, ...(this.cookie ? { Cookie: this.cookie } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.get("Set-Cookie");
    if (set) this.cookie = set.slice(0, set.indexOf(";"));
    const text = await response.text();
    try {
      return { status: response.status, body: JSON.parse(text) as T };
    } catch {
      return { status: response.status, body: text as T };
    }
  }
}
