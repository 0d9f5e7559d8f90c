// Passkeys at this browser: made, asked for sign-in, looked at again. Every way out is a Trouble with a sentence.
import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import type { PasskeyView } from "../../shared/protocol.ts";
import { json, Trouble } from "../lib/api.ts";

type Options = { options: never; ticket: string };

function troubleOf(error: unknown, what: string): Trouble {
  if (error instanceof Trouble) return error;
  const { name, code } = error as { name?: string; code?: string };
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return new Trouble("conflict", "This device has a passkey for this memory already.");
  if (name === "NotAllowedError" || (error instanceof WebAuthnError && code === "ERROR_CEREMONY_ABORTED"))
    return new Trouble("cancelled", `${what} The device was not asked to the end, or it took too long.`);
  return new Trouble("passkey", `${what} The browser did not let this page use a passkey. Open it over https, or as localhost.`);
}

/** Whether this browser has passkeys at all. */
export const hasPasskeys = browserSupportsWebAuthn;

async function make(options: Options, what: string) {
  try {
    return await startRegistration({ optionsJSON: options.options });
  } catch (error) {
    throw troubleOf(error, what);
  }
}

async function ask(options: Options, what: string) {
  try {
    return await startAuthentication({ optionsJSON: options.options });
  } catch (error) {
    throw troubleOf(error, what);
  }
}

const post = <T>(path: string, body: unknown = {}) => json<T>("POST", path, { body });

/** The device in a word, as the name of its passkey. */
function deviceName(): string {
  const system = /iPhone|iPad|Android|Windows|Mac|CrOS|Linux/.exec(navigator.userAgent)?.[0] ?? "This device";
  return system === "Mac" ? "A Mac" : system === "CrOS" ? "A Chromebook" : system === "This device" ? system : `${system} device`;
}

/** Makes an account with its first passkey. Gives back the recovery codes, which are never shown again. */
export async function makeAccount(ask: { invite?: string; adopt?: boolean }): Promise<string[]> {
  const options = await post<Options>("/api/auth/register/options", ask);
  const response = await make(options, "No memory was made.");
  return (await post<{ codes: string[] }>("/api/auth/register", { ticket: options.ticket, response, name: deviceName() })).codes;
}

export async function signIn(): Promise<void> {
  const options = await post<Options>("/api/auth/sign-in/options");
  const response = await ask(options, "You are not signed in.");
  await post("/api/auth/sign-in", { ticket: options.ticket, response });
}

/** A look at the passkey, before what cannot be undone. */
export async function checkPasskey(): Promise<void> {
  const options = await post<Options>("/api/auth/check/options");
  const response = await ask(options, "Nothing was changed.");
  await post("/api/auth/check", { ticket: options.ticket, response });
}

export async function addPasskey(): Promise<PasskeyView[]> {
  const options = await post<Options>("/api/auth/passkeys/options");
  const response = await make(options, "No passkey was added.");
  const body = { ticket: options.ticket, response, name: deviceName() };
  return (await post<{ items: PasskeyView[] }>("/api/auth/passkeys", body)).items;
}
