// The account: passkeys, recovery codes, where one is signed in, and for the owner the counts of the installation and its invites.
import { useState } from "react";
import type { InstallationView, PasskeyView, RecoveryView, SessionView } from "../../shared/protocol.ts";
import type { AuthView } from "../../shared/protocol.ts";
import { json, troubleOf } from "../lib/api.ts";
import { dayInWords, nearTime } from "../lib/dates.ts";
import { invalidate, provide, useResource } from "../lib/resource.ts";
import { bytes, count, dollars, figures, grouped, sentence } from "../lib/words.ts";
import { Loading } from "../ui/Loading.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { addPasskey } from "../sign-in/passkey.ts";
import { RecoveryCodes } from "../sign-in/RecoveryCodes.tsx";
import { CopyWord, Row } from "./controls.tsx";

/** Runs what may fail, and says why it did. */
async function attempt(what: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const trouble = troubleOf(error);
    warn(trouble.code === "cancelled" || trouble.code === "passkey" ? trouble.message : `${what} ${trouble.message}`);
  }
}

function Passkeys() {
  const { data, error, loading, reload } = useResource<{ items: PasskeyView[] }>("passkeys", (signal) =>
    json("GET", "/api/auth/passkeys", { signal }),
  );
  const add = () =>
    attempt("No passkey was added.", async () => {
      provide("passkeys", { items: await addPasskey() });
      say("The passkey is added.");
    });
  const remove = (id: string) =>
    attempt("The passkey stays.", async () =>
      provide("passkeys", await json<{ items: PasskeyView[] }>("DELETE", `/api/auth/passkeys/${encodeURIComponent(id)}`)),
    );
  return (
    <section>
      <h2 className="section">Passkeys</h2>
      {loading && !data ? <Loading label="Reading the passkeys" /> : null}
      {error && !data ? <Problem what="The passkeys could not be read." trouble={error} retry={reload} /> : null}
      {(data?.items ?? []).map((passkey) => (
        <Row
          key={passkey.id}
          label={passkey.name}
          help={`Added on ${dayInWords(passkey.createdAt)}${passkey.lastUsed ? `, last used ${nearTime(passkey.lastUsed)}` : ""}. ${
            passkey.backedUp ? "Kept by your password manager on all its devices." : "On this one device only."
          }`}
        >
          {data && data.items.length > 1 ? (
            <button
              type="button"
              className="act grave"
              aria-label={`Remove the passkey ${passkey.name}`}
              onClick={() => void remove(passkey.id)}
            >
              Remove
            </button>
          ) : null}
        </Row>
      ))}
      <p className="acts" style={{ marginTop: 12 }}>
        <button type="button" className="btn" onClick={() => void add()}>
          Add a passkey
        </button>
      </p>
    </section>
  );
}

function Recovery() {
  const { data } = useResource<RecoveryView>("recovery", (signal) => json("GET", "/api/auth/recovery", { signal }));
  const [codes, show] = useState<string[] | null>(null);
  const renew = () =>
    attempt("The old codes still hold.", async () => {
      show((await json<{ codes: string[] }>("POST", "/api/auth/recovery", { body: {} })).codes);
      invalidate("recovery");
    });
  return (
    <section>
      <h2 className="section">Recovery codes</h2>
      <Row
        label={data ? `${sentence(count(data.left, "code"))} left` : "Codes"}
        help="The way in when every passkey is lost. Without a passkey or a code nobody can let you in."
      >
        <button type="button" className="btn" onClick={() => void renew()}>
          Make new ones
        </button>
      </Row>
      {codes ? (
        <Sheet title="Keep these eight codes" broad close={() => show(null)}>
          <p className="body">
            Each opens your memory once. They are shown now and never again; the old ones open nothing any more.
          </p>
          <RecoveryCodes codes={codes} word="They are kept" done={() => show(null)} />
        </Sheet>
      ) : null}
    </section>
  );
}

