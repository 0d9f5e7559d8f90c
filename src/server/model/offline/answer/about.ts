// "What do you know about me / Karel / my boat / Haselnüsse": all that is kept about one subject, and nothing beside it.
import type { Known } from "../knowledge.ts";
import { contentStems } from "../language/words.ts";
import { sayNumber } from "../language/numbers.ts";
import { personPath } from "../lines.ts";
import type { Part } from "../script.ts";
import { type AnswerContext, isAbout, lookUp, pathsOf, relMatches } from "./lookup.ts";
import { relOf } from "./relations.ts";
import { topicHits } from "./match.ts";
import type { Question } from "./question.ts";
import { sayLine } from "./say.ts";

/** Lines in one such answer; the rest is counted. */
const ABOUT_MAX_LINES = 40;

export function* aboutAnswer(question: Question, context: AnswerContext): Part<string> {
  const { knowledge, clock } = context;
  if (question.subject.kind === "me") {
    if (!context.whole) yield* lookUp(context, [], ["MEMORY"]);
    const mine = knowledge.current.filter((one) => one.about === null);
    const others = [...new Set(knowledge.people().map(({ name }) => name))];
    if (mine.length === 0)
      return others.length === 0
        ? "Nothing is kept yet. The first thing you tell me will stand here."
        : `Nothing about you yourself. There are lines about ${others.slice(0, 8).join(", ")}.`;
    return `This is what I keep about you. ${told(mine, clock.today)}`;
  }
  if (question.subject.kind === "person" || question.subject.kind === "role") {
    const asked = question.subject;
    const name = asked.kind === "person" ? asked.name : asked.role.name;
    const known = pathsOf(asked, context);
    yield* lookUp(context, [name], known.length > 0 || asked.kind === "role" ? known : [personPath(name)]);
    context.env.people = knowledge.people();
    const missing = pathsOf(asked, context).filter((path) => !known.includes(path) && path !== personPath(name));
    if (missing.length > 0) yield* lookUp(context, [], missing);
    const found = knowledge.current.filter((one) => isAbout(one, asked, context));
    return found.length === 0
      ? `Nothing about ${asked.kind === "person" ? name : `your ${asked.label}`} is kept.`
      : told(found, clock.today);
  }
  const topic = question.topic ?? "";
  yield* lookUp(context, [topic], /^\p{Lu}[\p{L}'’-]+$/u.test(topic) ? [personPath(topic)] : []);
  const path = personPath(topic);
  const bare = topic.replace(/^(?:my|our|the) /i, "");
  const current = knowledge.current;
  const file = current.filter((one) => one.line.path === path);
  const hits = [...new Set([...file, ...topicHits(current, bare), ...relationHits(bare, current)])];
  return hits.length === 0
    ? `Nothing about ${/^(?:my|our) /i.test(topic) ? "that" : `“${topic}”`} is kept.`
    : told(hits, clock.today);
}

/** "my job", "where I live": topics that are a relation. */
function relationHits(topic: string, current: readonly Known[]): Known[] {
  const rel =
    relOf(`what is S's ${topic}`)?.rel ??
    (/^where I live|^(?:home|house|flat|address)$/i.test(topic) ? "home" : /^(?:job|work|career)$/i.test(topic) ? "job" : null);
  if (rel)
    return current.filter(
      (one) => one.about === null && (one.fact.rel === rel || (rel === "job" && one.fact.rel === "employer")),
    );
  if (/^(?:diet|food|eating habits)$/i.test(topic)) return current.filter((one) => one.about === null && relMatches(one, "diet"));
  const family = /^family|relatives$/i.test(topic)
    ? /^relation:(?!friend|manager|colleague|neighbour|flatmate|mentor|teacher|coach|doctor|dentist|landlord|former)/
    : /^friends$/i.test(topic)
      ? /^relation:friend/
      : /^pets?|animals$/i.test(topic)
        ? /^pet$/
        : /^(?:tastes|likes|preferences)$/i.test(topic)
          ? /^(?:dis)?likes$/
          : /^(?:health)$/i.test(topic)
            ? /^(?:health|allergy)$/
            : /^languages$/i.test(topic)
              ? /^speaks$/
              : null;
  return family && contentStems(topic).length > 0 ? current.filter((one) => family.test(one.fact.rel)) : [];
}

function told(lines: readonly Known[], today: string): string {
  const shown = lines.slice(0, ABOUT_MAX_LINES).map((one) => sayLine(one, today));
  const rest = lines.length - shown.length;
  return `${shown.join(" ")}${rest > 0 ? ` And ${sayNumber(rest)} more.` : ""}`;
}
