// A passkey without a browser: makes keys, attests to nothing, signs what it is asked. As small as WebAuthn level 3 allows.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

type Cbor = number | string | Uint8Array | [Cbor, Cbor][];

/** Just enough CBOR: integers, text, bytes, maps. */
function cbor(value: Cbor): Uint8Array {
  const head = (major: number, n: number): number[] =>
    n < 24 ? [(major << 5) | n] : n < 256 ? [(major << 5) | 24, n] : [(major << 5) | 25, n >> 8, n & 255];
  if (typeof value === "number") return new Uint8Array(value >= 0 ? head(0, value) : head(1, -1 - value));
  if (typeof value === "string") return Buffer.concat([new Uint8Array(head(3, text(value).length)), text(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([new Uint8Array(head(2, value.length)), value]);
  return Buffer.concat([new Uint8Array(head(5, value.length)), ...value.flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

/** An ECDSA signature as DER, which WebAuthn wants; WebCrypto gives the two numbers side by side. */
function der(raw: Uint8Array): Uint8Array {
  const integer = (part: Uint8Array): Uint8Array => {
    let bytes = part;
    while (bytes.length > 1 && bytes[0] === 0 && bytes[1]! < 128) bytes = bytes.subarray(1);
    return Buffer.concat([new Uint8Array([2, bytes.length + (bytes[0]! > 127 ? 1 : 0), ...(bytes[0]! > 127 ? [0] : [])]), bytes]);
  };
  const parts = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return Buffer.concat([new Uint8Array([0x30, parts.length]), parts]);
}

export interface Asked {
  challenge: string;
  origin: string;
  rpId: string;
}

/** One credential of one authenticator. */
export class Passkey {
  counter = 0;
  userHandle = "";
  readonly #id = crypto.getRandomValues(new Uint8Array(16));
  #keys: CryptoKeyPair | null = null;

  get id(): string {
    return b64(this.#id);
  }

  #data(rpId: string, flags: number, more: Uint8Array = new Uint8Array()): Uint8Array {
    const counter = new Uint8Array([
      this.counter >>> 24,
      (this.counter >> 16) & 255,
      (this.counter >> 8) & 255,
      this.counter & 255,
    ]);
    return Buffer.concat([sha256(text(rpId)), new Uint8Array([flags]), counter, more]);
  }

  #client(type: string, { challenge, origin }: Asked): Uint8Array {
    return text(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** Answers `navigator.credentials.create`. `user` is the handle of the options, in base64url. */
  async create(asked: Asked, user: string) {
    this.userHandle = user;
    this.#keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ])) as CryptoKeyPair;
    const raw = new Uint8Array((await crypto.subtle.exportKey("raw", this.#keys.publicKey)) as ArrayBuffer);
    const key = cbor([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, raw.subarray(1, 33)],
      [-3, raw.subarray(33)],
    ]);
    const credential = Buffer.concat([new Uint8Array(16), new Uint8Array([0, this.#id.length]), this.#id, key]);
    const authData = this.#data(asked.rpId, 0x45, credential);
    const attestation = cbor([
      ["fmt", "none"],
      ["attStmt", []],
      ["authData", authData],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: b64(this.#client("webauthn.create", asked)),
        attestationObject: b64(attestation),
        transports: ["internal"],
      },
    };
  }

  /** Answers `navigator.credentials.get`. */
  async get(asked: Asked) {
    this.counter += 1;
    const client = this.#client("webauthn.get", asked);
    const data = this.#data(asked.rpId, 0x05);
    const signed = await crypto.subtle.sign(
      { name: "ECDSA", hash: "SHA-256" },
      this.#keys!.privateKey,
      Buffer.concat([data, sha256(client)]),
    );
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: b64(client),
        authenticatorData: b64(data),
        signature: b64(der(new Uint8Array(signed as ArrayBuffer))),
        userHandle: this.userHandle,
      },
    };
  }
}
