// What English sentences ask of the assistant: to remember, to forget, to remind, to write, or to say what it is. Patterns and their readings.

const POLITE =
  "(?:(?:please|pls|kindly|ok(?:ay)?|and|also|so|then|now|hey|hi|hello|well|actually|anyway|oh|yes|yeah|no|btw|by the way|one more thing|but|again|just|sorry|do|I (?:have )?changed my mind|on second thoughts?|after all|never mind|can you|could you|would you|will you|can you please|could you please|would you please|I want you to|I would like you to|I need you to|you should|you can|you may|you must|let me ask you to|make sure (?:you |to )?|be sure to|try to|it would be (?:nice|good|great) if you(?: could| would)?|I would appreciate it if you(?: could| would)?|from now on)[,:!]* +)*";
const REMEMBER = new RegExp(
  `^${POLITE}(?:remember|memori[sz]e|keep (?:it )?in (?:mind|memory)|bear in mind|take note|make a (?:mental )?note|note(?: down)?|jot down|write down|save|store|record|keep a note|don't forget|do not forget|never forget|add to (?:your |the )?memory|put (?:it )?(?:in|into) (?:your |the )?memory|log)\\b(?<again1> again| once more| anew)?(?: for me| please| down| it| this| the following| for later| for next time| for the future| also| too)*(?<again2> again| once more| anew)?(?<that>,? (?:that|the fact that|of the fact that)\\b)?\\s*(?<colon>[:,–—-])?\\s*(?<content>.+)$`,
  "is",
);
/** "save", "store", "note" alone are orders about files and texts; they need a "that" or a colon. */
const NEEDS_THAT =
  /^(?:.*\b)?(?:save|store|record|log|note down|write down|jot down|take note|make a (?:mental )?note|keep a note)\b/i;

export interface RememberAsk {
  content: string;
  again: boolean;
}

/** What an English sentence asks to remember; null where it asks nothing of the kind ("Do you remember …?", "remember when …"). */
export function rememberAsk(sentence: string): RememberAsk | null {
  const match = REMEMBER.exec(sentence);
  if (!match?.groups) return null;
  const { content = "", that, colon } = match.groups;
  const order = sentence.slice(0, sentence.length - content.length);
  if (
    NEEDS_THAT.test(order.replace(/\b(?:that|the fact that)\s*$/i, "")) &&
    !that &&
    !colon &&
    !/\b(?:down|memory)\s*$/i.test(order)
  )
    return null;
  if (/^(?:when|how|the time|what|who|where|why|if|whether|me\b|us\b|to\b|about\b)/i.test(content) && !that) return null;
  const again =
    Boolean(match.groups["again1"] || match.groups["again2"]) ||
    /[, ]+(?:again|once more|after all)$/i.test(content) ||
    /\b(?:again|after all)\b/i.test(order);
  const words = content.replace(/[, ]+(?:again|once more|after all|please|for me|for later|for next time)+$/i, "").trim();
  return words && !/^(?:it|this|that)$/i.test(words) ? { content: words, again } : null;
}

/** "Remember this", "please remember the following": what stands beside it is meant. */
export const asksToKeepPaste = (sentence: string): boolean =>
  new RegExp(
    `^${POLITE}(?:remember|save|keep|store|note|memori[sz]e) (?:this|that|these|the following|it|all (?:of )?this)(?: (?:for me|please|text|note|down|message|paste))*\\s*:?$`,
    "i",
  ).test(sentence);

const REMIND = new RegExp(`^${POLITE}remind me(?: (?:to|about|of|that))?\\s+(.+)$`, "i");
const TO_DO = new RegExp(
  `^${POLITE}(?:do not let me forget|don't let me forget|remember|do not forget|don't forget) to (.+)$`,
  "i",
);
/** What the user wants to be reminded of. */
export const remindAsk = (sentence: string): string | null => REMIND.exec(sentence)?.[1] ?? TO_DO.exec(sentence)?.[1] ?? null;

export interface ForgetAsk {
  /** What to forget, without the words around it; empty for "forget that" alone. */
  content: string;
  /** "everything about …". */
  all: boolean;
  /** "that I …": a statement, not a description. */
  clause: boolean;
  /** "forget everything": all of the memory. */
  everything?: boolean;
}

