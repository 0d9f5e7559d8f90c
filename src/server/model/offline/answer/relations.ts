// Which relation a question asks for: patterns over its words, with "S" in the subject's place.

export interface AskedRelation {
  rel: string;
  /** The value that the question itself names ("Since when do I live in Porto"). */
  value?: string;
}

const NOW = "(?:(?:currently|now|actually|still|presently|really) )*";
const TABLE: [string, RegExp][] = [
  ["home-is", /^(?:do|does|did|am|is|are) S (?:still |now |currently )?(?:live|living|based|reside|at home) in (.+)$/i],
  ["employer-is", /^(?:do|does|did|am|is|are) S (?:still |now |currently )?(?:work|working|employed) (?:at|for|with|by) (.+)$/i],
  ["partner-is", /^(?:am|is|are) S (?:still |now )?(?:married|engaged) to (.+)$/i],
  [
    "avoid",
    /^(?:what|which(?: foods?| things?)?) (?:(?:should|must|can|may|do|does) (?:S )?(?:not |never )|cannot S |(?:should|must) S avoid|do not )(?:S )?(?:to )?(?:eat|drink|have|avoid|be given|be served)?(?:ing)?$|^what (?:should|must) S avoid(?: eating)?$|^what (?:can|should|may) S not (?:eat|drink|have)$/i,
  ],
  [
    "home",
    new RegExp(
      `^(?:where|in (?:what|which) [a-z]+|(?:what|which) (?:city|town|country|place|village|area|part of the [a-z]+)(?: or [a-z]+)?) (?:do|does|did|have|has|is|am|are|was|were|will) S ${NOW}(?:live|lived|reside|stay|living|been living|based|use to live|used to live)(?: in)?(?: ${NOW.trim()})?(?: (?:before|previously|earlier|then|at the time|back then|now).*)?$`,
      "i",
    ),
  ],
  [
    "home",
    /^(?:where|what|which) (?:is|was) S's (?:(?:current|old|former|previous|last|new) )?(?:home(?: ?town| city| address)?|city|place of residence|residence)(?: before.*)?$/i,
  ],
  ["home", /^(?:which|what) (?:city|town|country|place|village) (?:is|was) S's home(?: ?town)?$/i],
  ["job", /^(?:which|what) (?:job|profession|occupation|role|position) (?:do|does|did) S have$/i],
  ["employer", /^where (?:am|is|are) S (?:currently |now )?(?:an? |the |head )(?!(?:year|week|month)\b).+$/i],
  ["home", /^where (?:is|are) S(?: now| these days)?$/i],
  [
    "diet",
    /^what (?:is|are) S's (?:diet|dietary (?:needs|requirements|restrictions|preferences)|eating habits)$|^(?:what|what food) (?:do|does) S (?:usually )?eat$/i,
  ],
  [
    "likes",
    /^what (?:else |things )?(?:do|does) S (?:really )?(?:like|love|enjoy)(?: doing| to do)?$|^what (?:am|is|are) S (?:into|fond of|interested in|keen on|a fan of)$|^what are S's (?:likes|interests|tastes|passions)$/i,
  ],
  [
    "hobby",
    /^what (?:is|are) S's (?:hobby|hobbies|pastimes?)$|^what (?:do|does) S (?:like to |love to |usually |enjoy to )?do (?:in|during|with|for) (?:S's|(?:my|his|her|their|the) )?\s?(?:free|spare|leisure) time$|^what (?:do|does) S do for fun$|^(?:do|does) S have (?:any |a )?(?:hobby|hobbies)$/i,
  ],
  [
    "visited",
    /^(?:what|which) (?:countries|cities|places|islands|towns|continents|country|city|parts of [a-z ]+) (?:have|has|did) S (?:ever |already )?(?:been (?:to|in)|visit(?:ed)?|travel(?:l?ed)? (?:to|in)|seen?|go to)$|^where (?:have|has) S (?:ever |already )?(?:been|travel(?:l?ed)?)(?: to| so far)?$/i,
  ],
  ["speaks-is", /^(?:do|does|can|did) S (?:speak|know) ([A-Z]\w+)$/],
  ["home", /^where (?:did|do) S (?:call|make) home|^where is home(?: for S)?$/i],
  [
    "home-when",
    /^(?:when|what (?:year|month|day)|since when|how long|in (?:what|which) (?:year|month)) (?:did|do|does|have|has|is|are|am|was|were|will) S (?:been )?(?:moved?|relocated?|moving|lived?|living|settled?|come|came|arrived?)(?: here| there| house| home| over| back)*(?: (?:to|in|at) (.+))?$/i,
  ],
  [
    "employer",
    new RegExp(
      `^(?:who|what|which|where|(?:for|at|in) (?:whom|who|which|what)|what company|which company|what firm|which firm)(?: (?:company|firm|employer|place))? (?:do|does|did|have|has|is|am|are|was|were|will) S ${NOW}(?:work|worked|working|employed|been working|use to work|used to work)(?: (?:for|at|with|by|in))?(?: as an? [a-z -]+)?(?: (?:before|previously|earlier|then|at the time|back then|now).*)?$`,
      "i",
    ),
  ],
  [
    "employer",
    /^(?:who|what|which|where) (?:is|was|are) S's (?:(?:current|old|former|previous|last|new) )?(?:employer|company|workplace|work place|place of work|firm|work)(?: before.*)?$/i,
  ],
  [
    "employer-when",
    /^(?:when|what (?:year|month|day)|since when|how long) (?:did|do|does|have|has|is|are|am|was|were|will) S (?:been )?(?:start(?:ed)?|join(?:ed)?|begin|began|work(?:ed|ing)?|change(?:d)?)(?: (?:jobs?|work(?:ing)?|as .+))?(?: (?:at|for|with|in) (.+)| ([A-Z].+))?$/i,
  ],
  [
    "job",
    new RegExp(
      `^what (?:do|does|did) S ${NOW}do(?: for (?:a living|work|money)| as a (?:job|profession)| professionally| at work| all day| before.*)?$`,
      "i",
    ),
  ],
  [
    "job",
    /^what (?:is|was) S's (?:(?:current|old|former|previous|last|new) )?(?:job|profession|occupation|job title|line of work|trade|role|position)(?: before.*)?$/i,
  ],
  [
    "job",
    /^(?:what|as what) (?:do|does|did|is|am|are) S (?:work(?:ing)?|employed)(?: as)?$|^what kind of (?:work|job) (?:do|does) S (?:do|have)$|^what (?:is|am|are) S by (?:profession|trade)$/i,
  ],
  [
    "name",
    /^(?:what|which) (?:is|was) S's (?:full |first |last |real |own |given |family )?(?:name|surname)$|^who (?:am|is|are) S$|^what (?:am|is|are) S called$|^what (?:do|should) (?:you|people|I) call S$|^S's name$/i,
  ],
  [
    "birthday",
    /^(?:when|what day|what date|which day|what|in (?:what|which) (?:year|month)|which year|what year) (?:is|was|were|am|are) (?:S's (?:birthday|birth date|birthdate|date of birth|next birthday)|S born)(?: on| in)?$|^S's birthday$|^when (?:do|does) S (?:have|celebrate) (?:(?:my|his|her|their|S's) )?birthday$/i,
  ],
  [
    "birthplace",
    /^(?:where|in (?:what|which) [a-z]+|what (?:city|country|town)|which (?:city|country|town)) (?:was|were|am|is) S born(?: in)?$|^what is S's (?:birthplace|place of birth)$/i,
  ],
  [
    "origin",
    /^where (?:am|is|are|do|does) S (?:originally )?(?:come )?from(?: originally)?$|^what (?:country|city|town) (?:am|is|are|do|does) S (?:come )?from$/i,
  ],
  ["age", /^how old (?:am|is|are|was|were|will) S(?: be)?$|^what is S's age$|^S's age$/i],
  [
    "partner",
    /^(?:who|whom) (?:am|is|are|was|were|have|has|did) S (?:been )?(?:with|married to|marry|married|dating|engaged to|together with|going out with|in a relationship with|seeing)$|^who (?:is|was) S's (?:other half|significant other|better half|wife|husband|partner|spouse|boyfriend|girlfriend|fianc[eé]e?)$|^(?:am|is|are) S (?:married|single|engaged|in a relationship|dating anyone|seeing anyone)$|^(?:do|does) S have a (?:partner|wife|husband|boyfriend|girlfriend|spouse)$/i,
  ],
  [
    "speaks",
    /^(?:which|what|how many) (?:other )?languages? (?:do|does|can|did) S (?:speak|know|understand|talk|have)$|^what (?:do|does|can) S speak$|^what (?:is|are) S's (?:languages?|mother tongue|native language|first language)$/i,
  ],
  [
    "allergy",
    /^(?:what|which things?|which foods?|what foods?) (?:am|is|are) S allergic to$|^(?:what|which) (?:food )?allerg(?:y|ies) (?:do|does|did) S have$|^(?:do|does) S have (?:any|an|some) (?:food )?allerg(?:y|ies)$|^what (?:is|are) S's allerg(?:y|ies)$|^(?:am|is|are) S allergic(?: to (?:anything|something))?$|^S's allergies$/i,
  ],
];

/** Relation of a question, or null where only its words can be looked for. */
export function relOf(words: string): AskedRelation | null {
  const plain = words
    .replace(/\s+/g, " ")
    .replace(/[\s,]+(?:please|again|now|currently|these days)$/i, "")
    .trim();
  for (const [rel, form] of TABLE) {
    const match = form.exec(plain);
    if (!match) continue;
    const value = match.slice(1).find(Boolean);
    return value ? { rel, value } : { rel };
  }
  return null;
}
