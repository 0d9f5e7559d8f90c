// What somebody does for a living, and for whom.
import { type Draft, type Rule, bareName, dayOf, isProper, listItems, properName, sinceOf } from "./draft.ts";
import { isJob } from "./lexicon.ts";

const employer = (name: string, extra: Partial<Draft> = {}): Draft => ({
  text: `works at ${name}`,
  rel: "employer",
  value: name,
  slot: "employer",
  ...extra,
});
const article = (job: string): string =>
  /^(?:an?|the|head|chief|director|president|ceo|cto|cfo)\b|^self-employed$/i.test(job)
    ? job
    : `${/^[aeiou]/i.test(job) ? "an" : "a"} ${job}`;
const job = (words: string, extra: Partial<Draft> = {}): Draft => ({
  text: `is ${article(words)}`,
  rel: "job",
  value: words.replace(/^(?:an?|the) /, ""),
  slot: "job",
  ...extra,
});

const NOT_A_FIRM =
  /^(?:home|night|nights|the moment|weekends|least|all|once|times|present|myself|himself|herself|my own|a desk|free|fun|peanuts|money|children|kids|animals|people|clay|wood|computers|it|this|that|an? (?:(?:fixed|flat|part)\b.*))(?=$|\s|,)/i;
const firm = (words: string): string => bareName(words).replace(/\s+(?:in|on) (?:the|my|a)\s.*$/, "");

