// What is said in passing: moods, politeness, the task at hand. None of it is worth a line. A filter over predicates in the third person.
import { baseOfThird, lemma } from "../language/verbs.ts";
import { TALK_NOUN, isMood } from "./lexicon.ts";
import type { Predicate } from "./predicate.ts";

/** Verbs of talk: what follows "I" and says nothing lasting. */
const TALK_VERBS = new Set(
  `think guess hope mean know see understand agree disagree believe suppose wonder want need feel say promise apologise apologize thank wish bet doubt remember forget ask appreciate wait try mind imagine swear admit confess recommend suggest
expect notice realise realize figure assume gather presume plan consider decide let tell hear look seem sound concur reckon regret insist intend propose dare care find keep-up stand stumble mention refer paste attach upload post send type click install run-into
encounter give wonder fear fancy follow trust bother start stop end quit finish come go put set sit leave turn happen`.split(
    /\s+/,
  ),
);

/** … unless one of these follows: then it is a lasting thing after all. */
const LASTING =
  /^(?:wants? to (?:learn|visit|become|run|write|move|quit|stop|buy|lose|start|travel|climb|study|retire|work|live|have (?:children|kids|a)|see the|go to|be an?)|hopes? to (?:learn|visit|become|run|write|move|buy|travel|climb|study|retire)|believes? in |knows? how to |knows? \p{Lu}|needs? (?:glasses|(?:an? )?(?:hearing aid|wheelchair|walking stick|inhaler|insulin|cane)|reading glasses|\w+ hours of sleep)|plans? (?:to|on) |intends? to |cares? for (?:my|his|her|their|an?|the|\p{Lu})|looks? after |gives? (?:lessons|classes|tours|talks|blood|private)|remembers? faces|goes (?:to|for|on|running|swimming|skiing|climbing|hiking|ice|skating|sailing|fishing|dancing|surfing|cycling|by|\w+ing\b)|comes? from|starts? (?:work|the day|my day|every|each)|finishes? work|stands? |sits? on the|leaves? (?:the house|home|for work)|turns? \d|keeps? (?!up|on|going|trying|getting|asking|in mind|in touch)|finds? it hard to |fears? (?!not|so)|puts? (?:milk|sugar|salt|honey)|sets? (?:my|an) alarm|follows? (?:an?|the \p{Lu}|\p{Lu})|runs? |tells? (?:stories|jokes)|sends? (?:postcards|letters)|hears? (?:badly|poorly|nothing)|sees? (?:an?|my|the) (?:[a-z-]+ )*?(?:therapist|psychologist|psychiatrist|counsellor|counselor|physio(?:therapist)?|specialist|chiropractor|doctor|osteopath|dietician|coach|healer|acupuncturist)\b|sees? (?:an?|my|the) [a-z -]+ (?:every|each|once|twice|on)|sees? (?:badly|poorly|colours)|tries to \w+ (?:every|once|twice)|posts? (?:every|on)|starts? at|studies)/u;

const PRONOUN_OBJECT =
  /^\S+(?: not \S+)? (?:it|that|this|these|those|you|your|them|him|her|what|how|why|if|whether|so|more|less|some help|help|no idea)\b(?! (?:sister|brother|own|every))/i;

const HAS_TALK =
  /^has (?:not )?(?:an?|another|one|some|any|no|the|two|a few|lots of|a lot of|more|to|got to|had)? ?(?:(?:quick|small|little|big|good|bad|great|new|nice|lovely|simple|strange|weird|funny|tough|long|short|stupid|dumb|related|follow-up|different|hard|rough|busy) )*(?:question|questions|problem|problems|idea|ideas|clue|feeling|look|fun|time|point|issue|issues|trouble|doubts?|request|favou?r|bug|bugs|error|errors|thought|thoughts|suggestion|go|chat|reason|reasons|luck|chance|choice|concerns?|minute|moment|second|sec|work to do|day|evening|morning|weekend|week|night|year|impression|suspicion|memory|hunch|say|word|dream|nightmare|headache|hangover|craving|bit of|blast|sense|opinion|guess|crush|hard time|difficulty|difficulties|following|file|code|function|script|text|list|document|task|homework|deadline|winner|deal|match|situation|update|confession|theory|plan|story|joke|need|wish|tendency)\b(?!\s*(?:in (?:my|the) (?:left|right|back|knee)|with my (?:back|knee|heart|eyes)))/i;

