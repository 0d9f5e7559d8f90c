// What stopped being true: "no longer", "not any more", "stopped", "sold", "broke up", "left", "died", "cancelled".
import { baseOfIng, thirdPerson } from "../language/verbs.ts";
import { upperFirst } from "../language/words.ts";
import { type RuleContext, bareName, dayOf } from "./draft.ts";
import { type Ending, type Fact, ME } from "./fact.ts";
import { petAt, roleAt } from "./heads.ts";
import { isNation } from "./lexicon.ts";
import type { Clause } from "./subject.ts";

interface Found {
  facts: Fact[];
  ending: Ending | null;
}

const ANY_MORE = /,? (?:any ?more|any longer|no more)$/i;
const DISPOSED =
  /^(?:has |just |recently )?(?:sold|given away|gave away|gave up|got rid of|has got rid of|scrapped|donated|threw away|thrown away|returned|traded in|crashed and scrapped|lost|rehomed|crashed|wrote off|gave back) (?:(?:my|the|our|his|her|both|that|those|an?) )?(?:old |beloved )?(.+?)(?: to (?:my|a|an|the|some|\p{Lu}).*| for .*| on .*)?$/u;
/** "gave the piano away" → "gave away the piano". */
const APART =
  /^((?:has |just )*(?:gave|given|threw|thrown|traded|sent|handed|took|taken|sold)) ((?:my|the|our|his|her|that|those|both|an?) .+?) (away|out|in|back|off)$/;
const STOPPED =
  /^(?:has |have |recently |just |finally )?(?:stopped|quit|quitted|given up|gave up|ceased|finished with|packed in|dropped) (\S+ing)\b ?(.*)$/;
const GAVE_UP =
  /^(?:has |have |just |finally )?(?:quit|given up|gave up|dropped|packed in|stopped with) (?:the |my )?(?!on\b|hope)(.+)$/;
const LEFT_JOB =
  /^(?:has |have |just |recently |finally )?(?:left|quit|resigned|was fired|got fired|was laid off|got laid off|was made redundant|lost|got sacked|was sacked|retired|handed in (?:my|his|her) notice)(?: (?:from|at))?(?: (?:my|the|his|her|that))?(?: old)?(?: (?:job|position|post|role))?(?: (?:at|with|from))?(?: (.+))?$/;
const PARTED =
  /^(?:has |have |just |recently |finally )?(?:broke|broken|splits?|separated|divorced|got divorced|is divorced|is divorcing|parted|ended (?:it|things|the relationship)|called it quits|are no longer together|is no longer together|is separated)\b(?: (?:up|ways|from each other|each other))*(?: (?:with|from) (.+))?$/;
const APART_NOW =
  /^(?:is|are) (?:no longer|not) (?:together|a couple|an item|dating|seeing each other|with each other)(?: with (.+?))?(?: any ?more| any longer)?$/;
const MOVED_OUT = /^(?:has |just )?(?:moved (?:out of|away from) (.+)|left (\p{Lu}.+))$/u;
const SWITCHED =
  /^(?:has |just |recently )*(?:switched|changed|moved|migrated|converted|upgraded|swapped|gone over|went over)(?: over)? from (.+?) to (.+)$/;
const MOVED_TO =
  /^(?:is|was|has been|got|is being) (?:moved|postponed|rescheduled|pushed(?: back)?|brought forward|shifted|delayed|put off)(?: to| until| by)?\b.*$/;
const CANCELLED = /^(?:has |just |had to )?(?:cancel(?:led|ed)?|call(?:ed)? off|skip(?:ped)?) (?:my |the |our |an? )?(.+)$/;
const IS_OFF = /^(?:is|was|has been|got) (?:cancelled|canceled|called off|off)$/;
const DIED =
  /^(?:has |just |recently |sadly )?(?:died|passed away|passed|was put down|had to be put down|was run over|ran away|is dead)$/;

