// What waits for a dream, read from the transcripts and notes: rows of messages since a cursor, notes that no dream has read, and the
// words behind a reference.
import { parseSource } from "../../shared/source.ts";
import type { MemoryContext } from "./context.ts";
import { markNoteRead, readNote, unreadNotes } from "./notes.ts";
import { messageNumber, type MessageRow } from "./transcripts.ts";

/** Notes that one look brings at most; the rest comes with the next. */
const NOTES_MAX = 200;

/** What the words behind a reference are. */
interface Words {
  ref: string;
  role: "user" | "assistant" | "note";
  at: number;
  zone: string;
  text: string;
  untyped: [number, number][];
}

/** The inbox of a memory. `untyped` tells which parts of a message the user did not type. */
export function inboxSource(
  ctx: Pick<MemoryContext, "sql" | "zone">,
  untyped: (text: string, pasted: [number, number][]) => [number, number][],
) {
  const { sql } = ctx;
  const row = (thread: string, n: number): MessageRow | null =>
    sql.exec<MessageRow>("SELECT * FROM messages WHERE thread = ? AND n = ?", thread, n).toArray()[0] ?? null;
  const words = (message: MessageRow): Words => ({
    ref: `thread/${message.thread}#m${message.n}`,
    role: message.role,
    at: message.at,
    zone: message.zone,
    text: message.text,
    untyped: message.role === "user" ? untyped(message.text, JSON.parse(message.pasted)) : [],
  });
  const message = (ref: string): MessageRow | null => {
    const source = parseSource(ref);
    if (source?.kind !== "thread" || source.message === null || !/^m[1-9][0-9]{0,6}$/.test(source.message)) return null;
    return row(source.id, messageNumber(source.message));
  };

  return {
    messagesSince(cursor: number, limit: number): { items: { ref: string; at: number }[]; cursor: number } {
      const rows = sql
        .exec<{ seq: number; thread: string; n: number; role: string; at: number }>(
          "SELECT seq, thread, n, role, at FROM messages WHERE seq > ? AND learn = 1 ORDER BY seq LIMIT ?",
          cursor,
          limit,
        )
        .toArray();
      return {
        items: rows.filter(({ role }) => role === "user").map(({ thread, n, at }) => ({ ref: `thread/${thread}#m${n}`, at })),
        cursor: rows.at(-1)?.seq ?? cursor,
      };
    },

    notes: (): { ref: string; at: number; version: number }[] =>
      unreadNotes(sql, NOTES_MAX).map(({ id, updatedAt }) => ({
        ref: `note/${id}`,
        at: Date.parse(updatedAt),
        version: Date.parse(updatedAt),
      })),

    noteRead(ref: string, version: number): void {
      markNoteRead(sql, ref.slice("note/".length), new Date(version).toISOString());
    },

    text(ref: string): Words | null {
      const source = parseSource(ref);
      if (source?.kind === "note") {
        if (sql.exec("SELECT 1 FROM notes WHERE id = ?", source.id).toArray().length === 0) return null;
        const note = readNote(sql, source.id);
        const text = note.text.startsWith(note.title.replace(/…$/, "")) ? note.text : `${note.title}\n${note.text}`;
        return { ref, role: "note", at: Date.parse(note.updatedAt), zone: ctx.zone(), text, untyped: [] };
      }
      const found = message(ref);
      // What was said while memory was read only or off is nobody's evidence.
      return found && (found.learn === 1 || found.role === "assistant") ? words(found) : null;
    },

    before(ref: string): Words | null {
      const found = message(ref);
      const before = found && found.n > 1 ? row(found.thread, found.n - 1) : null;
      return before?.role === "assistant" && before.learn === 1 && before.text.trim() !== "" ? words(before) : null;
    },
  };
}