function Sessions() {
  const { data, error, reload } = useResource<{ items: SessionView[] }>("sessions", (signal) =>
    json("GET", "/api/sessions", { signal }),
  );
  const end = (path: string, said: string) =>
    attempt("Nothing was ended.", async () => {
      await json("DELETE", path);
      invalidate("sessions");
      say(said);
    });
  const leave = () =>
    attempt("You are still signed in.", async () => {
      await json("POST", "/api/auth/sign-out", { body: {} });
      location.assign("/sign-in");
    });
  const items = data?.items ?? [];
  return (
    <section>
      <h2 className="section">Where you are signed in</h2>
      {error && !data ? <Problem what="The sessions could not be read." trouble={error} retry={reload} /> : null}
      {items.map((session) => (
        <Row
          key={session.id}
          label={session.current ? `${session.device}, here` : session.device}
          help={`Since ${nearTime(session.createdAt)}, last seen ${nearTime(session.lastSeen)}.`}
        >
          {session.current ? (
            <button type="button" className="btn" onClick={() => void leave()}>
              Sign out
            </button>
          ) : (
            <button
              type="button"
              className="act grave"
              aria-label={`End the session of ${session.device}`}
              onClick={() => void end(`/api/sessions/${session.id}`, "That session has ended.")}
            >
              End it
            </button>
          )}
        </Row>
      ))}
      {items.length > 1 ? (
        <p className="acts" style={{ marginTop: 12 }}>
          <button type="button" className="act grave" onClick={() => void end("/api/sessions/others", "All others have ended.")}>
            End all others
          </button>
        </p>
      ) : null}
    </section>
  );
}

function Installation() {
  const { data, error, reload } = useResource<InstallationView>("installation", (signal) =>
    json("GET", "/api/installation", { signal }),
  );
  const [invite, show] = useState<{ url: string; expiresAt: string } | null>(null);
  const ask = () =>
    attempt("No invite was made.", async () => show(await json("POST", "/api/auth/invites", { body: { days: 7 } })));
  const failed = data?.errors.reduce((sum, day) => sum + day.count, 0) ?? 0;
  return (
    <section>
      <h2 className="section">This installation</h2>
      {error && !data ? <Problem what="The counts could not be read." trouble={error} retry={reload} /> : null}
      {data ? (
        <>
          <Row label="What it holds" help="Counts, told by each memory about once an hour. Nothing of what stands in anybody’s.">
            <span className="num">{figures(data.users, "person", "people")}</span>
            <span className="num">{figures(data.objects, "object")}</span>
            <span className="num">{bytes(data.bytes)}</span>
          </Row>
          <Row
            label="What went wrong"
            help="Errors that nobody foresaw, in the last thirty days. The log has their places, never a text."
          >
            <span className="num">{grouped(failed)}</span>
          </Row>
          <Row label="What may be spent" help={`Set aside for everybody’s calls on your key in ${data.money.month}.`}>
            <span className="num">
              {dollars(data.money.grantedUsd, 2)}
              {data.money.capUsd === null ? "" : ` of ${dollars(data.money.capUsd, 2)}`}
            </span>
          </Row>
          {data.oldSecret > 0 ? (
            <Row
              label="Under the old secret"
              help="Keep AUTH_SECRET_PREVIOUS until this is gone: their keys are wrapped anew when they come."
            >
              <span className="num">{figures(data.oldSecret, "person", "people")}</span>
            </Row>
          ) : null}
          {data.signUp === "closed" ? null : (
            <Row label="Invite somebody" help="A link for one account, good for seven days.">
              <button type="button" className="btn" onClick={() => void ask()}>
                Make an invite
              </button>
            </Row>
          )}
          {invite ? (
            <>
              <pre className="snippet">{invite.url}</pre>
              <p className="acts">
                <CopyWord text={invite.url} />
              </p>
            </>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

export function AccountPart() {
  const { data: auth } = useResource<AuthView>("auth", (signal) => json("GET", "/api/auth/session", { signal }));
  return (
    <>
      <Passkeys />
      <Recovery />
      <Sessions />
      {auth?.owner ? <Installation /> : null}
    </>
  );
}
