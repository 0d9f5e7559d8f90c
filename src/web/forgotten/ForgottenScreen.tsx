// Forgotten: what must not come back, readable for its owner alone; lifted, erased, and counted anew.
import { Fragment, useState } from "react";
import { api, type Forgotten, type Receipt, troubleOf } from "../lib/api.ts";
import { partial, partialLong } from "../lib/dates.ts";
import { pathName } from "../lib/paths.ts";
import { invalidate, useResource } from "../lib/resource.ts";
import { figures } from "../lib/words.ts";
import { Contents } from "../ui/Contents.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { SourceLink } from "../ui/SourceWord.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import "./forgotten.css";

type Which = "all" | "forgotten" | "erased";

const isErased = (one: Forgotten): boolean => one.erased === true || one.text === null;

function ReceiptTable({ id }: { id: string }) {
  const { data, error, loading, reload } = useResource<Receipt>(`receipt:${id}`, (signal) => api.receipt(id, signal));
  if (loading) return <Loading label="Counting anew" />;
  if (error && !data) return <Problem what="The receipt could not be read." trouble={error} retry={reload} />;
  if (!data) return null;
  return (
    <section className="wide" aria-label="Receipt">
      <table style={{ marginTop: 4 }}>
        <thead>
          <tr>
            <th>Receipt, {partialLong(data.at.slice(0, 10))}</th>
            <th className="r">before</th>
            <th className="r">now</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <tr key={row.place}>
              <td>{row.place}</td>
              <td className="r num">{row.before}</td>
              <td className="r num">{row.now}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.stays.length > 0 ? <p className="marg stays">{data.stays.join(" ")}</p> : null}
    </section>
  );
}

function Tomb({ one, erase }: { one: Forgotten; erase: () => void }) {
  const [shown, show] = useState(false);
  const [receipt, showReceipt] = useState(false);
  const [busy, setBusy] = useState(false);
  const erased = isErased(one);
  const lift = async () => {
    setBusy(true);
    try {
      await api.lift(one.id);
      invalidate("forgotten", "memory", "file:");
      say("It may be remembered again.");
    } catch (error) {
      warn(`Not lifted. ${troubleOf(error).message}`);
    }
    setBusy(false);
  };
  return (
    <>
      <li className="proposal grid tomb">
        <div>
          <p className={erased ? "line erased" : shown ? "line shown" : "line"} dir="auto">
            {erased ? (
              "Erased. Nobody has the words any more."
            ) : shown ? (
              one.text
            ) : (
              <>
                <span className="sr">a forgotten line, hidden</span>
                <span className="redact" aria-hidden="true" style={{ maxWidth: "22rem" }} />
              </>
            )}
          </p>
          <p className="acts" style={{ marginTop: 8 }}>
            {erased ? null : (
              <>
                <button type="button" className="act" aria-expanded={shown} onClick={() => show(!shown)}>
                  {shown ? "Hide" : "Show me"}
                </button>
                <button type="button" className="act" disabled={busy} onClick={() => void lift()}>
                  Remember it again
                </button>
              </>
            )}
            {one.receipt ? (
              <button type="button" className="act" aria-expanded={receipt} onClick={() => showReceipt(!receipt)}>
                Receipt
              </button>
            ) : null}
            {erased ? null : (
              <button type="button" className="act grave" onClick={erase}>
                Erase…
              </button>
            )}
          </p>
        </div>
        <p className="marg">
          <span className="nb">{partial(one.removed.slice(0, 10))}</span>
          {one.source ? (
            <>
              {" "}
              ·{" "}
              <span className="nb">
                <SourceLink source={one.source} />
              </span>
            </>
          ) : null}
          <br />
          <span className="nb">
            {erased && one.match
              ? `fingerprint ${one.match
                  .replace(/^[^.]*\./, "")
                  .slice(0, 8)
                  .replace(/(.{4})/, "$1 ")}`
              : one.heldBack === undefined
                ? one.path
                  ? pathName(one.path)
                  : ""
                : one.heldBack === 0
                  ? "never came back"
                  : `held back ${figures(one.heldBack, "time")}`}
          </span>
        </p>
      </li>
      {receipt && one.receipt ? (
        <li>
          <ReceiptTable id={one.receipt} />
        </li>
      ) : null}
    </>
  );
}

