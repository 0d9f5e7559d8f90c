// The vault: the tree beside the page of a file, on any day of either clock.
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { ListFilter, Plus } from "lucide-react";
import { Link, useLocation, useSearch } from "wouter";
import type { EntryView, FileContent, MemoryView } from "../../shared/protocol.ts";
import { api, Trouble, troubleOf } from "../lib/api.ts";
import { partialLong, today } from "../lib/dates.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { folderOf, leafName, pathName, vaultUrl } from "../lib/paths.ts";
import { settled, useResource } from "../lib/resource.ts";
import { landed } from "../lib/undo.ts";
import { useReading } from "../lib/use-reading.ts";
import { count } from "../lib/words.ts";
import { Contents } from "../ui/Contents.tsx";
import { DateBar } from "../ui/DateBar.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Menu } from "../ui/Menu.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { ExampleBanner } from "../onboard/ExampleBanner.tsx";
import { FilePage } from "./FilePage.tsx";
import { MoveSheet } from "./MoveSheet.tsx";
import { NewFile } from "./NewFile.tsx";
import { NewLine } from "./NewLine.tsx";
import { RenameFile } from "./RenameFile.tsx";
import { TakeBack } from "./TakeBack.tsx";
import { Tree } from "./Tree.tsx";
import type { Take } from "./use-entry-actions.ts";
import "./vault.css";

const MarkdownView = lazy(() => import("./MarkdownView.tsx").then((module) => ({ default: module.MarkdownView })));

/** Dates at which something of these entries began, ended or was learned. */
function changesOf(entries: readonly EntryView[]): string[] {
  return entries.flatMap((entry) =>
    [entry.since, entry.until, entry.on, entry.added, entry.closed].filter((date): date is string => date !== null),
  );
}

/** A name in the address as the path of a file: as it is, or with `.md`. */
function pathOf(name: string, files: readonly string[] | undefined): string {
  if (name === "") return "MEMORY.md";
  return files?.includes(name) || /\.[a-z0-9]{1,5}$/i.test(name) ? name : `${name}.md`;
}

/** A file, asked for only where the newest list of files holds it: what was removed meanwhile is known to be gone. */
async function readFile(path: string, knownAt: string, signal: AbortSignal): Promise<FileContent> {
  const list = await settled<MemoryView>(`memory:${knownAt}`);
  if (list && !list.files.some((one) => one.path === path))
    throw new Trouble("not-found", `There is no ${pathName(path)} there.`);
  return api.file(path, knownAt ? { knownAt } : {}, signal);
}

function Where({ path }: { path: string }) {
  const folder = folderOf(path);
  return (
    <p className="where" dir="auto">
      {folder ? `${folder.split("/").join(" / ")} / ` : ""}
      <b>{leafName(path)}</b>
    </p>
  );
}