const FORGET = new RegExp(
  `^${POLITE}(?:forget|delete|erase|remove|unlearn|wipe|drop|scrap|stop remembering|do not remember|don't remember|no longer remember|no longer keep|stop keeping|get rid of|throw out|lose|clear|take (?:out|off))\\b(?: please| again| now)?(?<rest>.*)$`,
  "is",
);
const NO_FORGET = /^(?: it| about it| me not| to\b.*|,? (?:never mind|nevermind).*)$/i;
const FROM_MEMORY =
  /\s*(?:from (?:your |the |my )?memory|from what you (?:know|remember)(?: about me)?|from your records|,? please|,? thanks|,? thank you|,? will you|,? would you|,? ok(?:ay)?|,? now)\s*$/i;
const ALL =
  /^(?:(?:absolutely )?(?:everything|anything|all(?: of)?(?: the)?(?: things| lines| facts)?|all that|whatever|every(?:thing| line| fact))\s*(?:(?:that )?(?:you (?:know|have|remember|kept|stored|saved|learned|learnt)(?: stored| saved| kept)?|I (?:ever )?(?:told|said|mentioned|wrote)(?: to)?(?: you)?|there is))?\s*(?:about|on|of|regarding|concerning|related to|to do with|with)\s+|all about\s+)/i;
const TOLD =
  /^(?:about\s+|what(?:ever)? (?:I|you) (?:(?:have )?(?:told|said|mentioned|wrote|know|remember|saved|stored|kept|have)(?: to)?(?: you)?)(?: earlier| before| just now| yesterday)? (?:about|on|of)\s+|the (?:fact|line|thing|bit|part|note|entry|sentence|one|memory|information|info)s? (?:(?:about|on|with|where|saying|regarding|of)(?: how)?\s+)|that (?:thing|bit|line) about\s+)/i;

/** "Please don't keep that": the last thing said is not to stay. */
const KEEP_NOT = new RegExp(
  `^${POLITE}(?:(?:do not|don't|never|you (?:should|need) not(?: to)?|there is no need to|no need to) (?:please )?(?:keep|save|store|record|note|remember|retain|write down|hold on to|memori[sz]e)|(?:scratch|strike|unsave|undo|take back)) (?:that|this|it|any of (?:that|this|it)|what I (?:just )?(?:said|wrote|told you))(?: last (?:bit|part|one|thing))?(?: (?:down|back|out|in (?:your |the )?memory|from (?:the |your )?(?:record|memory)|for me|please|either)|,? please|,? thanks)*$`,
  "i",
);

/** What an English sentence asks to forget, or null. */
export function forgetAsk(sentence: string, isKnown: (name: string) => boolean = () => false): ForgetAsk | null {
  if (KEEP_NOT.test(sentence.trim())) return { content: "", all: false, clause: false };
  const match = FORGET.exec(sentence);
  if (!match?.groups) return null;
  let rest = ` ${match.groups["rest"]!.trim()}`;
  const verb = sentence.slice(0, sentence.length - match.groups["rest"]!.length).toLowerCase();
  while (FROM_MEMORY.test(rest)) rest = rest.replace(FROM_MEMORY, "");
  if (NO_FORGET.test(rest) || (rest.trim() === "" && !/\bforget\b/.test(verb))) return null;
  const fromMemory = /\bmemory\b|\bremember/i.test(sentence);
  // "delete the second paragraph", "remove this line": about a text, unless it speaks of memory or of the user.
  if (
    !/\bforget|unlearn|remember/.test(verb) &&
    !fromMemory &&
    !isKnown(rest.trim()) &&
    !/^ (?:the|this|that|any|all) (?:line|fact|entry|memory|note|information|info|bit|thing)s? (?:about|on|that|saying|where|of)\b/i.test(
      rest,
    ) &&
    !/^ (?:that I|the fact|my |everything|all |what (?:I|you)|anything)/i.test(rest)
  )
    return null;
  let content = rest.trim().replace(/^[:,]\s*/, "");
  if (
    /^(?:everything|all|it all|all of it|anything|the lot|all (?:my|your) (?:data|memories|memory)|(?:my|your|the) (?:whole |entire )?memory|everything (?:that )?(?:you know|I (?:ever )?(?:told|said)(?: to)? you|you (?:have|remember|stored|saved))?(?: about (?:me|us))?|(?:all|everything) about me)$/i.test(
      content,
    )
  )
    return { content: "", all: true, clause: false, everything: true };
  const all = ALL.exec(content);
  if (all) return { content: bare(content.slice(all[0].length)), all: true, clause: false };
  const fact =
    /^(?:the fact )?(?:that|how)\s+(.+)$/is.exec(content) ??
    /^((?:I|we|my \w+(?: \w+)? (?:is|are|was|has|lives|works))\b.+)$/s.exec(content);
  if (fact && !/^(?:that|this|it)$/i.test(content)) return { content: fact[1]!, all: false, clause: true };
  content = content.replace(TOLD, "").replace(/^about\s+/i, "");
  if (
    /^(?:that|this|it|the last (?:one|thing|line|message)|what I (?:just )?(?:said|told you|wrote)|what I (?:just )?told you just now)$/i.test(
      content,
    )
  )
    return { content: "", all: false, clause: false };
  return { content: bare(content), all: false, clause: /^where |^what |^who |^when |^how /i.test(content) };
}

