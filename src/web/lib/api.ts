// The one door to the server: a typed function for each route. A refusal becomes a Trouble with a sentence; raw JSON never reaches a screen.
import type {
  CheckView,
  CommitDetail,
  CommitView,
  Costs,
  DreamDetail,
  DreamEstimate,
  DreamView,
  EntryView,
  FileContent,
  GraphView,
  Health,
  ImportBody,
  ImportView,
  LedgerRow,
  MemoryView,
  MessageView,
  ModelMenu,
  NoteView,
  Outcome,
  Page,
  SearchHit,
  Settings,
  ThreadDetail,
  ThreadView,
} from "../../shared/protocol.ts";
import { filePath } from "./paths.ts";
import { signedOut } from "./session.ts";

/** Milliseconds after which a read is given up: a screen owes its reader a sentence by then. */
const READ_MS = 10_000;
/** Milliseconds for a write: it waits its turn behind others. */
const WRITE_MS = 30_000;

/** Why a call did not succeed: the server's code, or what happened on the way. */
export class Trouble extends Error {
  override readonly name = "Trouble";
  constructor(
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
    readonly status = 0,
  ) {
    super(message);
  }
}

/** What was thrown, as a Trouble. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Trouble) return error;
  return new Trouble("broken", "Something in this page broke. Load it anew; nothing that was saved is lost.");
}

interface Call {
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** The query as an address writes it; absent values are left out. */
export function withQuery(path: string, query: object = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(key, String(value));
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

function key(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;
}

/** A refusal of the server as a Trouble, whatever its body holds. */
export async function refusal(response: Response): Promise<Trouble> {
  try {
    const { error } = (await response.json()) as {
      error?: { code?: string; message?: string; details?: Record<string, unknown> };
    };
    if (error?.code && error.message) return new Trouble(error.code, error.message, error.details ?? {}, response.status);
  } catch {
    // Not the server's own answer: a proxy's page, or a cut line.
  }
  return response.status === 404
    ? new Trouble("not-found", "There is nothing at this address.", {}, 404)
    : new Trouble(
        "broken",
        `The server answered ${response.status} without saying why. Try again in a moment.`,
        {},
        response.status,
      );
}

/** What cannot be undone asks for a look at the passkey first; once it was looked at, the same is asked again. */
async function request(method: string, path: string, call: Call = {}): Promise<Response> {
  try {
    return await requestOnce(method, path, call);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    if (error.status === 401 && !path.startsWith("/api/auth/")) signedOut.set(true);
    if (error.details.needs !== "passkey") throw error;
    const { checkPasskey } = await import("../sign-in/passkey.ts");
    await checkPasskey();
    return requestOnce(method, path, call);
  }
}

async function requestOnce(method: string, path: string, { query, body, headers, signal }: Call = {}): Promise<Response> {
  const reading = method === "GET";
  const timeout = AbortSignal.timeout(reading ? READ_MS : WRITE_MS);
  let response: Response;
  try {
    response = await fetch(withQuery(path, query), {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined || typeof body === "string" ? {} : { "content-type": "application/json" }),
        ...(method === "POST" ? { "idempotency-key": key() } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) {
      throw new Trouble(
        "timeout",
        reading
          ? "The memory did not answer within ten seconds. Nothing was changed."
          : "The memory did not answer in time. Look whether it was saved before you try again.",
      );
    }
    throw new Trouble("offline", "The server cannot be reached. Nothing was changed.");
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** One call, its answer read as JSON. Throws a Trouble. */
export async function json<T>(method: string, path: string, call?: Call): Promise<T> {
  const response = await request(method, path, call);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch {
    throw new Trouble("broken", "The answer of the server could not be read. Load the page anew.");
  }
}

/** A write's answer: an Outcome in a 200, or a refusal by status; both become one Outcome that landed, or a Trouble. */
async function write(method: string, path: string, call?: Call): Promise<Extract<Outcome, { ok: true }>> {
  const outcome = await json<Outcome>(method, path, call);
  if (outcome && "ok" in outcome && outcome.ok === false) throw new Trouble(outcome.code, outcome.message, outcome.details);
  return outcome as Extract<Outcome, { ok: true }>;
}

export interface Clocks {
  asOf?: string | undefined;
  knownAt?: string | undefined;
}

export interface Forgotten {
  id: string;
  text: string | null;
  path?: string | null;
  removed: string;
  erased?: boolean;
  receipt?: string | null;
  match?: string | null;
  heldBack?: number;
  source?: string | null;
}

export interface Receipt {
  id: string;
  at: string;
  rows: { place: string; before: number; now: number }[];
  stays: string[];
}

export interface ForgetAnswer {
  removed: EntryView[];
  candidates: EntryView[];
  receipt: string | null;
}

type Signal = AbortSignal | undefined;
const get = <T>(path: string, query: object, signal?: Signal) => json<T>("GET", path, { query, signal });
const post = <T>(path: string, body: unknown = {}) => json<T>("POST", path, { body });

export const api = {
  health: (signal?: Signal) => get<Health>("/api/health", {}, signal),

  threads: (query: { limit?: number; cursor?: string | null; q?: string } = {}, signal?: Signal) =>
    get<Page<ThreadView>>("/api/threads", query, signal),
  addThread: (body: { temporary?: boolean; scope?: string }) => post<ThreadView>("/api/threads", body),
  thread: (id: string, signal?: Signal) => get<ThreadDetail>(`/api/threads/${id}`, {}, signal),
  patchThread: (id: string, patch: { title?: string; pinned?: boolean; scope?: string | null }) =>
    json<ThreadView>("PATCH", `/api/threads/${id}`, { body: patch }),
  deleteThread: (id: string) => json<unknown>("DELETE", `/api/threads/${id}`),
  stop: (id: string) => post<unknown>(`/api/threads/${id}/stop`),
  answerCard: (id: string, card: string, accept: boolean) =>
    post<{ message?: MessageView } & Record<string, unknown>>(`/api/threads/${id}/cards/${card}`, { accept }),

  memory: (clocks: Clocks = {}, signal?: Signal) => get<MemoryView>("/api/memory", { knownAt: clocks.knownAt }, signal),
  file: (path: string, clocks: Clocks = {}, signal?: Signal) =>
    get<FileContent>(`/api/memory/files/${filePath(path)}`, { asOf: clocks.asOf, knownAt: clocks.knownAt }, signal),
  putFile: (path: string, text: string, base: string) =>
    write("PUT", `/api/memory/files/${filePath(path)}`, {
      body: text,
      headers: { "content-type": "text/markdown", "if-match": base },
    }),
  putNewFile: (path: string, text: string) =>
    write("PUT", `/api/memory/files/${filePath(path)}`, {
      body: text,
      headers: { "content-type": "text/markdown", "if-none-match": "*" },
    }),
  renameFile: (path: string, to: string) => write("POST", `/api/memory/files/${filePath(path)}/rename`, { body: { to } }),
  deleteFile: (path: string, base: string) =>
    write("DELETE", `/api/memory/files/${filePath(path)}`, { headers: { "if-match": base } }),

  entries: (
    query: {
      q?: string;
      ids?: string;
      path?: string;
      slot?: string;
      scope?: string;
      state?: string;
      limit?: number;
      cursor?: string | null;
    } & Clocks,
    signal?: Signal,
  ) => get<Page<EntryView>>("/api/entries", query, signal),
  addEntry: (body: { text: string; path?: string; section?: string; since?: string; until?: string; on?: string }) =>
    write("POST", "/api/entries", { body }),
  entry: (id: string, signal?: Signal) => get<EntryDetail>(`/api/entries/${id}`, {}, signal),
  revise: (id: string, body: { text?: string; why?: "changed" | "wrong"; since?: string; base?: string }) =>
    write("POST", `/api/entries/${id}/revise`, { body }),
  close: (id: string, body: { why: "changed" | "wrong"; until?: string }) => write("POST", `/api/entries/${id}/close`, { body }),
  reopen: (id: string) => write("POST", `/api/entries/${id}/reopen`, { body: {} }),
  pin: (id: string, pin: boolean) => write("POST", `/api/entries/${id}/${pin ? "pin" : "unpin"}`, { body: {} }),
  move: (id: string, path: string, section?: string) =>
    write("POST", `/api/entries/${id}/move`, { body: { path, ...(section ? { section } : {}) } }),
  confirm: (id: string) => write("POST", `/api/entries/${id}/confirm`, { body: {} }),

  forget: (body: { id?: string; query?: string; all?: boolean; erase?: boolean; dryRun?: boolean }) =>
    post<ForgetAnswer>("/api/forget", body),
  forgotten: (signal?: Signal) => get<Page<Forgotten>>("/api/forgotten", {}, signal),
  lift: (id: string) => post<unknown>(`/api/forgotten/${id}/lift`),
  erase: (id: string) => post<unknown>(`/api/forgotten/${id}/erase`),
  receipt: (id: string, signal?: Signal) => get<Receipt>(`/api/receipts/${id}`, {}, signal),

  search: (query: { q: string; in?: string; limit?: number } & Clocks, signal?: Signal) =>
    get<Page<SearchHit>>("/api/search", query, signal),
  graph: (clocks: Clocks, signal?: Signal) => get<GraphView>("/api/graph", { ...clocks }, signal),

  history: (
    query: { path?: string; entry?: string; kind?: string; text?: string; limit?: number; cursor?: string | null },
    signal?: Signal,
  ) => get<Page<CommitView>>("/api/history", query, signal),
  commit: (oid: string, signal?: Signal) => get<CommitDetail>(`/api/history/${oid}`, {}, signal),
  revert: (oid: string, body: { entries?: string[]; paths?: string[] } = {}) =>
    write("POST", `/api/history/${oid}/revert`, { body }),

  notes: (query: { cursor?: string | null } = {}, signal?: Signal) => get<Page<NoteView>>("/api/notes", query, signal),
  note: (id: string, signal?: Signal) => get<NoteView>(`/api/notes/${id}`, {}, signal),
  addNote: (body: { title?: string; text: string }) => post<NoteView>("/api/notes", body),
  putNote: (id: string, body: { title?: string; text: string }) => json<NoteView>("PUT", `/api/notes/${id}`, { body }),
  deleteNote: (id: string) => json<unknown>("DELETE", `/api/notes/${id}`),

  estimate: () => post<DreamEstimate>("/api/dream", { dryRun: true }),
  dreamNow: (options: { mode?: "automatic" | "review"; retry?: boolean } = {}) =>
    post<{ id: string; status: string }>("/api/dream", options),
  dreams: (query: { cursor?: string | null } = {}, signal?: Signal) => get<Page<DreamView>>("/api/dreams", query, signal),
  dream: (id: string, signal?: Signal) => get<DreamDetail>(`/api/dreams/${id}`, {}, signal),
  acceptDream: (id: string, changes?: number[]) => post<unknown>(`/api/dreams/${id}/accept`, changes ? { changes } : {}),
  rejectDream: (id: string, changes?: number[]) => post<unknown>(`/api/dreams/${id}/reject`, changes ? { changes } : {}),
  undoDream: (id: string) => post<unknown>(`/api/dreams/${id}/undo`),
  cancelDream: (id: string) => post<unknown>(`/api/dreams/${id}/cancel`),

  costs: (query: { by: string; month?: string }, signal?: Signal) => get<Costs>("/api/costs", query, signal),
  calls: (query: { month?: string; limit?: number; cursor?: string | null }, signal?: Signal) =>
    get<Page<LedgerRow>>("/api/costs/calls", query, signal),

  models: (signal?: Signal) => get<ModelMenu>("/api/models", {}, signal),
  settings: (signal?: Signal) => get<Settings>("/api/settings", {}, signal),
  patchSettings: (patch: Partial<Settings>) => json<Settings>("PATCH", "/api/settings", { body: patch }),

  importList: (body: ImportBody) => post<ImportView>("/api/import", body),
  importView: (id: string, signal?: Signal) => get<ImportView>(`/api/imports/${id}`, {}, signal),
  applyImport: (id: string, passphrase?: string) =>
    post<ImportView>(`/api/imports/${id}/apply`, passphrase ? { passphrase } : {}),
  dropImport: (id: string) => json<unknown>("DELETE", `/api/imports/${id}`),

  check: (signal?: Signal) => get<CheckView>("/api/check", {}, signal),
  rebuild: () => post<unknown>("/api/rebuild"),
  deleteMe: () => json<unknown>("DELETE", "/api/me", { body: { confirm: "delete everything" } }),
};

/** One entry with its chain and the commits that touched it. */
export interface EntryDetail extends EntryView {
  timeline?: EntryView[];
  history?: CommitView[];
}
