// Taking a line back, in its strengths: it ended, it was never true, forget, erase. Says what remains before it does anything.
import { useState } from "react";
import type { EntryView } from "../../shared/protocol.ts";
import { plainLinks } from "../../shared/normal.ts";
import { api, troubleOf } from "../lib/api.ts";
import { partial, readDate } from "../lib/dates.ts";
import { pathName } from "../lib/paths.ts";
import { invalidate } from "../lib/resource.ts";
import { landed } from "../lib/undo.ts";
import { Sheet } from "../ui/Sheet.tsx";
import { say } from "../ui/Toasts.tsx";
import type { Take } from "./use-entry-actions.ts";

type Strength = Exclude<Take, "move">;

const STRENGTHS: [Strength, string, string, string][] = [
  ["close", "No longer true", "It moves under History, with the day it ended.", "Close the line"],
  ["wrong", "Was wrong", "It was never true. It stands struck under History, and no answer uses it.", "Strike the line"],
  ["forget", "Forget", "Gone from files, search and prompts, and kept from coming back. Old commits still hold it.", "Forget it"],
  [
    "erase",
    "Erase",
    "Also rewritten out of every commit and conversation. Clones made before keep it. Cannot be undone.",
    "Erase it",
  ],
];

export function TakeBack({ entry, first, close }: { entry: EntryView; first: Strength; close: () => void }) {
  const gone = entry.state === "closed";
  const [how, setHow] = useState<Strength>(gone && (first === "close" || first === "wrong") ? "forget" : first);
  const [ended, setEnded] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const date = ended.trim() === "" ? null : readDate(ended);
  const wrongDate = ended.trim() !== "" && date === null;
  const choice = STRENGTHS.find(([name]) => name === how);
  const run = async () => {
    if (!entry.id || wrongDate) return;
    setBusy(true);
    setTrouble(null);
    try {
      if (how === "close")
        landed(
          await api.close(entry.id, { why: "changed", ...(date ? { until: date } : {}) }),
          "Closed. It stands under History now.",
        );
      else if (how === "wrong") landed(await api.close(entry.id, { why: "wrong" }), "Struck. It stands under History now.");
      else {
        await api.forget({ id: entry.id, ...(how === "erase" ? { erase: true } : {}) });
        invalidate("memory", "file:", "entries:", "entry:", "graph:", "history:", "commit:", "forgotten", "search:", "thread");
        say(how === "erase" ? "Erased. The receipt stands under Forgotten." : "Forgotten. It stays out until you say otherwise.");
      }
      close();
    } catch (error) {
      setTrouble(troubleOf(error).message);
      setBusy(false);
    }
  };
  const move = (by: number) => {
    const open = STRENGTHS.filter(([name]) => !gone || name === "forget" || name === "erase");
    const at = open.findIndex(([name]) => name === how);
    const next = open[(at + by + open.length) % open.length];
    if (next) {
      setHow(next[0]);
      document.getElementById(`strength-${next[0]}`)?.focus();
    }
  };
  return (
    <Sheet
      title={`“${plainLinks(entry.text)}”`}
      said={`${pathName(entry.path)}${entry.added ? ` · kept since ${partial(entry.added)}` : ""}`}
      close={close}
    >
      <div
        role="radiogroup"
        aria-label="How"
        onKeyDown={(event) => {
          const by =
            event.key === "ArrowDown" || event.key === "ArrowRight"
              ? 1
              : event.key === "ArrowUp" || event.key === "ArrowLeft"
                ? -1
                : 0;
          if (by !== 0) {
            event.preventDefault();
            move(by);
          }
        }}
      >
        {STRENGTHS.map(([name, title, help]) => (
          <button
            key={name}
            id={`strength-${name}`}
            type="button"
            className="strength"
            role="radio"
            aria-checked={how === name}
            tabIndex={how === name ? 0 : -1}
            disabled={gone && (name === "close" || name === "wrong")}
            onClick={() => setHow(name)}
          >
            <b>{title}</b>
            <span>{help}</span>
          </button>
        ))}
      </div>
      {how === "close" ? (
        <label>
          It ended
          <input
            className="field num"
            value={ended}
            placeholder="today"
            onChange={(event) => setEnded(event.target.value)}
            aria-invalid={wrongDate}
          />
          <span className={wrongDate ? "meta over" : "meta"}>
            {wrongDate ? "There is no such day." : date ? partial(date) : "a day, a month or a year"}
          </span>
        </label>
      ) : null}
      {trouble ? (
        <p className="why" role="alert">
          Not done. {trouble}
        </p>
      ) : null}
      <p className="acts">
        <button type="button" className="act" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className={how === "erase" ? "btn grave primary" : "btn primary"}
          disabled={busy || wrongDate}
          onClick={() => void run()}
        >
          {choice?.[3]}
        </button>
      </p>
    </Sheet>
  );
}
