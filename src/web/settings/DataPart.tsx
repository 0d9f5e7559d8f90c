// Your data: bring it in, look around in an example, check it, take it out, and take leave.
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import type { CheckView } from "../../shared/protocol.ts";
import { takeExport } from "../import/upload.ts";
import { api, troubleOf } from "../lib/api.ts";
import { useStore } from "../lib/store.ts";
import { invalidateAll, useResource } from "../lib/resource.ts";
import { count, figures, grouped, sentence } from "../lib/words.ts";
import { Problem } from "../ui/Problem.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { exampleCommits, layOut, takeAway } from "../onboard/example.ts";
import { Row } from "./controls.tsx";

function Bring() {
  return (
    <section>
      <h2 className="section">Bring what you have</h2>
      <Row
        label="An archive, a list, a repository"
        help="Conversations and memories from another assistant, a folder of notes, or an export of this app. You see what would be kept first."
      >
        <Link className="btn" href="/import">
          Bring in
        </Link>
      </Row>
    </section>
  );
}

/** Everything out, as one archive. */
function Export() {
  const [passphrase, type] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const run = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      await takeExport(passphrase);
      type("");
    } catch (error) {
      setTrouble(troubleOf(error).message);
    }
    setBusy(false);
  };
  return (
    <>
      <Row
        label="Take all of it"
        help="One archive: the history as a git bundle, the files, conversations, notes, costs and settings. Without a passphrase the key of what you forgot stays here, and the archive cannot keep it forgotten elsewhere."
      >
        <input
          className="field"
          type="password"
          autoComplete="new-password"
          aria-label="Passphrase for the archive"
          placeholder="A passphrase, or none"
          value={passphrase}
          onChange={(event) => type(event.target.value)}
        />
        <button type="button" className="btn" disabled={busy} onClick={() => void run()}>
          {busy ? "Making it" : "Export"}
        </button>
      </Row>
      {trouble ? (
        <p className="why" role="alert">
          No archive was made. {trouble}
        </p>
      ) : null}
    </>
  );
}

function Example() {
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  const laidOut = useStore(exampleCommits) !== null;
  useEffect(() => {
    if (location.hash === "#example") document.getElementById("example")?.scrollIntoView({ block: "center" });
  }, []);
  const run = async () => {
    setBusy(true);
    try {
      if (laidOut) {
        await takeAway();
        say("Mara’s memory is gone again.");
      } else {
        await layOut();
        navigate("/vault/people/ana");
      }
    } catch (error) {
      warn(`${laidOut ? "Not all of it is gone." : "The example could not be laid out."} ${troubleOf(error).message}`);
    }
    setBusy(false);
  };
  return (
    <section id="example">
      <h2 className="section">Somebody’s memory</h2>
      <Row
        label="Mara’s, a translator in Ghent"
        help="Invented, for an empty memory. It goes again with one click; what you wrote meanwhile stays."
      >
        <button type="button" className="btn" disabled={busy} onClick={() => void run()}>
          {laidOut ? "Take it away" : "Look around"}
        </button>
      </Row>
    </section>
  );
}

function Check() {
  const [asked, ask] = useState(0);
  const { data, error, loading, reload } = useResource<CheckView>(asked > 0 ? `check:${asked}` : null, (signal) =>
    api.check(signal),
  );
  const rebuild = async () => {
    try {
      await api.rebuild();
      invalidateAll();
      say("Index, search and graph are made anew from the files.");
    } catch (problem) {
      warn(`Not rebuilt. ${troubleOf(problem).message}`);
    }
  };
  return (
    <section>
      <h2 className="section">Is it whole</h2>
      <Row label="Check the memory" help="Reads every object of the repository and compares the index with it.">
        <button type="button" className="btn" disabled={loading && asked > 0} onClick={() => ask(asked + 1)}>
          {loading && asked > 0 ? "Checking" : "Check"}
        </button>
      </Row>
      {error && !data && asked > 0 ? <Problem what="The memory could not be checked." trouble={error} retry={reload} /> : null}
      {data ? (
        <p className="why" role="status">
          {data.ok
            ? `Whole: ${grouped(data.checked)} of ${figures(data.objects, "object")} read, nothing is missing.`
            : `${sentence(count(data.problems.length, "thing"))} ${data.problems.length === 1 ? "is" : "are"} not as it should be: ${data.problems.slice(0, 5).join(" ")}`}
        </p>
      ) : null}
      <Row
        label="Make the index anew"
        help="Search, graph and history tables are dropped and made again from the files. Nothing that you wrote is touched."
      >
        <button type="button" className="btn" onClick={() => void rebuild()}>
          Rebuild
        </button>
      </Row>
    </section>
  );
}

export function DataPart() {
  return (
    <>
      <Bring />
      <Example />
      <Check />
      <section>
        <h2 className="section">Take it with you</h2>
        <Export />
        <Row
          label="Clone it with git"
          help="The whole memory with its history, as plain Markdown. The address stands under Doors."
        >
          <a className="btn" href="/settings/doors">
            See the address
          </a>
        </Row>
      </section>
      <Farewell />
    </>
  );
}

const WORD = "delete everything";

export function Farewell() {
  const [open, setOpen] = useState(false);
  const [typed, type] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const run = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      await api.deleteMe();
      for (const key of Object.keys(localStorage)) if (key.startsWith("reverie.")) localStorage.removeItem(key);
      location.assign("/");
    } catch (error) {
      setTrouble(troubleOf(error).message);
      setBusy(false);
    }
  };
  return (
    <section>
      <h2 className="section">Take leave</h2>
      <Row
        label="Forget everything"
        help="Memory, conversations, notes, costs and tokens. You can take a copy first, and you will be asked to type a word."
      >
        <button type="button" className="btn grave" onClick={() => setOpen(true)}>
          Forget everything…
        </button>
      </Row>
      {open ? (
        <Sheet title="Forget everything" close={() => setOpen(false)}>
          <p className="body">
            All of it goes and nobody can bring it back: memory, conversations, notes, costs and tokens. Clones made before today
            stay with those who made them.
          </p>
          <label>
            Type “{WORD}”
            <input className="field" value={typed} autoComplete="off" onChange={(event) => type(event.target.value)} />
          </label>
          {trouble ? (
            <p className="why" role="alert">
              Nothing was deleted. {trouble}
            </p>
          ) : null}
          <p className="acts">
            <button type="button" className="act" onClick={() => setOpen(false)}>
              Keep it
            </button>
            <button
              type="button"
              className="btn grave primary"
              disabled={busy || typed.trim() !== WORD}
              onClick={() => void run()}
            >
              Forget everything
            </button>
          </p>
        </Sheet>
      ) : null}
    </section>
  );
}