/** Reads an ending, or null where the clause is none. */
export function endingOf(subject: Clause, context: RuleContext): Found | null {
  const { predicate } = context;
  const text = predicate.text.replace(APART, "$1 $3 $2");
  const since = dayOf(context) ?? context.dates.find(({ role }) => role === "since")?.date;
  const when = since ? { since } : {};
  const end = (fields: Omit<Ending, "subject" | "since">, facts: Fact[] = []): Found => ({
    facts,
    ending: { subject: subject.owner, ...when, ...fields },
  });
  if (subject.thing === undefined) {
    const parted = PARTED.exec(text) ?? APART_NOW.exec(text);
    if (
      parted &&
      (subject.owner.kind === "me" || subject.together) &&
      !/^is (?:divorced|separated)$/.test(text) &&
      !/^(?:left|split) (?:the|my|a)\b/.test(text)
    )
      return end({ text: "", rel: "relation:partner", words: partnerWords(parted[1] ?? subject.together ?? nameOf(subject)) });
    const positive = noLonger(text);
    if (positive)
      return end({
        text: upperFirst(positive),
        words: positive,
        otherwise: { subject: subject.owner, text: upperFirst(negativeOf(positive)), rel: "negated", negative: true, ...when },
      });
    if (subject.owner.kind !== "person" || text.startsWith("has ")) {
      const job = /^(?:.*\b(?:job|position|post|role)\b.*|.*\b(?:resigned|fired|laid off|redundant|sacked|notice)\b.*)$/.test(
        text,
      )
        ? LEFT_JOB.exec(text)
        : null;
      if (job)
        return end({
          text: "",
          rel: "employer|job",
          words: /^(?:for good|last|my|after)\b/.test(job[1] ?? "") ? "" : bareName(job[1] ?? ""),
        });
    }
    const out = MOVED_OUT.exec(text);
    const place = out ? bareName(out[1] ?? out[2]!) : "";
    if (out && !isNation(place))
      return end({
        text: "",
        words: place,
        rel: "home|dwelling|employer",
        ...(/^\p{Lu}/u.test(place) ? {} : { otherwise: eventFact(subject, text, since) }),
      });
    const switched = SWITCHED.exec(text);
    if (
      switched &&
      !/^(?:here|there|\p{Lu}\S* ?)$/u.test(text.startsWith("moved") || text.startsWith("has moved") ? switched[1]! : "here_")
    )
      return end({ text: "", words: switched[1]!, becomes: switched[2]!, otherwise: eventFact(subject, text, since) });
    const off = CANCELLED.exec(text);
    if (off && !/^(?:breakfast|lunch|dinner|school|class|work|it|that)$/.test(off[1]!))
      return end({ text: "", words: off[1]!, rel: "plan" });
    const disposed = DISPOSED.exec(text);
    if (
      disposed &&
      !/^(?:blood|plasma|stem cells|bone marrow|hair|clothes to|weight|hope|interest|track|my mind|money|blood|time|a bet|the game|touch|smoking|it|them|contact)\b/.test(
        disposed[1]!,
      ) &&
      !/^gave up \S+ing\b/.test(text)
    )
      return end({ text: "", words: disposed[1]!, rel: "has", ...(since ? { otherwise: eventFact(subject, text, since) } : {}) });
    const stopped = STOPPED.exec(text);
    if (stopped) {
      const base = baseOfIng(stopped[1]!);
      if (base) {
        const gone = `${thirdPerson(base)} ${stopped[2]}`.trim();
        return end({
          text: upperFirst(gone),
          words: gone,
          otherwise: { subject: subject.owner, text: upperFirst(negativeOf(gone)), rel: "negated", negative: true, ...when },
        });
      }
    }
    const gave = GAVE_UP.exec(text);
    if (gave && !/^(?:my |the )?job\b/.test(gave[1]!))
      return end({ text: "", words: gave[1]!, otherwise: eventFact(subject, text, since) });
    if (DIED.test(text) && subject.owner.kind === "person") return { facts: [eventFact(subject, text, since)], ending: null };
    return null;
  }
  return thingEnding(subject, context, end, since);
}

