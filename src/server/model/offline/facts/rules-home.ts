// Where somebody lives, comes from and moves to.
import { type Draft, type Rule, bareName, dayOf, isProper, properName, sinceOf, withDate } from "./draft.ts";

const home = (place: string, extra: Partial<Draft> = {}): Draft => ({
  text: `lives in ${place}`,
  rel: "home",
  value: place,
  slot: "home",
  ...extra,
});

/** "a", "the" or "my" before it: a kind of dwelling, not a place with a name. */
const DWELLING =
  /^(?:an?|the|my|our|his|her|their|this|that|one)\s+(?!Hague\b|Bronx\b|Netherlands\b|UK\b|US\b|USA\b|Gambia\b|Bahamas\b|Philippines\b|Algarve\b|Cotswolds\b|Highlands\b)/i;

export const HOME_RULES: Rule[] = [
  {
    name: "lives in a place",
    form: /^(?:lives|resides|dwells|is living|is based|has lived|has been living|has been based|is staying permanently)(?: together)?(?: (?:with|alone) .*?)? in (.+)$/,
    make: ([whole, place = ""], context) => {
      if (DWELLING.test(place) || !isProper(place, context.env))
        return whole!.startsWith("lives") ? [{ text: whole!, rel: "dwelling" }] : null;
      const bare = properName(bareName(place));
      const rest = place.slice(bareName(place).length);
      const since = sinceOf(context) ?? (context.predicate.tense === "perfect" ? dayOf(context) : undefined);
      const drafts = [home(bare, since ? { since, dated: true } : {})];
      const together = /^ with ((?:my|our|his|her) .+)$/.exec(rest) ?? /^lives with ((?:my|our|his|her) .+?) in /.exec(whole!);
      if (together) drafts.push({ text: `lives with ${together[1]}`, rel: "does:live" });
      return drafts;
    },
  },
  {
    name: "is a resident of a place",
    form: /^is (?:a |an )?(?:\w+ )?(?:resident|inhabitant) of (.+)$/,
    make: ([, place = ""], { env }) => (isProper(place, env) ? [home(properName(bareName(place)))] : null),
  },
  {
    name: "home is in a place",
    form: /^(?:'s )?home (?:town |city )?is (?:now )?(?:in )?(.+)$/,
    make: ([, place = ""], { env }) =>
      isProper(place, env) && !DWELLING.test(place) ? [home(properName(bareName(place)))] : null,
  },
  {
    name: "moved to a place",
    form: /^(?:has |just )?(?:moved|relocated|emigrated|immigrated|settled(?: down)?)(?: house)?(?: back)?(?: here)?(?: from .+?)?(?: over| down| up| out)? (?:in)?to (?:live in )?(.+)$/,
    make: ([, place = ""], context) => {
      if (!isProper(place, context.env) || DWELLING.test(place)) return null;
      const since = dayOf(context);
      return [home(properName(bareName(place)), { ...(since ? { since } : {}), dated: true })];
    },
  },
  {
    name: "left one place for another",
    form: /^(?:has )?(?:left|swapped|exchanged) (\p{Lu}\S*) for (\p{Lu}.+)$/u,
    make: ([, , place = ""], context) => {
      const since = dayOf(context);
      return [home(bareName(place), { ...(since ? { since } : {}), dated: true })];
    },
  },
  {
    name: "settled in a place",
    form: /^(?:has )?settled(?: down)? in (.+)$/,
    make: ([, place = ""], context) => {
      const since = dayOf(context);
      return isProper(place, context.env)
        ? [home(properName(bareName(place)), { ...(since ? { since } : {}), dated: true })]
        : null;
    },
  },
  {
    name: "is moving to a place",
    form: /^(?:is (?:moving|relocating|going to (?:move|relocate)|about to move)|will (?:move|relocate|be moving)|moves)(?: house)?(?: back)?(?: from .+?)? to (.+)$/,
    make: ([whole, place = ""], context) => {
      const since = dayOf(context);
      if (!isProper(place, context.env) || DWELLING.test(place)) return null;
      return since ? [home(properName(bareName(place)), { since, dated: true })] : [{ text: whole!, rel: "plan" }];
    },
  },
  {
    name: "address",
    form: /^(?:lives|is living) at (\d.*|\p{Lu}.*)$/u,
    make: ([, address = ""]) => [{ text: `lives at ${address}`, rel: "address", value: address, one: true }],
  },
  {
    name: "is from a place",
    form: /^(?:is (?:originally )?from|comes (?:originally )?from|hails from|originally comes from|is originally from|comes from)\s+(.+)$/,
    make: ([, place = ""], { env }) =>
      isProper(place, env) ? [{ text: `is from ${properName(place)}`, rel: "origin", value: place }] : null,
  },
  {
    name: "born in a place, on a day",
    form: /^was born(?: and raised)?(?: in (.+?))?$/,
    make: ([, place], context) => {
      const date = dayOf(context);
      const drafts: Draft[] = [];
      // A year alone says less than a day that may be known already.
      if (date && date.length < 10)
        drafts.push({ text: withDate("was born", date), rel: "birthyear", value: date, one: true, dated: true });
      else if (date)
        drafts.push({ text: withDate("was born", date), rel: "birthday", value: date, slot: "birthday", dated: true });
      if (place) drafts.push({ text: `was born in ${place}`, rel: "birthplace", value: place, dated: true });
      return drafts.length > 0 ? drafts : null;
    },
  },
];
