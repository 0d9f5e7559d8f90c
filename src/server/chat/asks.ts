// The phrases by which a typed sentence asks for something: to forget, to end or change a fact, to remember, yes and no. Readable tables, several languages. Pure.

/** English verbs of forgetting count only as an order: at a sentence's start or behind a polite opening, never in "I always forget names". */
const ORDER = String.raw`(?:^|[.!?;:,\n–—-]\s*|\b(?:please|kindly|just|now|then|and|also|ok|okay|actually|instead|better|you (?:can|should|may|must|need to|have to)|(?:can|could|would|will) you(?: please)?|(?:want|like|need|ask) you to|wish you would|let's)[\s,]+)`;

const FORGET = [
  new RegExp(
    String.raw`${ORDER}(?:forget|delete|erase|remove|unlearn|scrub|wipe|purge|strike|drop|discard|get rid of|stop remembering)\b`,
    "imu",
  ),
  /\b(?:do not|don'?t|don’t|never|(?:no|any) need to|should not|shouldn'?t|stop) (?:please )?(?:keep|save|store|record|note|retain|remember|hold on to)(?:ing)? (?:that|this|it|any of|what|my|the|where|who|how|when)\b/iu,
  /(?:^|[.!?;:,\n]\s*)(?:please )?(?:scratch|unsave|take back|undo) (?:that|this|it)\b/imu,
  /\b(?:want|like|need)(?: to have)? (?:it|that|this|.{1,60}) (?:forgotten|deleted|erased|removed)\b/iu,
  /\b(?:vergiss|vergessen sie|l(?:ö|oe)sch(?:e|en|)|entfern(?:e|en))\b/iu,
  /(?<![\p{L}])(?:oublie[zr]?|supprime[zr]?|efface[zr]?|enlève)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:olvida(?:te|r|lo|la)?|olvide|borra(?:r|lo|la)?|borre|elimina(?:r|lo|la)?)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:dimentica(?:re|lo|la|ti)?|cancella(?:re|lo|la)?|esque[cç]a|esquece(?:r)?|apaga(?:r)?|remova)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:vergeet|wis|verwijder|glöm|radera|glem|slett|slet|unohda|poista|zapomnij|usuń|skasuj|zapomeň|smaž|забудь(?:те)?|удали(?:те)?|сотри(?:те)?|unut|sil)(?![\p{L}])/iu,
  /忘记|忘記|忘掉|忘了|删除|刪除|删掉|忘れて|削除して|消して|잊어|지워|삭제해|भूल जा|भुला द|हटा दो|मिटा दो|انس|احذف/u,
];
const NOT_FORGET =
  /\b(?:don'?t|don’t|do not|never|won'?t|not|nicht|ne|n'|no|não|non|niet|inte|ikke|älä|nie|не)\s+(?:\w+\s+)?(?:forget|vergiss|oublie[zr]?|olvides?|esque[cç]as?|dimenticare|vergeet|glöm|glem|unohda|zapomnij|zapomeň|забудь(?:те)?)|\b(?:vergiss|vergesst|vergessen sie|vergeet|glöm|glem)\s+(?:\p{L}+\s+)?(?:nicht|niet|inte|ikke)\b|\bolvides no\b/iu;

const EVERYTHING =
  /\b(?:all|everything|anything|both|every|each|whole|entire|alles?|beide[sn]?|sämtliche[sn]?|tout(?:es?)?|tous|todo[sa]?|todas|ambos|ambas|tutt[oiae]|tudo|allt|alt|kaikki|wszystk\p{L}*|vše(?:chno)?|hepsi)\b|(?<![\p{L}])(?:всё|все)(?![\p{L}])|所有|全部|一切|全て|すべて|모두|전부|सब/iu;

/** What ends a fact, or says that it never was so. */
const CHANGE = [
  /\b(?:no longer|not any ?more|any ?more|no more|used to|stopped|quit|gave up|given up|left|ended|over|sold|lost|broke up|split up|separated|divorced|died|passed away|moved|moving|changed|switched|replaced|resigned|retired|fired|laid off|cancel(?:l?ed|s)?|call(?:ed)? off|postponed|finished|done with|got rid of|gave|given|scrapped|donated|traded|returned|stolen|crashed|rehomed|put down|ran away|passed on|handed|single|dumped|redundant|sacked|dismissed|let go|swapped|upgraded|relocated|promoted|gone|threw (?:it )?(?:out|away)|expired|became|becomes|now|instead|new|since|from now on|so far|until|till|anymore|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|can't|don’t|doesn’t|didn’t|isn’t|aren’t|wasn’t|won’t|can’t|never)\b/iu,
  /\b(?:sorry|typo|correction|i meant|i mean|wrong|incorrect|mistake|mistaken|not true|actually|rather|misspell\w*|misspelt|should be|not|update|change|correct|fix|rename)\b/iu,
  /\b(?:nicht mehr|kein\p{L}* mehr|aufgehört|gekündigt|verkauft|getrennt|umgezogen|jetzt|neue\p{L}*|falsch|sondern|eigentlich|korrektur|ändere)\b/iu,
  /(?<![\p{L}])(?:ne .{1,40} plus|arrêté|quitté|vendu|déménagé|maintenant|nouve\p{L}*|faux|corrige|plutôt)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:ya no|dej[éóe]|vend[íi]|me mud[éo]|ahora|nuev[oa]|equivocad[oa]|corrige|en realidad|non più|não .{0,20}mais|adesso|agora)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:niet meer|inte längre|ikke lenger|en enää|już nie|už ne|больше не|теперь|artık)(?![\p{L}])/iu,
  /不再|已经不|现在|搬到|改成|错了|不是|もう|じゃなく|더 이상|अब नहीं|अब|गलत/u,
];

