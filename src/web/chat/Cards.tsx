// The slips inside a turn: what was written, with Open and Undo; what was not written, with its reason and two words to choose from.
import { useState } from "react";
import { Feather } from "lucide-react";
import { Link } from "wouter";
import type { Landed } from "../../shared/protocol/write.ts";
import { api, troubleOf } from "../lib/api.ts";
import { intervalText, lineState } from "../lib/line.ts";
import { pathName, vaultUrl } from "../lib/paths.ts";
import { undo } from "../lib/undo.ts";
import { Line } from "../markdown/Markdown.tsx";
import { HeldIcon } from "../ui/HeldIcon.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Mark, Redacted, StateWord } from "../ui/Mark.tsx";
import { warn } from "../ui/Toasts.tsx";
import { isRewritten, WordDiff } from "../ui/WordDiff.tsx";
import { idsOf, type Card } from "./actions.ts";

/** Commits that this window has taken back, so that a card says so. */
const takenBack = new Set<string>();

function Bullet({ landed }: { landed: Landed }) {
  const { entry, before, replaced, verb } = landed;
  const state = lineState(entry);
  const interval = intervalText(entry);
  const fresh = verb === "closed" || verb === "reopened" || (replaced !== undefined && interval !== null);
  const was = before ?? (replaced && replaced.text !== entry.text ? replaced.text : undefined);
  // A sentence that was written anew stands plain, with the one that it replaced below it.
  const old = was !== undefined && !(replaced && isRewritten(was, entry.text)) ? was : undefined;
  return (
    <>
      <p className="bullet" data-state={state} dir="auto">
        <Mark />
        {verb === "added" ? <span className="sr">added, </span> : null}
        <StateWord state={state} />
        {verb === "removed" || state === "held" ? (
          <Redacted />
        ) : old !== undefined ? (
          <WordDiff before={old} after={entry.text} />
        ) : (
          <Line text={entry.text} />
        )}
        {interval && verb !== "removed" ? <span className="meta"> {fresh ? <ins>{interval}</ins> : interval}</span> : null}
      </p>
      {replaced && old === undefined ? (
        <p className="bullet was" data-state={lineState(replaced)} dir="auto">
          <Mark />
          <StateWord state={lineState(replaced)} />
          <Line text={replaced.text} />
          {intervalText(replaced) ? (
            <span className="meta">
              {" "}
              <ins>{intervalText(replaced)}</ins>
            </span>
          ) : null}
        </p>
      ) : null}
    </>
  );
}

export function WriteCard({ card }: { card: Extract<Card, { kind: "written" }> }) {
  const name = `${card.commit}:${idsOf(card.entries).join()}`;
  const [undone, setUndone] = useState(takenBack.has(name));
  const [busy, setBusy] = useState(false);
  const same = card.commit === null;
  // What was forgotten is lifted in its own place, never by an undo.
  const forgot = card.entries.every((landed) => landed.verb === "removed");
  const takeBack = async () => {
    if (card.commit === null) return;
    setBusy(true);
    if (await undo(card.commit, idsOf(card.entries))) {
      takenBack.add(name);
      setUndone(true);
    }
    setBusy(false);
  };
  return (
    <div className="slip" role="group" aria-label={`${card.verb} in ${pathName(card.path)}`}>
      <span className="glyph" aria-hidden="true">
        <Icon of={Feather} />
      </span>
      <div className="verb">
        <span>
          <b>{undone ? "Taken back" : card.verb}</b> {undone ? "from" : "in"}{" "}
          <Link href={vaultUrl(card.path)}>{pathName(card.path)}</Link>
        </span>
        <p className="acts">
          <Link className="act" href={forgot ? "/forgotten" : vaultUrl(card.path, card.entries[0]?.entry.id ?? null)}>
            Open
          </Link>
          {same || undone || forgot ? null : (
            <button type="button" className="act" onClick={() => void takeBack()} disabled={busy}>
              Undo
            </button>
          )}
        </p>
      </div>
      {card.entries.map((landed, at) => (
        <Bullet key={landed.entry.id ?? at} landed={landed} />
      ))}
    </div>
  );
}

const ASKS: Record<string, [yes: string, no: string]> = {
  forgotten: ["Remember it again", "Leave it out"],
  "needs-click": ["Write it", "Leave it out"],
};

export function RefusedCard({ card, thread }: { card: Extract<Card, { kind: "refused" }>; thread: string | null }) {
  const [busy, setBusy] = useState(false);
  const [answered, setAnswered] = useState(card.answered);
  const [gone, setGone] = useState(false);
  const [yes, no] = ASKS[card.code] ?? ["", "Leave it out"];
  const waits = card.code === "needs-click";
  const state = card.answered ?? answered;
  const answer = async (accept: boolean) => {
    if (!card.card || !thread) {
      setGone(true);
      return;
    }
    setBusy(true);
    try {
      await api.answerCard(thread, card.card, accept);
      setAnswered(accept ? "accepted" : "left");
    } catch (error) {
      warn(`Not written. ${troubleOf(error).message}`);
    }
    setBusy(false);
  };
  const label =
    state === "accepted" ? "Written" : state === "left" || gone ? "Left out" : waits ? "Waits for your word" : "Not written";
  const open = state === null && !gone;
  return (
    <div className={state === "accepted" || waits ? "slip refused waits" : "slip refused"} role="group" aria-label={label}>
      <span className="glyph" aria-hidden="true">
        <HeldIcon />
      </span>
      <p className="verb">
        <span>
          <b>{label}</b>
          {card.path ? (
            <>
              {" "}
              {state === "accepted" ? "in" : "to"} {pathName(card.path)}
            </>
          ) : null}
        </span>
      </p>
      {card.proposed && waits ? (
        <p className="bullet" data-state="open" dir="auto">
          <Mark />
          <Line text={card.proposed} />
        </p>
      ) : null}
      {open ? <p className="why">{card.why}</p> : null}
      {open && (card.card || !waits) ? (
        <p className="acts">
          <button
            type="button"
            className={waits ? "act" : "act strong"}
            onClick={() => void answer(false)}
            disabled={busy}
            style={waits ? { order: 2 } : undefined}
          >
            {no}
          </button>
          {card.card && yes ? (
            <button type="button" className={waits ? "act strong" : "act"} onClick={() => void answer(true)} disabled={busy}>
              {yes}
            </button>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}
