// GET /api/openapi.json: the contract, made from the routes that exist and the schemas that check them.
import * as z from "zod";
import {
  AcceptBody,
  ApplyImportBody,
  CardBody,
  ChatBody,
  CheckView,
  CommitDetail,
  CommitView,
  DreamBody,
  EntryView,
  ExportBody,
  FileContent,
  GraphView,
  ImportBody,
  ImportView,
  MemoryView,
  MirrorBody,
  ModelKeyBody,
  NoteBody,
  PageQuery,
  RenameBody,
  RefusalBody,
  SearchHit,
  SettingsPatch,
  Settings,
  ThreadBody,
  ThreadPatch,
} from "../../shared/protocol.ts";
import { VERSION } from "../version.ts";
import { CallsQuery, SumQuery } from "./cost-routes.ts";
import { DeleteBody, ForgetBody, GiveUpBody, LiftBody, SecretsQuery } from "./forget-routes.ts";
import {
  AtQuery,
  CheckQuery,
  CloseBody,
  EntriesQuery,
  GraphQuery,
  HistoryQuery,
  MoveBody,
  PlainBody,
  RememberBody,
  RevertBody,
  ReviseEntryBody,
} from "./memory-schemas.ts";
import { SearchQuery } from "./search-routes.ts";
import { Again } from "./thread-routes.ts";

type Schema = z.core.$ZodType;

/** What is known of a route beside its name. */
interface Operation {
  does: string;
  query?: Schema;
  body?: Schema;
  /** Content type of the body; JSON where absent. */
  bodyType?: string;
  answer?: Schema;
  /** Content type of the answer; JSON where absent. */
  answerType?: string;
  /** Status of success; 200 where absent. */
  status?: number;
  headers?: Record<string, string>;
}

const list = (item: Schema): Schema => z.object({ items: z.array(item as z.ZodType), next: z.string().nullable() });
/** The answer to a write: what landed. A refusal comes with its own status and shape. */
const Outcome = z.object({
  ok: z.literal(true),
  commit: z.string().nullable(),
  head: z.string(),
  entries: z.array(
    z.object({ verb: z.string(), entry: EntryView, before: z.string().optional(), replaced: z.optional(EntryView) }),
  ),
  near: z.array(EntryView).optional(),
  warnings: z.array(z.string()).optional(),
});
const text = z.string();
const maybe = text.nullable();
const Thread = z.object({
  id: text,
  title: text,
  createdAt: text,
  updatedAt: text,
  messages: z.number(),
  pinned: z.boolean(),
  scope: maybe,
  temporary: z.boolean(),
  answering: z.boolean(),
});
const Note = z.object({ id: text, title: text, text, createdAt: text, updatedAt: text, readByDream: maybe });
const ChatReply = z.object({
  thread: text,
  message: text,
  reply: text,
  actions: z.array(z.object({ tool: text, input: z.unknown(), outcome: z.unknown(), card: text.optional() })),
  recalled: z.array(z.unknown()),
  usage: z.object({
    model: text,
    tokensIn: z.number(),
    cachedIn: z.number(),
    tokensOut: z.number(),
    usd: z.number().nullable(),
    ms: z.number(),
  }),
  head: maybe,
  error: z.object({ code: text, message: text }).optional(),
});
const write = (does: string, body: Schema): Operation => ({ does, body, answer: Outcome });
const IF_MATCH = {
  "If-Match": "The commit that you had read. Missing: 428 no-base. Stale: rebased; a clash is 409 with base, mine and theirs.",
};

