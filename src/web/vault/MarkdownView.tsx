// The file as it is written: to read, or to change as a whole. A change of others meanwhile is shown side by side, never written over.
import { useEffect, useState } from "react";
import { diffLines } from "diff";
import type { FileContent } from "../../shared/protocol.ts";
import { api, Trouble, troubleOf } from "../lib/api.ts";
import { kept } from "../lib/store.ts";
import { pathName } from "../lib/paths.ts";
import { landed } from "../lib/undo.ts";

interface Clash {
  base: string;
  mine: string;
  theirs: string;
  head: string;
}

function Lines({ from, to }: { from: string; to: string }) {
  return (
    <div className="lines" role="group">
      {diffLines(from, to).flatMap((part, at) =>
        part.value
          .replace(/\n$/, "")
          .split("\n")
          .map((line, row) => (
            <div key={`${at}.${row}`} className={part.added ? "plus" : part.removed ? "minus" : undefined}>
              <i>
                {part.added ? (
                  <>
                    <span className="sr">added</span>+
                  </>
                ) : part.removed ? (
                  <>
                    <span className="sr">removed</span>−
                  </>
                ) : null}
              </i>
              <span dir="auto">{line}</span>
            </div>
          )),
      )}
    </div>
  );
}

export function MarkdownView({ file: given, editing, close }: { file: FileContent; editing: boolean; close: () => void }) {
  // While it is edited, the file is the one that was read; what others save meanwhile is a clash.
  const [begun] = useState(given);
  const file = editing ? begun : given;
  const key = `reverie.file.${file.path}`;
  const [text, setText] = useState(() => kept.get(key) ?? file.text);
  const [base, setBase] = useState(file.head ?? "");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  useEffect(() => {
    if (editing) kept.set(key, text === file.text ? null : text);
  }, [editing, key, text, file.text]);

  if (!editing) {
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
      <pre className="raw" dir="auto" tabIndex={0} aria-label={`${pathName(file.path)}, Markdown`}>
        {file.text}
      </pre>
    );
  }
  const save = async (words: string, over: string) => {
    setBusy(true);
    setTrouble(null);
    try {
      const outcome = await api.putFile(file.path, words, over);
      kept.set(key, null);
      landed(outcome, `${pathName(file.path)} is saved.`);
      close();
    } catch (error) {
      const found = troubleOf(error);
      setTrouble(found);
      if (found.code === "conflict") {
        const now = await api.file(file.path).catch(() => null);
        if (now?.head) setClash({ base: file.text, mine: words, theirs: now.text, head: now.head });
      }
      setBusy(false);
    }
  };
  if (clash) {
    return (
      <div className="clash">
        <p className="line">Not saved: the file changed while you wrote.</p>
        <p className="why">Both sides are kept here. Below is what differs from what you had read.</p>
        <div className="cols wide">
          <section>
            <h2 className="section">Yours</h2>
            <Lines from={clash.base} to={clash.mine} />
          </section>
          <section>
            <h2 className="section">Theirs</h2>
            <Lines from={clash.base} to={clash.theirs} />
          </section>
        </div>
        <p className="acts" style={{ marginTop: 20 }}>
          <button type="button" className="btn primary" disabled={busy} onClick={() => void save(clash.mine, clash.head)}>
            Keep mine
          </button>
          <button
            type="button"
            className="btn"
            onClick={() => {
              kept.set(key, null);
              close();
            }}
          >
            Keep theirs
          </button>
          <button
            type="button"
            className="act"
            onClick={() => {
              setBase(clash.head);
              setClash(null);
              setTrouble(null);
            }}
          >
            Write it anew
          </button>
        </p>
      </div>
    );
  }
  return (
    <div className="raw-edit">
      <textarea
        className="raw"
        dir="auto"
        aria-label={`${pathName(file.path)}, Markdown`}
        value={text}
        spellCheck
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "s" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            void save(text, base);
          }
        }}
      />
      {trouble ? (
        <p className="why refused" role="alert">
          Not saved. {trouble.message}
        </p>
      ) : null}
      <p className="acts" style={{ marginTop: 12, alignItems: "center" }}>
        <button type="button" className="btn primary" disabled={busy || text === file.text} onClick={() => void save(text, base)}>
          Save the file
        </button>
        <button
          type="button"
          className="act"
          onClick={() => {
            kept.set(key, null);
            close();
          }}
        >
          Leave it
        </button>
      </p>
    </div>
  );
}
