// What happened, and what is planned: kept with its day. Also every other present statement, in its own words.
import { lemma, baseOfIng } from "../language/verbs.ts";
import type { Draft, RuleContext } from "./draft.ts";
import { PART_OF_LIFE } from "./talk.ts";

/** Past verbs that mark a life even without a date. */
const LIFE = new Set(
  `graduate complete win publish retire marry adopt buy found start quit pass climb run walk finish build grow study learn train visit meet emigrate survive recover break lose serve compete earn receive inherit sing play teach swim sail cycle
write record release launch sell rent foster undergo qualify volunteer donate give direct compose paint restore renovate bake name bear enrol enroll immigrate raise live work be attend dislocate sprain tear have get move
fail plant invent install repair drop save dive discover enlist join sign translate photograph design develop coach captain host organise organize lead found cofound cross hike trek row fly ride
hitchhike backpack knit sew carve harvest breed bury divorce train apprentice rescue witness celebrate christen immigrate defend perform exhibit curate rebuild`.split(
    /\s+/,
  ),
);
/** What somebody's name, a place or a thing of one's own stands in is more than talk. */
const NAMES_ONE =
  /^[a-z]+ (?:[a-z]+ )*?(?:\p{Lu}\p{Ll}{2,}|my (?!mind|best|phone|computer|laptop|email|code|question|homework|lunch|dinner|breakfast)[a-z]{3,})/u;
const PAST_TALK =
  /^(?:had|has had|got|went|came|said|told|asked|thought|meant|tried|wanted|needed|forgot|saw|heard|read|ate|drank|woke|slept|made|did|found|wrote|sent|looked|used|was|were|felt|noticed|just|called|talked|spoke|watched|took|put|let|gave (?:it|up)|lost (?:it|track|my (?:keys|phone|temper|mind))|ran (?:into|out|the|it|this)|started (?:to|the|it|a)|finished (?:it|the (?:task|code|work|report))|built (?:it|the|this)|bought (?:it|some|milk|bread|groceries)|broke (?:it|the)|met (?:up|with)|got)\b/i;
/** What one has just done: the talk itself, food, chores. */
const PERFECT_TALK =
  /^has (?:just |already |finally |recently )*(?:had|gotten|got|tried|heard|seen|read|noticed|told|said|asked|forgotten|lost (?:it|track|my (?:keys|phone|temper|mind))|finished|sent|decided|made|done|come|gone|eaten|drunk|slept|woken|thought|meant|wanted|needed|felt|looked|watched|talked|spoken|called|written (?:it|this|that|you|to you|the|an?)|used|put|let|taken (?:it|the)|given (?:it|you|up on)|found (?:it|out|that|this|the (?:bug|error|answer|problem))|fixed|updated|installed|uploaded|attached|pasted|opened|tested|checked|changed (?:it|the|my mind)|been (?:thinking|trying|looking|busy|wondering))\b/;
const MEDICAL =
  /^(?:had|has had|underwent|got) (?:(?:an?|my|the) )?(?:.*\b(?:surgery|operation|transplant|removed|implant|stroke|heart attack|baby|miscarriage|divorce|accident|diagnosed|vaccinated|vaccine|jab|tattoo|twins|nose job|facelift|root canal|check-up|scan|biopsy|vasectomy|caesarean|bypass|braces|breakdown|burnout|stent|pacemaker|concussion|seizure|abortion|colonoscopy|chemotherapy)\b)/i;
const GOT_STATE =
  /^(?:got|was|has been) (?:married|engaged|divorced|promoted|fired|laid off|diagnosed|adopted|elected|hired|accepted|baptised|naturalised)\b/i;
/** Schooling and service: no day, and still part of a life. */
const SCHOOLED =
  /^(?:went to (?:[a-z-]+ )*(?:school|university|college|uni|academy)|did (?:my|an?|the) (?:[a-z]+ )*(?:degree|phd|doctorate|master|masters|bachelor|apprenticeship|training|service|studies)|grew up|spent (?:my|a|two|three|four|five|\d+|several|many) )/i;
const WAS_LASTING =
  /^(?:was|were) (?:an? |the |in the |born|raised|married|brought up|diagnosed|never |(?:bullied|arrested|orphaned|adopted|evicted|burgled|bitten|vaccinated|baptised|christened|knighted|elected|deported|drafted|homeschooled|expelled|sued)\b)/i;