const OPERATIONS: Record<string, Operation> = {
  "GET /api/health": { does: "What answers: version, mode, models." },
  "GET /api/openapi.json": { does: "This document." },
  "GET /api/memory": {
    does: "The tree of files, now, at a commit or as it was known at the end of a day.",
    query: AtQuery,
    answer: MemoryView,
  },
  "GET /api/memory/files/*": {
    does: "A file: Markdown, or with Accept: application/json its entries, links and backlinks, too.",
    query: AtQuery,
    answer: FileContent,
  },
  "PUT /api/memory/files/*": {
    does: "Writes a file.",
    body: z.string(),
    bodyType: "text/markdown",
    answer: Outcome,
    headers: IF_MATCH,
  },
  "POST /api/memory/files/*": write("…/rename: gives a file another name; links to it follow, in one commit.", RenameBody),
  "DELETE /api/memory/files/*": { does: "Removes a file.", answer: Outcome, headers: IF_MATCH },
  "GET /api/entries": {
    does: "Entries by path and line, or by score with q. Open and upcoming ones where no state is given.",
    query: EntriesQuery,
    answer: list(EntryView),
  },
  "POST /api/entries": write("Remembers a fact.", RememberBody),
  "GET /api/entries/:id": {
    does: "One entry with the values of its slot over time, its uses and its commits.",
    answer: EntryView,
  },
  "POST /api/entries/:id/revise": write("Changes or corrects an entry; without a text it ends.", ReviseEntryBody),
  "POST /api/entries/:id/close": write("No longer true.", CloseBody),
  "POST /api/entries/:id/reopen": write("Undoes the last close.", PlainBody),
  "POST /api/entries/:id/pin": write("Only the user may change it from now on.", PlainBody),
  "POST /api/entries/:id/unpin": write("Takes the pin away.", PlainBody),
  "POST /api/entries/:id/confirm": write("It still holds, although something that it depends on has changed.", PlainBody),
  "POST /api/entries/:id/move": write("Moves an entry to another file or section.", MoveBody),
  "GET /api/graph": { does: "Files, the links between them, and links that lead nowhere.", query: GraphQuery, answer: GraphView },
  "GET /api/history": {
    does: "Commits, newest first; by file, entry, kind, or words that came or went.",
    query: HistoryQuery,
    answer: list(CommitView),
  },
  "GET /api/history/:commit": { does: "A commit with its diff by entry and by line.", answer: CommitDetail },
  "POST /api/history/:commit/revert": write(
    "Takes a commit back, or some files or entries of it; later changes stay.",
    RevertBody,
  ),
  "GET /api/check": { does: "Verifies objects, refs and index; in slices, by cursor.", query: CheckQuery, answer: CheckView },
  "POST /api/rebuild": { does: "Makes the index again from git, in slices." },
  "POST /api/chat": {
    does: "One message. With Accept: text/event-stream the answer comes as events delta, action, done, error.",
    body: ChatBody,
    answer: ChatReply,
  },
  "GET /api/models": { does: "The models that may be chosen, with their prices where they are known." },
  "GET /api/threads": { does: "Conversations, newest first.", query: PageQuery, answer: list(Thread) },
  "POST /api/threads": { does: "Begins a conversation.", body: ThreadBody, answer: Thread, status: 201 },
  "GET /api/threads/:id": { does: "A conversation with its messages." },
  "PATCH /api/threads/:id": { does: "Title, pin, scope.", body: ThreadPatch, answer: Thread },
  "DELETE /api/threads/:id": { does: "Deletes a conversation; facts learned in it stay." },
  "POST /api/threads/:id/stop": { does: "Stops the answer that is being written." },
  "POST /api/threads/:id/regenerate": {
    does: "Writes an answer anew; what it did to the memory is taken back first.",
    body: Again,
  },
  "POST /api/threads/:id/resume": { does: "Goes on with an answer that broke off; what it did stays.", body: Again },
  "POST /api/threads/:id/cards/:card": { does: "Answers a card.", body: CardBody },
  "GET /api/search": { does: "Hits in rank order.", query: SearchQuery, answer: list(SearchHit) },
  "GET /api/notes": { does: "The user's notes.", query: PageQuery, answer: list(Note) },
  "POST /api/notes": { does: "A new note.", body: NoteBody, answer: Note, status: 201 },
  "GET /api/notes/:id": { does: "One note.", answer: Note },
  "PUT /api/notes/:id": { does: "Changes a note.", body: NoteBody, answer: Note },
  "DELETE /api/notes/:id": { does: "Deletes a note; facts learned from it stay." },
  "POST /api/forget": {
    does: "Forgets what an id or a query means. Several that fit come back as candidates, and nothing is removed.",
    body: ForgetBody,
    answer: z.object({
      removed: z.array(EntryView as unknown as z.ZodType),
      candidates: z.array(EntryView as unknown as z.ZodType),
      receipt: z.string().nullable(),
    }),
  },
  "GET /api/forgotten": { does: "What was forgotten, as its owner reads it.", query: PageQuery },
  "POST /api/forgotten/:id/lift": { does: "Lets a fact in again; with restore its line stands again.", body: LiftBody },
  "POST /api/forgotten/:id/erase": { does: "Takes it out of every commit, too. 202 while it goes on.", body: PlainBody },
  "POST /api/forgotten/keys/give-up": {
    does: "Declares keys lost: what was forgotten under them is not compared any longer.",
    body: GiveUpBody,
  },
  "GET /api/receipts/:id": { does: "Every place in which a forgotten fact stood, and how often it stands there now." },
  "POST /api/receipts/:id/undo": { does: "Takes a forget back.", body: PlainBody },
  "GET /api/secrets": { does: "Secrets that stand in the memory, by their places.", query: SecretsQuery },
  "POST /api/secrets/erase": { does: "Erases all of them.", body: PlainBody },
  "DELETE /api/me": { does: "Deletes everything that the user has.", body: DeleteBody },
  "POST /api/import": {
    does: "Conversations, files or statements: a preview, or with apply the import itself, in one commit.",
    body: ImportBody,
    answer: ImportView,
  },
  "GET /api/imports/:id": { does: "The preview of an import, and how far it is.", answer: ImportView },
  "POST /api/imports/:id/apply": {
    does: "Lands a previewed import; 202 while it goes on.",
    body: ApplyImportBody,
    answer: ImportView,
  },
  "DELETE /api/imports/:id": { does: "Throws a previewed import away." },
  "POST /api/export": { does: "Everything out, as one zip; the tombstone key only under a passphrase.", body: ExportBody },
  "POST /api/dream": { does: "Dreams now; with dryRun only the estimate.", body: DreamBody, status: 202 },
  "GET /api/dreams": { does: "Dreams, newest first.", query: PageQuery },
  "GET /api/dreams/:id": { does: "A dream with its log, its changes and what it read." },
  "POST /api/dreams/:id/accept": { does: "Accepts a proposal, or some of its changes.", body: AcceptBody },
  "POST /api/dreams/:id/reject": { does: "Rejects a proposal, or some of its changes.", body: AcceptBody },
  "POST /api/dreams/:id/undo": { does: "Takes back what a dream changed." },
  "POST /api/dreams/:id/cancel": { does: "Stops a running dream; what has landed stays." },
  "GET /api/costs": { does: "The ledger of a month, summed by day, kind, model, thread or dream.", query: SumQuery },
  "GET /api/costs/calls": { does: "Each model call, newest first.", query: CallsQuery },
  "GET /api/costs/calls.csv": { does: "Each model call as CSV.", answerType: "text/csv" },
  "GET /api/settings": { does: "The settings.", answer: Settings },
  "PATCH /api/settings": { does: "Changes some settings.", body: SettingsPatch, answer: Settings },
  "GET /api/model-key": { does: "Whether a key of the user's own endpoint is kept; never the key." },
  "PUT /api/model-key": { does: "Keeps the user's own endpoint and its key, sealed.", body: ModelKeyBody },
  "DELETE /api/model-key": { does: "Forgets that key." },
  "GET /api/installation": { does: "Users, sums and failures of the installation, for its owner." },
  "GET /api/mirror": { does: "The mirror and how it stands." },
  "PUT /api/mirror": { does: "Sets the server that main is pushed to after each commit.", body: MirrorBody },
  "DELETE /api/mirror": { does: "Ends the mirror; what was pushed stays there." },
};

