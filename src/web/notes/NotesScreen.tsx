// Notes: the user's own pages beside the memory. Saved as they are written, kept through a crash, read by the next dream.
import { useCallback, useEffect, useRef, useState } from "react";
import { ListFilter, Plus } from "lucide-react";
import { Link, useLocation } from "wouter";
import type { EntryView, NoteView } from "../../shared/protocol.ts";
import { api, type Trouble, troubleOf } from "../lib/api.ts";
import { clock, monthGroup, nearTime, rowTime } from "../lib/dates.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { pathName, vaultUrl } from "../lib/paths.ts";
import { invalidate, provide, useResource } from "../lib/resource.ts";
import { kept } from "../lib/store.ts";
import { usePages } from "../lib/use-pages.ts";
import { Line, Prose } from "../markdown/Markdown.tsx";
import { Contents } from "../ui/Contents.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Menu } from "../ui/Menu.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { toggleTask } from "./tasks.ts";
import "./notes.css";

/** Milliseconds of rest after which what was written is saved. */
const SAVE_AFTER_MS = 900;

const draftKey = (id: string) => `reverie.note.${id}`;

/** The address of a note that has no words yet. */
const NEW = "new";
const BLANK: NoteView = { id: NEW, title: "", text: "", createdAt: "", updatedAt: "", readByDream: null };

