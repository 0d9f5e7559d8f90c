// Greetings, thanks, good-byes, yes and no: the sentences that a conversation is held together with.

export type Talk = "greeting" | "howareyou" | "thanks" | "bye" | "praise" | "mood" | "ack" | "laugh" | "sorry";

const EMOJI = /[\p{Extended_Pictographic}\u200d\ufe0f\p{Emoji_Modifier}]+/gu;
const end = "[\\s.!,…~)(:;^-]*$";
const FORMS: [Talk, RegExp][] = [
  [
    "howareyou",
    new RegExp(
      `^(?:hi|hey|hello)?[,! ]*(?:how (?:are|r) (?:you|u|things|we)|how is it going|how do you do|how have you been|how is (?:your day|life|everything)|what is up|wassup|sup|you (?:ok|okay|alright|good))\\b.*`,
      "i",
    ),
  ],
  [
    "greeting",
    new RegExp(
      `^(?:hi|hey+|hello|hiya|yo|howdy|greetings|good (?:morning|afternoon|evening|day)|morning|evening|hallo|hola|bonjour|salut|ciao|ol[aá]|hej|hei|moin|servus|guten (?:tag|morgen|abend)|buenos d[ií]as|你好|您好|こんにちは|안녕(?:하세요)?|नमस्ते|привет|здравствуйте|مرحبا|merhaba|cześć|ahoj)(?: (?:there|again|all|everyone|you|reverie|assistant|friend|bot))?${end}`,
      "i",
    ),
  ],
  [
    "thanks",
    new RegExp(
      `^(?:(?:ok(?:ay)?|great|cool|perfect|nice|good|awesome|lovely|wonderful|oh|ah|well|alright|no),? )*(?:thanks|thank you|thx|ty|cheers|much appreciated|many thanks|merci|gracias|danke|grazie|obrigad[oa]|谢谢|ありがとう|감사합니다|धन्यवाद|спасибо|dank je|tack|takk|tak)\\b.*`,
      "i",
    ),
  ],
  [
    "bye",
    new RegExp(
      `^(?:(?:ok(?:ay)?|right|well|alright|anyway|thanks|that is all|cool),? )*(?:bye|goodbye|good night|night|see (?:you|ya)|cya|later|talk (?:to you )?(?:later|soon|tomorrow)|ttyl|take care|cheerio|ciao|tsch[uü]ss|adi[oó]s|au revoir|have a (?:good|nice|great) (?:one|day|evening|night|weekend)|I (?:have to|must|need to) (?:go|run|leave)|I am (?:off|leaving|going to bed)(?: now| then)?(?=[\\s.!,]*$)|until (?:tomorrow|next time))\\b.{0,40}$`,
      "i",
    ),
  ],
  ["laugh", new RegExp(`^(?:(?:ha){2,}h?|(?:he){2,}|lol+|lmao|rofl|xd|hihi)${end}`, "i")],
  ["sorry", new RegExp(`^(?:oh )?(?:sorry|oops|my bad|my mistake|apologies|pardon)(?: about that)?${end}`, "i")],
  [
    "praise",
    new RegExp(
      `^(?:(?:wow|oh|ah|ha|yes|ok),? )*(?:(?:that is|it is|you are|you were|this is) (?:so |very |really |a |an |the |pretty |quite |absolutely )*(?:great|good|nice|cool|awesome|amazing|perfect|helpful|right|correct|wonderful|fantastic|lovely|funny|impressive|star|genius|best|legend|gem|true|interesting|kind|sweet|smart|clever|brilliant|useful)|well done|good (?:job|one|bot|point|idea|answer)|nice(?: one)?|great|awesome|perfect|cool|excellent|brilliant|lovely|wonderful|fantastic|amazing|impressive|interesting|love it|I love (?:it|that|this)|I like (?:it|that|this))\\b.{0,30}$`,
      "i",
    ),
  ],
  [
    "mood",
    new RegExp(
      `^(?:(?:oh|well|ah|yeah|honestly),? )*(?:I am|I feel|I am feeling|feeling|doing|I am doing|we are|all|everything is|it is|not) (?:(?:so|very|really|pretty|quite|a bit|a little|just|all|too|rather|super|not|still|also|doing|feeling) )*(?:good|fine|ok|okay|well|great|alright|tired|hungry|thirsty|bored|sad|happy|busy|bad|exhausted|sleepy|excited|stressed|awake|cold|hot|sick|back|here|lonely|awesome|fantastic|better|wonderful|confused|lost|stuck|sorry|sure|so so|impressed|amazed|curious|ready|done)\\b(?! (?:at|with|in|of|to|from)\\b).{0,40}$`,
      "i",
    ),
  ],
  [
    "ack",
    new RegExp(
      `^(?:ok(?:ay)?|k|kk|alright|all right|right|sure|fine|got it|I see|understood|makes sense|fair enough|hm+|mh+m*|uh huh|aha|ah|oh|well|whatever|never ?mind|forget it|no worries|no problem|you are welcome|welcome|true|indeed|exactly|of course|interesting|agreed|I agree|good to know|I understand|noted|roger|wow|really|huh|nothing|not much|test|testing|ping|and|so|anyway|same|me too|hooray|yay|congrats|congratulations|happy (?:birthday|new year|easter)|merry christmas)${end}`,
      "i",
    ),
  ],
];

/** Which small talk a sentence is, or null. */
export function talkOf(sentence: string): Talk | null {
  const plain = sentence.replace(EMOJI, "").trim();
  if (/^[\s.!?:;)(^~*-]*$/.test(plain)) return "ack";
  if (plain.length > 90) return null;
  for (const [talk, form] of FORMS) if (form.test(plain)) return talk;
  return null;
}

const YES = new RegExp(
  `^(?:(?:oh|well|ah|um),? )*(?:yes|yeah|yep|yup|ye|ya|y|sure|of course|please do|do it|do that|go ahead|ok(?:ay)?|that is (?:right|correct)|correct|right|exactly|absolutely|definitely|certainly|indeed|affirmative|sounds good|fine|confirm(?:ed)?|I do|it is|I am|si|sí|ja|oui|da|sim|hai|はい|是的?|对|好的?|हाँ|да|예|네|نعم|evet|tak)(?:[,.! ]+(?:please|do|do it|do that|thanks|thank you|go ahead|remember (?:it|that|this)|save (?:it|that)|keep (?:it|that)|that is (?:right|correct)|you can|you may|you should|sure|of course|absolutely|it is|I am|I do))*${end}`,
  "i",
);
const NO = new RegExp(
  `^(?:(?:oh|well|ah|um),? )*(?:no|nope|nah|n|no way|not (?:now|really|at all|yet|necessary)|do not|don't|rather not|better not|never ?mind|leave it|skip (?:it|that)|cancel|stop|please do not|please don't|nein|non|nee|não|nie|нет|いいえ|不(?:用|要|是)?|नहीं|아니(?:요)?|لا|hayır)(?:[,.! ]+(?:thanks|thank you|do not|don't|please|need|leave it|not now|never ?mind|that is (?:wrong|not right|not true|fine|ok|okay)|it is not|I am not|I do not|it is (?:fine|ok|okay)|I do not want that))*${end}`,
  "i",
);

/** A bare yes or no, or null. */
export function yesNo(sentence: string): "yes" | "no" | null {
  const plain = sentence.replace(EMOJI, "").trim();
  if (plain.length > 60) return null;
  if (YES.test(plain)) return "yes";
  return NO.test(plain) ? "no" : null;
}
