// The conversation: its turns, the composer, the list beside it. A new one gets its address with its first message.
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { MessageView } from "../../shared/protocol.ts";
import { api, troubleOf } from "../lib/api.ts";
import { dayHeading, dayOf } from "../lib/dates.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { useMemoryState } from "../lib/live.ts";
import { threadUrl } from "../lib/paths.ts";
import { invalidate, useResource } from "../lib/resource.ts";
import { kept, useStore } from "../lib/store.ts";
import { useHash } from "../lib/use-hash.ts";
import { Empty } from "../ui/Empty.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Menu } from "../ui/Menu.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { MARK } from "../markdown/redactions.ts";
import { say, warn } from "../ui/Toasts.tsx";
import { Words } from "../ui/Words.tsx";
import { Onboarding } from "../onboard/Onboarding.tsx";
import { Composer, type ComposerHandle } from "./Composer.tsx";
import { DeleteThread } from "./DeleteThread.tsx";
import { download, fileNameOf, threadMarkdown } from "./export-thread.ts";
import { isWriting } from "./frames.ts";
import { newRoom, roomOf } from "./room.ts";
import { ThreadList } from "./ThreadList.tsx";
import { AnswerTurn, UserTurn } from "./Turn.tsx";
import { useStick } from "./use-stick.ts";
import "./chat.css";

const STARTED = "reverie.started";

