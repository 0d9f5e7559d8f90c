// The door: sign in with a passkey, make a memory of one's own, or come back with a recovery code.
import { useEffect, useState, type FormEvent } from "react";
import type { AuthView } from "../../shared/protocol.ts";
import { json, troubleOf } from "../lib/api.ts";
import { useResource } from "../lib/resource.ts";
import { Problem } from "../ui/Problem.tsx";
import { Toasts } from "../ui/Toasts.tsx";
import { Wordmark } from "../ui/Wordmark.tsx";
import { inviteIn, isOwnersInvite } from "./invite.ts";
import { addPasskey, hasPasskeys, makeAccount, signIn } from "./passkey.ts";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import "./sign-in.css";

type Step = { name: "door" } | { name: "new" } | { name: "code" } | { name: "codes"; codes: string[] } | { name: "passkey" };

/** Where to after the door: the page that was asked for, else the first one. Loaded anew, so that nothing of before is left. */
function enter(): void {
  if (location.pathname === "/sign-in") location.assign("/");
  else location.reload();
}

export function SignInScreen() {
  const { data: auth, error, reload } = useResource<AuthView>("auth", (signal) => json("GET", "/api/auth/session", { signal }));
  const [invite, setInvite] = useState(() => inviteIn(location.hash) ?? "");
  const [step, go] = useState<Step>(() => (inviteIn(location.hash) ? { name: "new" } : { name: "door" }));
  const [adopt, setAdopt] = useState(true);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    document.title = "Sign in · Reverie";
  }, []);
  useEffect(() => {
    if (auth?.mode === "local" || (auth?.signedIn && step.name === "door")) enter();
  }, [auth, step.name]);

  const attempt = async (run: () => Promise<void>) => {
    setBusy(true);
    setTrouble(null);
    try {
      await run();
    } catch (problem) {
      setTrouble(troubleOf(problem).message);
    }
    setBusy(false);
  };
  const owners = invite !== "" && isOwnersInvite(invite.trim());
  const make = (event: FormEvent) => {
    event.preventDefault();
    const asked = { ...(invite.trim() === "" ? {} : { invite: invite.trim() }), ...(owners ? { adopt } : {}) };
    void attempt(async () => {
      const codes = await makeAccount(asked);
      // The invite is used: a reload must not offer it again.
      history.replaceState(null, "", location.pathname);
      go({ name: "codes", codes });
    });
  };
  const recover = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await json("POST", "/api/auth/recover", { body: { code } });
      go({ name: "passkey" });
    });
  };
  const why = trouble ? (
    <p className="why" role="alert">
      {trouble}
    </p>
  ) : null;
  const back = (
    <button type="button" className="act" onClick={() => (setTrouble(null), go({ name: "door" }))}>
      Back
    </button>
  );

  return (
    <main className="door" id="page" tabIndex={-1}>
      <p className="wordmark">
        <Wordmark />
      </p>
      {error && !auth ? <Problem what="The server cannot be reached." trouble={error} retry={reload} /> : null}
      {!hasPasskeys() ? (
        <p className="why" role="alert">
          This browser has no passkeys. Use a newer one, or a recovery code.
        </p>
      ) : null}
      {step.name === "door" ? (
        <>
          <h1 className="display">Your memory opens with a passkey.</h1>
          <p className="lede">
            Your device, or your password manager, knows which one. There is no name to type and no password to lose.
          </p>
          {why}
          <p className="acts">
            <button
              type="button"
              className="btn primary"
              disabled={busy}
              onClick={() =>
                void attempt(async () => {
                  await signIn();
                  enter();
                })
              }
            >
              Sign in
            </button>
            {auth && auth.signUp !== "closed" ? (
              <button type="button" className="act strong" onClick={() => (setTrouble(null), go({ name: "new" }))}>
                Begin a memory
              </button>
            ) : null}
            <button type="button" className="act" onClick={() => (setTrouble(null), go({ name: "code" }))}>
              Use a recovery code
            </button>
          </p>
        </>
      ) : null}
      {step.name === "new" ? (
        <form onSubmit={make}>
          <h1 className="display">{owners ? "This installation is yours." : "Begin a memory."}</h1>
          <p className="lede">
            A passkey is made on this device. With it nobody but you opens what you will keep here: no name, no address, no
            password.
          </p>
          {owners ? (
            <label className="tick">
              <input type="checkbox" checked={adopt} onChange={(event) => setAdopt(event.target.checked)} />
              Take over the memory that was kept here before there was a sign-in
            </label>
          ) : auth?.signUp === "invite" ? (
            <label>
              Your invite
              <input
                className="field num"
                value={invite}
                autoComplete="off"
                spellCheck={false}
                required
                placeholder="rvi_…"
                onChange={(event) => setInvite(event.target.value)}
              />
            </label>
          ) : null}
          {why}
          <p className="acts">
            <button type="submit" className="btn primary" disabled={busy}>
              Make a passkey
            </button>
            {back}
          </p>
        </form>
      ) : null}
      {step.name === "codes" ? (
        <>
          <h1 className="display">Keep these eight codes.</h1>
          <p className="lede">
            Each opens your memory once, should every passkey be lost. They are shown now and never again, and without a passkey
            or a code nobody can let you in, not even who runs this installation.
          </p>
          <RecoveryCodes codes={step.codes} done={enter} word="They are kept" />
        </>
      ) : null}
      {step.name === "code" ? (
        <form onSubmit={recover}>
          <h1 className="display">Come back with a code.</h1>
          <p className="lede">One of the eight that you kept when you began. It is used up by this.</p>
          <label>
            Recovery code
            <input
              className="field num"
              value={code}
              autoComplete="off"
              spellCheck={false}
              required
              onChange={(event) => setCode(event.target.value)}
            />
          </label>
          {why}
          <p className="acts">
            <button type="submit" className="btn primary" disabled={busy}>
              Sign in
            </button>
            {back}
          </p>
        </form>
      ) : null}
      {step.name === "passkey" ? (
        <>
          <h1 className="display">You are in.</h1>
          <p className="lede">Make a new passkey on this device now. Within ten minutes the code that you used allows it.</p>
          {why}
          <p className="acts">
            <button
              type="button"
              className="btn primary"
              disabled={busy}
              onClick={() =>
                void attempt(async () => {
                  await addPasskey();
                  enter();
                })
              }
            >
              Make a passkey
            </button>
            <button type="button" className="act" onClick={enter}>
              Later
            </button>
          </p>
        </>
      ) : null}
      <Toasts />
    </main>
  );
}
