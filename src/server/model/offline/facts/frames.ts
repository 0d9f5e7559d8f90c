// Sentences that say nothing about the user's life however they read: suppositions, stories, jokes, wishes; and those said with a "perhaps".

/** Opens a frame: this sentence and what follows it in its paragraph are not meant. */
const OPENS =
  /^(?:and |but |so |ok(?:ay)?,? |now |just |hey,? |well,? |please |last night,? |yesterday,? |this morning,? )*(?:imagine|suppose|supposing|pretend|picture this|assume|assuming|let(?:'s| us) (?:say|pretend|imagine|suppose|assume)|say I (?:had|was|were|lived|worked|won)|what if|hypothetically|role-?play|act as if|in (?:a|the|this|that|my|our|his|her|their) (?:film|movie|book|novel|story|game|play|song|series|show|episode|dream|comic|poem|fairy tale|d&d|campaign|screenplay|script|letter|article|ad|sketch|joke)|in my dreams?|I (?:dreamt|dreamed|had a dream)|once upon a time|for (?:example|instance)|e\.g\.|my character|the (?:hero|heroine|narrator|protagonist|character|singer|actor|lyrics?|song|poem|film|movie|book|novel|article|sign|label|slogan|ad)\b.*\b(?:says?|said|goes|went|reads?|sings?|claims?|tells?))\b/i;
/** One sentence that is not meant. */
const SUPPOSED =
  /^(?:and |but |so |oh,? |ok(?:ay)?,? |well,? )*(?:if|unless|in case|provided|providing|even if|only if|as if|had I|were I|should I|would I|could I|I wish|we wish|if only|were it|would that|wish I)\b|\b(?:if|unless) (?:I|we) (?:were|was|had|lived|worked|could|won|did|got|ever|owned|spoke|moved)\b|\bas (?:though|if) I\b|\b(?:I|we) (?:would|could|might|may|should) (?:not |never |always |probably |maybe |even |also )*(?:have |be |love|like|rather|prefer|say|go|do|live|move|buy|eat|take|try|want|need|use|get|hate|mind|think|[a-z]+)/i;
const WOULD_LASTING =
  /\b(?:I|we) would (?:like|love) to (?:learn|visit|become|run|write|travel|climb|study|retire|live|see the|move)\b/i;
const JOKE =
  /\b(?:just|only) (?:kidding|joking)\b|\bjust a joke\b|\b(?:I am|I'm|im) (?:kidding|joking)\b|^(?:kidding|joking|jk|j\/k|psych)\b|[\s,.(!-](?:jk|j\/k|kidding|joking|haha no|not really|as if)[\s!.)]*$|\b(?:that|this|it) (?:is|was) (?:just |only )?a joke\b|\bpulling your leg\b|\bsarcas(?:m|tic)\b|\/s\s*$/i;
const HEDGE =
  /^(?:and |but |well,? |so )*(?:I (?:think|guess|suppose|believe|suspect|assume|reckon)(?: that)?|I fear (?=that|I\b|we\b)|maybe|perhaps|possibly|probably|I am (?:not (?:quite |really |so )?(?:sure|certain)(?:,? but| that)?|fairly sure|pretty sure)|it (?:may|might|could) be that|I (?:might|may|could) (?:be|have)(?= (?:allergic|intolerant|an? |the |pregnant|colou?r|asthma|diabet|coeliac)))\s*,?\s*/i;

export const opensFrame = (sentence: string): boolean => OPENS.test(sentence);
export const isSupposed = (sentence: string): boolean => SUPPOSED.test(sentence) && !WOULD_LASTING.test(sentence);
export const isJoke = (text: string): boolean => JOKE.test(text);

/** Takes a "perhaps" off the head of a sentence; null where none stands there. */
export function unhedged(sentence: string): string | null {
  const match = HEDGE.exec(sentence);
  if (!match) return null;
  const rest = sentence.slice(match[0].length);
  const modal = /I (?:might|may|could) (be|have)\s*,?\s*$/i.exec(match[0]);
  return modal ? `I ${modal[1]!.toLowerCase() === "be" ? "am" : "have"} ${rest}` : rest;
}
