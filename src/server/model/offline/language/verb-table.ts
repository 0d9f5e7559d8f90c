// The verbs that the offline model knows: irregular forms, regular ones, and which of them are also common nouns. Data only.

/** base, past, participle */
const IRREGULAR =
  `be was been|die died died|tie tied tied|have had had|do did done|go went gone|get got got|get got gotten|give gave given|take took taken|make made made|come came come
become became become|begin began begun|break broke broken|bring brought brought|build built built|burn burnt burnt|buy bought bought|catch caught caught
choose chose chosen|cost cost cost|cut cut cut|deal dealt dealt|dig dug dug|draw drew drawn|dream dreamt dreamt|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown|forget forgot forgotten|freeze froze frozen
grow grew grown|hang hung hung|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|know knew known|lay laid laid
lead led led|learn learnt learnt|leave left left|lend lent lent|let let let|lie lay lain|light lit lit|lose lost lost|mean meant meant|meet met met|pay paid paid
put put put|quit quit quit|read read read|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|sell sold sold|send sent sent
set set set|sew sewed sewn|shake shook shaken|shine shone shone|shoot shot shot|show showed shown|shut shut shut|sing sang sung|sink sank sunk|sit sat sat
sleep slept slept|speak spoke spoken|spend spent spent|split split split|spread spread spread|stand stood stood|steal stole stolen|stick stuck stuck
swim swam swum|teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|understand understood understood|wake woke woken
wear wore worn|weave wove woven|win won won|withdraw withdrew withdrawn|write wrote written|breed bred bred|bet bet bet|bend bent bent|bite bit bitten|blow blew blown
undergo underwent undergone|overcome overcame overcome|rebuild rebuilt rebuilt|babysit babysat babysat|spell spelt spelt|smell smelt smelt|spoil spoilt spoilt`
    .split(/[|\n]/)
    .map((row) => row.trim().split(" ") as [string, string, string]);

/** Regular verbs whose base form says that a clause can begin here. */
const REGULAR =
  `accept add admire adopt agree aim answer appear apply argue arrange arrive ask attend avoid bake bathe believe belong bike bind blog boil book borrow bottle box
brew brush call camp carve care carry celebrate change chase chat check chop clean climb close coach code collect colour color commute compete compose conduct consider contain cook
count cover craft create crochet cross cycle dance date decorate deliver depend design despise detest develop direct dislike dive divorce donate drop dye earn edit elope employ end
enjoy enter exercise exhibit expect expire explore fail farm fast fear fence finish fish fit fix foster found furnish garden gather glaze graduate grill groom guess guide handle happen hate help
hike hire hope host hug hunt identify improve injure inherit install intend invest invite iron jog join journal judge juggle jump kayak kick kiss knead knit landscape last laugh launch
lecture lift like limp listen live loathe look love manage map marry massage meditate mend mentor milk mind mix moor mount mourn move mow name need nurse observe occur offer open operate
order organise organize own pack paddle paint park partner pass perform phone photograph pickle pick plan plant play plough point polish possess post pot practise practice pray prefer
prepare press print produce program prune publish pull push rain raise reach receive recover recycle reduce refuse rehearse relax relocate remain remember remove renew renovate rent repair
replace report rescue research reside resign rest restore retire retrain return review revise roast row ruin sail save scuba seem separate serve settle share shave shop sign skate sketch
ski skip smoke snore snorkel sponsor start stargaze stay stitch stop stream stretch study suffer supervise support surf survive sweep take-off tan taste tend test thank tidy tinker tolerate tour train
translate travel treat trek tune turn tutor twirl type umpire use vacation value visit volunteer vote wait walk want warm wash waste watch water weigh weld whittle wish wonder work worship worry yodel
adore avoid binge cater co-own co-run curate dabble detox excel fundraise hoard hunt intern juggle kite lifeguard major moonlight narrate oversee pilot podcast preside referee restore sculpt sublet
telework track trade upcycle whistle wrestle accompany appreciate assist bowl busk contribute crave crew cuddle desire export forage freelance haul import ride-share shoe skydive sled snowboard trim tweet vlog
promise apologise apologize suppose imagine assume realise realize notice advise recognise recognize consist insist doubt forgive raise praise undergo volunteer operate graze lodge house-share homeschool limp lisp stammer stutter snack sneeze own-brand treasure sip speed-walk squat swap tattoo tour sponsor study subscribe switch revolve contain hold`
    .split(/\s+/)
    .filter(Boolean);

/** Verbs that are as often nouns: after a comma or "and" they need an object or a preposition behind them. */
const NOUNISH =
  `bike book box brush call camp care change chat climb coach code colour color cook cover craft cross cut cycle dance date deal dive draw dream drink drive drop dye end exercise fall farm fast fear
feed fence fight find finish fish fit fix fly garden guess guide help hike hit hold hope host hug hunt iron jog journal judge jump kayak keep kick kiss last laugh lead lecture lift like limp look love map
massage milk mind mix move name need nurse offer order own pack paddle paint park partner pass phone photograph pick plan plant play point polish post pot practice press print produce program pull push
rain read rent repair report rescue research rest return review ride ring roast row run sail set share shop show sign sing sink skate sketch ski skip sleep smoke snack sponsor spread start stay stick stop stream
stretch study support surf swim swap tan taste tear test tie tour track trade train travel treat trek tune turn type use vacation value visit vote wait walk wash waste watch water wish wonder work`
    .split(/\s+/)
    .filter(Boolean);

/** Base form of each irregular past, participle. */
export const BASE_OF_PAST: ReadonlyMap<string, string> = new Map(
  IRREGULAR.flatMap(([base, past]) => [[past, base] as const]).concat([["were", "be"]]),
);
export const BASE_OF_PARTICIPLE: ReadonlyMap<string, string> = new Map(
  IRREGULAR.map(([base, , participle]) => [participle, base] as const),
);
export const PAST_OF: ReadonlyMap<string, string> = new Map(
  [...IRREGULAR].reverse().map(([base, past]) => [base, past] as const),
);
export const KNOWN_VERBS: ReadonlySet<string> = new Set([...IRREGULAR.map(([base]) => base), ...REGULAR]);
export const NOUNISH_VERBS: ReadonlySet<string> = new Set(NOUNISH);