export const WORK_RULES: Rule[] = [
  {
    name: "works as something at a firm",
    form: /^(?:works|is working|is employed|has worked|has been working)(?: (?:part[- ]time|full[- ]time|freelance|remotely|now))? as (?:an? |the )?(.+?) (?:at|for|with) (.+)$/,
    make: ([, title = "", name = ""], context) => {
      const since = sinceOf(context);
      const extra = since ? { since, dated: true } : {};
      return [employer(named(firm(name), context.env.lowerCase), extra), job(title, extra)];
    },
  },
  {
    name: "works for a firm as something",
    form: /^(?:works|is working|is employed|has worked|has been working) (?:at|for|with|by) (.+?) as (?:an? |the )?(.+)$/,
    make: ([, name = "", title = ""], context) => {
      const since = sinceOf(context);
      const extra = since ? { since, dated: true } : {};
      return NOT_A_FIRM.test(name) ? null : [employer(named(firm(name), context.env.lowerCase), extra), job(title, extra)];
    },
  },
  {
    name: "started as something at a firm",
    form: /^(?:has (?!a\b)|just |recently |will |is )?(?:started?|starts|starting|began|begins|beginning|joined|joins|joining|(?:got|found|secured|been offered|gotten) (?:an?|the|another) (?:new )?(?:job|position|post|role)|has (?:a|another) new job|a new job|took (?:a|the) (?:new )?job|been hired|been taken on|got hired|was hired|has been hired|has a job|landed (?:a|the) (?:new )?job|accepted (?:a|the) (?:new )?job)(?: (?:a|my|the) new (?:job|position|role|post))?(?: work(?:ing)?| a job)?(?: as (?:an? |the )?(.+?))? (?:at|with|for|by) (.+)$/,
    make: ([, title, name = ""], context) => {
      const clean = firm(name);
      if (!isProper(clean, context.env) && !/^(?:an?|the) /.test(clean)) return null;
      const since = dayOf(context);
      const extra = { ...(since ? { since } : {}), dated: true };
      return [employer(named(clean, context.env.lowerCase), extra), ...(title ? [job(title, extra)] : [])];
    },
  },
  {
    name: "is at a firm now",
    form: /^(?:is|has moved|moved|has gone|went) (?:now )?(?:at|with|to) (\p{Lu}.*)$/u,
    make: ([, name = ""], { env }) => (env.jobTalk ? [employer(firm(name))] : null),
  },
  {
    name: "became something",
    form: /^(?:has |just |recently )?(?:became|become|qualified as|trained as) (an? .+)$/,
    make: ([, title = ""], context) => {
      const since = dayOf(context);
      return isJob(title.replace(/^an? /, ""))
        ? [job(title.replace(/^an? /, ""), { ...(since ? { since } : {}), dated: true })]
        : null;
    },
  },
  {
    name: "promoted to something",
    form: /^(?:got |was |has been |has just been |is being )?(?:promoted|appointed|made|elected) (?:to |as )?(?:the post of |the position of |an? |the )?(.+?)(?: (?:at|of|in) (?:my|the) (?:company|firm|job|work))?$/,
    make: ([, title = ""], context) => {
      const since = dayOf(context);
      if (/^(?:redundant|sure|clear|aware|it|happy|sad)\b/.test(title)) return null;
      return isJob(title) || /\b(?:lead|head|chief|director|manager|chair|president|captain)\b/i.test(title)
        ? [job(title, { ...(since ? { since } : {}), dated: true })]
        : null;
    },
  },
  {
    name: "joined a firm",
    form: /^(?:has |just )?joined (\p{Lu}.*)$/u,
    make: ([, name = ""], context) => {
      const since = dayOf(context);
      return /\b(?:choir|club|team|band|orchestra|society|party|church|gym|class|league|group)\b/i.test(name)
        ? null
        : [employer(firm(name), { ...(since ? { since } : {}), dated: true })];
    },
  },
  {
    name: "is something at a firm",
    form: /^is (?:working as )?(an?|the|head|chief|director) (.+?) (?:at|for|with) ((?:the |an? )?\S.*)$/,
    make: ([, lead = "", title = "", name = ""]) => {
      const words = /^(?:an?|the)$/.test(lead) ? title : `${lead} ${title}`;
      if (!isJob(words) && !/^(?:head|chief|director|ceo|vp)\b/i.test(words)) return null;
      if (/^(?:student|pupil|postdoc|volunteer|trainee)$/.test(words.split(" ").at(-1)!))
        return [{ text: `is ${lead} ${title} at ${name}`, rel: "job", value: words, slot: "job" }];
      return [employer(firm(name)), job(words)];
    },
  },
  {
    name: "works at a firm",
    form: /^(?:works|is working|is employed|has worked|has been working|does shifts)(?: (?:part[- ]time|full[- ]time|freelance|remotely|nights|shifts|mostly|in [a-z]+))? (at|for|by|with) (.+)$/,
    make: ([whole, link = "", name = ""], context) => {
      const clean = firm(name);
      if (
        NOT_A_FIRM.test(clean) ||
        (link !== "at" &&
          !isProper(clean, context.env) &&
          !/^(?:an?|the|my) (?:[\w-]+ )*(?:company|firm|bank|charity|startup|start-up|school|university|hospital|studio|bakery|council|agency|publisher|museum|newspaper|ngo)\b/i.test(
            clean,
          ))
      )
        return null;
      const since = sinceOf(context) ?? (context.predicate.tense === "perfect" ? dayOf(context) : undefined);
      const part = /\b(part[- ]time|full[- ]time|remotely|nights|shifts)\b/.exec(whole!)?.[1];
      return [
        employer(named(clean, context.env.lowerCase), since ? { since, dated: true } : {}),
        ...(part ? [{ text: `works ${part}`, rel: "does:work" }] : []),
      ];
    },
  },
  {
    name: "works as something",
    form: /^(?:works|is working|has worked|is employed|freelances|earns (?:my|his|her|their|a) living|makes (?:my|his|her|their|a) living)(?: (?:part[- ]time|full[- ]time|freelance))? as (?:an? |the )?(.+)$/,
    make: ([, title = ""]) => [job(title)],
  },
  {
    name: "is self-employed, retired",
    form: /^is (self[- ]employed|retired|unemployed|between jobs|a freelancer)$/,
    make: ([, state = ""]) => [{ text: `is ${state}`, rel: "job", value: state, slot: "job" }],
  },
  {
    name: "is the head of something",
    form: /^is (the|head|chief|director|co-?owner|owner|founder|co-?founder) (.*?(?:of|at|in) .+)$/,
    make: ([whole, lead = "", words = ""]) =>
      isJob(lead === "the" ? words : lead) ||
      /^(?:the )?(?:head|chief|director|(?:co-?)?(?:owner|founder))\b/.test(`${lead} ${words}`.replace(/^the /, ""))
        ? [{ text: whole!, rel: "job", value: words, slot: "job" }]
        : null,
  },
  {
    name: "is a professional",
    form: /^is (an?) (.+)$/,
    make: ([, , words = ""]) => {
      const items = listItems(words);
      if (!items.every((item) => isJob(item.replace(/^an? /, "")))) return null;
      if (items.length > 1)
        return items.map((item) => ({
          text: `is ${article(item.replace(/^an? /, ""))}`,
          rel: "job",
          value: item.replace(/^an? /, ""),
        }));
      return [job(words)];
    },
  },
];

const named = (name: string, lowerCase: boolean): string =>
  lowerCase && !/^(?:an?|the|my) /.test(name) ? properName(name) : name;
