// A dream that waits: each change with its reason and evidence, accepted or left; nothing is chosen at first.
import { useRef, useState, type KeyboardEvent } from "react";
import type { DreamChange, DreamDetail } from "../../shared/protocol.ts";
import { PROPOSAL_DAYS } from "../../shared/limits.ts";
import { plainLinks } from "../../shared/normal.ts";
import { api, type Trouble, troubleOf } from "../lib/api.ts";
import { dayInWords } from "../lib/dates.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { pathName } from "../lib/paths.ts";
import { invalidate } from "../lib/resource.ts";
import { count, sentence } from "../lib/words.ts";
import { intervalOf } from "../ui/ChangeRow.tsx";
import { Redacted } from "../ui/Mark.tsx";
import { SourceLink } from "../ui/SourceWord.tsx";
import { say } from "../ui/Toasts.tsx";
import { WordDiff } from "../ui/WordDiff.tsx";

export type Choice = "accept" | "leave";

const DAY_MS = 86_400_000;
const VERB: Record<DreamChange["change"]["verb"], string> = {
  added: "add",
  changed: "reword",
  closed: "close",
  reopened: "open again",
  removed: "take out",
  moved: "move",
};

/** When a proposal that nobody answers goes away. */
export function waitsUntil(dream: DreamDetail): string {
  return dayInWords(new Date(Date.parse(dream.endedAt ?? dream.startedAt) + PROPOSAL_DAYS * DAY_MS).toISOString());
}

/** The changes that wait, by their number: one decision can move several lines. */
export function waiting(dream: DreamDetail): { n: number; parts: DreamChange[] }[] {
  const byNumber = new Map<number, DreamChange[]>();
  for (const one of dream.changes) if (one.status === "proposed") byNumber.set(one.n, [...(byNumber.get(one.n) ?? []), one]);
  return [...byNumber].map(([n, parts]) => ({ n, parts }));
}

/** What a decision does, in one word: a line that is added as another closes is a change of that line. */
function verbOf(parts: readonly DreamChange[]): string {
  const verbs = parts.map((part) => part.change.verb);
  if (verbs.includes("added") && verbs.includes("closed")) return "change";
  return VERB[verbs[0] ?? "changed"];
}

function Words({ part }: { part: DreamChange }) {
  const { change } = part;
  const { text, fresh } = intervalOf(change);
  const before = change.before === null ? null : plainLinks(change.before);
  const after = change.after === null ? null : plainLinks(change.after);
  return (
    <p className="line" dir="auto">
      {change.heldBack ? (
        <Redacted />
      ) : change.verb === "removed" ? (
        <del>{before}</del>
      ) : change.verb === "added" ? (
        after
      ) : before !== null && after !== null ? (
        <WordDiff before={before} after={after} />
      ) : (
        (after ?? before)
      )}
      {text ? <span className="meta"> {fresh || change.verb === "closed" ? <ins>{text}</ins> : text}</span> : null}
      {change.verb === "moved" ? (
        <span className="meta">
          {" "}
          <ins>to {pathName(change.path)}</ins>
        </span>
      ) : null}
    </p>
  );
}

