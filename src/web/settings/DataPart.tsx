// Your data: bring it in, look around in an example, check it, take it out, and take leave.
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { CheckView } from "../../shared/protocol.ts";
import { api, type Trouble, troubleOf } from "../lib/api.ts";
import { useStore } from "../lib/store.ts";
import { invalidateAll, useResource } from "../lib/resource.ts";
import { count, figures, grouped, sentence } from "../lib/words.ts";
import { Problem } from "../ui/Problem.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { exampleCommits, layOut, takeAway } from "../onboard/example.ts";
import { Row } from "./controls.tsx";

/** Lines of one import by hand: more than this is a file, not a list. */
const LINES_MAX = 500;

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "").trim())
    .filter((line) => line !== "")
    .slice(0, LINES_MAX);
}

interface Refused {
  line: string;
  why: string;
}

/** Keeps each line as one written by hand; what the gate refuses is told line by line. */
async function keepEach(
  lines: readonly string[],
  tick: (done: number) => void,
): Promise<{ kept: number; same: number; refused: Refused[] }> {
  let kept = 0;
  let same = 0;
  const refused: Refused[] = [];
  for (const [at, line] of lines.entries()) {
    try {
      const outcome = await api.addEntry({ text: line });
      if (outcome.commit === null) same += 1;
      else kept += 1;
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.code === "offline" || trouble.code === "timeout") throw error;
      refused.push({ line, why: trouble.message });
    }
    tick(at + 1);
  }
  return { kept, same, refused };
}

function Bring() {
  const [text, setText] = useState("");
  const [done, setDone] = useState<number | null>(null);
  const [result, setResult] = useState<{ kept: number; same: number; refused: Refused[] } | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const lines = linesOf(text);
  const run = async () => {
    setDone(0);
    setTrouble(null);
    setResult(null);
    try {
      const answer = await keepEach(lines, setDone);
      setResult(answer);
      setText(answer.refused.map((one) => one.line).join("\n"));
    } catch (error) {
      setTrouble(troubleOf(error));
    }
    invalidateAll();
    setDone(null);
  };
  return (
    <section>
      <h2 className="section">Bring what you have</h2>
      <p className="lede" style={{ font: "var(--t-note)" }}>
        One fact a line, as another assistant lists what it remembers. What stands here already is not kept twice; what you forgot
        stays out; a line that may not be kept says why and stays in the field.
      </p>
      <textarea
        className="field long"
        rows={5}
        style={{ maxWidth: "var(--measure)", marginTop: 12 }}
        dir="auto"
        aria-label="Facts, one a line"
        placeholder={"I am allergic to walnuts\nMy sister Ana lives in Porto"}
        value={text}
        readOnly={done !== null}
        onChange={(event) => setText(event.target.value)}
      />
      {trouble ? (
        <p className="why" role="alert">
          It stopped there. {trouble.message}
        </p>
      ) : null}
      {result ? (
        <div role="status">
          <p className="why">
            {sentence(count(result.kept, "line"))} kept
            {result.same > 0 ? `, ${count(result.same, "line")} stood there already` : ""}
            {result.refused.length > 0 ? `, ${count(result.refused.length, "line")} refused:` : "."}
          </p>
          <ul className="cites" style={{ maxWidth: "var(--measure)" }}>
            {result.refused.map((one) => (
              <li key={one.line}>
                <p className="q" dir="auto">
                  {one.line}
                </p>
                <p className="meta">{one.why}</p>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <p className="acts" style={{ marginTop: 8, alignItems: "center" }}>
        <button type="button" className="btn" disabled={done !== null || lines.length === 0} onClick={() => void run()}>
          {lines.length === 0 ? "Keep the lines" : `Keep ${count(lines.length, "line")}`}
        </button>
        <span className="meta" role="status">
          {done !== null ? `${done} of ${lines.length}` : ""}
        </span>
      </p>
    </section>
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
