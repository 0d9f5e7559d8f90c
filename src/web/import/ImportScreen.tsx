// Bring in: an archive, a list or a public repository; first what would land, then the one commit, then the way back.
import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { ImportView } from "../../shared/protocol.ts";
import { api, Trouble, troubleOf } from "../lib/api.ts";
import { invalidateAll } from "../lib/resource.ts";
import { bytes, count, grouped } from "../lib/words.ts";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { Preview } from "./Preview.tsx";
import { sendArchive } from "./upload.ts";
import { landing, linesOf, remarks } from "./words.ts";
import "./import.css";

/** Milliseconds between two looks at an import that is read or lands. */
const LOOK_MS = 700;

type Step =
  | { at: "choosing" }
  | { at: "sending"; name: string; sent: number; of: number; stop: () => void }
  | { at: "reading"; what: string }
  | { at: "seen"; view: ImportView; lines: string[] | null }
  | { at: "landing"; view: ImportView }
  | { at: "landed"; view: ImportView; undone: boolean };

/** Looks at an import until it is no longer in one of some states. */
async function settled(
  view: ImportView,
  until: (view: ImportView) => boolean,
  told: (view: ImportView) => void,
): Promise<ImportView> {
  let now = view;
  while (!until(now)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    now = await api.importView(view.id);
    told(now);
  }
  return now;
}

export function ImportScreen() {
  const [step, go] = useState<Step>({ at: "choosing" });
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const head = useRef<HTMLHeadingElement>(null);
  const place = step.at;
  useEffect(() => {
    if (place !== "choosing") head.current?.focus();
  }, [place]);

  const run = useCallback(async (work: () => Promise<void>) => {
    setTrouble(null);
    try {
      await work();
    } catch (error) {
      const problem = troubleOf(error);
      if (problem.code !== "stopped") setTrouble(problem);
      go((now) =>
        now.at === "landing" ? { at: "seen", view: now.view, lines: null } : now.at === "seen" ? now : { at: "choosing" },
      );
    }
  }, []);

  const seen = async (begun: ImportView) => {
    const view = await settled(
      begun,
      ({ status }) => status !== "reading",
      () => undefined,
    );
    if (view.status === "failed") throw new Trouble("refused", view.message ?? "Nothing was kept.");
    go({ at: "seen", view, lines: null });
  };
  const archive = (file: File) =>
    run(async () => {
      const stopping = new AbortController();
      const told = (sent: number) => go({ at: "sending", name: file.name, sent, of: file.size, stop: () => stopping.abort() });
      told(0);
      const begun = await sendArchive(file, told, stopping.signal);
      go({ at: "reading", what: file.name });
      await seen(begun);
    });
  const repository = (url: string) =>
    run(async () => {
      go({ at: "reading", what: url });
      await seen(await api.importList({ kind: "memory", items: [], url }));
    });
  const list = (lines: string[]) =>
    run(async () => {
      const view = await api.importList({ kind: "statements", items: lines });
      go({ at: "seen", view, lines });
    });
  const apply = (view: ImportView, lines: string[] | null, passphrase: string) =>
    run(async () => {
      go({ at: "landing", view });
      const first = lines
        ? await api.importList({ kind: "statements", items: lines, apply: true })
        : await api.applyImport(view.id, passphrase);
      const done = await settled(
        first,
        ({ status }) => status !== "applying",
        (now) => go({ at: "landing", view: now }),
      );
      invalidateAll();
      if (done.status !== "applied") throw new Trouble("refused", done.message ?? "Not all of it was kept.");
      go({ at: "landed", view: done, undone: false });
    });
  const leave = (view: ImportView, lines: string[] | null) => {
    if (!lines) void api.dropImport(view.id).catch(() => undefined);
    go({ at: "choosing" });
  };
  const undo = async (view: ImportView) => {
    try {
      await api.revert(view.commit!);
      invalidateAll();
      go({ at: "landed", view, undone: true });
      say("The lines are taken back.");
    } catch (error) {
      warn(`Not taken back. ${troubleOf(error).message}`);
    }
  };

  return (
    <Page
      title="Bring in"
      where={
        <p className="where">
          <Link href="/settings/data">Your data</Link> <span aria-hidden="true">/</span> Bring in
        </p>
      }
    >
      <div className="leaf bring">
        {trouble ? <Problem what={step.at === "seen" ? "It did not land." : "It could not be read."} trouble={trouble} /> : null}
        {step.at === "choosing" ? <Choosing archive={archive} repository={repository} list={list} /> : null}
        {step.at === "sending" ? (
          <section>
            <h1 className="title" tabIndex={-1} ref={head}>
              Reading {step.name}
            </h1>
            <p className="note" role="status">
              {bytes(step.sent)} of {bytes(step.of)}.
            </p>
            <progress className="far" max={step.of} value={step.sent} aria-label="How much is read" />
            <p className="acts">
              <button type="button" className="btn" onClick={step.stop}>
                Stop
              </button>
            </p>
          </section>
        ) : null}
        {step.at === "reading" ? (
          <section>
            <h1 className="title" tabIndex={-1} ref={head}>
              Looking through it
            </h1>
            <p className="note" role="status">
              Each line is compared with what stands here, and with what you asked to forget. Nothing is kept yet.
            </p>
          </section>
        ) : null}
        {step.at === "seen" ? (
          <Preview
            key={step.view.id}
            view={step.view}
            lines={step.lines}
            head={head}
            keep={(passphrase) => void apply(step.view, step.lines, passphrase)}
            leave={() => leave(step.view, step.lines)}
          />
        ) : null}
        {step.at === "landing" ? (
          <section>
            <h1 className="title" tabIndex={-1} ref={head}>
              Keeping it
            </h1>
            <p className="note" role="status">
              {step.view.progress.of
                ? `${grouped(step.view.progress.done)} of ${count(step.view.progress.of, "conversation")}. You can close this page; it goes on.`
                : "You can close this page; it goes on."}
            </p>
          </section>
        ) : null}
        {step.at === "landed" ? (
          <section>
            <h1 className="title" tabIndex={-1} ref={head}>
              {step.undone ? "Taken back" : landing(step.view) === "" ? "Nothing was new" : `Kept: ${landing(step.view)}`}
            </h1>
            {step.undone
              ? null
              : remarks(step.view).map((one) => (
                  <p key={one} className="note">
                    {one}
                  </p>
                ))}
            {step.view.counts.conversations > 0 ? (
              <p className="note">The next dream reads the conversations. Facts in them keep the days on which they were said.</p>
            ) : null}
            <p className="acts" style={{ marginTop: 20, alignItems: "center" }}>
              {step.view.commit && !step.undone ? (
                <>
                  <Link className="btn primary" href={`/history/${step.view.commit}`}>
                    See the change
                  </Link>
                  <button type="button" className="act" onClick={() => void undo(step.view)}>
                    Take it back
                  </button>
                </>
              ) : null}
              <button type="button" className="act" onClick={() => go({ at: "choosing" })}>
                Bring in something else
              </button>
            </p>
          </section>
        ) : null}
      </div>
    </Page>
  );
}