/** Draft of a statement that no relation rule took; null where it is not worth a line. `mine`: about the user. */
export function eventDraft(context: RuleContext, mine: boolean): Draft | null {
  const { predicate, dates, env } = context;
  const { text, tense } = predicate;
  const on = dates.find(({ role, last }) => role === "on" || role === "by" || (role === "since" && last !== undefined));
  const dated = on !== undefined;
  const ahead = dated && on.date >= env.clock.today.slice(0, on.date.length);
  const verb = verbOf(text, tense === "perfect");
  const rel = `does:${verb}`;
  switch (tense) {
    case "past":
      if (SCHOOLED.test(text) || PART_OF_LIFE.test(text) || GOT_STATE.test(text) || MEDICAL.test(text) || WAS_LASTING.test(text))
        return { text: text.replace(/ again$/, ""), rel };
      if (/^did not|^was not/.test(text) && !dated) return null;
      if (text.startsWith("used to ")) return { text, rel };
      if (dated) return SMALL_EVENT.test(text) ? null : { text: text.replace(/ again$/, ""), rel };
      return !mine || ((LIFE.has(verb) || NAMES_ONE.test(text)) && !PAST_TALK.test(text) && text.split(" ").length > 2)
        ? { text, rel }
        : null;
    case "perfect": {
      if (
        /^has (?:been (?:to|in|through)|never|not been|been (?:married|divorced|vegan|vegetarian|a |an |diagnosed|living|working|coming))/.test(
          text,
        ) ||
        predicate.negative
      )
        return /^has (?:never|not) (?:heard|seen (?:that|this|it)|thought|had (?:time|any)|got|tried (?:it|that))/.test(text)
          ? null
          : { text, rel };
      if (dates.some(({ role }) => role === "since")) return { text, rel };
      return !mine || ((LIFE.has(verb) || text.split(" ").length > 3) && !PERFECT_TALK.test(text)) ? { text, rel } : null;
    }
    case "future":
      // "I'll come back tomorrow" is said to the assistant.
      if (
        /^(?:will|is going to) (?:not )?(?:come back|be back|be right|return|talk|write (?:again|back|you)|ask|tell|let|try|check|think|see|do (?:it|that|so)|know|get back|continue|report|send|show|need|finish (?:it|this|that))\b(?! (?:a|an|my|the|our|to)\b)/.test(
          text,
        )
      )
        return null;
      if (dated) return { text, rel: "plan" };
      return /^is (?:planning|due) to /.test(text) || (!mine && text.startsWith("is going to ")) ? { text, rel: "plan" } : null;
    case "modal":
      if (/^(?:cannot|can) /.test(text))
        return /^(?:can|cannot) (?:not )?(?:you|hear (?:you|anything|it)|see (?:you|that|why|how)|tell|say|find|get|help|wait|believe|imagine|remember|think|do (?:it|that)|go|come|understand|figure|make it|afford|use (?:this|that|it)|open|install|access|seem|decide|log)\b/.test(
          text,
        )
          ? dated
            ? { text, rel: "plan" }
            : null
          : { text, rel: `can:${lemma(text.split(" ")[1] ?? "")}` };
      if (/^would (?:like|love) to (?:learn|visit|become|run|write|travel|climb|study|retire|live|see the|move)\b/.test(text))
        return { text, rel: "wish" };
      if (dated && ahead) return { text, rel: "plan" };
      return /^(?:has to|must(?: not)?) .*\b(?:every|daily|twice|once a|each)\b/.test(text) ||
        /^must not (?:eat|drink)|^(?:should|may) not (?:eat|drink)/.test(text)
        ? { text, rel }
        : null;
    case "progressive":
      if (dated && ahead) return { text, rel: "plan" };
      return baseOfIng(text.split(" ").find((word, i) => i > 0 && word !== "not") ?? "")
        ? { text, rel: `is:${verb}` }
        : { text, rel: "is" };
    default:
      if (dated && ahead) return { text, rel: "plan" };
      return { text, rel: /^is\b/.test(text) ? "is" : rel };
  }
}

/** The verb that carries the meaning: behind frequency, "does not", and the "has" of a perfect. */
function verbOf(text: string, perfect: boolean): string {
  const bare = text
    .replace(/^(?:always|usually|often|sometimes|rarely|mostly|mainly|never|no longer) /, "")
    .replace(/^(?:does|did) not /, "");
  return lemma((perfect ? bare.replace(/^has (?:never |not |just )?/, "") : bare).split(" ")[0]!);
}

const SMALL_EVENT =
  /^(?:watched|woke|slept|overslept|said|told|asked|thought|felt|was (?:tired|busy|late|bored|sick|at home|so|very|really)|had (?:breakfast|a (?:coffee|sandwich|nap|headache|bad|good|great|long))|got up|went (?:to bed|home|shopping|out)|ate|drank)\b/i;
