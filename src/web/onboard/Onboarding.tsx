// The first screen: what this is, which model answers, and three ways in.
import { ArrowRight } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import type { ModelMenu } from "../../shared/protocol.ts";
import type { LineState } from "../lib/line.ts";
import { troubleOf } from "../lib/api.ts";
import { warn } from "../ui/Toasts.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Mark, StateWord } from "../ui/Mark.tsx";
import { Wordmark } from "../ui/Wordmark.tsx";
import "./onboard.css";

const SPECIMEN: { state: LineState; text: string; margin: ReactNode }[] = [
  { state: "open", text: "Lives in Porto, above the tram line", margin: "since May 2024 · you said so on 2 May" },
  { state: "upcoming", text: "Teaches at the art school", margin: "from Jan 2027, so not yet" },
  {
    state: "check",
    text: "The spare pen is in a drawer in Lyon",
    margin: (
      <>
        <span className="ask">to be checked</span>, that flat is given up
      </>
    ),
  },
  { state: "closed", text: "Lives in Braga, with their mother", margin: "Sep 2019 – May 2024, kept as history" },
];

export function Onboarding({ answers, start }: { answers: ModelMenu["answers"] | null; start: () => void }) {
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "Reverie";
  }, []);
  const look = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const { layOut } = await import("./example.ts");
      await layOut();
      start();
      navigate("/vault/people/ana");
    } catch (error) {
      warn(`Her memory could not be laid out. ${troubleOf(error).message}`);
      setBusy(false);
    }
  };
  const ways = [
    { name: "Start talking", help: "Say something about your week. Nothing is kept that you cannot see.", run: start },
    {
      name: "Bring what you have",
      help: "Conversations and memories from another assistant, or a list of facts.",
      run: () => (start(), navigate("/import")),
    },
    {
      name: "Look around in somebody’s memory",
      help: "Mara’s, a translator in Ghent. Invented, and gone again with one click.",
      run: () => void look(),
    },
  ];
  return (
    <main className="first" id="page" tabIndex={-1}>
      <header className="hello">
        <p className="wordmark" style={{ marginBottom: 48 }}>
          <Wordmark />
        </p>
        <h1 className="display">You talk. It remembers, and tells you where it heard it.</h1>
        <p className="lede" style={{ marginTop: 20 }}>
          Every line it keeps stands in a plain text file that is yours: with the day it became true, the day it stopped, and the
          sentence it came from. At night it tidies up. What you ask it to forget stays forgotten.
        </p>
      </header>
      <nav className="ways" aria-label="Ways in">
        {ways.map((way) => (
          <button key={way.name} type="button" onClick={way.run} disabled={busy}>
            <b>{way.name}</b>
            <span>{way.help}</span>
            <Icon of={ArrowRight} />
          </button>
        ))}
      </nav>
      <aside className="specimen" aria-label="Four lines of a memory">
        <ul>
          {SPECIMEN.map((line, at) => (
            <li key={line.text} className="entry" data-state={line.state}>
              <Mark />
              <p className="line">
                <StateWord state={line.state} />
                <span>{line.text}</span>
              </p>
              <p className="marg" style={{ padding: `2px 0 ${at === SPECIMEN.length - 1 ? 0 : 9}px` }}>
                {line.margin}
              </p>
            </li>
          ))}
        </ul>
      </aside>
      <p className="meta model" style={{ marginTop: 16 }}>
        {answers === null
          ? ""
          : answers.offline
            ? "Answers come from the built-in offline model: no key, no network, simple sentences. "
            : `Answers come from ${answers.chat}. `}
        <Link className="u" href="/settings/models" onClick={start}>
          Choose another
        </Link>
      </p>
    </main>
  );
}
