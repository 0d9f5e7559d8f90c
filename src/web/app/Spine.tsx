// The spine: the places in words, what is live in them, and at the foot what was spent and how much is kept.
import { Search } from "lucide-react";
import { Link, useLocation } from "wouter";
import { useMemoryState } from "../lib/live.ts";
import { keyText } from "../lib/hotkeys.ts";
import { dollars, figures, sumOf } from "../lib/words.ts";
import { Icon } from "../ui/Icon.tsx";
import { Wordmark } from "../ui/Wordmark.tsx";
import { openPalette } from "./overlays.ts";
import { PLACES } from "./places.ts";

export function Spine() {
  const [path] = useLocation();
  const memory = useMemoryState();
  const dreaming = memory?.dream !== null && memory?.dream !== undefined;
  const spent = memory ? Math.min(100, memory.capUsd > 0 ? (memory.spentUsd / memory.capUsd) * 100 : 0) : 0;
  return (
    <nav className="spine" aria-label="Reverie">
      <Link className="wordmark" href="/">
        <Wordmark />
      </Link>
      <button type="button" className="find" aria-keyshortcuts="Meta+K Control+K" onClick={() => openPalette()}>
        <Icon of={Search} size={14} />
        Find<kbd>{keyText("mod+k")}</kbd>
      </button>
      <ul className="nav">
        {PLACES.map((place, at) =>
          place === null ? (
            <li key={at} className="gap" aria-hidden="true" />
          ) : (
            <li key={place.name}>
              <Link href={place.href} aria-current={place.owns.test(path) ? "page" : undefined}>
                {place.name}
                {place.name === "Dreams" && dreaming ? <span className="meta live">now</span> : null}
                {place.name === "Dreams" && !dreaming && memory && memory.proposals > 0 ? (
                  <span className="meta live">
                    {memory.proposals}
                    <span className="sr"> waiting for you</span>
                  </span>
                ) : null}
              </Link>
            </li>
          ),
        )}
      </ul>
      <div className="spine-foot">
        {memory ? (
          <>
            <div className="bar" aria-hidden="true">
              <i style={{ width: `${spent}%` }} />
            </div>
            <p>
              <span className="num">{sumOf(memory.spentUsd)}</span>{" "}
              {memory.capUsd > 0 ? (
                <>
                  of <span className="num">{dollars(memory.capUsd, 2)}</span>
                </>
              ) : (
                "spent"
              )}
            </p>
            <p>{memory.entries === 0 ? "no facts yet" : `${figures(memory.entries, "fact")} kept`}</p>
          </>
        ) : null}
      </div>
    </nav>
  );
}
