// One line of a diff by entry: the sign, the words under the two pencils, a reason, and in the margin what happened.
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { EntryChange } from "../../shared/protocol.ts";
import { plainLinks } from "../../shared/normal.ts";
import { intervalText } from "../lib/line.ts";
import { datesOf, sourcesOf } from "../lib/meta.ts";
import { pathName } from "../lib/paths.ts";
import { Line } from "../markdown/Markdown.tsx";
import { Redacted } from "./Mark.tsx";
import { Sign, type SignName } from "./Sign.tsx";
import { SourceLink } from "./SourceWord.tsx";
import { WordDiff } from "./WordDiff.tsx";

/** The dates of a line after a change, and whether the change set them. */
export function intervalOf(change: EntryChange): { text: string | null; fresh: boolean } {
  const dates = { state: change.state, toCheck: false, ...datesOf(change.metaAfter) };
  const before = { state: change.state, toCheck: false, ...datesOf(change.metaBefore) };
  const text = intervalText(dates);
  return { text, fresh: change.before !== null && text !== intervalText(before) };
}

/** What happened, in one word or two. */
export function happened(change: EntryChange): ReactNode {
  const { text, fresh } = intervalOf(change);
  const dates = text && fresh ? <ins>{text}</ins> : text;
  switch (change.verb) {
    case "added":
      return text ? <>added, {text}</> : "added";
    case "closed":
      return valueWrong(change) ? (text ?? "was wrong") : dates ? <>closed, {dates}</> : "closed";
    case "reopened":
      return "open again";
    case "removed":
      return "removed";
    case "moved":
      return change.fromPath && change.fromPath !== change.path ? <>from {pathName(change.fromPath)}</> : "moved in the file";
    default:
      return change.before === change.after ? (
        dates && fresh ? (
          dates
        ) : (
          metaWord(change)
        )
      ) : fresh ? (
        <>reworded, {dates}</>
      ) : (
        "reworded"
      );
  }
}

function valueWrong(change: EntryChange): boolean {
  return datesOf(change.metaAfter).why === "wrong";
}

function metaWord(change: EntryChange): string {
  const pinned = (meta: EntryChange["metaAfter"]) => meta.some(([key, value]) => key === "pin" && value === "yes");
  if (pinned(change.metaBefore) !== pinned(change.metaAfter)) return pinned(change.metaAfter) ? "pinned" : "unpinned";
  const more = sourcesOf(change.metaAfter).length - sourcesOf(change.metaBefore).length;
  return more > 0 ? "another source" : "its data";
}

interface Props {
  change: EntryChange;
  reason?: ReactNode;
  /** Before the sources, in place of what happened. */
  margin?: ReactNode;
  sign?: SignName;
  sources?: readonly string[];
}

export function ChangeRow({ change, reason, margin, sign, sources = sourcesOf(change.metaAfter) }: Props) {
  const before = change.before === null ? null : plainLinks(change.before);
  const after = change.after === null ? null : plainLinks(change.after);
  const named: SignName = sign ?? (change.heldBack ? (change.verb === "closed" ? "closed" : "held") : change.verb);
  const gone = change.verb === "closed" || change.verb === "removed";
  return (
    <li className="change grid" data-do={change.verb}>
      <Sign of={named} />
      <div>
        <p className={gone ? "line closed" : "line"} dir="auto">
          <span className="sr">{change.verb}: </span>
          {change.heldBack ? (
            <Redacted />
          ) : change.verb === "removed" ? (
            <del>{before}</del>
          ) : before !== null && after !== null && before !== after ? (
            <WordDiff before={before} after={after} />
          ) : (
            <Line text={change.after ?? change.before ?? ""} />
          )}
        </p>
        {reason ? (
          <p className="reason" dir="auto">
            {reason}
          </p>
        ) : null}
      </div>
      <p className="marg">
        <span className="nb">{margin ?? happened(change)}</span>
        {change.heldBack ? (
          <>
            , <Link href="/forgotten">forgotten since</Link>
          </>
        ) : sources.length > 0 && !gone && change.verb !== "moved" ? (
          <>
            {" "}
            ·{" "}
            <span className="nb">
              {sources.length === 1 ? <SourceLink source={sources[0] as string} /> : `${sources.length} sources`}
            </span>
          </>
        ) : null}
      </p>
    </li>
  );
}
