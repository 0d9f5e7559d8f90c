// Name, birth, age, languages, health, tastes, belongings: what a person is, likes and has.
import { type Draft, type Rule, dayOf, listItems } from "./draft.ts";
import { isName } from "./heads.ts";
import { isNation } from "./lexicon.ts";
import { NUMBER, numberOf } from "../language/numbers.ts";
import { lemma } from "../language/verbs.ts";
import { lowerFirst } from "../language/words.ts";
import { sayDate } from "../language/calendar.ts";

const spread = (head: string, list: string, rel: string): Draft[] =>
  listItems(list).map((item) => ({ text: `${head} ${item}`, rel, value: item }));
const bareThing = (item: string): string => item.replace(/^(?:an?|the|my|some|any) /, "");

/** Verbs whose objects are facts of their own: each item of a list becomes a line. */
const SPLIT =
  /^((?:(?:always|usually|often|sometimes|rarely|mostly|mainly|never) )?(?:does not |cannot |has never )?(?:speaks?|understands?|plays?|played|likes?|loves?|enjoys?|hates?|dislikes?|detests?|adores?|loathes?|collects?|eats?|drinks?|grows?|keeps?|breeds?|knits?|sews?|bakes?|studies|study|teaches|teach|practises|practices|learns?|owns?|wears?|paints?|writes|prefers?|stand|supports?|takes|has visited|visited|has (?:a fear|an interest)|does))(?: (of|in))? ((?!(?:to|with|for|in|on|at|by|as|when|that|it|because)\b).+)$/;
const SPLIT_STATE =
  /^(is (?:not )?(?:allergic to|intolerant (?:to|of)|learning|studying|afraid of|scared of|frightened of|terrified of|interested in|into|fond of|fluent in|good at|bad at|sensitive to|keen on|fan of|a fan of|a big fan of|addicted to|obsessed with|teaching myself)) (.+)$/;
