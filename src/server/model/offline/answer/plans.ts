// Questions about plans: what lies ahead in the period that was named, in the order of its days.
import type { Known } from "../knowledge.ts";
import { WEEKDAYS, addDays, firstDay, meets, weekdayOf } from "../language/calendar.ts";
import type { Part } from "../script.ts";
import { type AnswerContext, isAbout, lookUp } from "./lookup.ts";
import { periodOf } from "./period.ts";
import type { Question } from "./question.ts";
import { sayLine } from "./say.ts";

/** Plans in one answer. */
const PLANS_MAX_LINES = 20;

export function* plansAnswer(text: string, question: Question, context: AnswerContext): Part<string> {
  const { knowledge, clock } = context;
  const period = periodOf(text, clock);
  yield* lookUp(context, [`${text.replace(/[?]/g, "")} plan appointment`], context.whole ? [] : ["MEMORY"]);
  const about =
    question.subject.kind === "person" || question.subject.kind === "role"
      ? knowledge.current.filter((one) => isAbout(one, question.subject, context))
      : knowledge.current;
  const dayOf = (one: Known): string | undefined =>
    one.line.on ?? (one.line.state === "upcoming" || (one.line.since ?? "") > clock.today ? one.line.since : one.line.expires);
  const planned = about.filter((one) => {
    const day = dayOf(one);
    return day !== undefined && meets(day, period.from, period.to);
  });
  const regular = weekdaysIn(period).flatMap((weekday) =>
    about.filter((one) => new RegExp(`\\b(?:every|each|on) ${weekday}s?\\b|\\b${weekday}s\\b`, "i").test(one.line.text)),
  );
  const found = [
    ...planned.sort((a, b) => (firstDay(dayOf(a)!) < firstDay(dayOf(b)!) ? -1 : 1)),
    ...regular.filter((one) => !planned.includes(one)),
  ];
  if (found.length === 0) return "I don't know of any plans for then.";
  return found
    .slice(0, PLANS_MAX_LINES)
    .map((one) => sayLine(one, clock.today))
    .join(" ");
}

/** Names of the weekdays in a period of at most a week; what comes back every week is said only for those. */
function weekdaysIn(period: { from: string; to: string }): string[] {
  const days: string[] = [];
  for (let day = period.from; day < period.to && days.length < 3; day = addDays(day, 1))
    days.push(WEEKDAYS[weekdayOf(day)] as string);
  return addDays(period.from, days.length) === period.to ? days : [];
}
