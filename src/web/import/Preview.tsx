// What an import would keep, and what stays out and why: before anything is kept.
import { useState, type RefObject } from "react";
import { Link } from "wouter";
import type { ImportItem, ImportView } from "../../shared/protocol.ts";
import { filePath } from "../lib/paths.ts";
import { count } from "../lib/words.ts";
import { Mark } from "../ui/Mark.tsx";
import { landing, remarks, stateOf } from "./words.ts";

/** Parts that are listed at first. */
const SHOWN = 40;

function Part({ item, list }: { item: ImportItem; list: boolean }) {
  const { state, word } = stateOf(item);
  const { name } = item;
  return (
    <li className="entry" data-state={state}>
      <Mark />
      <p className="line" dir="auto">
        <span className="sr">{word}: </span>
        {name === null ? <span className="redact" aria-hidden="true" /> : <span>{name}</span>}
      </p>
      <p className="marg">
        {item.path && item.fate === "duplicate" ? (
          <span>
            stands in{" "}
            <Link className="u" href={`/vault/${filePath(item.path.replace(/\.md$/, ""))}`}>
              {item.path.replace(/\.md$/, "")}
            </Link>
          </span>
        ) : (
          <>
            {name === null && list ? <span>line {item.n} of your list</span> : null}
            {name === null && item.path && item.line !== null ? (
              <span>
                {item.path}, line {item.line}
              </span>
            ) : null}
            {item.why ? <span>{item.why}</span> : null}
          </>
        )}
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
          <Part key={`${item.what}${item.n}-${item.line ?? ""}-${item.fate}`} item={item} list={lines !== null} />
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