const ILLNESS = /^has (.+)$/;
const ILL_WORDS =
  /^(?:type [12] )?(?:asthma|diabetes|epilepsy|arthritis|eczema|migraines?|hay fever|psoriasis|tinnitus|insomnia|anxiety|depression|adhd|autism|dyslexia|dyspraxia|celiac disease|coeliac disease|high blood pressure|low blood pressure|anaemia|anemia|glaucoma|vertigo|ibs|crohn's|endometriosis|pcos|sleep apnoea|hypertension|lupus|scoliosis|gout|\w+itis|\w+emia|\w+osis)$/i;

export const SELF_RULES: Rule[] = [
  {
    name: "I am Maud",
    form: /^is (?:called |named )?(\p{Lu}.*?)(?:, .*)?$/u,
    make: ([, name = ""], { owner }) =>
      owner.kind === "me" && isName(name) && !isNation(name.split(" ").at(-1)!)
        ? [{ text: `name is ${name}`, rel: "name", value: name, slot: "name", noun: true }]
        : null,
  },
  {
    name: "bought, got: has now",
    form: /^(?:has |just |has just |recently )?(?:bought|got|acquired|been given|was given|inherited|adopted|picked up)(?: myself| ourselves)? (an?|another|my first|our first|some|two|three) (?:new )?(.+)$/,
    make: ([, count = "", thing = ""], context) => {
      if (
        /^(?:cold|flu|headache|haircut|call|letter|text|email|message|ticket|tickets|idea|ideas|question|error|lift|ride|raise|promotion|job|offer|fright|shock|discount|refund|sandwich|coffee|drink|drinks|bread|milk|food|groceries|present|gift|degree|good|bad|bit|lot|few|email|fine|warning|tattoo|vaccine|jab|chance|answer)\b/.test(
          thing,
        )
      )
        return null;
      const since = dayOf(context);
      return [
        {
          text: `has ${/^(?:my|our) first$/.test(count) ? "a" : count} ${thing}`,
          rel: "has",
          value: thing,
          ...(since ? { since } : {}),
          dated: true,
        },
      ];
    },
  },
  {
    name: "changed an attribute",
    form: /^(?:has |just )?changed (?:my|our|his|her|their) ((?:first |last |phone )?(?:name|surname|number|e-?mail(?: address)?|address|nickname|pronouns|handle|username|last name))(?: from .+?)? to (.+)$/,
    make: ([, thing = "", value = ""], context) => {
      const since = dayOf(context);
      const dates = since ? { since, dated: true } : {};
      return thing === "name"
        ? [{ text: `name is ${value}`, rel: "name", value, slot: "name", noun: true, ...dates }]
        : [{ text: `${thing} is ${value}`, rel: `attr:${thing}`, value, one: true, noun: true, ...dates }];
    },
  },
  {
    name: "height, weight, diet",
    form: /^(?:is (?:about |around )?(\d\S*(?: ?(?:m|cm|metres?|meters?|ft|feet|foot|inches|in)\b.*?)?) tall|weighs (?:about |around )?(\d.*)|is (?:an? )?((?:strict |lifelong )?(?:vegan|vegetarian|pescatarian|flexitarian|omnivore|carnivore)))$/,
    make: ([whole, tall, weight]) => [
      {
        text: whole!,
        rel: tall ? "height" : weight ? "weight" : "diet",
        value: whole!.replace(/^(?:is|weighs) (?:an? )?/, ""),
        slot: tall ? "height" : weight ? "weight" : "diet",
      },
    ],
  },
  {
    name: "lives on a diet",
    form: /^(?:eats|lives|went|goes|became|has (?:gone|become|turned)|turned|follows|is on|keeps to) (?:an? )?((?:strictly |mostly |strict )?(?:vegan|vegetarian|pescatarian|gluten-free|kosher|halal))(?: diet)?$/,
    make: ([, diet = ""], context) => {
      const since = context.predicate.tense === "present" ? undefined : dayOf(context);
      return [
        {
          text: /free|kosher|halal/.test(diet) ? `eats ${diet}` : `is ${diet}`,
          rel: "diet",
          value: diet,
          slot: "diet",
          ...(since ? { since, dated: true } : {}),
        },
      ];
    },
  },
  {
    name: "likes to be called",
    form: /^(?:goes by|is known as|likes to be called|prefers to be called|prefers|answers to) (?:the name |the nickname )?(\p{Lu}[\p{L}'’-]+)$/u,
    make: ([whole, name = ""]) =>
      /^(?:prefers|answers to) (?!to be)/.test(whole!)
        ? null
        : [{ text: `likes to be called ${name}`, rel: "nickname", value: name, one: true }],
  },
  {
    name: "allergies, one a line",
    form: /^is (?:(severely|highly|mildly|slightly|very|deathly|extremely) )?allergic to (.+)$/,
    make: ([, how, list = ""]) =>
      listItems(list).map((item) => ({
        text: `is ${how ? `${how} ` : ""}allergic to ${item}`,
        rel: "allergy",
        value: bareThing(item),
      })),
  },
  {
    name: "has an allergy",
    form: /^(?:has|suffers from) (?:(?:an?|the) )?(?:(?:severe|bad|mild|serious|slight) )?(?:(.+?) allerg(?:y|ies)|allerg(?:y|ies) to (.+))$/,
    make: ([whole, before, behind]) => {
      if (behind)
        return listItems(behind).map((item) => ({ text: `is allergic to ${item}`, rel: "allergy", value: bareThing(item) }));
      const items = listItems(before!);
      return items.length > 1
        ? items.map((item) => ({ text: `has a ${bareThing(item)} allergy`, rel: "allergy", value: item }))
        : [{ text: whole!.replace(/^suffers from/, "has"), rel: "allergy", value: before!.replace(/^an? /, "") }];
    },
  },
  {
    name: "illnesses, one a line",
    form: ILLNESS,
    make: ([, list = ""]) => {
      const items = listItems(list);
      return items.every((item) => ILL_WORDS.test(item))
        ? items.map((item) => ({ text: `has ${item}`, rel: "health", value: item }))
        : null;
    },
  },
  {
    name: "languages",
    form: /^(?:speaks|can speak|knows|is fluent in)(?: (fluent|native|some|a little|a bit of|good|basic|decent))? (\p{Lu}.+)$/u,
    make: ([whole, how, list = ""]) =>
      whole!.startsWith("knows") && !/(?:ish|ese|an|ch|i|ic|in|ek|u)\b/.test(list)
        ? null
        : listItems(list.replace(/ (?:fluently|well|at home|a little|natively)$/, "")).map((item, i) => ({
            text: `speaks ${how && i === 0 ? `${how} ` : ""}${item}`,
            rel: "speaks",
            value: item.replace(/^(?:some|a little|a bit of|basic|good|fluent|native) /, ""),
          })),
  },
  {
    name: "birthday said as a day",
    form: /^(?:(?:'s )?birthday (?:is|falls|was)(?: on)?|(?:has|celebrates) (?:my|our|his|her|their|a) birthday)$/,
    make: (_, context) => {
      const date = dayOf(context);
      return date
        ? [
            {
              text: `birthday is on ${dayAndMonth(date, context.env.clock.today)}`,
              rel: "birthday",
              value: date,
              slot: "birthday",
              noun: true,
              dated: true,
            },
          ]
        : null;
    },
  },
  {
    name: "age",
    form: new RegExp(`^(?:is|turned|has turned|has just turned) (${NUMBER})(?: years?(?: old| of age)?)?(?: today)?$`),
    make: ([whole, count = ""], context) => {
      const age = numberOf(count);
      if (age === null || age > 125 || /^an?$/.test(count)) return [];
      const on = /turned/.test(whole!) ? (dayOf(context) ?? undefined) : undefined;
      return [
        {
          text: `is ${count.toLowerCase()} years old`,
          rel: "age",
          value: String(age),
          one: true,
          ...(on ? { since: on } : {}),
          dated: true,
        },
      ];
    },
  },
  { name: "states with lists", form: SPLIT_STATE, make: ([, head = "", list = ""]) => spread(head, list, stateRel(head)) },
  {
    name: "taste in general",
    form: /^(?:is|has always been) a (?:big |huge |great )?(?:fan|lover) of (.+)$/,
    make: ([, list = ""]) => spread("likes", list, "likes"),
  },
  {
    name: "verbs with lists",
    form: SPLIT,
    make: ([whole, head = "", link, list = ""], context) => {
      if (context.predicate.tense === "past" && !/^(?:played|visited)/.test(head)) return null;
      const verb = head.split(" ").at(-1)!;
      if (/^(?:takes|does|wears|keeps|owns|drinks|studies|writes|has)$/.test(verb) && !/,|\band\b/.test(list)) return null;
      if (
        /^(?:takes|does|wears|drinks|eats|bakes|writes)$/.test(verb) &&
        /\b(?:with|for|to|before|after|every|in|on|at)\b/.test(list)
      )
        return null;
      const tail =
        /^(.*?,.*?|.*? and .*?)( (?:with my|with a|for (?:my|a)|every|in (?:my|the|a)|on (?:my|the|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|at (?:the|home)|since|when|because) .*)$/i.exec(
          list,
        );
      const items = listItems(tail?.[1] ?? list);
      if (items.some((item) => /^(?:I|my \w+ is|he|she)\b/.test(item))) return [{ text: whole!, rel: verbRel(head) }];
      return items.map((item) => ({
        text: `${head} ${link ? `${link} ` : ""}${item}${tail?.[2] ?? ""}`,
        rel: verbRel(head),
        value: item,
      }));
    },
  },
];

/** A day without its year, where the year is only the next one to come. */
const dayAndMonth = (date: string, today: string): string =>
  date.length === 10 && date >= today ? sayDate(date).replace(/ \d{4}$/, "") : sayDate(date);

function verbRel(head: string): string {
  const verb = lemma(head.split(" ").at(-1)!);
  if (/^(?:like|love|enjoy|adore)$/.test(verb)) return /not|never/.test(head) ? "dislikes" : "likes";
  if (/^(?:hate|dislike|detest|loathe|stand)$/.test(verb)) return "dislikes";
  return `does:${verb}`;
}

const stateRel = (head: string): string =>
  /afraid|scared|frightened|terrified/.test(head)
    ? "fears"
    : /fond|interested|into|keen|fan/.test(head)
      ? "likes"
      : `is:${lowerFirst(head.split(" ").at(-2) ?? "")}`;
