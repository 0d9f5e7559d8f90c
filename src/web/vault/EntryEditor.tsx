// A line, edited where it stands: same face, same place, a hairline below. Says whether the words or the world changed.
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import type { EntryView } from "../../shared/protocol.ts";
import { formatEntryLine, parseEntryLine, writerText } from "../../shared/entry.ts";
import { api, Trouble, troubleOf } from "../lib/api.ts";
import { partial, readDate } from "../lib/dates.ts";
import { useFiles } from "../lib/files.ts";
import { lineState } from "../lib/line.ts";
import { pathName } from "../lib/paths.ts";
import { peek } from "../lib/resource.ts";
import { landed } from "../lib/undo.ts";
import { Mark } from "../ui/Mark.tsx";
import { withLine } from "./blocks.ts";
import { TwoHands, type Clash } from "./TwoHands.tsx";

type How = "words" | "changed" | "wrong";

const HOW: [How, string][] = [
  ["words", "Better words"],
  ["changed", "It changed"],
  ["wrong", "It was wrong"],
];

/** Rewords a line in its file: same entry, other words. The file is the one that was read, so a change of others is seen. */
async function reword(entry: EntryView, text: string) {
  const file = await api.file(entry.path);
  if (!file.head) throw new Trouble("not-found", "The file is not there any more.");
  const current = file.entries.find((one) =>
    entry.id !== null ? one.id === entry.id : one.line === entry.line && one.text === entry.text,
  );
  if (!current || current.text !== entry.text) {
    throw new Trouble("conflict", "The line changed while you wrote.", { theirs: current?.text ?? null });
  }
  const next = withLine(file.text, current.line, (line) => {
    const parsed = parseEntryLine(line);
    return parsed ? formatEntryLine({ ...parsed, text: writerText(text) }) : null;
  });
  if (next === null) throw new Trouble("conflict", "The line changed while you wrote.", {});
  return api.putFile(entry.path, next, file.head);
}

export function EntryEditor({ entry: given, close }: { entry: EntryView; close: () => void }) {
  // The line as it was when the editing began: what others do to it meanwhile is a clash, not a new beginning.
  const [entry] = useState(given);
  const [text, setText] = useState(entry.text);
  const [how, setHow] = useState<How>("words");
  const [since, setSince] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const files = useFiles();
  const field = useRef<HTMLTextAreaElement>(null);
  const why = useId();
  const base = useRef(peek<{ head: string | null }>(`file:${entry.path}:`)?.head ?? files?.head ?? null);
  useLayoutEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = "0";
    box.style.height = `${box.scrollHeight}px`;
  }, [text]);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(entry.text.length, entry.text.length);
  }, [entry.text.length]);

  const date = since.trim() === "" ? null : readDate(since);
  const wrongDate = since.trim() !== "" && date === null;
  const save = async (words = text) => {
    const line = words.replace(/\s*\n\s*/g, " ").trim();
    if (busy || wrongDate) return;
    if (line === "" || (line === entry.text && how === "words")) {
      close();
      return;
    }
    setBusy(true);
    setTrouble(null);
    try {
      const outcome =
        how === "words" || entry.id === null
          ? await reword(entry, line)
          : await api.revise(entry.id, {
              text: line,
              why: how,
              ...(date ? { since: date } : {}),
              ...(base.current ? { base: base.current } : {}),
            });
      close();
      landed(
        outcome,
        how === "words"
          ? `Changed in ${pathName(entry.path)}.`
          : how === "changed"
            ? "Changed. What was true before stands under History."
            : "Corrected. What was wrong stands under History.",
      );
    } catch (error) {
      const found = troubleOf(error);
      if (found.code === "conflict") {
        const theirs = found.details.theirs;
        setClash({ mine: line, theirs: typeof theirs === "string" ? theirs : null, before: entry.text });
      }
      setTrouble(found);
      setBusy(false);
    }
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void save();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  };
  if (clash) {
    return (
      <div className="line-edit">
        <TwoHands
          path={entry.path}
          clash={clash}
          state={lineState(entry)}
          keep={(words) => void saveOver(entry, words).then(close, (error: unknown) => setTrouble(troubleOf(error)))}
          anew={() => setClash(null)}
          leave={close}
        />
        {trouble && trouble.code !== "conflict" ? (
          <p className="why" role="alert">
            {trouble.message}
          </p>
        ) : null}
      </div>
    );
  }
  return (
    <>
      <Mark />
      <div className="line-edit">
        <textarea
          ref={field}
          className="line"
          dir="auto"
          rows={1}
          aria-label="The line"
          aria-invalid={trouble !== null}
          aria-describedby={trouble ? why : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={keys}
        />
        {trouble ? (
          <p className="why refused" id={why} role="alert">
            Not saved. {trouble.message}
          </p>
        ) : null}
        <div className="acts foot">
          <span className="seg" role="group" aria-label="What changed">
            {HOW.map(([value, label]) => (
              <button
                key={value}
                type="button"
                aria-pressed={how === value}
                onClick={() => setHow(value)}
                disabled={entry.id === null && value !== "words"}
              >
                {label}
              </button>
            ))}
          </span>
          {how === "changed" ? (
            <label className="since">
              since{" "}
              <input
                className="field num"
                value={since}
                placeholder="today"
                onChange={(event) => setSince(event.target.value)}
                onKeyDown={keys}
                aria-invalid={wrongDate}
              />
              {date ? (
                <span className="meta">{partial(date)}</span>
              ) : wrongDate ? (
                <span className="meta over">There is no such day.</span>
              ) : null}
            </label>
          ) : null}
          <button type="button" className="act strong" onClick={() => void save()} disabled={busy}>
            Save
          </button>
          <button type="button" className="act" onClick={close}>
            Leave it
          </button>
        </div>
      </div>
      <p className="marg wide-only">
        <span className="nb">Enter saves</span> · <span className="nb">Esc leaves</span>
      </p>
    </>
  );
}

/** After both sides were seen: the words go over what stands there now. */
async function saveOver(entry: EntryView, words: string): Promise<void> {
  const file = await api.file(entry.path);
  const current = file.entries.find((one) => one.id === entry.id);
  if (!current || !file.head) {
    landed(await api.addEntry({ text: words, path: entry.path }), `Remembered in ${pathName(entry.path)}.`);
    return;
  }
  landed(await reword(current, words), `Changed in ${pathName(entry.path)}.`);
}