function EraseSheet({ one, close }: { one: Forgotten; close: () => void }) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const run = async () => {
    setBusy(true);
    try {
      await api.erase(one.id);
      invalidate("forgotten", "history:", "commit:");
      say("Erased. The receipt stands beside it.");
      close();
    } catch (error) {
      setTrouble(troubleOf(error).message);
      setBusy(false);
    }
  };
  return (
    <Sheet title="Erase it for good" said={`forgotten on ${partialLong(one.removed.slice(0, 10))}`} close={close}>
      <p className="body">
        Its words are rewritten out of every commit and conversation, and the copy that is kept for you goes. Commits get new
        names. Clones made before today still hold it; we cannot reach those. This cannot be undone.
      </p>
      {trouble ? (
        <p className="why" role="alert">
          Not erased. {trouble}
        </p>
      ) : null}
      <p className="acts">
        <button type="button" className="act" onClick={close}>
          Keep it forgotten
        </button>
        <button type="button" className="btn grave primary" disabled={busy} onClick={() => void run()}>
          Erase it
        </button>
      </p>
    </Sheet>
  );
}

export function ForgottenScreen() {
  const { data, error, loading, reload } = useResource("forgotten", (signal) => api.forgotten(signal));
  const [which, setWhich] = useState<Which>("all");
  const [erasing, setErasing] = useState<Forgotten | null>(null);
  const all = data?.items ?? [];
  const groups: [Which, string, Forgotten[]][] = [
    ["all", "All", all],
    ["forgotten", "Forgotten", all.filter((one) => !isErased(one))],
    ["erased", "Erased", all.filter(isErased)],
  ];
  const shown = groups.find(([name]) => name === which)?.[2] ?? [];
  return (
    <>
      <Contents label="Forgotten, by kind" title="Forgotten">
        <ul>
          {groups.map(([name, label, items]) => (
            <li key={name}>
              <button
                type="button"
                className="row flat"
                style={{ width: "100%" }}
                aria-current={which === name ? "true" : undefined}
                onClick={() => setWhich(name)}
              >
                {label}
                <span className="meta num">{items.length}</span>
              </button>
            </li>
          ))}
        </ul>
      </Contents>
      <Page
        title="Forgotten"
        where={
          <p className="where">
            <b>Forgotten</b>
          </p>
        }
        actions={
          all.length > 0 ? (
            <button
              type="button"
              className="act"
              onClick={() => {
                invalidate("receipt:");
                reload();
              }}
            >
              Check again
            </button>
          ) : null
        }
      >
        <article className="leaf flush">
          {loading ? <Loading label="Reading what was forgotten" /> : null}
          {error && !data ? <Problem what="What was forgotten could not be read." trouble={error} retry={reload} /> : null}
          {data && all.length === 0 ? (
            <Empty
              title="Nothing is forgotten."
              help="What you ask it to forget stands here, readable for you alone, and is kept from coming back through any door."
            />
          ) : data ? (
            <>
              <header>
                <h1>Forgotten</h1>
                <p className="lede" style={{ marginTop: 8 }}>
                  Lines that must not come back, through any door. The repository only knows that something was forgotten, and
                  when; the words below are kept for you alone.
                </p>
              </header>
              <ul className="wide" style={{ marginTop: 28 }}>
                {shown.map((one) => (
                  <Fragment key={one.id}>
                    <Tomb one={one} erase={() => setErasing(one)} />
                  </Fragment>
                ))}
              </ul>
              {shown.length === 0 ? <p className="marg">None of this kind.</p> : null}
            </>
          ) : null}
        </article>
      </Page>
      {erasing ? <EraseSheet one={erasing} close={() => setErasing(null)} /> : null}
    </>
  );
}