function Choosing({
  archive,
  repository,
  list,
}: {
  archive: (file: File) => Promise<void>;
  repository: (url: string) => Promise<void>;
  list: (lines: string[]) => Promise<void>;
}) {
  const [text, setText] = useState("");
  const [url, setUrl] = useState("");
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const lines = linesOf(text);
  return (
    <>
      <h1 className="display">Bring in what you have</h1>
      <p className="lede">
        You see what would be kept before anything is. It lands in one change, with the days it came with, and goes again with one
        click. What you asked to forget stays out.
      </p>
      <section>
        <h2 className="section">An archive</h2>
        <p className="note">
          The export of ChatGPT or Claude, a folder of notes as a zip (Obsidian or any other Markdown), or an export of this app.
        </p>
        <label className="drop" data-over={over || undefined}>
          <input
            type="file"
            accept=".zip,application/zip"
            onDragEnter={() => setOver(true)}
            onDragLeave={() => setOver(false)}
            onDrop={() => setOver(false)}
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file) void archive(file);
            }}
          />
          <span>
            <span className="u">Choose a zip</span>, or drop it here
          </span>
        </label>
      </section>
      <section>
        <h2 className="section">A list</h2>
        <p className="note">One fact a line, as another assistant lists what it remembers.</p>
        <textarea
          className="field long"
          rows={6}
          dir="auto"
          aria-label="Facts, one a line"
          placeholder={"I am allergic to walnuts\nMy sister Ana lives in Porto"}
          value={text}
          readOnly={busy}
          onChange={(event) => setText(event.target.value)}
        />
        <p className="acts" style={{ marginTop: 8 }}>
          <button
            type="button"
            className="btn"
            disabled={busy || lines.length === 0}
            onClick={() => {
              setBusy(true);
              void list(lines).finally(() => setBusy(false));
            }}
          >
            {lines.length === 0 ? "Look at the lines" : `Look at ${count(lines.length, "line")}`}
          </button>
        </p>
      </section>
      <section>
        <h2 className="section">A public repository</h2>
        <p className="note">The notes of its newest commit. Only what anybody may read.</p>
        <form
          className="acts"
          style={{ alignItems: "center" }}
          onSubmit={(event) => {
            event.preventDefault();
            if (url.trim() !== "") void repository(url.trim());
          }}
        >
          <input
            className="field"
            type="url"
            aria-label="Address of a repository"
            placeholder="https://git.example.org/me/notes.git"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <button type="submit" className="btn" disabled={url.trim() === ""}>
            Look at it
          </button>
        </form>
      </section>
      <p className="meta" style={{ marginTop: 32 }}>
        Nothing that you bring in leaves this app.
      </p>
    </>
  );
}
