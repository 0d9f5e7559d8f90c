// What stopped being true: "no longer", "not any more", "stopped", "sold", "broke up", "left", "died", "cancelled". A table, first match wins.
import { baseOfIng, thirdPerson } from "../language/verbs.ts";
import { upperFirst } from "../language/words.ts";
import { type RuleContext, bareName, dayOf } from "./draft.ts";
import { type Ending, type Fact, ME } from "./fact.ts";
import { petAt, roleAt } from "./heads.ts";
import { isNation } from "./lexicon.ts";
import type { Clause } from "./subject.ts";

export interface Ended {
  facts: Fact[];
  ending: Ending | null;
}

type Fields = Omit<Ending, "subject" | "since">;

interface Row {
  form: RegExp;
  /** null: not an ending after all. */
  read: (match: string[], subject: Clause, event: () => Fact) => Fields | null;
}

const LATELY = "(?:has |have |just |recently |finally |already |sadly )*";
const ANY_MORE = /,? (?:any ?more|any longer|no more|these days)$/i;
/** "gave the piano away", "put Biscuit down" → the little word behind the verb. */
const APART =
  /^((?:has |had to |just )*(?:gave|given|threw|thrown|traded|sent|handed|took|taken|sold|put)) ((?:my|the|our|his|her|that|those|both|an?) .+?|\p{Lu}\S*) (away|out|in|back|off|down|to sleep)$/u;
const NO_THING =
  /^(?:blood|plasma|stem cells|bone marrow|hair|weight|hope|interest|track|my mind|money|time|a bet|the game|touch|smoking|it|them|contact|patience|sleep|consciousness|an? (?:talk|speech|lecture|lesson|presentation|party|call)|up|in|birth|advice)\b/;
const FOR_JOB = /^(?:for good|last|my|after|because|to)\b/;

const possession = (words: string, event?: Fact): Fields | null =>
  NO_THING.test(words) ? null : { text: "", words, rel: "has", ...(event ? { otherwise: event } : {}) };
const job = (firm: string | undefined): Fields => ({
  text: "",
  rel: "employer|job",
  words: !firm || FOR_JOB.test(firm) ? "" : bareName(firm),
});
const partner = (said: string): Fields => ({ text: "", rel: "relation:partner", words: partnerWords(said) });

