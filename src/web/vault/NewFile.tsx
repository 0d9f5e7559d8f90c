// A file that is not there yet: its name, and its first line. It comes into being with that line.
import { useState } from "react";
import { useLocation } from "wouter";
import { checkPath } from "../../shared/paths.ts";
import { vaultUrl } from "../lib/paths.ts";
import { Sheet } from "../ui/Sheet.tsx";

export function NewFile({ close, first = "" }: { close: () => void; first?: string }) {
  const [, navigate] = useLocation();
  const [name, setName] = useState(first);
  const path = `${name.trim().replace(/^\/+/, "").replace(/\.md$/i, "").normalize("NFC")}.md`;
  const check = name.trim() === "" ? null : checkPath(path);
  return (
    <Sheet title="A new file" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (check?.ok !== true) return;
          close();
          navigate(`${vaultUrl(path)}?new=1`);
        }}
      >
        <label>
          Its name, with its folder
          <input
            className="field"
            value={name}
            placeholder="people/ana"
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
            aria-invalid={check?.ok === false}
          />
        </label>
        <p className={check?.ok === false ? "meta over" : "meta"} style={{ marginTop: 4 }}>
          {check?.ok === false
            ? check.rule
            : "people, places and projects are about their own subject; every other file is about you."}
        </p>
        <p className="acts">
          <button type="button" className="act" onClick={close}>
            Leave it
          </button>
          <button type="submit" className="btn primary" disabled={check?.ok !== true}>
            Write its first line
          </button>
        </p>
      </form>
    </Sheet>
  );
}