export function ChatScreen({ thread }: { thread: string | null }) {
  const [, navigate] = useLocation();
  const [turn, setTurn] = useState(0);
  // A new conversation is another room each time it is begun.
  const room = roomOf(thread);
  const state = useStore(room.state);
  const memory = useMemoryState();
  const answers = useResource("models", (signal) => api.models(signal)).data?.answers ?? null;
  const threads = useResource("threads:", (signal) => api.threads({ limit: 200 }, signal));
  const composer = useRef<ComposerHandle>(null);
  const [temporary, setTemporary] = useState(false);
  const [freshScope, setFreshScope] = useState<string | null>(null);
  const [editing, setEditing] = useState<string | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [started, setStarted] = useState(kept.get(STARTED) === "yes");
  const { talk, detail } = state;
  const writing = state.sending || isWriting(talk);
  const stick = useStick(talk.items.length, `${thread}`);

  useEffect(() => room.open(), [room]);
  useEffect(() => {
    room.onNamed = (id) => navigate(threadUrl(id), { replace: true });
    return () => {
      room.onNamed = null;
    };
  }, [room, navigate]);
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) composer.current?.focus();
  }, [thread, turn, started]);
  useSourceJump(talk.items);
  useHotkeys([{ keys: "escape", label: "Stop the answer", group: "Conversation", run: () => writing && void room.stop() }]);

  const first = thread === null && !started && talk.items.length === 0;
  if (first && memory === null && !threads.data && !threads.error) {
    return (
      <Page title="" where={<p className="where" />}>
        <div className="leaf">
          <Loading />
        </div>
      </Page>
    );
  }
  if (first && threads.data?.items.length === 0 && (memory === null || memory.entries === 0)) {
    return (
      <Onboarding
        answers={answers}
        start={() => {
          kept.set(STARTED, "yes");
          setStarted(true);
        }}
      />
    );
  }

  const begin = (next: boolean) => {
    setTemporary(next);
    setEditing(null);
    newRoom();
    if (thread !== null) navigate("/");
    else setTurn(turn + 1);
    requestAnimationFrame(() => composer.current?.focus());
  };
  const send = (text: string, pasted: [number, number][]) => {
    kept.set(STARTED, "yes");
    stick.toEnd();
    const replaces = editing;
    setEditing(null);
    void room.send({
      message: text,
      ...(pasted.length > 0 ? { pasted } : {}),
      ...(replaces ? { replaces } : {}),
      ...(thread === null && temporary ? { temporary: true } : {}),
      ...(thread === null && freshScope ? { scope: freshScope } : {}),
    });
  };
  const setScope = async (scope: string | null) => {
    if (thread === null) {
      setFreshScope(scope);
      return;
    }
    try {
      await api.patchThread(thread, { scope });
      await room.read();
    } catch (error) {
      warn(`The scope was not set. ${troubleOf(error).message}`);
    }
  };
  const title =
    detail?.title ||
    (thread === null
      ? temporary
        ? "A temporary conversation"
        : "A new conversation"
      : talk.items.length > 0
        ? "A new conversation"
        : "");
  const isTemporary = detail?.temporary ?? temporary;
  const last = talk.items[talk.items.length - 1];
  const missing = state.trouble?.code === "not-found";

  return (
    <>
      <ThreadList current={thread} temporary={thread === null && temporary} begin={begin} />
      <Page
        title={title.replaceAll(MARK, "…")}
        where={
          <h1 className="where" dir="auto">
            <b>
              <Words text={title} />
            </b>
          </h1>
        }
        actions={
          <>
            {talk.loaded && talk.loaded.of > 0 ? (
              <span className="meta wide-only">
                loaded {talk.loaded.lines} of {talk.loaded.of} lines of MEMORY
              </span>
            ) : null}
            {thread !== null && detail ? (
              <Menu
                label="More for this conversation"
                items={[
                  {
                    label: "Copy all of it",
                    run: () =>
                      navigator.clipboard.writeText(threadMarkdown(title, talk.items)).then(
                        () => say("Copied."),
                        () => say("This browser does not let a page copy."),
                      ),
                  },
                  {
                    label: "Save as Markdown",
                    run: () => download(`${fileNameOf(title)}.md`, threadMarkdown(title, talk.items)),
                  },
                  {
                    label: detail.pinned ? "Unpin" : "Pin",
                    run: () =>
                      void api.patchThread(thread, { pinned: !detail.pinned }).then(
                        () => {
                          invalidate("threads");
                          return room.read();
                        },
                        (error: unknown) => warn(troubleOf(error).message),
                      ),
                  },
                  null,
                  { label: "Delete…", run: () => setDeleting(true) },
                ]}
              />
            ) : null}
          </>
        }
      >
        {missing ? (
          <div className="leaf">
            <Empty
              title="This conversation is not here."
              help="It was deleted, or the address is not complete. The lines that it wrote to the memory stay."
            >
              <button type="button" className="btn primary" onClick={() => begin(false)}>
                Begin another
              </button>
            </Empty>
          </div>
        ) : (
          <>
            <div className="talk" role="log" aria-label="Conversation" aria-live="off" ref={stick.box}>
              {thread !== null && !detail && !state.trouble && talk.items.length === 0 ? (
                <Loading label="Reading the conversation" />
              ) : null}
              {state.trouble && talk.items.length === 0 ? (
                <Problem what="The conversation could not be read." trouble={state.trouble} retry={() => void room.read()} />
              ) : null}
              {thread === null && talk.items.length === 0 && !state.unsent ? (
                <Hello temporary={temporary} offline={answers?.offline ?? false} kept={memory?.entries ?? null} />
              ) : null}
              <Turns
                items={talk.items}
                thread={thread}
                since={state.since}
                writing={writing}
                edit={(message) => {
                  setEditing(message.id);
                  composer.current?.fill(message.text, message.pasted);
                }}
                again={() => void room.regenerate()}
              />
              {state.sending && last?.role === "user" ? (
                <AnswerTurn
                  message={{ ...last, id: "coming", role: "assistant", text: "", actions: [], recalled: [], status: "writing" }}
                  thread={thread}
                  since={state.since}
                  again={null}
                />
              ) : null}
              {talk.failure && !writing ? (
                <Problem
                  what="The answer could not be written."
                  trouble={Object.assign(troubleOf(null), { message: talk.failure.text })}
                  retry={() => void room.regenerate()}
                />
              ) : null}
              {state.unsent ? (
                <div className="unsent">
                  <article className="turn you grid">
                    <p className="line said" dir="auto">
                      {state.unsent.body.message}
                    </p>
                    <p className="marg">not sent</p>
                  </article>
                  <div role="alert">
                    <p className="why">{state.unsent.trouble.message}</p>
                    <p className="acts" style={{ marginTop: 8 }}>
                      <button
                        type="button"
                        className="act strong"
                        onClick={() => void room.send(state.unsent?.body ?? { message: "" })}
                      >
                        Send it again
                      </button>
                      <button
                        type="button"
                        className="act"
                        onClick={() => {
                          composer.current?.fill(
                            state.unsent?.body.message ?? "",
                            state.unsent?.body.pasted as [number, number][] | undefined,
                          );
                          room.dropUnsent();
                        }}
                      >
                        Change it
                      </button>
                    </p>
                  </div>
                </div>
              ) : null}
            </div>
            <p className="sr" role="status">
              {writing ? "Reverie is writing." : last?.role === "assistant" ? "Answered." : ""}
            </p>
            {stick.away && talk.items.length > 0 ? (
              <div className="below">
                <button type="button" className="act" onClick={stick.toEnd}>
                  {writing ? "It goes on below" : "To the end"}
                </button>
              </div>
            ) : null}
            <Composer
              ref={composer}
              draft={thread ?? "new"}
              writing={writing}
              model={answers ? (answers.offline ? "built-in offline model" : answers.chat) : ""}
              temporary={isTemporary}
              scope={detail?.scope ?? freshScope}
              setScope={(scope) => void setScope(scope)}
              editing={editing}
              cancelEdit={() => {
                setEditing(null);
                composer.current?.fill("");
              }}
              send={send}
              stop={() => void room.stop()}
            />
          </>
        )}
      </Page>
      {deleting && detail ? (
        <DeleteThread
          thread={detail}
          close={() => setDeleting(false)}
          done={() => {
            setDeleting(false);
            navigate("/");
          }}
        />
      ) : null}
    </>
  );
}

