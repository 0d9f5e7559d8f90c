// A new line, written by hand at the end of a section, or as the first of a file.
import { useId, useState } from "react";
import type { Outcome } from "../../shared/protocol.ts";
import { api, troubleOf } from "../lib/api.ts";
import { pathName } from "../lib/paths.ts";
import { landed } from "../lib/undo.ts";
import { Mark } from "../ui/Mark.tsx";

interface Props {
  path: string;
  section: string | null;
  close: () => void;
  done?: (outcome: Extract<Outcome, { ok: true }>) => void;
}

export function NewLine({ path, section, close, done }: Props) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const why = useId();
  const save = async () => {
    const line = text.replace(/\s*\n\s*/g, " ").trim();
    if (line === "" || busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      const outcome = await api.addEntry({ text: line, path, ...(section ? { section } : {}) });
      setText("");
      setBusy(false);
      landed(outcome, `Remembered in ${pathName(path)}.`);
      done?.(outcome);
    } catch (error) {
      setTrouble(troubleOf(error).message);
      setBusy(false);
    }
  };
  return (
    <div className="entry grid" data-state="upcoming">
      <Mark />
      <div className="line-edit">
        <textarea
          className="line"
          rows={1}
          dir="auto"
          aria-label={section ? `A new line under ${section}` : "A new line"}
          aria-invalid={trouble !== null}
          aria-describedby={trouble ? why : undefined}
          placeholder="One fact, as a sentence"
          ref={(field) => {
            if (field && document.activeElement !== field && text === "") field.focus();
          }}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing) {
              event.preventDefault();
              void save();
            } else if (event.key === "Escape") {
              event.stopPropagation();
              close();
            }
          }}
        />
        {trouble ? (
          <p className="why refused" id={why} role="alert">
            Not saved. {trouble}
          </p>
        ) : null}
        <p className="acts foot">
          <button type="button" className="act strong" disabled={busy || text.trim() === ""} onClick={() => void save()}>
            Save
          </button>
          <button type="button" className="act" onClick={close}>
            Close
          </button>
        </p>
      </div>
      <p className="marg wide-only">
        <span className="nb">Enter saves</span> · <span className="nb">Esc closes</span>
      </p>
    </div>
  );
}
