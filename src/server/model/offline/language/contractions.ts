// Writes short forms out ("I'm", "dont", "we've got") so that every later rule has one form to look at.

const RULES: [RegExp, string | ((...groups: string[]) => string)][] = [
  [/[’ʼ](?=(?:m|s|re|ve|ll|d|t)\b)/gi, "'"],
  [/(?<=^|[\s(])i(?=$|[\s,.'])/g, "I"],
  [/\b[Ii]'m\b/g, "I am"],
  [/(?<=^|[,;:]\s?|\b(?:and|but|that|because|so|yes|no|ok|also|well|actually|when|if|since)\s)[Ii]m(?=\s)/g, "I am"],
  [/\b(?:ive|Ive)\b/g, "I have"],
  [/\bid (?=like|love|rather|prefer|be)/gi, "I would "],
  [/\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must|need)n(?:'|)t\b/gi, "$1 not"],
  [/\bwon'?t\b(?!\s+(?:the|a)\b)/gi, "will not"],
  [/\b(?:can't|cant|can not)\b/gi, "cannot"],
  [/\bain't\b/gi, "is not"],
  [/\b(I|you|we|they)'ve\b/gi, "$1 have"],
  [/\b(I|you|we|they|he|she|it|that|who)'ll\b/gi, "$1 will"],
  [/\b(you|we|they)'re\b/gi, "$1 are"],
  [/\b(he|she)'d\b/gi, "$1 would"],
  [/\bI'd (?=been|had|gone|lived|worked|made)/g, "I had "],
  [/\b(I|we|you|they)'d\b/gi, "$1 would"],
  [/\b(he|she|it)'s (?=got\b|been\b|become\b|had\b|gone\b|just\b|moved\b|started\b|left\b|lived\b|worked\b)/gi, "$1 has "],
  [/\b(he|she|it|that|there|here|what|who|where|when|how|which|why)'s\b/gi, "$1 is"],
  [/\b(whats|wheres|whos|hows|whens)\b/gi, (_, word = "") => `${word.slice(0, -1)} is`],
  [/\b(what|who|where|when|how)'re\b/gi, "$1 are"],
  // "my name's Ximena": these nouns own nothing; "my sister's Ines" ends with the name.
  [
    /\b((?:my|our|his|her|their) (?:(?:full|first|last|middle|real|new) )?(?:name|surname|nickname|job|birthday|address|hobby|hometown|favourite \w+|boss|employer))'s (?!name\b|birthday\b)/gi,
    "$1 is ",
  ],
  [/^((?:My|Our) [a-z -]+)'s ([A-Z][\w-]+)([.!]?)$/, "$1 is $2$3"],
  [/\b(have|has|had) got\b(?! (?:to|married|divorced|engaged|rid|into|used|better|worse|back|home|up)\b)/gi, "$1"],
  [/\b(have|has) not got\b(?! (?:to|married|used)\b)/gi, "$1 not"],
  [/\b(I|[Ww]e) neither (am|are) (.+?) nor (.+)$/g, "$1 $2 not $3 and $1 $2 not $4"],
  [/\b(I|[Ww]e) neither (.+?) nor (.+)$/g, "$1 do not $2 and $1 do not $3"],
  [/\b(I|[Ww]e) (am|are) neither (.+?) nor (.+)$/g, "$1 $2 not $3 and $1 $2 not $4"],
  [/\bgonna\b/gi, "going to"],
  [/\bwanna\b/gi, "want to"],
  [/\bgotta\b/gi, "have to"],
  [/\bgot to know\b/gi, "met"],
  [/\bfav(?:e|orite)? (?=\S)/gi, "favourite "],
  [/\bfavorite\b/gi, "favourite"],
];

const IS_BEHIND_NOUN =
  /(?<!\b(?:at|to|for|with|of|by|from|near|in|like) \p{L}*)(\p{L})'s (?=(?:a|an|the|not|no|called|named|very|quite|really|also|now|always|allergic|afraid|scared|from|in|at|my|our|born|married|vegan|vegetarian|coming|going|getting|having|moving|starting|\d+)\b|\p{Ll}+ing (?:in|at|on|to|a|the|for|with|as)\b)/gu;

/** The text with short forms written out. Possessives ("my dog's name") stay. */
export function expand(text: string): string {
  let out = text;
  for (const [form, full] of RULES) out = typeof full === "string" ? out.replace(form, full) : out.replace(form, full);
  return out.replace(IS_BEHIND_NOUN, "$1 is ");
}