function Hello({ temporary, offline, kept: lines }: { temporary: boolean; offline: boolean; kept: number | null }) {
  return (
    <div className="greeting">
      <p className="display">{temporary ? "Nothing of this is kept." : "Say something."}</p>
      <p className="lede">
        {temporary
          ? "A temporary conversation reads your memory and writes nothing. Its messages are gone when you leave."
          : lines === null || lines === 0
            ? "What you tell it about yourself is kept as lines that you can read, each with the sentence it came from."
            : "It knows what you told it before. What is new is kept as lines that you can read, change and take back."}
        {offline && !temporary ? " Answers come from the built-in offline model: simple sentences, no network." : ""}
      </p>
    </div>
  );
}

interface TurnsProps {
  items: MessageView[];
  thread: string | null;
  since: number | null;
  writing: boolean;
  edit: (message: MessageView) => void;
  again: () => void;
}

function Turns({ items, thread, since, writing, edit, again }: TurnsProps) {
  let day = "";
  return items.map((message, at) => {
    const today = dayOf(message.at);
    const heading = today === day ? null : <p className="day">{dayHeading(message.at)}</p>;
    day = today;
    const end = at === items.length - 1;
    return (
      <Fragment key={message.id}>
        {heading}
        {message.role === "user" ? (
          <UserTurn message={message} edit={writing || thread === null ? null : () => edit(message)} />
        ) : (
          <AnswerTurn
            message={message}
            thread={thread}
            since={end ? since : null}
            again={end && !writing && thread !== null ? again : null}
          />
        )}
      </Fragment>
    );
  });
}

/** Follows `#m9`: the message is brought into view and lit for a moment. */
function useSourceJump(items: MessageView[]): void {
  const done = useRef("");
  const hash = useHash();
  useLayoutEffect(() => {
    const id = hash;
    if (!/^m\d+$/.test(id)) done.current = "";
    if (!/^m\d+$/.test(id) || done.current === `${location.pathname}#${id}`) return;
    const turn = document.getElementById(id);
    if (!turn) return;
    done.current = `${location.pathname}#${id}`;
    turn.scrollIntoView({ block: "center" });
    turn.classList.add("flash");
    const timer = setTimeout(() => turn.classList.remove("flash"), 1_600);
    return () => clearTimeout(timer);
  }, [items, hash]);
}
