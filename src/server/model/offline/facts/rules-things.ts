// "My … is …": attributes of the user or a person that have one wording each, whatever noun they came with.
import { type Draft, type RuleContext, dayOf, isProper, listItems } from "./draft.ts";
import { HOME_RULES } from "./rules-home.ts";
import { personByName } from "./env.ts";
import { isName } from "./heads.ts";
import { isJob } from "./lexicon.ts";
import { relation } from "./subject.ts";
import { namedThing } from "./rules-people.ts";
import { SELF_RULES } from "./rules-self.ts";
import { WORK_RULES } from "./rules-work.ts";

type Attribute = [thing: RegExp, make: (value: string, thing: string, context: RuleContext) => Draft[] | null];

/** Runs the first rule that fits a predicate. */
export function byRules(
  rules: readonly { form: RegExp; make: (match: string[], context: RuleContext) => Draft[] | null }[],
  text: string,
  context: RuleContext,
): Draft[] | null {
  for (const { form, make } of rules) {
    const match = form.exec(text);
    const drafts = match
      ? make(
          [...match].map((group) => group as string),
          context,
        )
      : null;
    if (drafts) return drafts;
  }
  return null;
}

const ATTRIBUTES: Attribute[] = [
  [/^(?:full |real |given )?name$/, (value) => [{ text: `name is ${value}`, rel: "name", value, slot: "name", noun: true }]],
  [
    /^(?:home|home city|city|place of residence|residence|(?:home )?town)$/,
    (value, _, context) => byRules(HOME_RULES, `home is ${value}`, context),
  ],
  [
    /^(?:employer|workplace|place of work|company|firm)$/,
    (value, _, context) =>
      isProper(value, context.env) || /^an? /.test(value)
        ? byRules(WORK_RULES, `works at ${value.replace(/^at /, "")}`, context)
        : null,
  ],
  [
    /^(?:(?:day |current |new |main )?job|occupation|profession|job title|line of work|trade)$/,
    (value, _, context) => {
      const at = /^(?:now )?(?:at|with) (.+)$/.exec(value);
      if (at) return byRules(WORK_RULES, `works at ${at[1]}`, context);
      return /^(?:an?|the|that of an?|being an?) /.test(value) || isJob(value)
        ? byRules(WORK_RULES, `works as ${value.replace(/^(?:that of|being) /, "")}`, context)
        : null;
    },
  ],
  [/^(?:date of birth|birth ?date|birthday)$/, (_, __, context) => byRules(SELF_RULES, "birthday is", context)],
  [/^age$/, (value, _, context) => byRules(SELF_RULES, `is ${value} years old`, context)],
  [/^allergies$/, (value) => listItems(value).map((item) => ({ text: `is allergic to ${item}`, rel: "allergy", value: item }))],
  [/^allergy$/, (value) => [{ text: `is allergic to ${value.replace(/^to /, "")}`, rel: "allergy", value }]],
  [
    /^(?:hobbies|pastimes|interests)$/,
    (value) => listItems(value).map((item) => ({ text: `hobby is ${item}`, rel: "hobby", value: item, noun: true })),
  ],
  [/^(?:hobby|pastime)$/, (value) => [{ text: `hobby is ${value}`, rel: "hobby", value, noun: true }]],
  [
    /^(?:mother tongue|native language|first language)$/,
    (value) => [{ text: `mother tongue is ${value}`, rel: "speaks", value, noun: true }],
  ],
];

const ONE_VALUED =
  /^(?:favourite|preferred|shoe size|clothes size|dress size|height|weight|blood type|blood group|e-?mail|email address|phone(?: number)?|mobile|address|postcode|zip code|nickname|surname|last name|first name|middle name|maiden name|star sign|pronouns|username|handle|editor|browser|operating system|os|licence plate|number plate|hometown|home town|locker|berth|room|desk|flat number|house number|gym|bank|operator|school|university)\b/i;