function thingEnding(
  subject: Clause,
  context: RuleContext,
  end: (fields: Omit<Ending, "subject" | "since">, facts?: Fact[]) => Found,
  since: string | undefined,
): Found | null {
  const { text } = context.predicate;
  const thing = subject.thing!;
  if (DIED.test(text) && petAt(thing.split(" "), 0)) {
    return end({ text: "", words: thing, rel: "pet" }, [
      { subject: ME, text: `My ${thing} ${text}`, rel: "event", ...(since ? { on: since } : {}) },
    ]);
  }
  const change = planChange(thing, context);
  if (change) return { facts: [], ending: change };
  const positive = noLonger(text);
  if (positive) return end({ text: `My ${thing} ${positive}`, words: `${thing} ${positive}` });
  return null;
}

/** "The exam is cancelled", "my meeting has been moved to Thursday". */
export function planChange(thing: string, context: RuleContext): Ending | null {
  const { text } = context.predicate;
  const plan = { subject: ME, text: "", words: thing.replace(/^(?:the|my|our) /i, ""), rel: "plan" };
  if (IS_OFF.test(text)) return plan;
  const day = context.dates.find(({ date }) => date > context.env.clock.today)?.date;
  return MOVED_TO.test(text) && day ? { ...plan, movedTo: day } : null;
}

/** "no longer plays squash", "is not a vegetarian any more" → what was. */
function noLonger(text: string): string | null {
  const plain = text.replace(/^used to (.+?)(?:,? but (?:not any ?more|I stopped|no longer))$/, "no longer $1");
  const longer = /^(?:(is|was|has) )?no longer (.+)$/.exec(plain) ?? /^(?:(is|has|can) )?(?:not )?no longer (.+)$/.exec(plain);
  if (longer) return longer[1] ? `${longer[1]} ${longer[2]}` : thirdOf(longer[2]!);
  if (!ANY_MORE.test(plain)) return null;
  const rest = plain.replace(ANY_MORE, "");
  const not = /^(?:does not|do not) (.+)$/.exec(rest);
  if (not) return thirdOf(not[1]!);
  const is = /^(is|was|has) (?:not|never) (.+)$/.exec(rest);
  if (is) return `${is[1]} ${is[2]}`;
  const no = /^(has|owns) no (.+)$/.exec(rest);
  if (no) return `${no[1]} ${no[2]}`;
  return /^cannot (.+)$/.exec(rest) ? `can ${rest.slice(7)}` : null;
}

const thirdOf = (words: string): string => {
  const [verb = "", ...rest] = words.split(" ");
  return [verb.endsWith("s") && !verb.endsWith("ss") ? verb : thirdPerson(verb), ...rest].join(" ");
};

function negativeOf(positive: string): string {
  const [verb = "", ...rest] = positive.split(" ");
  if (verb === "is" || verb === "has" || verb === "was")
    return verb === "has" ? `does not have ${rest.join(" ")}` : `${verb} not ${rest.join(" ")}`;
  return `no longer ${positive}`;
}

const partnerWords = (said: string): string =>
  roleAt(said.replace(/^(?:my|our) /i, "").split(" "), 0)?.end === said.replace(/^(?:my|our) /i, "").split(" ").length
    ? ""
    : said.replace(/^(?:my|our) \w+ (?=\p{Lu})/u, "");
const nameOf = (subject: Clause): string => (subject.owner.kind === "person" ? subject.owner.name : "");

const eventFact = (subject: Clause, text: string, on: string | undefined): Fact => ({
  subject: subject.owner,
  text: subject.owner.kind === "role" ? `My ${subject.owner.label} ${text}` : upperFirst(text),
  rel: "event",
  ...(on ? { on } : {}),
});