export function DreamProposal({ dream }: { dream: DreamDetail }) {
  const rows = waiting(dream);
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [at, setAt] = useState(0);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const choose = (n: number, choice: Choice) => setChoices((old) => new Map(old).set(n, choice));
  const focus = (next: number) => {
    const place = Math.min(rows.length - 1, Math.max(0, next));
    setAt(place);
    list.current?.children[place]?.querySelector<HTMLElement>('[role="radio"][tabindex="0"]')?.focus();
  };
  const here = rows[at];
  const press = (choice: Choice) => {
    if (!here) return;
    choose(here.n, choice);
    requestAnimationFrame(() => list.current?.children[at]?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus());
  };
  useHotkeys([
    { keys: "j", label: "Next change", group: "Proposal", run: () => focus(at + 1) },
    { keys: "k", label: "Change before", group: "Proposal", run: () => focus(at - 1) },
    { keys: "a", label: "Accept the change", group: "Proposal", run: () => press("accept") },
    { keys: "x", label: "Leave the change", group: "Proposal", run: () => press("leave") },
  ]);
  const accepted = rows.filter((row) => choices.get(row.n) === "accept").map((row) => row.n);
  const left = rows.filter((row) => choices.get(row.n) === "leave").map((row) => row.n);
  const open = rows.length - accepted.length - left.length;
  const run = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      if (accepted.length > 0) await api.acceptDream(dream.id, accepted);
      if (left.length > 0) await api.rejectDream(dream.id, left);
      invalidate("dream", "memory", "file:", "history:", "entries:");
      setChoices(new Map());
      say(
        accepted.length > 0
          ? `${sentence(count(accepted.length, "change"))} written.`
          : `${sentence(count(left.length, "change"))} left out.`,
      );
    } catch (error) {
      setTrouble(troubleOf(error));
    }
    setBusy(false);
  };
  const arrows = (event: KeyboardEvent, n: number) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = choices.get(n) === "accept" ? "leave" : "accept";
    choose(n, next);
    const group = event.currentTarget;
    requestAnimationFrame(() => group.querySelector<HTMLElement>('[aria-checked="true"]')?.focus());
  };
  // One reason for all of them is said once, above.
  const reasons = new Set(rows.map((row) => row.parts[0]?.heldBack ?? null));
  const shared = reasons.size === 1 ? [...reasons][0] : null;
  const verbs = new Map<string, number>();
  for (const row of rows) {
    const verb = verbOf(row.parts);
    verbs.set(verb, (verbs.get(verb) ?? 0) + 1);
  }
  const wants = [...verbs]
    .map(([verb, n], index) => `${verb} ${index === 0 ? count(n, "line") : count(n, "", "").trim()}`)
    .join(" and ");
  return (
    <article className="leaf flush">
      <header>
        <h1>{rows.length === 1 ? "One change waits for you" : `${sentence(count(rows.length, "change"))} wait for you`}</h1>
        <p className="lede" style={{ marginTop: 8 }}>
          This dream wanted to {wants}.{" "}
          {shared ?? "It takes away more than a dream may on its own, or touches what you wrote yourself, so it waits for you."}
        </p>
      </header>
      <ul className="wide" style={{ marginTop: 28 }} ref={list}>
        {rows.map((row, index) => {
          const choice = choices.get(row.n);
          const first = row.parts[0] as DreamChange;
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only follows the focus of the choices inside
            <li key={row.n} className={choice === "leave" ? "proposal grid left" : "proposal grid"} onFocus={() => setAt(index)}>
              <div>
                {row.parts.map((part, place) => (
                  <Words key={place} part={part} />
                ))}
                {first.reason ? (
                  <p className="reason" dir="auto">
                    {first.reason}
                  </p>
                ) : null}
                {first.heldBack && first.heldBack !== shared ? <p className="why">{first.heldBack}</p> : null}
              </div>
              <div>
                <span
                  className="choice"
                  role="radiogroup"
                  aria-label={`Change ${index + 1}`}
                  onKeyDown={(event) => arrows(event, row.n)}
                >
                  {(["accept", "leave"] as const).map((name) => (
                    <button
                      key={name}
                      type="button"
                      role="radio"
                      aria-checked={choice === name}
                      tabIndex={choice === name || (choice === undefined && name === "accept") ? 0 : -1}
                      onClick={() => choose(row.n, name)}
                    >
                      {name === "accept" ? "Accept" : "Leave"}
                    </button>
                  ))}
                </span>
                <p className="marg" style={{ marginTop: 8 }}>
                  {verbOf(row.parts)} ·{" "}
                  {first.evidence.length === 0
                    ? "no source"
                    : first.evidence.map((source, place) => (
                        <span key={source}>
                          {place > 0 ? ", " : ""}
                          <SourceLink source={source} />
                        </span>
                      ))}
                  <br />
                  <span className="nb">{pathName(first.change.path)}</span>
                </p>
              </div>
            </li>
          );
        })}
      </ul>
      {trouble ? (
        <p className="why" role="alert">
          Not written. {trouble.message}
        </p>
      ) : null}
      <p className="acts" style={{ marginTop: 20, alignItems: "center" }}>
        <button
          type="button"
          className="btn primary"
          disabled={busy || accepted.length + left.length === 0}
          onClick={() => void run()}
        >
          {accepted.length > 0
            ? `Write ${count(accepted.length, "change")}`
            : left.length > 0
              ? `Leave ${count(left.length, "change")} out`
              : "Write the changes"}
        </button>
        <span className="meta" role="status">
          {accepted.length} accepted, {left.length} left, {open} open
        </span>
        <span className="meta wide-only">A accepts, X leaves, J and K move</span>
      </p>
    </article>
  );
}