/** Attributes that are slots of the format. */
const SLOTS: [RegExp, string][] = [
  [/^(?:surname|last name|family name)$/, "surname"],
  [/^nickname$/, "nickname"],
  [/^pronouns$/, "pronouns"],
  [/^(?:home |postal |street )?address$/, "address"],
  [/^(?:phone|mobile|telephone|cell)(?: phone)?(?: number)?$/, "phone"],
  [/^e-?mail(?: address)?$/, "email"],
  [/^height$/, "height"],
  [/^weight$/, "weight"],
  [/^blood (?:type|group)$/, "blood-type"],
  [/^shoe size$/, "shoe-size"],
  [/^(?:clothes|dress|shirt) size$/, "clothing-size"],
  [/^diet$/, "diet"],
  [/^bank$/, "bank"],
  [/^gym$/, "gym"],
  [/^(?:health )?insurance$/, "insurance"],
  [/^(?:code |text )?editor$/, "editor"],
  [/^(?:web )?browser$/, "browser"],
  [/^(?:os|operating system)$/, "os"],
  [/^(?:school|university|college)$/, "school"],
  [/^time ?zone$/, "timezone"],
  [/^salary$/, "salary"],
  [/^office$/, "office"],
  [/^team$/, "team"],
  [/^vet$/, "vet"],
];

/** Drafts for "my <thing> <predicate>". `owned`: the thing is the user's own. */
export function thingDrafts(thing: string, context: RuleContext, owned: boolean): Draft[] | null {
  const { predicate } = context;
  const said = /^(?:is|are) (?:called )?(.+)$/.exec(predicate.text)?.[1];
  // "My brother is a carpenter. His name is Gian."
  if (!owned && /^(?:first |full )?name$/.test(thing) && said && isName(said)) return nameOfRole(said, context);
  const named = predicate.negative ? null : namedThing(thing, predicate.text, owned);
  if (named) return named;
  const bare = thing.toLowerCase().replace(/^(?:new|current|other) /, "");
  const value = /^(?:is|are)(?: (?:now|currently|called|named))? (.+)$/.exec(predicate.text)?.[1];
  if (/^(?:date of birth|birth ?date|birthday)$/.test(bare) && /^(?:is|falls|was)/.test(predicate.text) && dayOf(context))
    return byRules(SELF_RULES, "birthday is", context);
  if (value && !predicate.negative) {
    for (const [form, make] of ATTRIBUTES) {
      const drafts = form.test(bare) ? make(value, bare, context) : null;
      if (drafts) return drafts;
    }
  }
  return null;
}

/** "Gian is my brother", where the one spoken of is a brother. */
export function nameOfRole(name: string, { owner, env }: RuleContext): Draft[] | null {
  const role =
    owner.kind === "role" ? owner.role : owner.kind === "person" ? personByName(env.people, owner.name)?.roles[0] : undefined;
  if (!role) return null;
  const { text, rel, value, slot } = relation(name, role, owner.kind === "role" ? owner.label : role);
  return [{ text, rel, whole: true, ...(value ? { value } : {}), ...(slot ? { slot } : {}) }];
}

/** The draft of any other "my <thing> …": kept in its words. */
export function plainThing(thing: string, context: RuleContext): Draft {
  const { predicate } = context;
  const kept = thing.replace(/^(?:new|current) /, "");
  const value = /^(?:is|are)(?: (?:called|named))? (.+)$/.exec(predicate.text)?.[1];
  const one =
    value !== undefined &&
    !predicate.negative &&
    (ONE_VALUED.test(kept) ||
      predicate.fresh ||
      /^(?:is|are) (?:called|named) /.test(predicate.text) ||
      (isProper(value, { ...context.env, lowerCase: false }) && !/^(?:other|second|third)\b/.test(thing)));
  const slot =
    value !== undefined &&
    !predicate.negative &&
    !predicate.additive &&
    context.dates.length === 0 &&
    context.owner.kind !== "role" &&
    (isProper(value, { ...context.env, lowerCase: false }) || /\d/.test(value))
      ? SLOTS.find(([form]) => form.test(kept.toLowerCase()))?.[1]
      : undefined;
  return {
    ...(slot ? { slot } : {}),
    text: `${kept} ${predicate.text}`,
    rel: `attr:${kept.toLowerCase()}`,
    noun: true,
    ...(value ? { value } : {}),
    ...(one ? { one: true } : {}),
  };
}
