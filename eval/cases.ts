// What an evaluation is made of: conversations with their days, and questions about them. Every file shape is read into this one.

export interface Said {
  role: "user" | "assistant";
  text: string;
}

export interface Session {
  id: string;
  title: string;
  /** Milliseconds; days without a zone are read as UTC. */
  at: number;
  messages: Said[];
}

export interface Question {
  id: string;
  /** The set's own name for the kind of question. */
  type: string;
  text: string;
  /** The correct answer; where the question has none, why. */
  gold: string;
  /** Right is to say that it is not known. */
  unknown: boolean;
  /** When it is asked, in milliseconds. */
  at: number;
}

/** One history and all that is asked about it. Sessions are in the order in which they were held. */
export interface Case {
  id: string;
  sessions: Session[];
  questions: Question[];
}

/** Milliseconds between two messages of a session: the sets date sessions, not messages. */
export const MESSAGE_STEP_MS = 60_000;

const two = (n: number): string => String(n).padStart(2, "0");

/** `2023-05-20 (Saturday), 02:21`, as prompts show a moment. */
export function moment(at: number): string {
  const day = new Date(at);
  const weekday = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][day.getUTCDay()];
  return `${day.toISOString().slice(0, 10)} (${weekday}), ${two(day.getUTCHours())}:${two(day.getUTCMinutes())}`;
}

/** Sessions as text for a prompt. */
export function sessionsAsText(sessions: readonly Session[]): string {
  return sessions
    .map(({ at, messages }) => {
      const lines = messages.map(({ role, text }) => `${role === "user" ? "User" : "Assistant"}: ${text}`);
      return [`## ${moment(at)}`, ...lines].join("\n");
    })
    .join("\n\n");
}

/** At most `limit` questions, the types in turn, so that a small sample holds every type. Cases without a question are left out. */
export function sample(cases: readonly Case[], limit: number | null): Case[] {
  if (limit === null) return [...cases];
  const byType = new Map<string, string[]>();
  for (const { id, questions } of cases)
    for (const question of questions) {
      const key = JSON.stringify([id, question.id]);
      byType.set(question.type, [...(byType.get(question.type) ?? []), key]);
    }
  const chosen = new Set<string>();
  for (let round = 0; chosen.size < limit; round++) {
    const row = [...byType.values()].flatMap((keys) => keys[round] ?? []);
    if (row.length === 0) break;
    for (const key of row) if (chosen.size < limit) chosen.add(key);
  }
  return cases
    .map((one) => ({ ...one, questions: one.questions.filter(({ id }) => chosen.has(JSON.stringify([one.id, id]))) }))
    .filter(({ questions }) => questions.length > 0);
}