const IS_TALK =
  /^(?:is|was) (?:not )?(?:(?:so|very|really|too|quite|pretty|a bit|a little|all|just|rather|extremely|super|kind of|kinda|sort of|incredibly|terribly|awfully|nearly|almost|still|also|feeling|getting|being|doing) )*(?:(\p{Ll}+(?:-\p{Ll}+)*)\b)/u;

const PROGRESS_TALK =
  /^is (?:not )?(?:just |only |also |still |currently )?(?:trying(?! to (?:learn|quit|give up|stop|lose|save|get (?:pregnant|fit|rid)|cut (?:down|out)|sell|buy|conceive|become|eat|sleep|drink|live|run|gain)\b)|looking(?! for (?:an? (?:new )?(?:job|flat|house|apartment|room|home|partner|flatmate|publisher|agent|dog|cat|horse|boat|car)|work)\b| after\b)|wondering|thinking|asking|getting|having (?:lunch|dinner|breakfast|supper|brunch|tea|coffee|a (?:coffee|break|nap|snack|drink|shower|bath|beer)|trouble|issues|problems|fun|a hard|a good|a great|second|doubts|difficulty)|running (?:late|out|into|low|behind)|sitting|browsing|kidding|joking|talking|saying|being(?! (?:treated|trained|investigated|sued|tested|bullied|mentored|promoted|evicted|paid|stalked|monitored|tutored|harassed|sponsored)\b)|feeling|doing|seeing (?:an? |the |this |some )(?:error|message|warning|issue|problem)|using (?:this|that|your|it)|hoping|telling|referring|quoting|testing|debugging|writing (?:to you|this|you)|reading (?:this|that|your)|waiting|going (?:crazy|mad|nuts|home|out|to bed|to sleep|now|back|offline|away)|coming|leaving|starving|dying|freezing|listening|watching|laughing|crying|stuck|bored|here|considering|planning on asking|working on (?:it|this|that|something)|eating|drinking|cooking dinner|making (?:sure|dinner|lunch|tea|coffee)|typing|following|writing (?:an? |the |this )?(?:email|e-mail|mail|letter|message|text|report|reply|comment)|getting (?:an?|the)|struggling|losing)\b/i;

/** Whether a predicate is about the talk itself ("loves your answers"). */
export const isChat = (predicate: Predicate, dated: boolean): boolean => !dated && PRONOUN_OBJECT.test(predicate.text);

/** Whether a predicate of the user is mere talk. */
export function isTalk(predicate: Predicate, dated: boolean): boolean {
  const { text, tense } = predicate;
  const bare = text.replace(/^(?:always|usually|often|sometimes|rarely|mostly|mainly|never) /, "");
  if (bare.length < 4) return true;
  // What lies ahead is worth a line where it has a day; the rule for events looks at that.
  if (tense === "future") return false;
  if (PRONOUN_OBJECT.test(bare) && !dated) return true;
  if (
    /^reads? (?:an? (?:\w+ )?(?:article|post|report|study|blog|thread|tweet)|something|somewhere|online|that|about)\b/.test(bare)
  )
    return true;
  if (
    /^has been (?:better|worse|busy|ill|sick|away|here|there|thinking|trying|waiting|looking|meaning|wondering|told|warned|having|up)\b/.test(
      bare,
    ) &&
    !dated
  )
    return true;
  if (bare.startsWith("has ") && tense !== "perfect" && HAS_TALK.test(bare) && !dated) return true;
  if (tense === "progressive") return PROGRESS_TALK.test(bare) && !dated;
  // "in Rome until Friday", "on leave until May": a stretch of life once it has a day.
  if (dated && /^(?:is|was) (?:in|at|on|away|off|out|abroad|back) ?/.test(bare)) return false;
  if (/^(?:is|was) /.test(bare)) return isTalkState(bare);
  // "I always sit in the aisle seat": what comes back again and again is a habit.
  if (tense === "present" && bare !== text && text.split(" ").length > 3) return false;
  if (tense === "present") {
    const verb = bare.replace(/^(?:does not|do not) /, "").split(" ")[0]!;
    return (
      (TALK_VERBS.has(lemma(verb)) || TALK_VERBS.has(baseOfThird(verb) ?? "")) &&
      !LASTING.test(bare.replace(/^does not /, "")) &&
      !dated
    );
  }
  return false;
}

