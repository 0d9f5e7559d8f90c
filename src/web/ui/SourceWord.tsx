// The source of a line as a word that leads there: the message in its conversation, the note, the dream, or the address.
import { Link } from "wouter";
import { parseSource, sourceWord } from "../../shared/source.ts";
import { threadUrl } from "../lib/paths.ts";

/** The page that a source leads to; null where it is none of the app's own. */
export function sourceUrl(source: string): string | null {
  const ref = parseSource(source);
  if (ref?.kind === "thread") return threadUrl(ref.id, ref.message);
  if (ref?.kind === "note") return `/notes/${ref.id}`;
  if (ref?.kind === "dream") return `/dreams/${ref.id}`;
  return null;
}

export function SourceLink({ source, className }: { source: string; className?: string }) {
  const to = sourceUrl(source);
  const word = sourceWord(source);
  if (to) {
    return (
      <Link className={className} href={to}>
        {word}
      </Link>
    );
  }
  const ref = parseSource(source);
  if (ref?.kind === "url") {
    return (
      <a className={className} href={ref.url} target="_blank" rel="noopener noreferrer nofollow">
        {word}
      </a>
    );
  }
  return <span>{word}</span>;
}
