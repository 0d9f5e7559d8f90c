// Moving a line to another file, or to one that is made for it.
import { useState } from "react";
import type { EntryView } from "../../shared/protocol.ts";
import { plainLinks } from "../../shared/normal.ts";
import { checkPath } from "../../shared/paths.ts";
import { api, troubleOf } from "../lib/api.ts";
import { useFiles } from "../lib/files.ts";
import { pathName } from "../lib/paths.ts";
import { landed } from "../lib/undo.ts";
import { Sheet } from "../ui/Sheet.tsx";

export function MoveSheet({ entry, close }: { entry: EntryView; close: () => void }) {
  const files = useFiles();
  const [path, setPath] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const name = path.trim().replace(/^\/+/, "");
  const full = /\.md$/i.test(name) ? name : `${name}.md`;
  const check = name === "" ? null : checkPath(full);
  const run = async () => {
    if (!entry.id || name === "" || check?.ok === false) return;
    setBusy(true);
    try {
      landed(await api.move(entry.id, full), `Moved to ${pathName(full)}.`);
      close();
    } catch (error) {
      setTrouble(troubleOf(error).message);
      setBusy(false);
    }
  };
  return (
    <Sheet title={`“${plainLinks(entry.text)}”`} said={`now in ${pathName(entry.path)}`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <label>
          Move to the file
          <input
            className="field"
            list="move-files"
            value={path}
            placeholder="people/ana"
            autoComplete="off"
            onChange={(event) => setPath(event.target.value)}
            aria-invalid={check?.ok === false}
          />
        </label>
        <datalist id="move-files">
          {files?.paths.map((one) => (
            <option key={one} value={pathName(one)}>
              {pathName(one)}
            </option>
          ))}
        </datalist>
        <p className={check?.ok === false ? "meta over" : "meta"} style={{ marginTop: 4 }}>
          {check?.ok === false
            ? check.rule
            : name !== "" && !files?.paths.includes(full)
              ? "This file is made with the line as its first."
              : ""}
        </p>
        {trouble ? (
          <p className="why" role="alert">
            Not moved. {trouble}
          </p>
        ) : null}
        <p className="acts">
          <button type="button" className="act" onClick={close}>
            Leave it
          </button>
          <button
            type="submit"
            className="btn primary"
            disabled={busy || name === "" || check?.ok === false || full === entry.path}
          >
            Move the line
          </button>
        </p>
      </form>
    </Sheet>
  );
}