export function VaultScreen({ path: name }: { path: string }) {
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const { reading, set, suffix } = useReading();
  const [filter, setFilter] = useState("");
  const [view, setView] = useState<"read" | "markdown" | "edit">("read");
  const [creating, create] = useState(false);
  const [removing, remove] = useState(false);
  const [renaming, rename] = useState(false);
  const [taking, setTaking] = useState<{ entry: EntryView; take: Take } | null>(null);
  const past = reading.asOf !== null || reading.knownAt !== null;
  const known = reading.knownAt ?? "";
  const memory = useResource(`memory:${known}`, (signal) => api.memory(known ? { knownAt: known } : {}, signal));
  const files = useMemo(() => memory.data?.files.map((file) => file.path), [memory.data]);
  const path = pathOf(name, files);
  const exists = files === undefined || files.includes(path);
  const file = useResource<FileContent>(files && exists ? `file:${path}:${known}` : null, (signal) =>
    readFile(path, known, signal),
  );
  const now = useResource<FileContent>(past ? `file:${path}:` : null, (signal) => readFile(path, "", signal));
  const take = useCallback((entry: EntryView, how: Take) => setTimeout(() => setTaking({ entry, take: how })), []);
  const open = (next: string) => {
    setView("read");
    navigate(`${vaultUrl(next)}${suffix}`);
  };
  const step = (by: number) => {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-line]")].filter((row) => row.offsetParent !== null);
    const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  useHotkeys([
    { keys: "j", label: "Next line", group: "Vault", run: () => step(1) },
    { keys: "k", label: "Line before", group: "Vault", run: () => step(-1) },
    { keys: "n", label: "New file", group: "Vault", run: () => create(true) },
    { keys: "enter", label: "Edit the line (also E); P pins it, M moves it", group: "Vault", run: () => {} },
  ]);

  const changes = useMemo(() => changesOf((now.data ?? file.data)?.entries ?? []), [now.data, file.data]);
  const empty = memory.data && memory.data.files.every((one) => one.entries === 0);
  const title = `${pathName(path)}${reading.asOf ? `, as of ${partialLong(reading.asOf)}` : ""}`;
  const wantsNew = search.get("new") === "1" && !past;

  const deleteFile = async () => {
    if (!file.data?.head) return;
    try {
      const outcome = await api.deleteFile(path, file.data.head);
      remove(false);
      navigate("/vault");
      landed(outcome, `${pathName(path)} is gone.`, () => navigate(vaultUrl(path)));
    } catch (error) {
      warn(`Not removed. ${troubleOf(error).message}`);
      remove(false);
    }
  };

  let body;
  if (memory.error && !memory.data) {
    body = (
      <div className="leaf">
        <Problem what="The vault could not be read." trouble={memory.error} retry={memory.reload} />
      </div>
    );
  } else if (!memory.data || (exists && file.loading)) {
    body = (
      <div className="leaf">
        <Loading label="Reading the file" lines={[38, 0, 92, 70, 81, 64]} />
      </div>
    );
  } else if (empty && !wantsNew && !past) {
    body = (
      <div className="leaf">
        {creating ? null : (
          <Empty
            title="Nothing is kept yet."
            help="The first thing you tell it will stand here, as one line, with the day and the sentence it came from."
          >
            <Link className="btn primary" href="/">
              Start talking
            </Link>
            <Link className="act" href="/vault/MEMORY?new=1">
              Write the first line yourself
            </Link>
            <Link className="act" href="/import">
              Bring what you have
            </Link>
          </Empty>
        )}
      </div>
    );
  } else if (!exists || file.error?.code === "not-found" || (wantsNew && file.data?.entries.length === 0)) {
    body = (
      <div className="leaf">
        {past ? (
          <Empty
            title={`${leafName(path)} was not kept yet.`}
            help={`No file of this name was known on ${partialLong(reading.knownAt ?? today())}.`}
          >
            <button type="button" className="btn" onClick={() => set({ asOf: null, knownAt: null })}>
              Back to today
            </button>
          </Empty>
        ) : wantsNew ? (
          <article>
            <header>
              <h1 dir="auto">{leafName(path)}</h1>
              <p className="meta under">
                <span>{pathName(path)}</span>
                <span>comes into being with its first line</span>
              </p>
            </header>
            <div style={{ marginTop: 24 }}>
              <NewLine
                path={path}
                section={null}
                close={() => navigate("/vault")}
                done={() => navigate(vaultUrl(path), { replace: true })}
              />
            </div>
          </article>
        ) : (
          <Empty
            title={`There is no page called ${leafName(path)}.`}
            help="It may have been moved or forgotten, or nothing was ever written there."
          >
            <Link className="btn primary" href={`${vaultUrl(path)}?new=1`}>
              Write its first line
            </Link>
            <Link className="act" href={`/history?path=${encodeURIComponent(path)}`}>
              Look in History
            </Link>
          </Empty>
        )}
      </div>
    );
  } else if (file.error && !file.data) {
    body = (
      <div className="leaf">
        <Problem what={`${pathName(path)} could not be read.`} trouble={file.error} retry={file.reload} />
      </div>
    );
  } else if (file.data && view !== "read") {
    body = (
      <div className="leaf">
        <Suspense fallback={<Loading />}>
          <MarkdownView
            key={`${path}:${view}`}
            file={file.data}
            editing={view === "edit" && !past}
            close={() => setView("read")}
          />
        </Suspense>
      </div>
    );
  } else if (file.data) {
    body = (
      <FilePage
        key={path}
        file={file.data}
        now={past ? (now.data ?? (now.error ? null : file.data)) : null}
        reading={reading}
        take={take}
      />
    );
  }

  return (
    <>
      <Contents
        label="Files of the memory"
        title="Vault"
        tools={
          <>
            <button type="button" className="icon" aria-label="New file" onClick={() => create(true)}>
              <Icon of={Plus} />
            </button>
            <Menu
              label="More for the vault"
              items={[
                { label: "What it knows about me", run: () => navigate("/about") },
                { label: "Search by text", run: () => navigate("/history") },
                { label: "Bring in", run: () => navigate("/import") },
                { label: "Check the memory", run: () => navigate("/settings/data") },
              ]}
            />
          </>
        }
      >
        {memory.data && memory.data.files.length > 0 ? (
          <>
            {empty ? null : (
              <div className="filter">
                <Icon of={ListFilter} size={14} />
                <input
                  type="search"
                  aria-label="Filter files"
                  placeholder="Filter files"
                  value={filter}
                  onChange={(event) => setFilter(event.target.value)}
                />
              </div>
            )}
            <Tree files={memory.data.files} filter={filter} current={path} open={open} />
          </>
        ) : memory.loading ? (
          <Loading label="Reading the files" />
        ) : null}
      </Contents>
      <Page
        title={title}
        where={<Where path={path} />}
        actions={
          file.data && exists ? (
            <>
              <div className="seg wide-only" role="group" aria-label="View">
                <button type="button" aria-pressed={view === "read"} onClick={() => setView("read")}>
                  Read
                </button>
                <button type="button" aria-pressed={view !== "read"} onClick={() => setView("markdown")}>
                  Markdown
                </button>
              </div>
              <button type="button" className="act" disabled={past} onClick={() => setView("edit")}>
                Edit
              </button>
              <Menu
                label="More for this page"
                items={[
                  { label: "Its history", run: () => navigate(`/history?path=${encodeURIComponent(path)}`) },
                  { label: "Around it in the graph", run: () => navigate(`/graph?focus=${encodeURIComponent(path)}`) },
                  {
                    label: "Copy its address",
                    run: () => void navigator.clipboard.writeText(location.href).then(() => say("Copied.")),
                  },
                  null,
                  {
                    label: "Rename the file…",
                    disabled: past || path === "MEMORY.md",
                    run: () => setTimeout(() => rename(true)),
                  },
                  {
                    label: "Remove the file…",
                    disabled: past || path === "MEMORY.md",
                    run: () => setTimeout(() => remove(true)),
                  },
                ]}
              />
            </>
          ) : null
        }
      >
        <ExampleBanner />
        {memory.data && !(empty && !past) ? <DateBar reading={reading} set={set} changes={changes} /> : null}
        {body}
      </Page>
      {creating ? <NewFile close={() => create(false)} /> : null}
      {renaming && file.data ? <RenameFile path={path} close={() => rename(false)} /> : null}
      {taking?.take === "move" ? <MoveSheet entry={taking.entry} close={() => setTaking(null)} /> : null}
      {taking && taking.take !== "move" ? (
        <TakeBack entry={taking.entry} first={taking.take} close={() => setTaking(null)} />
      ) : null}
      {removing && file.data ? (
        <Sheet title={`Remove ${pathName(path)}`} close={() => remove(false)}>
          <p className="body">
            {file.data.entries.length === 0
              ? "The file is empty."
              : `It holds ${count(file.data.entries.length, "line")}. They go with it, and stand in History: the removal can be taken back. To keep a line from ever coming back, forget it instead.`}
          </p>
          <p className="acts">
            <button type="button" className="act" onClick={() => remove(false)}>
              Keep it
            </button>
            <button type="button" className="btn grave primary" onClick={() => void deleteFile()}>
              Remove the file
            </button>
          </p>
        </Sheet>
      ) : null}
    </>
  );
}
