// The tables of conversations, notes and costs in one step, for rooms.ts.
import type { Sql } from "../git/sql.ts";
import { createLedger } from "./ledger.ts";
import { createNotes } from "./notes.ts";
import { createPostings } from "./postings.ts";
import { createThreads } from "./threads.ts";
import { createTranscripts } from "./transcripts.ts";

export function createConversations(sql: Sql): void {
  for (const create of [createThreads, createTranscripts, createNotes, createPostings, createLedger]) create(sql);
}
