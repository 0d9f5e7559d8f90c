// Where a message is written: grows with its text, keeps its draft, marks what was pasted, says its limits before they bite.
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type Ref,
} from "react";
import { ArrowUp, Square } from "lucide-react";
import { MESSAGE_MAX_BYTES } from "../../shared/limits.ts";
import { kept } from "../lib/store.ts";
import { bytes, figures } from "../lib/words.ts";
import { Icon } from "../ui/Icon.tsx";
import { warn } from "../ui/Toasts.tsx";
import { addRange, moveRanges, piecesOf, trimmed, type Range } from "./pasted.ts";
import { ScopePicker } from "./ScopePicker.tsx";

export interface ComposerHandle {
  fill: (text: string, pasted?: Range[]) => void;
  focus: () => void;
}

interface Props {
  ref?: Ref<ComposerHandle>;
  /** The name under which the draft is kept. */
  draft: string;
  writing: boolean;
  model: string;
  temporary: boolean;
  scope: string | null;
  setScope: (scope: string | null) => void;
  editing: string | null;
  cancelEdit: () => void;
  send: (text: string, pasted: Range[]) => void;
  stop: () => void;
}

function readDraft(key: string): { text: string; pasted: Range[] } {
  try {
    const value = JSON.parse(kept.get(key) ?? "null") as { text?: unknown; pasted?: unknown } | null;
    if (value && typeof value.text === "string")
      return { text: value.text, pasted: Array.isArray(value.pasted) ? (value.pasted as Range[]) : [] };
  } catch {
    // Not a draft of ours.
  }
  return { text: "", pasted: [] };
}

export function Composer({ ref, draft, writing, model, temporary, scope, setScope, editing, cancelEdit, send, stop }: Props) {
  const key = `reverie.draft.${draft}`;
  const [state, setState] = useState(() => readDraft(key));
  const field = useRef<HTMLTextAreaElement>(null);
  const back = useRef<HTMLDivElement>(null);
  const known = useRef(key);
  const paste = useRef<Range | null>(null);
  const { text, pasted } = state;
  const size = new TextEncoder().encode(text).length;
  const over = size > MESSAGE_MAX_BYTES;

  useEffect(() => {
    if (known.current === key) return;
    known.current = key;
    setState(readDraft(key));
  }, [key]);
  useEffect(() => kept.set(key, text === "" ? null : JSON.stringify({ text, pasted })), [key, text, pasted]);
  useLayoutEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = "28px";
    box.style.height = `${box.scrollHeight}px`;
    if (back.current) back.current.scrollTop = box.scrollTop;
  }, [text]);
  useImperativeHandle(
    ref,
    () => ({
      fill: (next, ranges = []) => {
        setState({ text: next, pasted: ranges });
        requestAnimationFrame(() => {
          field.current?.focus();
          field.current?.setSelectionRange(next.length, next.length);
        });
      },
      focus: () => field.current?.focus(),
    }),
    [],
  );

  const typed = useCallback((next: string) => {
    setState((old) => {
      const moved = moveRanges(old.pasted, old.text, next);
      const range = paste.current;
      paste.current = null;
      return { text: next, pasted: range ? addRange(moved, [range[0], Math.min(range[1], next.length)]) : moved };
    });
  }, []);

  const pasting = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const words = event.clipboardData.getData("text/plain");
    if (words === "" && event.clipboardData.files.length > 0) {
      event.preventDefault();
      warn("Text only: a picture or a file cannot be read here. Paste its words instead.");
      return;
    }
    const at = event.currentTarget.selectionStart;
    paste.current = [at, at + words.replace(/\r\n?/g, "\n").length];
  };
  const dropped = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    warn("Text only: a file cannot be read here. Paste its words, or bring it in under Settings, Your data.");
  };
  const submit = () => {
    if (writing || over || text.trim() === "") return;
    const short = trimmed(text, pasted);
    setState({ text: "", pasted: [] });
    send(short.text, short.pasted);
  };
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape") {
      if (writing) stop();
      else if (editing) cancelEdit();
    }
  };

  const inPaste = pasted.reduce((sum, [from, to]) => sum + to - from, 0);
  return (
    <div className="composer" onDragOver={(event) => event.preventDefault()} onDrop={dropped}>
      <form
        aria-label="Message"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {editing ? (
          <p className="editing">
            <span>You are rewriting an earlier message. What came after it is dropped, and what it wrote is taken back.</span>
            <button type="button" className="act" onClick={cancelEdit}>
              Leave it
            </button>
          </p>
        ) : null}
        <div className="sheetlike">
          <div className="backing" ref={back} aria-hidden="true" dir="auto">
            {pasted.length > 0
              ? piecesOf(text, pasted).map((piece, at) =>
                  piece.pasted ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
                )
              : null}
          </div>
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            aria-label="Message"
            aria-describedby="composer-says"
            aria-invalid={over}
            placeholder={temporary ? "Say something; nothing of it is kept" : "Say something"}
            value={text}
            onChange={(event) => typed(event.target.value)}
            onPaste={pasting}
            onKeyDown={keys}
            onScroll={(event) => {
              if (back.current) back.current.scrollTop = event.currentTarget.scrollTop;
            }}
          />
        </div>
        {writing ? (
          <button type="button" className="icon send" aria-label="Stop" onClick={stop}>
            <Icon of={Square} size={12} />
          </button>
        ) : (
          <button type="submit" className="icon send" aria-label="Send" disabled={text.trim() === "" || over}>
            <Icon of={ArrowUp} />
          </button>
        )}
        <p className="tools">
          <span>{model}</span>
          {temporary ? <span className="ask">temporary, writes nothing</span> : <ScopePicker scope={scope} set={setScope} />}
          <span id="composer-says" className={over ? "over" : undefined} role="status">
            {over
              ? `${bytes(size)}: at most ${bytes(MESSAGE_MAX_BYTES)} fit in one message. Keep the rest as a note.`
              : inPaste > 0
                ? `${figures(inPaste, "character")} pasted`
                : ""}
          </span>
          <span className="end wide-only">
            <kbd>Enter</kbd> sends, <kbd>Esc</kbd> stops
          </span>
        </p>
      </form>
    </div>
  );
}
