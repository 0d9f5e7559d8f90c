// What an import would keep, and what stays out and why: before anything is kept.
import { useState, type RefObject } from "react";
import { Link } from "wouter";
import type { ImportItem, ImportView } from "../../shared/protocol.ts";
import { filePath } from "../lib/paths.ts";
import { count } from "../lib/words.ts";
import { Mark, Redacted } from "../ui/Mark.tsx";
import { landing, remarks, stateOf } from "./words.ts";

/** Parts that are listed at first. */
const SHOWN = 40;

function Part({ item, own }: { item: ImportItem; own: string | undefined }) {
  const { state, word } = stateOf(item);
  // A forgotten line is never shown again; a line of one's own list is, so that it can be found there.
  const name = item.name ?? (item.fate === "secret" ? own : undefined);
  return (
    <li className="entry" data-state={state}>
      <Mark />
      <p className="line" dir="auto">
        <span className="sr">{word}: </span>
        {name === undefined ? <Redacted /> : <span>{name}</span>}
      </p>
      <p className="marg">
        {item.why ? <span className="why">{item.why}</span> : null}
        {item.path && item.fate === "duplicate" ? (
          <Link className="u" href={`/vault/${filePath(item.path.replace(/\.md$/, ""))}`}>
            {item.path}
          </Link>
        ) : item.path && item.line !== null ? (
          `${item.path}, line ${item.line}`
        ) : null}
      </p>
    </li>
  );
}

export function Preview({
  view,
  lines,
  head,
  keep,
  leave,
}: {
  view: ImportView;
  /** The pasted list, where it is one. */
  lines: string[] | null;
  head: RefObject<HTMLHeadingElement | null>;
  keep: (passphrase: string) => void;
  leave: () => void;
}) {
  const [passphrase, type] = useState("");
  const [all, showAll] = useState(false);
  const what = landing(view);
  const items = view.items.filter(({ fate }) => fate !== "skipped");
  const shown = all ? items : items.slice(0, SHOWN);
  const nothing = what === "" && view.counts.files === 0;
  return (
    <section>
      <h1 className="title" tabIndex={-1} ref={head}>
        {nothing ? "Nothing here would be kept" : `Would be kept: ${what}`}
      </h1>
      {remarks(view).map((one) => (
        <p key={one} className="note">
          {one}
        </p>
      ))}
      {view.needsPassphrase && !nothing ? (
        <label className="pass">
          Passphrase of the archive
          <input
            className="field"
            type="password"
            autoComplete="off"
            value={passphrase}
            onChange={(event) => type(event.target.value)}
          />
          <span className="meta">
            It opens the key of what was forgotten there. Without it those lines can come back, and you are told which.
          </span>
        </label>
      ) : null}
      <p className="acts" style={{ margin: "20px 0 28px", alignItems: "center" }}>
        {nothing ? null : (
          <button type="button" className="btn primary" onClick={() => keep(passphrase)}>
            Keep {view.kind === "statements" ? count(view.counts.lands, "line") : "it"}
          </button>
        )}
        <button type="button" className="act" onClick={leave}>
          {nothing ? "Bring in something else" : "Leave it"}
        </button>
      </p>
      <ul className="parts" aria-label="What is in it">
        {shown.map((item) => (
          <Part key={`${item.what}${item.n}-${item.line ?? ""}-${item.fate}`} item={item} own={lines?.[item.n - 1]} />
        ))}
      </ul>
      {items.length > shown.length ? (
        <button type="button" className="act" onClick={() => showAll(true)}>
          Show {count(items.length - shown.length, "more part")}
        </button>
      ) : null}
    </section>
  );
}
