// The stretch of days that a question names: "tomorrow", "next week", "in May", "coming up".
import { type Clock, addDays, addMonths, dayAfter, firstDay, mondayOf } from "../language/calendar.ts";
import { datesIn } from "../language/dates.ts";

export interface Period {
  /** First day. */
  from: string;
  /** First day that is no longer in it. */
  to: string;
}

const FOREVER = "9999-01-01";

/** The period of a question about plans; everything from today on where it names none. */
export function periodOf(asked: string, clock: Clock): Period {
  const question = asked.replace(/\bup to\b/gi, " ");
  const { today } = clock;
  if (/\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b/i.test(question))
    return { from: today, to: addDays(today, 1) };
  if (/\b(?:next|coming) (?:few|couple of|two|three|seven|\d+) (?:days|weeks)\b/i.test(question)) {
    const n = Number(
      /(\d+)/.exec(question)?.[1] ??
        { two: 2, three: 3, seven: 7 }[/(two|three|seven)/i.exec(question)?.[1]?.toLowerCase() ?? ""] ??
        4,
    );
    return { from: today, to: addDays(today, /weeks/i.test(question) ? 7 * n : n + 1) };
  }
  const [first] = datesIn(question, clock, "future");
  if (!first) return { from: today, to: FOREVER };
  if (first.role === "after") return { from: dayAfter(first.date), to: FOREVER };
  if (first.role === "since") return { from: firstDay(first.date), to: first.last ? dayAfter(first.last) : FOREVER };
  if (first.role === "before" || first.role === "by" || first.role === "until") return { from: today, to: firstDay(first.date) };
  const part = /\b(end|late|beginning|start|early|mid|middle)\b/i.exec(question)?.[1]?.toLowerCase();
  if (part && first.date.length === 7) {
    const [from, to] = [firstDay(first.date), dayAfter(first.date)];
    if (/end|late/.test(part)) return { from: addDays(to, -11), to };
    return /mid/.test(part) ? { from: addDays(from, 9), to: addDays(from, 21) } : { from, to: addDays(from, 10) };
  }
  if (/\bthis week\b/i.test(question)) return { from: today, to: addDays(mondayOf(today), 7) };
  if (/\bthis month\b/i.test(question)) return { from: today, to: addMonths(`${today.slice(0, 7)}-01`, 1) };
  return { from: firstDay(first.date), to: dayAfter(first.last ?? first.date) };
}
