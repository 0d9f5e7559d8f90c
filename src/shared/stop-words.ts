// Owns the words that carry no content of their own, and those that turn a sentence into its opposite. Data; written folded, in lower case.

const list = (words: string): string[] => words.trim().split(/\s+/);

const ENGLISH = list(`
  a about above after again all also am among an and any are as at be became because become been before being below between both but by
  can could did do does doing done down during each either else ever every few for from further get gets getting got had has have having he
  her here hers herself him himself his how i if in into is it its itself just like many may me might mine more most much must my myself
  now of off on once only onto or other our ours ourselves out over own per quite rather really same shall she should since so some still
  such than that the their theirs them themselves then there these they this those through till to too toward towards under until up upon us
  very via was we were what when where whether which while who whom whose why will with within would yes yet you your yours yourself
  s t d m re ve ll
`);

// Only words that mean nothing in English: "die", "war", "son", "hat", "come" and "has" would take content away.
const OTHERS = list(`
  und oder der das dem des ein eine einen einem einer eines ich ist sind bin mit von vom zu zum zur im auf fur bei aus nach wir uns sie ihr
  sich mein meine meinen meinem meiner sein seine dass wie wenn auch noch schon sehr
  el la los las lo del al que y un una unos por para con mi su es esta estan muy se le les mas
  le les des et une du dans pour avec je tu il elle nous vous ils elles ce cette ces mon ma mes ses sont qui au aux dans sur
  o os uma do da dos das em com meu minha na nas nos ao foi
  gli di della dello dei che mio mia nel nella sono ed
  het een op te voor ik mijn zijn bij naar dat deze ze ons
  i w z na do sie jest och att det som en ett jag ar pa
  и в во на с со по у о об от до за из к я ты он она мы вы они что как это мой моя мои его ее их а но же ли
`);

/** Words without content, folded. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH, ...OTHERS]);

/** Words that turn what is said into its opposite, folded. They count as a mark of the sentence, not as content. */
export const NEGATIONS: ReadonlySet<string> = new Set(
  list(`
  not no never none nobody nothing nowhere neither nor without cannot dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt
  couldnt shouldnt mustnt cant aint anymore former formerly ex refuses refused denies denied lacks lacked
  nicht kein keine keinen keinem keiner nie niemals ohne
  ne pas jamais sans aucun aucune plus
  nunca sin jamas ningun ninguna tampoco
  nao sem nenhum nenhuma
  non senza
  niet geen nooit zonder
  nigdy bez inte aldrig utan ikke aldri
  не нет ни никогда без
  لا ليس ليست لم لن
  नहीं नही मत
  안 못
`),
);

/** Parts of words that negate in scripts that join them to the verb. */
export const NEGATING_PARTS = /[不没沒]|ない|なかった|ません|않|없|아니/u;

/** "Stopped smoking": a negation where the next word is a form in -ing. */
export const STOPPING: ReadonlySet<string> = new Set(list("stop stops stopped stopping quit quits quitting"));

const TENS = list("twenty thirty forty fifty sixty seventy eighty ninety");
const ONES = list(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
);
/** Numbers that are written as words. */
export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ...ONES.map((word, at): [string, string] => [word, String(at)]),
  ...TENS.map((word, at): [string, string] => [word, String((at + 2) * 10)]),
  ["hundred", "100"],
  ["thousand", "1000"],
  ["dozen", "12"],
]);