const jsonSchema = (schema: Schema, io: "input" | "output") => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Record<string, unknown>;
  return rest;
};

function queryParameters(schema: Schema): object[] {
  const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: shape,
  }));
}

function answerContent(known: Operation | undefined): object {
  const type = known?.answerType ?? "application/json";
  if (type !== "application/json") return { content: { [type]: { schema: { type: "string" } } } };
  return { content: { [type]: { schema: known?.answer ? jsonSchema(known.answer, "output") : {} } } };
}

function operationOf(method: string, path: string): object {
  const known = OPERATIONS[`${method} ${path}`];
  const parameters: object[] = [...path.matchAll(/:([a-z]+)/gi)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  if (path.endsWith("/*"))
    parameters.push({
      name: "path",
      in: "path",
      required: true,
      schema: { type: "string" },
      description: "A path from the root of the memory.",
    });
  if (known?.query) parameters.push(...queryParameters(known.query));
  for (const [name, description] of Object.entries(known?.headers ?? {}))
    parameters.push({ name, in: "header", required: false, description, schema: { type: "string" } });
  if (method === "POST")
    parameters.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "The same key with the same request gives the same answer and writes once.",
      schema: { type: "string" },
    });
  const type = known?.bodyType ?? "application/json";
  return {
    summary: known?.does ?? `${method} ${path}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(known?.body ? { requestBody: { content: { [type]: { schema: jsonSchema(known.body, "input") } } } } : {}),
    responses: {
      [known?.status ?? 200]: {
        description: "Done.",
        ...answerContent(known),
      },
      default: {
        description: "A refusal: code, sentence, details.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      },
    },
  };
}

/** The document for a set of routes. */
export function openApi(routes: readonly { method: string; path: string }[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path } of routes) {
    if (method === "ALL" || !path.startsWith("/api/") || path === "/api/*") continue;
    const shown = path
      .replace(/:([a-z]+)/gi, "{$1}")
      .replace(/\/\*$/, "/{path}")
      .replace(/\/$/, "");
    (paths[shown] ??= {})[method.toLowerCase()] = operationOf(method, path.replace(/\/$/, ""));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Reverie",
      version: VERSION,
      description:
        "A personal memory in a git repository that you own. A refusal is {error: {code, message, details?}}; lists are {items, next}.",
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: { Refusal: jsonSchema(RefusalBody, "output") } },
  };
}
