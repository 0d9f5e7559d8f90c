// A file of the memory as a page: title, sections of lines, History folded, what mentions it and what it mentions.
import { useEffect, useMemo, useState } from "react";
import { Plus } from "lucide-react";
import type { EntryView, FileContent } from "../../shared/protocol.ts";
import { plainLinks } from "../../shared/normal.ts";
import { partialLong } from "../lib/dates.ts";
import { stateOn, trueOn } from "../lib/line.ts";
import { decoded, leafName } from "../lib/paths.ts";
import { useHash } from "../lib/use-hash.ts";
import { figures } from "../lib/words.ts";
import { Prose } from "../markdown/Markdown.tsx";
import type { Reading } from "../ui/DateBar.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Redacted } from "../ui/Mark.tsx";
import { Sign } from "../ui/Sign.tsx";
import { WordDiff } from "../ui/WordDiff.tsx";
import { blocksOf, type Block } from "./blocks.ts";
import { Citations } from "./Citations.tsx";
import { EntryRow } from "./EntryRow.tsx";
import { NewLine } from "./NewLine.tsx";
import { differences } from "./past.ts";
import type { Take } from "./use-entry-actions.ts";

interface Props {
  file: FileContent;
  /** The file as it is today, where `file` is another day's. */
  now: FileContent | null;
  reading: Reading;
  take: (entry: EntryView, take: Take) => void;
}

