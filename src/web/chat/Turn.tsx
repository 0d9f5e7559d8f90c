// One turn: the user's words behind a dash, or the answer with its slips and the memory that it used.
import { memo, useEffect, useState } from "react";
import { ChevronRight } from "lucide-react";
import { Link } from "wouter";
import type { MessageView, Recalled } from "../../shared/protocol.ts";
import { clock, stamp } from "../lib/dates.ts";
import { dirOf, lineState } from "../lib/line.ts";
import { vaultUrl } from "../lib/paths.ts";
import { dollars, duration, figures } from "../lib/words.ts";
import { Line, Prose } from "../markdown/Markdown.tsx";
import { Icon } from "../ui/Icon.tsx";
import { SourceLink } from "../ui/SourceWord.tsx";
import { say } from "../ui/Toasts.tsx";
import { Words } from "../ui/Words.tsx";
import { cardOf, type Card } from "./actions.ts";
import { RefusedCard, WriteCard } from "./Cards.tsx";
import { piecesOf } from "./pasted.ts";

/** Characters of a user's message above which it is folded: a paste of 30 KB must not bury the answer. */
const LONG_CHARS = 2_400;

function Used({ recalled }: { recalled: Recalled[] }) {
  if (recalled.length === 0) return null;
  return (
    <details className="used">
      <summary>
        <Icon of={ChevronRight} />
        Used {figures(recalled.length, "line")} of memory
      </summary>
      <ul>
        {recalled.map((entry, at) => (
          <li key={entry.id ?? at}>
            <Link href={vaultUrl(entry.path, entry.id)} dir="auto">
              {lineState({ ...entry, why: null, toCheck: false }) === "closed" ? entry.chain : <Line text={entry.text} />}
            </Link>
            {entry.sources[0] ? <SourceLink className="marg" source={entry.sources[0]} /> : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Seconds({ since }: { since: number | null }) {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = since === null ? 0 : Math.max(0, Math.round((now - since) / 1_000));
  return <span className="live">writing, {seconds} s</span>;
}

export const UserTurn = memo(function UserTurn({ message, edit }: { message: MessageView; edit: (() => void) | null }) {
  const [whole, show] = useState(false);
  const long = message.text.length > LONG_CHARS && !whole;
  const text = long ? message.text.slice(0, LONG_CHARS) : message.text;
  return (
    <article className="turn you grid" dir={dirOf(message.text)} id={message.id} aria-label={`You, ${clock(message.at)}`}>
      <div>
        <p className="line said" dir="auto">
          {piecesOf(text, message.pasted).map((piece, at) =>
            piece.pasted ? (
              <span key={at} className="pasted">
                <span className="sr">pasted: </span>
                <Words text={piece.text} />
              </span>
            ) : (
              <Words key={at} text={piece.text} />
            ),
          )}
          {long ? "…" : ""}
        </p>
        {message.text.length > LONG_CHARS ? (
          <p className="acts">
            <button type="button" className="act" aria-expanded={whole} onClick={() => show(!whole)}>
              {whole ? "Fold" : "Show all of it"}
            </button>
          </p>
        ) : null}
        {message.secrets.length > 0 ? (
          <p className="why">A {message.secrets.join(", ")} was taken out before it was kept or sent to a model.</p>
        ) : null}
      </div>
      <p className="marg" dir="ltr">
        <time dateTime={message.at} title={stamp(message.at)}>
          {clock(message.at)}
        </time>
        {edit ? (
          <span className="late">
            {" "}
            ·{" "}
            <button type="button" onClick={edit}>
              edit
            </button>
          </span>
        ) : null}
      </p>
    </article>
  );
});

interface AnswerProps {
  message: MessageView;
  thread: string | null;
  since: number | null;
  again: (() => void) | null;
}

export const AnswerTurn = memo(function AnswerTurn({ message, thread, since, again }: AnswerProps) {
  const cards = message.actions.map(cardOf).filter((card): card is Card => card !== null);
  const writing = message.status === "writing";
  const copy = () => {
    navigator.clipboard.writeText(message.text).then(
      () => say("Copied."),
      () => say("This browser does not let a page copy."),
    );
  };
  return (
    <article
      className="turn grid"
      dir={dirOf(message.text)}
      id={message.id}
      aria-label={`Reverie, ${clock(message.at)}`}
      aria-busy={writing}
    >
      <div className={writing ? "answer writing" : "answer"}>
        {cards.map((card, at) =>
          card.kind === "refused" ? <RefusedCard key={card.card ?? at} card={card} thread={thread} /> : null,
        )}
        {message.text !== "" ? <Prose text={message.text} /> : null}
        {writing ? <span className="caret" aria-hidden="true" /> : null}
        {cards.map((card, at) => (card.kind === "written" ? <WriteCard key={at} card={card} /> : null))}
        {message.status === "stopped" ? <p className="why">Stopped by you.</p> : null}
        {message.status === "broken" || message.error ? (
          <div role="alert">
            <p className="why">{message.error?.message ?? "The answer broke off. Your message is kept."}</p>
            {again ? (
              <p className="acts" style={{ marginTop: 8 }}>
                <button type="button" className="act strong" onClick={again}>
                  Try again
                </button>
              </p>
            ) : null}
          </div>
        ) : null}
        {writing ? null : <Used recalled={message.recalled} />}
      </div>
      <p className="marg" dir="ltr">
        {writing ? (
          <Seconds since={since} />
        ) : (
          <>
            {message.usage ? (
              <>
                <span className="nb">{duration(message.usage.ms)}</span> ·{" "}
                <span className="nb">{message.usage.usd === null ? "no price" : dollars(message.usage.usd)}</span>
              </>
            ) : null}
            {message.text !== "" ? (
              <span className="late">
                {message.usage ? " · " : ""}
                <button type="button" onClick={copy}>
                  copy
                </button>
                {again && (message.status === "done" || message.status === "stopped") ? (
                  <>
                    {" "}
                    ·{" "}
                    <button type="button" onClick={again}>
                      again
                    </button>
                  </>
                ) : null}
              </span>
            ) : null}
          </>
        )}
      </p>
    </article>
  );
});
