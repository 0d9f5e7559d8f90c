// The tools that a dreamer has: their JSON schemas for the model, and the same shapes for what it sends back.
import * as z from "zod";
import { stripInvisible } from "../../shared/invisible.ts";
import type { ModelTool } from "../model/types.ts";

/** A date that the calendar has, as exactly as it is known. */
const PartialDate = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, "A date is written 2026, 2026-03 or 2026-03-14.")
  .refine((text) => {
    const [year, month = "01", day = "01"] = text.split("-");
    const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
  }, "The calendar has no such day.");
const Id = z
  .string()
  .regex(/^(?:[a-z0-9]{4,12}|new[1-9][0-9]{0,3})$/, "An id is 4 to 12 letters a-z and digits, as it stands before a line.");
/** Words as the writer will keep them: what is judged is what lands. */
const Text = z.string().transform(stripInvisible).pipe(z.string().trim().min(1).max(4000));
const Reason = z.string().max(1000).optional().default("");
const Ref = z.string().min(1).max(200);
const Sources = z.array(Ref).max(40);
const Path = z.string().min(1).max(300);
const Scope = z.string().regex(/^[a-z0-9-]{1,60}$/, "A scope is written with a-z, 0-9 and -.");
const Slot = z.string().max(60);

/** What each tool takes. Unknown keys are dropped, so that a chatty model is not refused for them. */
export const TOOL_INPUT = {
  search: z.object({ query: z.string().min(1).max(400) }),
  read: z.object({ path: Path }),
  read_source: z.object({ ref: Ref }),
  add: z.object({
    path: Path.optional(),
    section: z.string().max(200).optional(),
    text: Text,
    sources: Sources,
    slot: Slot.optional(),
    since: PartialDate.optional(),
    until: PartialDate.optional(),
    on: PartialDate.optional(),
    expires: PartialDate.optional(),
    scope: Scope.optional(),
    reason: Reason,
  }),
  revise: z.object({
    id: Id,
    text: Text,
    why: z.enum(["changed", "wrong"]).optional().default("changed"),
    since: PartialDate.optional(),
    until: PartialDate.optional(),
    on: PartialDate.optional(),
    slot: Slot.optional(),
    sources: Sources,
    reason: Reason,
  }),
  merge: z.object({ ids: z.array(Id).min(2).max(20), text: Text.optional(), reason: Reason }),
  move: z.object({ id: Id, path: Path, section: z.string().max(200).optional(), reason: Reason }),
  retire: z.object({
    id: Id,
    why: z.enum(["changed", "wrong"]).optional().default("changed"),
    until: PartialDate.optional(),
    sources: Sources.optional().default([]),
    reason: Reason,
  }),
  finish: z.object({ summary: z.string().max(2000).optional().default("") }),
} as const;

export type ToolName = keyof typeof TOOL_INPUT;
export type ToolInput<N extends ToolName> = z.infer<(typeof TOOL_INPUT)[N]>;

/** Whether a name is one of the tools. */
export function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOL_INPUT, name);
}

const string = (description: string) => ({ type: "string", description });
const date = (description: string) => ({ type: "string", pattern: "^\\d{4}(-\\d{2}(-\\d{2})?)?$", description });
const id = string("Id of the line, as it stands before it");
const reason = string("Why, in one sentence for the user");
const sources = {
  type: "array",
  items: { type: "string" },
  description: "References of the messages or notes that say so, like thread/ab12cd34#m3",
};
const section = string("Heading under which the line belongs");
const why = {
  type: "string",
  enum: ["changed", "wrong"],
  description: "changed = it was true until then; wrong = it was never true",
};

function tool(name: ToolName, description: string, properties: Record<string, unknown>, required: string[]): ModelTool {
  return { name, description, parameters: { type: "object", properties, required, additionalProperties: false } };
}

/** The tools as the model is told of them. */
export const DREAM_TOOLS: ModelTool[] = [
  tool("search", "Looks for lines of the memory that share words with the query.", { query: string("Words to look for") }, [
    "query",
  ]),
  tool("read", "Reads a file of the memory.", { path: string("Path, like people/ana.md") }, ["path"]),
  tool(
    "read_source",
    "Reads the message or note that a line was learned from.",
    { ref: string("Reference, like thread/ab12cd34#m3") },
    ["ref"],
  ),
  tool(
    "add",
    "Adds one fact as a line of a file.",
    {
      path: string("File, like people/ana.md"),
      section,
      text: string("The fact, in the user's words and language"),
      sources,
      slot: string("The one-valued attribute that it fills (home, employer), if any"),
      since: date("True from"),
      until: date("True until"),
      on: date("Day of an event or plan"),
      expires: date("When it lapses by itself"),
      scope: string("Where it applies, if not everywhere"),
      reason,
    },
    ["path", "text", "sources"],
  ),
  tool(
    "revise",
    "Replaces a line by what is true now; the old one is kept as history.",
    {
      id,
      text: string("What is true now"),
      why,
      since: date("True from"),
      until: date("True until"),
      on: date("Day of an event or plan"),
      slot: string("Slot, if any"),
      sources,
      reason,
    },
    ["id", "text", "sources"],
  ),
  tool(
    "merge",
    "Makes one line of several that say the same. The first id keeps its place; the sources of all are kept. Every name and number must stay.",
    {
      ids: { type: "array", items: { type: "string" }, minItems: 2, description: "Ids; the one to keep first" },
      text: string("The joined text, if it is not that of the first"),
      reason,
    },
    ["ids"],
  ),
  tool("move", "Moves a line to the file or section where it belongs.", { id, path: string("File"), section, reason }, [
    "id",
    "path",
  ]),
  tool(
    "retire",
    "Closes a line that is no longer true. It stays as history.",
    { id, why, until: date("True until"), sources, reason },
    ["id", "reason"],
  ),
  tool(
    "finish",
    "Ends the work. Call it once, when nothing is left to do.",
    { summary: string("What was done, in one sentence") },
    ["summary"],
  ),
];