function titleOf(note: Pick<NoteView, "title" | "text">): string {
  return (
    note.title.trim() || (note.text.trim().split("\n", 1)[0] ?? "").replace(/^#+\s*/, "").slice(0, 80) || "A note without a title"
  );
}

interface Draft {
  title: string;
  text: string;
}

function readDraft(id: string): Draft | null {
  try {
    const value = JSON.parse(kept.get(draftKey(id)) ?? "null") as Draft | null;
    return value && typeof value.title === "string" && typeof value.text === "string" ? value : null;
  } catch {
    return null;
  }
}

function Learned({ id }: { id: string }) {
  const { data } = useResource("entries:sources", (signal) => api.entries({ state: "all", limit: 200 }, signal));
  const lines: EntryView[] = (data?.items ?? []).filter((entry) => entry.sources.includes(`note/${id}`));
  if (lines.length === 0) return null;
  return (
    <section>
      <h2 className="section">Lines that came of it</h2>
      <ul className="cites wide">
        {lines.map((entry) => (
          <li key={entry.id ?? entry.line}>
            <p className="q" dir="auto">
              <Line text={entry.text} />
            </p>
            <p className="meta">
              <Link href={vaultUrl(entry.path, entry.id)}>{pathName(entry.path)}</Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NotePage({ id, born }: { id: string; born: (id: string) => void }) {
  const [, navigate] = useLocation();
  const fresh = id === NEW;
  const read = useResource<NoteView>(fresh ? null : `note:${id}`, (signal) => api.note(id, signal));
  const { error, loading, reload } = read;
  const data = fresh ? BLANK : read.data;
  const [draft, setDraft] = useState<Draft | null>(() => readDraft(id));
  const [preview, setPreview] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const saving = useRef(false);
  const text = draft?.text ?? data?.text ?? "";
  const title = draft?.title ?? data?.title ?? "";
  const change = (part: Partial<Draft>) => {
    const next = { title, text, ...part };
    kept.set(draftKey(id), JSON.stringify(next));
    setDraft(next);
  };
  const save = useCallback(
    async (now: Draft) => {
      if (saving.current) return;
      saving.current = true;
      try {
        if (id === NEW) {
          // A note comes into being with its first words.
          const made = await api.addNote(now);
          kept.set(draftKey(NEW), null);
          provide<NoteView>(`note:${made.id}`, made);
          invalidate("notes");
          setDraft((old) => {
            const more = old && (old.text !== now.text || old.title !== now.title);
            if (more) kept.set(draftKey(made.id), JSON.stringify(old));
            return more ? old : null;
          });
          born(made.id);
          saving.current = false;
          return;
        }
        const note = await api.putNote(id, now);
        provide<NoteView>(`note:${id}`, note);
        invalidate("notes");
        setTrouble(null);
        setSaved(new Date().toISOString());
        setDraft((old) => {
          // What was written meanwhile is still a draft.
          if (old && (old.text !== now.text || old.title !== now.title)) return old;
          kept.set(draftKey(id), null);
          return null;
        });
      } catch (problem) {
        setTrouble(troubleOf(problem));
      }
      saving.current = false;
    },
    [id, born],
  );
  useEffect(() => {
    if (!draft || !data || (draft.text.trim() === "" && (fresh || draft.title.trim() === ""))) return;
    const timer = setTimeout(() => void save(draft), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, data, save, fresh]);
  const remove = async () => {
    if (fresh) {
      kept.set(draftKey(NEW), null);
      navigate("/notes");
      return;
    }
    if (!data) return;
    try {
      await api.deleteNote(id);
      kept.set(draftKey(id), null);
      invalidate("notes");
      navigate("/notes");
      say("The note is gone.", {
        label: "Undo",
        run: () =>
          void api.addNote({ title: data.title, text: data.text }).then(
            (note) => {
              invalidate("notes");
              navigate(`/notes/${note.id}`);
            },
            (problem: unknown) => warn(troubleOf(problem).message),
          ),
      });
    } catch (problem) {
      warn(`Not removed. ${troubleOf(problem).message}`);
    }
  };
  return (
    <Page
      title={data ? titleOf({ title, text }) : "Note"}
      where={
        <h1 className="where" dir="auto">
          Note <b>{data ? titleOf({ title, text }) : ""}</b>
        </h1>
      }
      actions={
        data ? (
          <>
            <span className="meta wide-only" role="status">
              {trouble
                ? ""
                : draft
                  ? "not saved yet"
                  : saved
                    ? `saved ${clock(saved)}`
                    : fresh
                      ? ""
                      : data.readByDream
                        ? `read by a dream, ${nearTime(data.readByDream)}`
                        : "waits for the next dream"}
            </span>
            <div className="seg" role="group" aria-label="View">
              <button type="button" aria-pressed={!preview} onClick={() => setPreview(false)}>
                Write
              </button>
              <button type="button" aria-pressed={preview} onClick={() => setPreview(true)}>
                Read
              </button>
            </div>
            <Menu
              label="More for this note"
              items={[
                { label: "Copy as Markdown", run: () => void navigator.clipboard.writeText(text).then(() => say("Copied.")) },
                null,
                { label: "Remove the note", run: () => void remove() },
              ]}
            />
          </>
        ) : null
      }
    >
      <article className="leaf note">
        {loading ? <Loading label="Reading the note" lines={[50, 0, 92, 70]} /> : null}
        {error && !data ? (
          error.code === "not-found" ? (
            <Empty title="This note is not here." help="It was removed, or the address is not complete.">
              <Link className="btn primary" href="/notes">
                All notes
              </Link>
            </Empty>
          ) : (
            <Problem what="The note could not be read." trouble={error} retry={reload} />
          )
        ) : null}
        {data ? (
          <>
            <input
              className="title"
              dir="auto"
              aria-label="Title"
              placeholder="A title"
              maxLength={200}
              value={title}
              readOnly={preview}
              onChange={(event) => change({ title: event.target.value })}
            />
            {trouble ? (
              <p className="why refused" role="alert">
                Not saved: {trouble.message} What you wrote is kept in this browser.{" "}
                <button type="button" className="act strong" onClick={() => draft && void save(draft)}>
                  Try again
                </button>
              </p>
            ) : null}
            {preview ? (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- hears the checkboxes inside, which have keys of their own
              <div
                className="page-text"
                onClick={(event) => {
                  const box = (event.target as HTMLElement).closest<HTMLInputElement>('input[type="checkbox"]');
                  if (!box) return;
                  const all = [...event.currentTarget.querySelectorAll('input[type="checkbox"]')];
                  change({ text: toggleTask(text, all.indexOf(box)) });
                }}
              >
                {text.trim() === "" ? <p className="lede">Nothing is written yet.</p> : <Prose text={text} tasks />}
              </div>
            ) : (
              <textarea
                className="page-text"
                dir="auto"
                aria-label="The note, in Markdown"
                placeholder="Write what you want to keep as it is. The next dream reads it and keeps the facts."
                value={text}
                onChange={(event) => change({ text: event.target.value })}
              />
            )}
            {fresh ? null : <Learned id={id} />}
          </>
        ) : null}
      </article>
    </Page>
  );
}

export function NotesScreen({ id }: { id: string | null }) {
  const [, navigate] = useLocation();
  const [filter, setFilter] = useState("");
  const load = useCallback((cursor: string | null, signal?: AbortSignal) => api.notes({ cursor }, signal), []);
  const { items, error, loading, reload, more, loadingMore } = usePages<NoteView>("notes:", load);
  const words = filter.trim().toLocaleLowerCase();
  const shown = (items ?? []).filter((note) => words === "" || `${note.title}\n${note.text}`.toLocaleLowerCase().includes(words));
  // The page of a new note stays the same page when the note gets its address: who writes must not lose the pen.
  const [fresh, setFresh] = useState({ times: 0, id: null as string | null });
  const create = () => {
    setFresh((old) => ({ times: old.times + 1, id: null }));
    navigate(`/notes/${NEW}`);
  };
  const born = useCallback(
    (made: string) => {
      setFresh((old) => ({ ...old, id: made }));
      navigate(`/notes/${made}`, { replace: true });
    },
    [navigate],
  );
  useHotkeys([{ keys: "n", label: "New note", group: "Notes", run: create }]);
  const current = id ?? items?.[0]?.id ?? null;
  const groups = new Map<string, NoteView[]>();
  for (const note of shown) {
    const name = monthGroup(note.updatedAt);
    groups.set(name, [...(groups.get(name) ?? []), note]);
  }
  return (
    <>
      <Contents
        label="Notes"
        title="Notes"
        tools={
          <button type="button" className="icon" aria-label="New note" onClick={create}>
            <Icon of={Plus} />
          </button>
        }
      >
        {items && items.length > 0 ? (
          <div className="filter">
            <Icon of={ListFilter} size={14} />
            <input
              type="search"
              aria-label="Filter notes"
              placeholder="Filter notes"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
          </div>
        ) : null}
        {loading ? <Loading label="Reading the notes" /> : null}
        {error && !items ? (
          <div className="pad">
            <Problem what="The notes could not be read." trouble={error} retry={reload} />
          </div>
        ) : null}
        {items && shown.length === 0 ? (
          <p className="quiet">{words === "" ? "No note yet." : "No note holds these words."}</p>
        ) : null}
        {[...groups].map(([name, notes]) => (
          <div key={name}>
            <h3>{name}</h3>
            <ul>
              {notes.map((note) => (
                <li key={note.id}>
                  <Link className="row" href={`/notes/${note.id}`} aria-current={note.id === current ? "page" : undefined}>
                    <span className="t" dir="auto">
                      {titleOf(note)}
                    </span>
                    <span className="meta">
                      <span>{rowTime(note.updatedAt)}</span>
                      <span className={note.readByDream ? "end" : "end live"}>{note.readByDream ? "read" : "waits"}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {more ? (
          <p className="quiet">
            <button type="button" className="act" onClick={more} disabled={loadingMore}>
              Further back
            </button>
          </p>
        ) : null}
      </Contents>
      {current ? (
        <NotePage key={current === NEW || current === fresh.id ? `${NEW}${fresh.times}` : current} id={current} born={born} />
      ) : (
        <Page
          title="Notes"
          where={
            <p className="where">
              <b>Notes</b>
            </p>
          }
        >
          <div className="leaf">
            {loading ? (
              <Loading />
            ) : error ? (
              <Problem what="The notes could not be read." trouble={error} retry={reload} />
            ) : (
              <Empty
                title="No note yet."
                help="A note is yours and stays as you wrote it. The next dream reads it, and keeps the facts as lines that name it."
              >
                <button type="button" className="btn primary" onClick={create}>
                  Write a note
                </button>
              </Empty>
            )}
          </div>
        </Page>
      )}
    </>
  );
}