/** Endings whose subject is the user or a person. */
const ROWS: Row[] = [
  {
    form: new RegExp(
      `^${LATELY}(?:broke|broken|splits?|separated|divorced|got divorced|is divorcing|parted|ended (?:it|things|the relationship)|called it quits)\\b(?: (?:up|ways|from each other|each other))*(?: (?:with|from) (.+))?$`,
    ),
    read: ([whole, whom], subject) =>
      (subject.owner.kind === "me" || subject.together || whom === "me") &&
      !/^(?:left|split|broke|broken) (?:the|my|an?|it|down|into)\b/.test(whole!)
        ? partner(whom === "me" ? nameOf(subject) : (whom ?? subject.together ?? nameOf(subject)))
        : null,
  },
  {
    form: /^(?:is|are) (?:no longer|not) (?:together|a couple|an item|dating|seeing each other|with each other)(?: with (.+?))?(?: any ?more| any longer)?$/,
    read: ([, whom], subject) => partner(whom ?? subject.together ?? nameOf(subject)),
  },
  {
    form: /^is no longer with (\p{Lu}\S*)$/u,
    read: ([, whom = ""], subject) => (subject.owner.kind === "me" ? partner(whom) : null),
  },
  {
    form: new RegExp(`^${LATELY}(?:left|dumped|divorced) me$`),
    read: (_, subject) => (subject.owner.kind === "person" ? partner(nameOf(subject)) : null),
  },
  {
    form: new RegExp(
      `^${LATELY}(?:left|quit|resigned|(?:was |got |been )?(?:fired|laid off|let go|made redundant|sacked|dismissed)|lost|retired|handed in (?:my|his|her) notice)(?: (?:from|at))?(?: (?:my|the|his|her|that))?(?: old)?(?: (?:job|position|post|role))?(?: (?:at|with|from|by))?(?: (.+))?$`,
    ),
    read: ([whole = "", firm]) =>
      /\b(?:job|position|post|role|resigned|fired|laid off|let go|redundant|sacked|dismissed|notice)\b/.test(whole) ||
      /^(?:has |have |just |finally )*(?:quit|retired)$/.test(whole)
        ? job(firm)
        : null,
  },
  {
    form: new RegExp(
      `^${LATELY}(?:left|quit|resigned from|dropped out of|stepped down from|retired from|pulled out of) (?:the|my|our|his|her) ((?:[a-z]+ )?(?:band|choir|team|club|orchestra|party|church|group|course|class|society|board|council|committee|union|chorus|army|navy|league|squad|ensemble|quartet|trio|duo|gym|programme|program|project|school))$`,
    ),
    read: ([, group = ""], _, event) => ({ text: "", words: group, otherwise: event() }),
  },
  { form: new RegExp(`^${LATELY}(?:finished|stopped) (?:up )?at (\\p{Lu}.+)$`, "u"), read: ([, firm]) => job(firm) },
  {
    form: new RegExp(`^${LATELY}(?:moved (?:out of|away from) (.+)|left (\\p{Lu}.+))$`, "u"),
    read: ([, out, left], _, event) => {
      const place = bareName(out ?? left ?? "");
      if (isNation(place) || / for \p{Lu}/u.test(left ?? "")) return null;
      return {
        text: "",
        words: place,
        rel: "home|dwelling|employer|partner",
        ...(/^\p{Lu}/u.test(place) ? {} : { otherwise: event() }),
      };
    },
  },
  {
    form: new RegExp(
      `^${LATELY}(?:switched|changed|migrated|converted|upgraded|swapped|gone over|went over)(?: over)? from (.+?) to (.+)$`,
    ),
    read: ([, old = "", fresh = ""], _, event) => ({ text: "", words: old, becomes: fresh, otherwise: event() }),
  },
  {
    form: /^(?:has |just |had to )*(?:cancel(?:led|ed)?|call(?:ed)? off|skip(?:ped)?) (?:my |the |our |an? )?(.+)$/,
    read: ([, what = ""]) =>
      /^(?:breakfast|lunch|dinner|school|class|work|it|that)$/.test(what) ? null : { text: "", words: what, rel: "plan|has" },
  },
  {
    form: /^(?:has |had to )?put (?:down|to sleep) (?:my |our |the )?(.+)$/,
    read: ([, whom = ""]) => ({ text: "", words: whom, rel: "pet" }),
  },
  {
    form: new RegExp(
      `^${LATELY}(?:sold|given away|gave away|got rid of|scrapped|donated|threw away|thrown away|threw out|thrown out|returned|traded in|lost|rehomed|crashed|wrote off|written off|gave back|given back|gave off)(?: (?:my|the|our|his|her|both|that|those|an?))?(?: (?:old|beloved))? (.+?)(?: to (?:my|a|an|the|some|\\p{Lu}).*| for .*| on .*)?$`,
      "u",
    ),
    read: ([, thing = ""], _, event) => possession(thing, event()),
  },
  {
    form: new RegExp(
      `^${LATELY}(?:gave|given|passed on|handed over) (?:my|the|our) (.+?) to (?:my|a|an|the|some|\\p{Lu}).*$`,
      "u",
    ),
    read: ([, thing = ""], _, event) => possession(thing, event()),
  },
  {
    form: new RegExp(
      `^${LATELY}(?:stopped|quit|quitted|given up|gave up|ceased|finished with|packed in|dropped) (\\S+ing)\\b ?(.*)$`,
    ),
    read: ([, verb = "", rest = ""], subject) => {
      const base = baseOfIng(verb);
      return base ? gone(base === "be" ? `is ${rest}` : `${thirdPerson(base)} ${rest}`.trim(), subject) : null;
    },
  },
  {
    form: new RegExp(
      `^(?:${LATELY}(?:quit|given up|gave up|dropped|packed in|stopped(?: with)?)|is (?:done|finished|through) with) (?:the |my )?(?!on\\b|hope|to\\b|at\\b|by\\b|in\\b|for\\b)(.+)$`,
    ),
    read: ([, what = ""], _, event) =>
      /^(?:job|reading (?:this|that)|it|that|this)\b/.test(what) ? null : { text: "", words: what, otherwise: event() },
  },
];