function Differences({ then, now }: { then: EntryView[]; now: EntryView[] }) {
  const found = useMemo(() => differences(then, now), [then, now]);
  if (found.length === 0) return <p className="marg">Nothing of this file is different today.</p>;
  return (
    <details className="fold" open>
      <summary>
        <h2 className="section">What is different today</h2>
        <span className="meta">{figures(found.length, "line")}</span>
      </summary>
      <ul>
        {found.map((one, at) => (
          <li key={at} className="change grid" data-do={one.kind === "added" ? "added" : "changed"}>
            <Sign of={one.kind === "changed" ? "changed" : one.kind === "added" ? "added" : "closed"} />
            {one.kind === "changed" ? (
              <p className="line" dir="auto">
                <WordDiff before={plainLinks(one.before.text)} after={plainLinks(one.after.text)} />
              </p>
            ) : one.kind === "gone" ? (
              <p className="line closed" dir="auto">
                {one.before.state === "removed" ? <Redacted /> : plainLinks(one.before.text)}
              </p>
            ) : one.kind === "closed" ? (
              <p className="line closed" dir="auto">
                {plainLinks(one.before.text)}
              </p>
            ) : (
              <p className="line" dir="auto">
                {plainLinks(one.after.text)}
              </p>
            )}
            <p className="marg">{one.kind === "gone" ? "not in this file any more" : one.margin}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function FilePage({ file, now, reading, take }: Props) {
  const past = reading.asOf !== null || reading.knownAt !== null;
  const { title, sections, history } = useMemo(() => blocksOf(file.text, file.entries), [file]);
  const [adding, setAdding] = useState<string | null>(null);
  const [unfolded, unfold] = useState(false);
  const hash = useHash();
  const asOf = reading.asOf;
  const standing = useMemo(() => {
    const held = file.entries.filter((entry) => entry.state === "removed");
    if (asOf === null) return { entries: file.entries, held };
    const then = file.entries.filter((entry) => trueOn(entry, asOf) || stateOn(entry, asOf) === "upcoming");
    const ids = new Set(then.map((entry) => entry.id));
    // A line without a date that replaced one which was still true had not come yet.
    return { entries: then.filter((entry) => entry.since !== null || entry.replaces === null || !ids.has(entry.replaces)), held };
  }, [file, asOf]);

  // A line that is named in the address is brought into view, wherever it stands.
  useEffect(() => {
    const id = decoded(hash);
    if (id === "") return;
    if (history.some((block) => block.kind === "line" && block.entry.id === id)) unfold(true);
    requestAnimationFrame(() => {
      const row =
        document.getElementById(id) ??
        [...document.querySelectorAll(".leaf h2.section")].find((heading) => heading.textContent === id);
      if (!row) return;
      row.scrollIntoView({ block: "center" });
      row.classList.add("flash");
      setTimeout(() => row.classList.remove("flash"), 1_600);
    });
  }, [file.path, history, hash]);

  const rows = (blocks: Block[]) => {
    const groups: (Block[] | Block)[] = [];
    for (const block of blocks) {
      const last = groups[groups.length - 1];
      if (block.kind === "prose") groups.push(block);
      else if (Array.isArray(last)) last.push(block);
      else groups.push([block]);
    }
    return groups.map((group, at) =>
      Array.isArray(group) ? (
        <ul key={at}>
          {group.map((block) =>
            block.kind === "line" ? (
              <EntryRow
                key={block.entry.id ?? block.entry.line}
                entry={block.entry}
                depth={block.depth}
                {...(asOf === null ? {} : { state: stateOn(block.entry, asOf) })}
                readOnly={past}
                take={take}
              />
            ) : null,
          )}
        </ul>
      ) : group.kind === "prose" ? (
        <div key={at} className="other">
          <Prose text={group.text} />
        </div>
      ) : null,
    );
  };
  const visible = (blocks: Block[]) =>
    asOf === null
      ? blocks
      : blocks.filter(
          (block) => block.kind === "prose" || standing.entries.includes(block.entry) || block.entry.state === "removed",
        );
  // In the past, what History holds today may have been true: it stands where the line stands that replaced it, else at the beginning.
  const returned = asOf === null ? [] : visible(history).filter((block) => block.kind === "line");
  const homes = new Map(
    sections.flatMap((section) =>
      section.blocks.flatMap((block) =>
        block.kind === "line" && block.entry.replaces ? [[block.entry.replaces, section.line] as const] : [],
      ),
    ),
  );
  const homeOf = (block: Block): number | null =>
    block.kind === "line" && block.entry.id ? (homes.get(block.entry.id) ?? null) : null;
  const homeless = returned.filter((block) => homeOf(block) === null);
  const always = file.path === "MEMORY.md";
  const closed = history.filter((block) => block.kind === "line").length;

  return (
    <article className="leaf">
      <header>
        <h1 dir="auto">{title ?? (always ? "MEMORY" : leafName(file.path))}</h1>
        <p className="meta under">
          {past ? (
            <>
              <span>true on {asOf ? partialLong(asOf) : "today"}</span>
              <span>as known {reading.knownAt ? `on ${partialLong(reading.knownAt)}` : "today"}</span>
              <span>read only</span>
            </>
          ) : (
            <>
              <span>{figures(file.entries.length, "line")}</span>
              <span>{figures(file.tokens, "token")}</span>
              <span>{always ? "always loaded" : "read when needed"}</span>
            </>
          )}
        </p>
      </header>
      {homeless.length > 0 ? <div style={{ marginTop: 24 }}>{rows(homeless)}</div> : null}
      {sections.map((section) => {
        const blocks = [...returned.filter((block) => homeOf(block) === section.line), ...visible(section.blocks)];
        if (asOf !== null && blocks.length === 0) return null;
        const key = `${section.line}`;
        return (
          <section
            key={key}
            aria-label={section.heading ?? undefined}
            className={section.heading === null ? "opening" : undefined}
          >
            {section.heading === null ? null : (
              <h2 className="section" dir="auto">
                {section.heading}
                {past ? null : (
                  <button
                    type="button"
                    className="icon add"
                    aria-label={`Write a line under ${section.heading}`}
                    onClick={() => setAdding(key)}
                  >
                    <Icon of={Plus} />
                  </button>
                )}
              </h2>
            )}
            {rows(blocks)}
            {adding === key ? <NewLine path={file.path} section={section.heading} close={() => setAdding(null)} /> : null}
          </section>
        );
      })}
      {past ? null : adding === "end" ? (
        <NewLine path={file.path} section={null} close={() => setAdding(null)} />
      ) : (
        <p className="acts" style={{ marginTop: 12 }}>
          <button type="button" className="act" onClick={() => setAdding("end")}>
            Write a line
          </button>
        </p>
      )}
      {asOf === null && history.length > 0 ? (
        <details className="fold" open={unfolded} onToggle={(event) => unfold(event.currentTarget.open)}>
          <summary>
            <h2 className="section">History</h2>
            <span className="meta">{closed} closed</span>
          </summary>
          {rows(history)}
        </details>
      ) : null}
      {past && now ? (
        <Differences
          then={
            asOf === null
              ? file.entries.filter((entry) => entry.state !== "closed")
              : standing.entries.filter((entry) => trueOn(entry, asOf))
          }
          now={now.entries}
        />
      ) : null}
      {past && !now ? (
        <p className="marg" style={{ marginTop: 32 }}>
          This file is not there any more today.
        </p>
      ) : null}
      <Citations file={file} readOnly={past} />
    </article>
  );
}
