// Dream now: says beforehand what it will read and about what it costs.
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { api, troubleOf } from "../lib/api.ts";
import { useMemoryState } from "../lib/live.ts";
import { invalidate, useResource } from "../lib/resource.ts";
import { sourceUrl } from "../ui/SourceWord.tsx";
import { warn } from "../ui/Toasts.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { figures } from "../lib/words.ts";
import { asideText, estimateText } from "./words.ts";

export function DreamNow() {
  const [, navigate] = useLocation();
  const memory = useMemoryState();
  const estimate = useResource("estimate", () => api.estimate());
  const settings = useResource("settings", (signal) => api.settings(signal));
  const [asking, ask] = useState(false);
  const [busy, setBusy] = useState(false);
  const dreaming = memory?.dream ?? null;
  const run = async (options: { mode?: "review"; retry?: boolean } = {}) => {
    setBusy(true);
    try {
      const { id } = await api.dreamNow(options);
      ask(false);
      invalidate("dreams", "estimate");
      navigate(`/dreams/${id}`);
    } catch (error) {
      warn(`No dream began. ${troubleOf(error).message}`);
    }
    setBusy(false);
  };
  const next = settings.data
    ? settings.data.dream.mode === "off"
      ? "The next one comes when you say so"
      : settings.data.dream.nightly
        ? "The next one is tonight at 03:00"
        : `The next one comes within ${figures(settings.data.dream.everyHours, "hour")}`
    : "";
  return (
    <div className="pad">
      <button
        type="button"
        className={dreaming ? "btn" : "btn primary"}
        style={{ width: "100%" }}
        disabled={dreaming !== null || busy}
        onClick={() => ask(true)}
      >
        {dreaming ? "Dreaming" : "Dream now…"}
      </button>
      <p className="note">
        {dreaming ? next : estimate.data ? estimateText(estimate.data) : estimate.error ? "What waits could not be counted." : ""}
      </p>
      {estimate.data?.setAside ? (
        <details className="set-aside">
          <summary className="note">{asideText(estimate.data.setAside.length)}</summary>
          <ul className="cites">
            {estimate.data.setAside.map((item) => {
              const to = sourceUrl(item.ref);
              return (
                <li key={item.ref}>
                  <p className="q" dir="auto">
                    {item.text}
                  </p>
                  <p className="meta">
                    {to ? <Link href={to}>{item.ref}</Link> : item.ref}
                    {item.reason ? ` · ${item.reason}` : ""}
                  </p>
                </li>
              );
            })}
          </ul>
          <button type="button" className="act" disabled={dreaming !== null || busy} onClick={() => void run({ retry: true })}>
            Read these again
          </button>
        </details>
      ) : null}
      {asking ? (
        <Sheet title="Dream now" close={() => ask(false)}>
          <p className="body">
            {estimate.data
              ? `${estimateText(estimate.data)}${estimate.data.tokens > 0 ? `, ${figures(estimate.data.tokens, "token")} to read` : ""}.`.replace(
                  "..",
                  ".",
                )
              : "What waits is being counted."}{" "}
            It reads what is new, joins what stands twice, closes what has ended, and says what it did. You can take all of it
            back.
          </p>
          <p className="acts">
            <button type="button" className="act" onClick={() => ask(false)}>
              Not now
            </button>
            <button type="button" className="btn" disabled={busy} onClick={() => void run({ mode: "review" })}>
              Only propose
            </button>
            <button type="button" className="btn primary" disabled={busy} onClick={() => void run()}>
              Dream
            </button>
          </p>
        </Sheet>
      ) : null}
    </div>
  );
}