const bare = (content: string): string =>
  content
    .replace(/^(?:about|on)\s+/i, "")
    .replace(/[.!?\s]+$/, "")
    .trim();

const ORDER =
  /^(?:write|rewrite|translate|summari[sz]e|sum(?: this| it| that)? up|explain|give|make|create|generate|draft|compose|fix|compile|debug|sing|compute|calculate|convert|help|show|find|search|look up|suggest|recommend|propose|continue|go on|stop|shorten|expand|answer|reply|respond|use|be|act|play(?! is)|describe|define|compare|list|name|count|solve|prove|correct|check|proofread|edit|format|turn|improve|paraphrase|tell|say|repeat|spell|read|open|send|call|book|buy|order|schedule|set|ask|think|speak|talk|let(?:'s| us)|plan (?!to\b)|brainstorm|review|refactor|implement|add|remove|delete|change|do (?!I\b|you\b|we\b|they\b|he\b|she\b|my\b|our\b|any)|don't|do not|never|always|keep|ignore|pick|choose|guess|roleplay|analy[sz]e|outline|simplify|cut|extract|sort|rank|rate|try|wait|hold on|come up with|put|run|test|build|design|note|address|greet|thank|wish|tell)\b/i;
const CAN_YOU =
  /^(?:can|could|would|will|may|might) (?:you|I (?:get|have|ask|see)|we)\b|^(?:I|we) (?:want|need|would like|would love|would prefer|expect|beg) (?:you|your|some|help|an? (?:poem|story|list|summary|recipe|joke|idea|hand|explanation))\b|^do you mind\b|^(?:please|pls|kindly)\b/i;

/** Whether a sentence tells or asks the assistant to do something. */
export function isOrder(sentence: string): boolean {
  const plain = sentence.replace(/^(?:(?:ok(?:ay)?|and|so|now|hey|hi|well|then|also|please|pls|kindly)[,:!]* +)+/i, "");
  return ORDER.test(plain) || CAN_YOU.test(sentence) || CAN_YOU.test(plain);
}

const IDENTITY =
  /\b(?:(?:what|who|which) (?:exactly )?(?:are|r) (?:you|u)\b(?! (?:doing|up to|saying|talking|thinking|going|working|on about|referring|looking|planning|able))|(?:what|which) (?:(?:kind|sort|type) of )?(?:model|llm|ai|language model|assistant|bot|version|engine|system)\b.*\b(?:are you|is this|is that|do you use|am I (?:talking|speaking|chatting)|powers? you|you are|you're|runs|answers|are we)|are you (?:an? )?(?:\w+ )?(?:human|person|real|robot|bot|ai|machine|llm|model|computer|program|gpt\S*|chatgpt|claude|gemini|llama|online|offline|alive|conscious|sentient)\b|who (?:made|built|created|trained|wrote|developed) you|what(?: is| can) your (?:name|model)|what(?: is|'s) your name|what model|tell me (?:about yourself|what you are|who you are)|introduce yourself|am I (?:talking|speaking|chatting) (?:to|with) (?:an? )?(?:human|person|robot|bot|ai|machine)|do you (?:have a name|run locally|use (?:gpt|openai|the internet)|need the internet|work offline))/i;
const ABILITY =
  /\b(?:what (?:can|could) you do|what are you (?:able to do|capable of|good at)|how do you work|what do you do|how can you help|help me get started|what should I (?:say|tell you)|how does (?:this|it) work|what can I (?:ask|say|tell))\b/i;

export const asksIdentity = (sentence: string): boolean => IDENTITY.test(sentence);
export const asksAbility = (sentence: string): boolean => ABILITY.test(sentence) || /^help[!?]*$/i.test(sentence.trim());
