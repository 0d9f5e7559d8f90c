// The six tools of the chat model: names, descriptions, and the schemas that both the model and the server go by.
import * as z from "zod";
import type { ModelTool } from "../model/types.ts";

const date = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, "a date is written 2026, 2026-03 or 2026-03-14")
  .describe("2026, 2026-03 or 2026-03-14");
const id = z.string().regex(/^[a-z0-9]{4,12}$/, "an id is 4 to 12 letters a-z and digits, as it stands in {} behind a line");

export const Recall = z.object({
  query: z.string().min(1).max(500).describe("What to look for, in a few words"),
  asOf: date.optional().describe("Only what was true on this day"),
});
export const Read = z.object({
  path: z.string().min(1).max(1024).describe("A file of the memory, like people/ana or MEMORY.md"),
});
export const ReadSource = z.object({
  ref: z.string().min(1).max(2048).describe("Where a fact was learned, like thread/ab12cd34#m9 or note/k2j4h5g6"),
});
export const Remember = z.object({
  text: z.string().min(1).max(4000).describe("The fact, short, third person without a subject, in the user's own words"),
  path: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe("The file; people/<name> for a person, projects/<name> for a project. Absent: the user's own"),
  slot: z.string().max(60).optional().describe("The one-valued attribute that it fills, like home, employer, partner"),
  since: date.optional().describe("True from"),
  until: date.optional().describe("True until, exclusive"),
  on: date.optional().describe("The day of an event or a plan"),
  expires: date.optional().describe("When it lapses by itself"),
  depends: z
    .union([z.string(), z.array(z.string()).max(20)])
    .optional()
    .describe("Ids or [[paths]] that it depends on"),
  scope: z.string().max(60).optional().describe("The project that it is about, where the conversation has one"),
  again: z.boolean().optional().describe("True where the user asks to remember something that was forgotten"),
});
export const Revise = z.object({
  id: id.describe("The id in {} behind the line"),
  text: z.string().min(1).max(4000).optional().describe("What is true instead. Absent: it ended"),
  since: date.optional().describe("From when"),
  why: z.enum(["changed", "wrong"]).describe("changed: it was true until now. wrong: it never was"),
});
export const Forget = z
  .object({
    id: id.optional(),
    query: z.string().min(1).max(500).optional().describe("What to forget, in the user's words"),
    all: z.boolean().optional().describe("True only where the user asks for everything about it"),
  })
  .refine((input) => (input.id === undefined) !== (input.query === undefined), "give id or query, one of them");

const TABLE = {
  recall: { schema: Recall, writes: false, description: "Look for facts in the user's memory." },
  read: { schema: Read, writes: false, description: "Read one file of the memory." },
  read_source: { schema: ReadSource, writes: false, description: "Read the message or note that a fact was learned from." },
  remember: {
    schema: Remember,
    writes: true,
    description:
      "Save one fact that the user stated or confirmed. The answer names near lines: revise one of them instead if it says the same or the old.",
  },
  revise: { schema: Revise, writes: true, description: "Change a fact, or end it." },
  forget: { schema: Forget, writes: true, description: "Take a fact out of the memory because the user asked for it." },
} as const;

export type ToolName = keyof typeof TABLE;

/** Whether there is such a tool. */
export function isTool(name: string): name is ToolName {
  return Object.hasOwn(TABLE, name);
}

/** Whether a tool changes the memory. */
export function writes(name: ToolName): boolean {
  return TABLE[name].writes;
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
  return rest;
}

const ALL: ModelTool[] = Object.entries(TABLE).map(([name, { schema, description }]) => ({
  name,
  description,
  parameters: jsonSchema(schema),
}));

/** The tools for a turn: all, those that only read, or none. Always in the same order, for the prefix cache. */
export function toolsFor(reach: "all" | "reading" | "none"): ModelTool[] {
  if (reach === "none") return [];
  return reach === "all" ? ALL : ALL.filter(({ name }) => isTool(name) && !TABLE[name].writes);
}
