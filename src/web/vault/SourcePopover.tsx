// Where a line comes from: the sentence, who said it and when, what it replaced, how often it was used; then what can be done with it.
import { Popover } from "radix-ui";
import { Link } from "wouter";
import type { EntryView, FileContent } from "../../shared/protocol.ts";
import { plainLinks } from "../../shared/normal.ts";
import { parseSource, sourceWord } from "../../shared/source.ts";
import { api } from "../lib/api.ts";
import { nearTime, partial, stamp } from "../lib/dates.ts";
import type { LineState } from "../lib/line.ts";
import { threadUrl } from "../lib/paths.ts";
import { peek, useResource } from "../lib/resource.ts";
import { figures } from "../lib/words.ts";
import { SourceLink } from "../ui/SourceWord.tsx";
import { useEntryActions, type Take } from "./use-entry-actions.ts";

/** Characters of a message that are quoted: the sentence is wanted, not the letter. */
const QUOTE_CHARS = 260;

interface Props {
  entry: EntryView;
  state: LineState;
  word: string;
  open: boolean;
  setOpen: (open: boolean) => void;
  readOnly: boolean;
  edit: () => void;
  take: (take: Take) => void;
}

/** The sentence of a message that shares most words with the line. */
export function sentenceFor(message: string, line: string): string {
  const sentences =
    message
      .match(/[^.!?…。！？\n]+[.!?…。！？]*/g)
      ?.map((one) => one.trim())
      .filter(Boolean) ?? [];
  if (message.length <= QUOTE_CHARS || sentences.length < 2)
    return message.slice(0, QUOTE_CHARS).trim() + (message.length > QUOTE_CHARS ? "…" : "");
  const words = new Set(line.toLocaleLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const score = (sentence: string) =>
    (sentence.toLocaleLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => words.has(word)).length;
  const best = sentences.reduce((left, right) => (score(right) > score(left) ? right : left));
  return best.slice(0, QUOTE_CHARS);
}

function Said({ source, line }: { source: string; line: string }) {
  const ref = parseSource(source);
  const thread = ref?.kind === "thread" ? ref : null;
  const note = ref?.kind === "note" ? ref.id : null;
  const list = useResource(thread ? "threads:" : null, (signal) => api.threads({ limit: 200 }, signal));
  // Where the list is whole and does not hold it, the conversation was deleted: nobody needs to be asked.
  const deleted = thread !== null && list.data?.next === null && !list.data.items.some((one) => one.id === thread.id);
  const talk = useResource(thread && list.data && !deleted ? `thread:${thread.id}` : null, (signal) =>
    api.thread(thread?.id ?? "", signal),
  );
  const page = useResource(note ? `note:${note}` : null, (signal) => api.note(note ?? "", signal));
  if (thread) {
    if (deleted) return <p className="meta said">from a conversation that was deleted</p>;
    if (talk.error)
      return (
        <p className="meta said">
          {talk.error.code === "not-found" ? "from a conversation that was deleted" : "The conversation could not be read."}
        </p>
      );
    const message = talk.data?.items.find((one) => one.id === thread.message);
    if (!talk.data) return <p className="meta said">…</p>;
    if (!message)
      return (
        <p className="meta said">
          in{" "}
          <Link className="u" href={threadUrl(thread.id)}>
            {talk.data.title}
          </Link>
        </p>
      );
    return (
      <>
        <blockquote dir="auto">“{sentenceFor(message.text, line)}”</blockquote>
        <p className="meta said">
          {message.role === "user" ? "you" : "Reverie"}, {stamp(message.at)}, in{" "}
          <Link className="u" href={threadUrl(thread.id, message.id)}>
            {talk.data.title || "a conversation"}
          </Link>
        </p>
      </>
    );
  }
  if (note) {
    return (
      <>
        {page.data ? <blockquote dir="auto">“{sentenceFor(page.data.text, line)}”</blockquote> : null}
        <p className="meta said">
          your note{" "}
          <Link className="u" href={`/notes/${note}`}>
            {page.data?.title ?? ""}
          </Link>
          {page.error?.code === "not-found" ? ", which was deleted" : ""}
        </p>
      </>
    );
  }
  return (
    <p className="meta said">
      from <SourceLink className="u" source={source} />
      {ref?.kind === "import" ? `, item ${ref.item ?? ""}` : ""}
    </p>
  );
}

function Body({ entry, state, readOnly, edit, take, close }: Omit<Props, "open" | "setOpen" | "word"> & { close: () => void }) {
  const detail = useResource(entry.id ? `entry:${entry.id}` : null, (signal) => api.entry(entry.id ?? "", signal));
  const actions = useEntryActions(entry);
  const full = detail.data;
  const saved = full?.history?.[full.history.length - 1];
  const beside = peek<FileContent>(`file:${entry.path}:`)?.entries;
  const replaced = entry.replaces
    ? (full?.timeline?.find((one) => one.id === entry.replaces) ?? beside?.find((one) => one.id === entry.replaces))
    : undefined;
  const uses = full?.uses ?? entry.uses;
  const last = full?.lastUsed ?? entry.lastUsed;
  const source = entry.sources[entry.sources.length - 1];
  const ref = source ? parseSource(source) : null;
  const gone = state === "closed" || state === "wrong";
  const act = (run: () => void) => () => {
    close();
    setTimeout(run);
  };
  return (
    <>
      {entry.sources.map((one) => (
        <Said key={one} source={one} line={entry.text} />
      ))}
      <dl>
        <dt>Saved</dt>
        <dd>
          {entry.added ? partial(entry.added) : "at an unknown day"}
          {saved ? (
            <>
              {" "}
              by {saved.kind},{" "}
              <Link className="u meta" href={`/history/${saved.commit}`}>
                {saved.commit.slice(0, 7)}
              </Link>
            </>
          ) : source ? (
            ` by ${sourceWord(source)}`
          ) : (
            ""
          )}
        </dd>
        {entry.replaces ? (
          <>
            <dt>Replaced</dt>
            <dd>
              {replaced
                ? `“${plainLinks(replaced.text)}”${replaced.why === "wrong" ? ", was wrong" : ""}`
                : "a line that is not kept any more"}
            </dd>
          </>
        ) : null}
        {entry.scope ? (
          <>
            <dt>Scope</dt>
            <dd>{entry.scope}</dd>
          </>
        ) : null}
        <dt>Used</dt>
        <dd>{uses === 0 ? "never yet" : `${figures(uses, "time")}${last ? `, last ${nearTime(last)}` : ""}`}</dd>
      </dl>
      <p className="acts">
        {ref?.kind === "thread" ? (
          <Link className="act strong" href={threadUrl(ref.id, ref.message)}>
            Open the conversation
          </Link>
        ) : null}
        {readOnly || gone ? null : (
          <>
            {state === "check" ? (
              <button type="button" className="act strong" onClick={act(actions.confirm)}>
                Still true
              </button>
            ) : null}
            <button type="button" className="act" onClick={act(edit)}>
              Edit
            </button>
            {entry.id === null ? null : (
              <>
                <button type="button" className="act" onClick={act(actions.pin)}>
                  {entry.pin ? "Unpin" : "Pin"}
                </button>
                <button type="button" className="act" onClick={act(() => take("close"))}>
                  No longer true
                </button>
                <button type="button" className="act" onClick={act(() => take("wrong"))}>
                  Was wrong
                </button>
                <button type="button" className="act" onClick={act(() => take("forget"))}>
                  Forget…
                </button>
              </>
            )}
          </>
        )}
      </p>
    </>
  );
}

export function SourcePopover(props: Props) {
  const { open, setOpen, word } = props;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button">{word}</button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="pop" align="end" sideOffset={6} collisionPadding={16} aria-label="Where this line comes from">
          <Body {...props} close={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