const REMEMBER = [
  new RegExp(String.raw`${ORDER}(?:remember|memori[sz]e|note|save|store|keep|record|write down|add|put|learn)\b`, "imu"),
  /\b(?:don'?t|don’t|do not|never) forget\b|\bi (?:want|need|would like|'d like) you to (?:know|remember)\b|\bfor the record\b|\bplease know\b/iu,
  /\b(?:merk(?:e)? dir|merken sie sich|erinner\p{L}*|behalt(?:e)?|notier\p{L}*|speicher\p{L}*|vergiss nicht)\b/iu,
  /(?<![\p{L}])(?:souviens-toi|rappelle-toi|retiens|retenez|note[zr]?|enregistre|mémorise|n'oublie pas)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:recuerda|recuerde|acu[ée]rdate|apunta|anota|guarda|no olvides|ricorda(?:ti)?|annota|segna|lembra(?:-te)?|lembre(?:-se)?|anote|guarde|não esqueças)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:onthoud|noteer|kom ihåg|husk|noter|muista|zapamiętaj|pamiętaj|zapamatuj|запомни(?:те)?|помни|hatırla|unutma)(?![\p{L}])/iu,
  /记住|記住|请记|記下|记下|别忘|覚えて|忘れないで|記憶して|기억해|याद रख|याद कर|تذكر/u,
];

const YES =
  /^(?:\s|["'“”(])*(?:yes|yep|yeah|yup|ya|sure|ok|okay|okey|right|correct|exactly|absolutely|definitely|of course|indeed|please do|do (?:it|that|so)|go ahead|save it|that'?s right|that’s right|confirmed?|ja|jawohl|genau|stimmt|klar|oui|d'accord|exact|bien sûr|s[ií]|claro|vale|correcto|certo|esatto|sim|isso|da|tak|ano|jo|joo|kyllä|evet|tamam|да|ага|конечно|是的?|对|對|好的?|嗯|行|可以|はい|うん|네|응|हाँ|हां|जी|ठीक|نعم)(?![\p{L}\p{N}])/iu;
const YES_MAX_WORDS = 12;
const HEDGED = /\b(?:but|except|aber|mais|pero|ma|mas|no|not|nein|non|nicht)\b|但|不/iu;

/** Whether the text orders to forget something. */
export function asksToForget(typed: string): boolean {
  const rest = typed.replace(new RegExp(NOT_FORGET.source, "giu"), " ");
  return FORGET.some((pattern) => pattern.test(rest));
}

/** Whether the text speaks of all of something. */
export function asksForAll(typed: string): boolean {
  return EVERYTHING.test(typed);
}

/** Whether the text says that something ended, changed or was never so. */
export function saysChange(typed: string): boolean {
  return CHANGE.some((pattern) => pattern.test(typed));
}

/** Whether the text asks, in so many words, to remember something. */
export function asksToRemember(typed: string): boolean {
  return REMEMBER.some((pattern) => pattern.test(typed));
}

/** Whether the whole text is a yes to what was asked before it. */
export function saysYes(typed: string): boolean {
  const text = typed.trim();
  return YES.test(text) && text.split(/\s+/).length <= YES_MAX_WORDS && !HEDGED.test(text);
}
