// The same in other words: sentences and predicates that are turned into a form that the rules read. Two tables, applied before them.
import { petAt, roleAt } from "./heads.ts";

type Row = [form: RegExp, plain: string | ((...match: string[]) => string)];

const WEEKDAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days";
const ROLE_WORDS = "[a-z-]+(?: [a-z-]+)?";

/** Whole sentences, short forms written out. */
const SENTENCES: Row[] = [
  // Plans, as an order: whoever says it knows that no calendar hangs on it
  [
    /^(?:please )?(?:cancel|call off|scrap) (my|the|our) (.+?)(?: please)?$/i,
    (_, whose, what) => `${whose} ${what} is cancelled`,
  ],
  // Homes
  [/^(?:my|our) (?:place|house|flat|apartment|digs|pad) is in (?=\p{Lu})/iu, "I live in "],
  [/^(?:I|we) (?:now )?call (\p{Lu}.+?) (?:my |our )?home(?: now)?$/u, "I live in $1"],
  [/^(\p{Lu}.+?) is where (?:I|we) live(?: now)?$/u, "I live in $1"],
  [/^(\p{Lu}.+?) has been (?:my|our) home since (.+)$/u, "I have lived in $1 since $2"],
  [
    /^(?:I|we) (?:have )?(?:put down roots|set up home|made (?:my|our) home|found a (?:flat|house|home|place)|bought a (?:flat|house)) in (?=\p{Lu})/u,
    "I moved to ",
  ],
  [/^(?:I|we) (?:have )?(?:upped sticks|packed up|transferred) (?:and (?:left|moved) )?(?:to|for) (?=\p{Lu})/u, "I moved to "],
  // Work
  [
    /^(\p{Lu}.+?) (?:employs me|is (?:who|where) I work(?: for)?|pays my (?:salary|wages))(?: as (.+))?$/u,
    (_, firm, job) => `I work at ${firm}${job ? ` as ${job}` : ""}`,
  ],
  [/^(?:I have )?(?:a |my )?(?:new )?job (?:is )?(?:at|with) (?=\p{Lu})/iu, "I work at "],
  [
    /^(?:I )?(?:teaching|nursing|farming|fishing|painting|writing|carpentry|plumbing|driving [a-z]+) is (?:my|how I make my|how I earn my) (?:job|living|trade|profession)$/i,
    (said) => `My job is ${said.split(" ")[0]!.toLowerCase()}`,
  ],
  [
    /^I am (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?), (an? \p{Ll}[^,]*?)(?: (from|in|at) (\p{Lu}[^,]*))?$/u,
    (_, name, what, where, place) =>
      `I am ${name} and I am ${what}${where ? ` and I ${where === "from" ? "am from" : where === "in" ? "live in" : "work at"} ${place}` : ""}`,
  ],
  // People
  [
    /^(?:I am|we are) the (?:proud )?(?:father|mother|dad|mum|mom|parents?|grandfather|grandmother|grandparents?) (?:of|to) (.+)$/i,
    (_, whom) => (/^\p{Lu}/u.test(whom) ? `My children are ${whom}` : `I have ${whom.replace(/:/, ",")}`),
  ],
  [
    new RegExp(`^(my|our) (${ROLE_WORDS}) (?:goes by|answers to|goes by the name(?: of)?|is known as) (?=\\p{Lu})`, "iu"),
    "$1 $2 is called ",
  ],
  [
    new RegExp(
      `^(?:another|one|an?|the other|a second) (${ROLE_WORDS}) of (?:mine|ours) is (?:called |named )?(\\p{Lu}[\\p{L}'’-]+)$`,
      "iu",
    ),
    "$2 is my $1",
  ],
  [
    new RegExp(
      `^(?:another|one|an?|the other|a second) (${ROLE_WORDS}) of (?:mine|ours),? (?:called |named )?(\\p{Lu}[\\p{L}'’-]+),? `,
      "iu",
    ),
    "My $1 $2 ",
  ],
  [new RegExp(`^(?:another|one|an?|the other|a second) (${ROLE_WORDS}) of (?:mine|ours) `, "iu"), "My $1 "],
  [/^(\p{Lu}[\p{L}'’-]+) is an? (.+?) of (?:mine|ours)$/u, "$1 is my $2"],
  [
    /^(?:the )?names? of ((?:my|our) [^,]+?) (is|are) (?=[\p{Lu}\p{Lo}])/iu,
    (_, whose, verb) => (verb === "are" ? `${whose} are called ` : `${whose} is called `),
  ],
  [
    /^(\p{Lu}.*) (?:is|are) the names? of ((?:my|our) [^,]+)$/u,
    (_, name, whose) => `${whose} ${whose.endsWith("s") ? "are" : "is"} called ${name}`,
  ],
  [
    /^(I|we) (?:now )?have (an?|another)( new)? ([^,]+?)(?: now)?, (?:called |named )?(\p{Lu}[\p{L}'’-]+)$/iu,
    "$1 have $2$3 $4 called $5",
  ],
  [
    /^there (?:is|are) (?:also )?((?:my|our) [^,]+), (\p{Lu}.+)$/iu,
    (_, whose, name) => `${whose} ${/\band\b/.test(name) ? "are" : "is"} called ${name}`,
  ],
  [/^(?:I have|there is) (?:an?|another) (.+?), (?:and )?(?:his|her|its|their) name is (\p{Lu}.+)$/iu, "I have a $1 called $2"],
  [/^(?:we|I) (?:call|named|have named) ((?:my|our) [^,]+?) (\p{Lu}[\p{L}'’-]+)$/u, "$1 is called $2"],
  [
    /^I (?:am|have been)(?: now)? (?:with|seeing|dating|going out with|in a relationship with) (?:someone|somebody)(?: new| else| special)?(?: called|[,:;–—-]+ (?:and )?(?:his|her|their) name is) (\p{Lu}[\p{L}'’-]+)$/u,
    "I am dating $1",
  ],
  [
    /^I (?:have )?(?:met|found) (?:someone|somebody)(?: new| else| special)?(?: called|[,:;–—-]+ (?:and )?(?:his|her|their) name is) (\p{Lu}[\p{L}'’-]+)$/u,
    "I am dating $1",
  ],
  // Tastes
  [
    /^(?:the |my )?(?:one )?(.+?) (?:that )?I (?:like|love|enjoy|prefer) (?:the )?(?:most|best)(?: of all)? (?:is|are) /i,
    "My favourite $1 is ",
  ],
  [/^(?:nothing|no (?:\w+)) beats (.+)$/i, "I love $1"],
  [/^(?:there is )?nothing (?:I (?:like|love|enjoy) (?:more|better) than|better than) (.+)$/i, "I love $1"],
  [/^(?:the )?(.+?) (?:is|are) (?:really |so |just )?not (?:for me|my (?:thing|cup of tea))$/i, "I do not like $1"],
  [/^(.+?) (?:is|are) (?:really |totally )?my (?:thing|cup of tea|great love|passion)$/i, "I love $1"],
  [/^(.+?) (?:drives? me (?:mad|crazy|nuts)|makes? my skin crawl|gets? on my nerves)$/i, "I hate $1"],
  [/^(.+?) (?:terrif(?:y|ies)|frightens?|scares?) me$/i, "I am afraid of $1"],
  [/^I have (?:a (?:fear|phobia|horror)|(?:a )?(?:terrible |deep )?fear) of (.+)$/i, "I am afraid of $1"],
  // Health
  [/^(.+?) (?:triggers?|sets? off|brings? on|causes?) my allerg(?:y|ies)$/i, "I am allergic to $1"],
  [/^(?:my body|I) (?:cannot|can not|does not|do not) (?:tolerate|digest|handle) (.+)$/i, "I am intolerant to $1"],
  // Habits
  [
    new RegExp(
      `^(${WEEKDAYS}(?: (?:mornings?|afternoons?|evenings?|nights?))?) (?:are|is) (?:always |usually )?(?:for|reserved for|when I have|my|our) (.+)$`,
      "i",
    ),
    (_, days, what) => `I have ${what} on ${days}`,
  ],
  [/^(?:it is |they are )?((?:every|each) \S+(?: \S+)?) (?:is|that) (?:for )?((?:my|our) .+)$/i, "I have $2 $1"],
];

/** Predicates in the third person. */
const PREDICATES: Row[] = [
  [
    /^(?:cannot (?:get|have) enough of|is (?:\w+ )?(?:mad|crazy|nuts|wild|passionate) about|is hooked on|has a (?:soft spot|weakness|thing|passion|great love) for|has always loved|lives for|is a sucker for|is partial to) /,
    "loves ",
  ],
  [/^(?:cannot (?:bear|abide|stomach)|has no time for|is no (?:great )?(?:fan|lover) of) /, "dislikes "],
  [/^came into the world\b|^first saw the light of day\b/, "was born"],
  [/^(?:is on the (?:staff|payroll) (?:of|at)|is employed (?:by|at)|clocks in at|is on the team at) (?=\p{Lu})/u, "works at "],
  [/^(?:earns|makes) (?:my|a|his|her) living (?:as|being) /, "works as "],
  [/^(?:has )?(?:tied the knot|got hitched|exchanged rings) (?:with|to) /, "married "],
  [
    /^(?:has |just )?(?:taken up|took up|picked up|got into|gotten into) (\p{Ll}+ing\b.*|the \p{Ll}+|chess|yoga|pilates|judo|karate|tennis|golf)$/u,
    "does $1",
  ],
];

const apply = (rows: readonly Row[], text: string): string => {
  for (const [form, plain] of rows) {
    if (!form.test(text)) continue;
    return typeof plain === "string"
      ? text.replace(form, plain)
      : text.replace(form, (...match) => plain(...(match as string[])));
  }
  return text;
};

/** A sentence in the form that rules read; itself where no row fits. */
export function plainSentence(text: string): string {
  const plain = apply(SENTENCES, text);
  if (plain === text) return apposed(text);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

export const plainPredicate = (text: string): string => apply(PREDICATES, text);

/** "Our goldfish, Admiral, …", "My cousin, Duarte, repairs …": the commas say what "called" says. */
function apposed(text: string): string {
  const match = /^((?:My|Our) [^,]{2,40}), (\p{Lu}[\p{L}'’-]+), (.+)$/u.exec(text);
  if (!match) return text;
  const words = match[1]!.split(" ").slice(1);
  const head = roleAt(words, 0) ?? petAt(words, 0);
  return head &&
    head.end === words.length &&
    head.tail === "" &&
    /^\p{Ll}/u.test(match[3]!) &&
    !/^(?:and|or|but)\b/.test(match[3]!)
    ? `${match[1]} ${match[2]} ${match[3]}`
    : text;
}
