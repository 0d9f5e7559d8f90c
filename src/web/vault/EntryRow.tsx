// A line of a file: bullet, words, margin. Enter edits it in place, its source opens where it came from, the menu holds the rest.
import { memo, useState, type KeyboardEvent } from "react";
import { Pin } from "lucide-react";
import type { EntryView } from "../../shared/protocol.ts";
import { dirOf, intervalText, lineState, sourceText, type LineState } from "../lib/line.ts";
import { Line } from "../markdown/Markdown.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Mark, Redacted, StateWord } from "../ui/Mark.tsx";
import { Menu, type MenuItem } from "../ui/Menu.tsx";
import { EntryEditor } from "./EntryEditor.tsx";
import { SourcePopover } from "./SourcePopover.tsx";
import { useEntryActions, type Take } from "./use-entry-actions.ts";

interface Props {
  entry: EntryView;
  depth: number;
  /** The state on the day of reading, where that is not today. */
  state?: LineState;
  readOnly: boolean;
  take: (entry: EntryView, take: Take) => void;
}

export const EntryRow = memo(function EntryRow({ entry, depth, state: given, readOnly, take }: Props) {
  const state = given ?? lineState(entry);
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState(false);
  const actions = useEntryActions(entry);
  const interval = intervalText(entry, given);
  const source = sourceText(entry.sources);
  const indent = depth > 0 ? { marginInlineStart: `${depth * 1.5}rem` } : undefined;
  const name = entry.id ?? `line-${entry.line}`;

  if (state === "held") {
    return (
      <li className="entry grid" data-state="held" style={indent}>
        <Mark />
        <p className="line">
          <Redacted />
        </p>
        <p className="marg">held back{entry.closed ? `, ${intervalText(entry)}` : ""}</p>
      </li>
    );
  }
  if (editing) {
    return (
      <li className="entry grid" data-state={state} style={indent}>
        <EntryEditor entry={entry} close={() => setEditing(false)} />
      </li>
    );
  }
  const named = entry.id !== null;
  const gone = state === "closed" || state === "wrong";
  const items: (MenuItem | null)[] = gone
    ? [
        { label: "Open again", run: actions.reopen, disabled: !named },
        null,
        { label: "Copy the line", run: actions.copy },
        { label: "Its history", run: actions.history, disabled: !named },
        { label: "Forget…", run: () => take(entry, "forget"), disabled: !named },
      ]
    : [
        { label: "Edit", key: "E", run: () => setTimeout(() => setEditing(true)) },
        { label: entry.pin ? "Unpin" : "Pin", key: "P", run: actions.pin, disabled: !named },
        { label: "Move to…", key: "M", run: () => take(entry, "move"), disabled: !named },
        ...(state === "check" ? [{ label: "Still true", run: actions.confirm, disabled: !named }] : []),
        null,
        { label: "Copy the line", run: actions.copy },
        { label: "Its history", run: actions.history, disabled: !named },
        null,
        { label: "No longer true…", run: () => take(entry, "close"), disabled: !named },
        { label: "Was wrong…", run: () => take(entry, "wrong"), disabled: !named },
        { label: "Forget…", run: () => take(entry, "forget"), disabled: !named },
      ];
  const keys = (event: KeyboardEvent<HTMLLIElement>) => {
    if (event.target !== event.currentTarget || readOnly || event.metaKey || event.ctrlKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if ((key === "enter" || key === "e") && !gone) setEditing(true);
    else if (key === "p" && named && !gone) actions.pin();
    else if (key === "m" && named && !gone) take(entry, "move");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- short cuts for what the line's menu offers by button
    <li
      className={open ? "entry grid is-open" : "entry grid"}
      data-state={state}
      id={name}
      data-line=""
      dir={dirOf(entry.text)}
      tabIndex={-1}
      onKeyDown={keys}
      style={indent}
    >
      <Mark />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter and the menu edit too */}
      <p className="line" onDoubleClick={readOnly || gone ? undefined : () => setEditing(true)}>
        <span>
          <StateWord state={state} />
          <Line text={entry.text} />
        </span>
      </p>
      <p className="marg" dir="ltr">
        {entry.pin ? (
          <span className="nb">
            <Icon of={Pin} size={11} className="pin" />
            pinned
          </span>
        ) : null}
        {entry.pin && (state === "check" || interval || source) ? " · " : ""}
        {state === "check" ? (
          <span className="nb">
            <span className="ask">to be checked</span>
          </span>
        ) : interval ? (
          <span className="nb">{interval}</span>
        ) : null}
        {(state === "check" || interval) && source && !gone ? " · " : ""}
        {source && (!gone || !interval) ? (
          <span className="nb">
            <SourcePopover
              entry={entry}
              state={state}
              word={source}
              open={open}
              setOpen={setOpen}
              readOnly={readOnly}
              edit={() => setEditing(true)}
              take={(kind) => take(entry, kind)}
            />
          </span>
        ) : null}
      </p>
      {readOnly ? null : <Menu label={`More for the line “${entry.text.slice(0, 60)}”`} className="more" items={items} />}
    </li>
  );
});
