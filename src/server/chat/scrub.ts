// Overwrites what a conversation's own object left behind after an erase: drafts and waiting messages are deleted, but their bytes lie in its file.
import { dropFiller, LOG_BYTES, overwriteFree, rewriteTable } from "../git/scrub.ts";
import type { Sql } from "../git/sql.ts";

const TABLES = ["draft", "waiting", "temporary", "kept"];
const LAPS = 3;

/** Rewrites the tables and laps free pages and log. Each step is a transaction of its own. */
export async function scrubRows(sql: Sql, transact: (run: () => void) => void, rest: () => Promise<void>): Promise<void> {
  transact(() => {
    for (const table of TABLES) rewriteTable(sql, table);
  });
  for (let lap = 0; lap < LAPS; lap++) {
    transact(() => overwriteFree(sql, LOG_BYTES / 2 + lap * (LOG_BYTES / 4)));
    // The log is written out between two turns of the event loop, not within one.
    await rest();
    transact(() => dropFiller(sql));
    await rest();
  }
}