/** Reads an ending, or null where the clause is none. */
export function endingOf(subject: Clause, context: RuleContext): Ended | null {
  const text = context.predicate.text.replace(APART, "$1 $3 $2");
  const since = dayOf(context) ?? context.dates.find(({ role }) => role === "since")?.date;
  const end = (fields: Fields, facts: Fact[] = []): Ended => ({
    facts,
    ending: { subject: subject.owner, ...(since ? { since } : {}), ...fields },
  });
  if (subject.thing !== undefined) return thingEnding(subject, context, end, since);
  const positive = noLonger(text);
  for (const { form, read } of ROWS) {
    const match = form.exec(text);
    const fields = match
      ? read(
          [...match].map((group) => group as string),
          subject,
          () => eventFact(subject, text, since),
        )
      : null;
    // What is worth a line of its own only with a day: "Sold the house in May".
    if (fields) return end(fields.rel === "has" && !since ? { ...fields, otherwise: undefined } : fields);
  }
  if (positive) return end(gone(positive, subject, since));
  if (text === "is single") return end(partner(""), [eventFact(subject, text, undefined)]);
  if (DIED.test(text) && subject.owner.kind === "person") return { facts: [eventFact(subject, text, since)], ending: null };
  return null;
}

/** A statement that is over, and what to keep where nothing known has ended. */
const gone = (positive: string, subject: Clause, since?: string): Fields => ({
  text: upperFirst(positive),
  words: positive,
  otherwise: {
    subject: subject.owner,
    text: upperFirst(negativeOf(positive)),
    rel: "negated",
    negative: true,
    ...(since ? { since } : {}),
  },
});

const IS_OFF = /^(?:is|was|has been|got) (?:cancelled|canceled|called off|off)$/;
const IS_GONE =
  /^(?:(?:is|was|got|has been|have been|were) (?:stolen|sold|scrapped|totalled|wrecked|written off|gone|lost|given away|destroyed|nicked|thrown away|demolished|pulled down|torn down|confiscated|repossessed|impounded|beyond repair|no more)|(?:has )?(?:sank|sunk|burn(?:ed|t) down|fell apart|fallen apart|packed up|gave up the ghost|given up the ghost|went up in flames|blew up|drowned|collapsed|broke for good|died(?: on me)?))$/;
const IS_OVER =
  /^(?:ended|ends|is over|has ended|finished|has finished|came to an end|is history|was terminated|is terminated)\b/;
const MOVED_TO =
  /^(?:is|was|has been|got|is being) (?:moved|postponed|rescheduled|pushed(?: back)?|brought forward|shifted|delayed|put off)(?: to| until| by)?\b.*$/;
const DIED =
  /^(?:has |just |recently |sadly )*(?:died|passed away|passed|was put down|had to be put down|was run over|ran away|is dead|was put to sleep)$/;

function thingEnding(
  subject: Clause,
  context: RuleContext,
  end: (fields: Fields, facts?: Fact[]) => Ended,
  since: string | undefined,
): Ended | null {
  const { text } = context.predicate;
  const thing = subject.thing!;
  if (DIED.test(text) && petAt(thing.split(" "), 0)) {
    return end({ text: "", words: thing, rel: "pet" }, [
      { subject: ME, text: `My ${thing} ${text}`, rel: "event", ...(since ? { on: since } : {}) },
    ]);
  }
  const firm = /^(?:job|contract|work|position|post|time|stint) (?:at|with|for) (.+)$/.exec(thing)?.[1];
  if (firm && IS_OVER.test(text)) return end(job(firm));
  const change = planChange(thing, context);
  if (change) return { facts: [], ending: change };
  const positive = noLonger(text);
  if (positive) return end({ text: `My ${thing} ${positive}`, words: `${thing} ${positive}` });
  return null;
}

/** "The exam is cancelled", "my meeting has been moved to Thursday". */
export function planChange(thing: string, context: RuleContext): Ending | null {
  if (/^(?:it|that|this|he|she|they|everything|nothing)$/i.test(thing)) return null;
  const { text } = context.predicate;
  const plan = { subject: ME, text: "", words: thing.replace(/^(?:the|my|our) /i, ""), rel: "plan" };
  if (IS_OFF.test(text)) return plan;
  if (IS_GONE.test(text)) return { ...plan, rel: "has", ...(dayOf(context) ? { since: dayOf(context)! } : {}) };
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
  const never = /^never (\S+ .+|\S+)$/.exec(rest);
  if (never) return never[1]!;
  const will = /^will not (?:be )?(\S+)(.*)$/.exec(rest);
  const base = will ? (baseOfIng(will[1]!) ?? will[1]!) : null;
  if (will && base) return `${thirdPerson(base)}${will[2]}`;
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
