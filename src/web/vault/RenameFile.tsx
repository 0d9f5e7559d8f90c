// Another name for a file, or another folder: links to it follow, in one commit that can be taken back.
import { useState } from "react";
import { useLocation } from "wouter";
import { checkPath } from "../../shared/paths.ts";
import { api, troubleOf } from "../lib/api.ts";
import { useFiles } from "../lib/files.ts";
import { pathName, vaultUrl } from "../lib/paths.ts";
import { landed } from "../lib/undo.ts";
import { Sheet } from "../ui/Sheet.tsx";

export function RenameFile({ path, close }: { path: string; close: () => void }) {
  const [, navigate] = useLocation();
  const files = useFiles();
  const ending = /\.md$/i.exec(path)?.[0] ?? "";
  const [name, setName] = useState(pathName(path));
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const short = name.trim().replace(/^\/+/, "").normalize("NFC");
  const next = ending !== "" && /\.md$/i.test(short) ? short : `${short}${ending}`;
  const check = short === "" ? null : checkPath(next);
  const taken = next !== path && files?.paths.includes(next) === true;
  const run = async () => {
    if (check?.ok !== true || taken || busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      const outcome = await api.renameFile(path, next);
      close();
      navigate(vaultUrl(next));
      landed(outcome, `${pathName(path)} is now ${pathName(next)}.`, () => navigate(vaultUrl(path)));
    } catch (error) {
      setTrouble(troubleOf(error).message);
      setBusy(false);
    }
  };
  return (
    <Sheet title={`Rename ${pathName(path)}`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <label>
          Its name, with its folder
          <input
            className="field"
            dir="auto"
            value={name}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
            aria-invalid={check?.ok === false || taken}
          />
        </label>
        <p className={check?.ok === false || taken ? "meta over" : "meta"} style={{ marginTop: 4 }}>
          {check?.ok === false
            ? check.rule
            : taken
              ? "A file of this name is there already."
              : "Links to it follow. Old commits keep the old name."}
        </p>
        {trouble ? (
          <p className="why" role="alert">
            Not renamed. {trouble}
          </p>
        ) : null}
        <p className="acts">
          <button type="button" className="act" onClick={close}>
            Leave it
          </button>
          <button type="submit" className="btn primary" disabled={busy || check?.ok !== true || taken || next === path}>
            Rename the file
          </button>
        </p>
      </form>
    </Sheet>
  );
}