/** Where somebody is or was for a stretch of life. */
export const PART_OF_LIFE =
  /^(?:is|was|has been|were) (?:in (?:prison|jail|the (?:army|navy|air force|marines|scouts|choir|band|hospital|war|reserves)|hospital|care|foster care|a coma|rehab|therapy|treatment|debt)|on (?:the (?:board|council|committee|team|waiting list)|welfare|benefits|parole|probation|dialysis|the pill))\b/;

function isTalkState(bare: string): boolean {
  if (
    /^(?:is|was) being (?:treated|trained|investigated|sued|tested|bullied|mentored|promoted|evicted|paid|stalked|monitored|tutored|harassed|sponsored)\b/.test(
      bare,
    )
  )
    return false;
  if (PART_OF_LIFE.test(bare)) return false;
  const match = IS_TALK.exec(bare);
  if (!match) return false;
  const word = match[1]!;
  const rest = bare.slice(match[0].length).trim();
  if (/^(?:afraid|scared) of\b/.test(`${word} ${rest}`) || /^(?:good|bad|terrible|great) (?:at|with)\b/.test(`${word} ${rest}`))
    return false;
  if (
    /^(?:proud|jealous|sure|aware|tired|sick|ashamed|happy|glad|sorry|worried|busy|new|ready|late|back|up|here|at|in|on|out|off|curious|certain|interested)$/.test(
      word,
    )
  ) {
    if (word === "interested" && /^in (?!this|that|it|your|what|how|knowing|hearing)/.test(rest)) return false;
    if (word === "in" && /^(?:my |a wheelchair|recovery|a relationship|an? |charge|remission|\d|love with)/.test(rest))
      return /^a (?:hurry|rush|meeting|good mood|bad mood|pickle|bind|queue|call)/.test(rest);
    if (
      word === "on" &&
      /^(?:a diet|medication|insulin|parental|maternity|paternity|sick|the (?:board|committee|council)|antidepressants|blood thinners|an? )/.test(
        rest,
      )
    )
      return false;
    if (word === "at" && /^(?:university|college|uni)/.test(rest)) return false;
    return true;
  }
  if (/^(?:the one|your|you|sure|what|how|why|where)\b/.test(word)) return true;
  return isMood(word) && !/^(?:an?|the)$/.test(word);
}

/** Things of the hour: how they are is soon over. */
const MOMENT_NOUN =
  /^(?:coffee|tea|drink|dinner|lunch|breakfast|supper|food|brain|battery|phone|laptop|computer|screen|printer|train|bus|taxi|flight|feet|foot|legs?|arms?|hands?|fingers?|throat|nose|eyes?|neck|tummy|belly|shift|break|wife is asleep)$/i;
/** "The kids are asleep", "Ana is tired". */
export const isPassing = (predicate: Predicate, dated: boolean): boolean =>
  !dated &&
  /^(?:is|are) (?:(?:very|so|really|a bit|still|quite|too) )*[a-z]+$/.test(predicate.text) &&
  isMood(predicate.text.split(" ").at(-1)!);

/** Whether "my <thing> …" is talk: questions, code, heads that hurt. */
export const isTalkThing = (thing: string, predicate: string): boolean =>
  TALK_NOUN.test(thing.replace(/^(?:first|second|third|next|last|other|only|main|real|final) /i, "")) ||
  (MOMENT_NOUN.test(thing) &&
    predicate.split(" ").length <= 4 &&
    !/^(?:is|are|was) (?:(?:an?|the|called|named|from|my|our)\b|[\p{Lu}\d])/u.test(predicate)) ||
  /^(?:is|was|are|were) (?:(?:so|very|really|too|quite|not|still|just|all|totally|completely) )*(?:broken|down|slow|stuck|fine|ok|okay|good|bad|great|awesome|terrible|killing me|not working|working|failing|crashing|running|gone|lost|dead|late|tired|busy|weird|wrong|right|ready|done|empty|full|hurting|sore)\b/.test(
    predicate,
  ) ||
  /^(?:hurts?|crash|fail|broke|does not (?:work|compile|start|run|load)|will not|would|could|should|keeps? (?:crashing|failing|saying))/.test(
    predicate,
  );
