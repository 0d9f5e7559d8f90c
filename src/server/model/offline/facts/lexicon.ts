// Word lists by which a rule tells a name from an adjective, a profession from a state, a mood from a trait. Data and small look-ups only.

const NATIONS = `afghan african albanian algerian american arab arabic argentine argentinian armenian asian australian austrian azerbaijani bangladeshi basque belarusian belgian bengali bolivian bosnian brazilian breton british bulgarian
burmese cambodian canadian cantonese catalan chilean chinese colombian congolese croatian cuban cypriot czech danish dutch ecuadorian egyptian english estonian ethiopian european farsi filipino finnish flemish french frisian galician
georgian german ghanaian greek gujarati hawaiian hebrew hindi hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jewish jordanian kazakh kenyan khmer korean kurdish latin latvian lebanese libyan
lithuanian luxembourgish macedonian malay malayalam malaysian maltese mandarin maori marathi mexican moldovan mongolian moroccan nepali nigerian norwegian pakistani palestinian pashto persian peruvian polish portuguese punjabi quechua
romanian russian samoan scottish senegalese serbian sinhala slovak slovene slovenian somali spanish sudanese swahili swedish swiss syrian tagalog taiwanese tamil tatar telugu thai tibetan tunisian turkish ukrainian urdu uruguayan uzbek
venezuelan vietnamese welsh yiddish yoruba zulu catholic christian muslim buddhist hindu protestant orthodox quaker sikh mormon lutheran anglican methodist jain bahai shinto atheist agnostic esperanto`;
const NATION = new Set(NATIONS.split(/\s+/));
export const isNation = (word: string): boolean => NATION.has(word.toLowerCase());

const NO_NAMES = new Set(
  `I The This That These Those There Here It We You He She They My Our Your His Her Their What Who When Where Why How Which Whose Is Are Am Was Were Do Does Did Can Could Will Would Should Shall May Might Must Have Has Had If But And Or So Yes No
Not Please Thanks Thank Hello Hi Hey Ok Okay Well Then Now Today Tomorrow Yesterday Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July August September October November December Christmas Easter
Every Everyone Everybody Everything Someone Somebody Something Nobody Nothing Anyone Anybody Anything Some Many Most All Both Each Any Another Other Others One Two Three Four Five Six Seven Eight Nine Ten First Second Next Last After Before
Since While Although Because Also Actually Maybe Perhaps Let Imagine Suppose Note Remember Forget Write Translate Tell Give Make Explain Summarise Summarize Show Find Sorry Typo Correction God Internet English French German Spanish Italian
Chinese Japanese Russian Dutch People Children Kids Life Work Home School Time Weather Summer Winter Spring Autumn Python Java JavaScript TypeScript Rust Google Apple Microsoft Amazon Facebook Twitter Windows Linux Mac London Paris Berlin Rome
Madrid Europe Asia Africa America England France Germany Spain Italy India China Japan Russia Britain Scotland Wales Ireland Canada Australia Brexit Covid Mars Earth Moon Dogs Cats Birds Good Great Nice Cool Lovely Just Only Even Still Again Once By
At In On For From To With Without About Of As Like During Under Over Between Apparently Basically Finally Honestly Luckily Sadly Unfortunately Anyway Besides Meanwhile Usually Sometimes Often Always Never Currently Recently Later Soon`.split(
    /\s+/,
  ),
);
/** A capitalised word that can be a person's name at the head of a sentence. */
export const canBeName = (word: string): boolean => /^\p{Lu}[\p{L}'’-]+$/u.test(word) && !NO_NAMES.has(word) && !isNation(word);

const NO_JOB = new Set(
  `vegetarian vegan twin mother father mum mom dad parent widow widower fan lover beginner newbie person man woman guy girl boy human bit lot morning night member native immigrant pacifist feminist introvert extrovert optimist pessimist
perfectionist collector owner believer smoker drinker reader eater sleeper walker swimmer listener talker learner speaker grandmother grandfather grandparent sister brother uncle aunt cousin friend neighbour minor adult teenager pensioner child
foodie coeliac diabetic asthmatic insomniac alcoholic leftie lefty righty bachelor citizen resident local newcomer christian muslim buddhist hindu catholic jew atheist agnostic pescatarian flexitarian user customer patient genius mess
hoarder stickler sucker rider hiker climber runner cyclist gamer geek nerd fool star winner loser idiot liar ghost loner foreigner expat volunteer tenant renter homeowner donor survivor carnivore omnivore teetotaller teetotaler traveller traveler supporter sufferer admirer follower stranger outsider regular player starter chatter worrier cuddler keeper founder-member supporter redhead vet-lover procrastinator minimalist maximalist completist survivalist hedonist purist realist idealist dreamer`.split(
    /\s+/,
  ),
);
const JOB_END =
  /(?:er|or|ist|ian|ant|ent|man|woman|smith|wright|ess|eer|ar|ic|keeper|maker|worker|person|hand|guard|master|dean|crat|path|yst)$/;
const JOBS = new Set(
  `vet nurse chef cook judge pilot guide clerk aide coach maid monk nun priest pastor vicar rabbi imam spy scribe dj ceo cto cfo gp pa diver surgeon dean spokesperson nanny au-pair midwife cashier barista butler courier
concierge jockey lifeguard sailor soldier scout usher valet entrepreneur freelancer student intern apprentice trainee postdoc actor au tutor attorney paralegal secretary vp civil-servant au-pair housewife househusband docent curate`.split(
    /\s+/,
  ),
);
/** Whether "is a …" names a profession: its last word before "of", "in", "at" … looks like one. */
export function isJob(words: string): boolean {
  const head = words
    .split(/ (?:of|in|at|for|with|on|who|and|from|to|by|specialis|specializ)/)[0]!
    .trim()
    .toLowerCase();
  const last = head.split(/\s+/).at(-1) ?? "";
  if (
    NO_JOB.has(last) ||
    /^(?:big|huge|great|bad|good|slow|fast|heavy|light|keen|strong|former|retired|regular|new)\b/.test(head)
  )
    return /^retired\b/.test(head) && !NO_JOB.has(last);
  return JOBS.has(last) || (last.length > 4 && JOB_END.test(last));
}

const MOODS = new Set(
  `good fine ok okay well great alright tired hungry thirsty bored sorry glad happy sad busy back here there ready sure unsure curious confused stuck done lost late early impressed excited amazed surprised shocked annoyed angry mad upset worried
asleep nervous anxious stressed exhausted sleepy awake drunk sober cold hot warm free available welcome grateful thankful pleased delighted proud ashamed embarrassed jealous lucky wrong right kidding joking serious honest asking wondering
thinking guessing hoping looking trying talking saying telling testing curious aware convinced certain positive game down in out off on up fed lonely homesick sick ill unwell better worse relieved disappointed frustrated overwhelmed speechless
at a-bit all interested new like so just going getting having feeling doing being about still not also too very really quite pretty rather kinda kind sort`.split(
    /\s+/,
  ),
);
/** Adjectives and -ing forms that tell of the moment, not of the person. */
export const isMood = (word: string): boolean => MOODS.has(word.toLowerCase());

/** Nouns of talk and of the task at hand: "my question", "my code". Nothing about them is worth a line. */
export const TALK_NOUN =
  /^(?:question|questions|point|bad|apologies|apology|pleasure|guess|idea|ideas|code|build|tests?|script|program|function|query|request|message|text|answer|reply|prompt|instructions?|word|words|mistake|fault|turn|goodness|god|opinion|view|understanding|assumption|suggestion|concern|issue|problem|error|bug|compiler|terminal|server|deploy(?:ment)?|pipeline|internet|wifi|connection|screen|head|heart|mind|thoughts?|thanks|regards|day|morning|evening|night|week|mood|stomach|typo|previous|last (?:message|question|sentence))\b/i;

const HYPERNYMS: Record<string, string> = {
  car: "volvo skoda vw volkswagen golf bmw audi mercedes toyota honda ford fiat renault peugeot citroen citroën opel vauxhall tesla mazda nissan kia hyundai seat dacia subaru suzuki mini jeep lexus porsche jaguar volvo saab lada chevrolet chevy buick dodge chrysler cadillac estate hatchback saloon convertible suv limousine",
  vehicle: "car bike van truck lorry motorbike motorcycle scooter moped tractor bus caravan campervan camper boat",
  bike: "bicycle e-bike tandem roadster",
  motorbike: "vespa yamaha kawasaki ducati harley triumph motorcycle moped",
  instrument:
    "piano guitar violin cello viola oboe clarinet flute trumpet trombone tuba horn harp accordion banjo bass drum drums saxophone sitar tabla ukulele mandolin organ recorder harmonica lute fiddle bagpipes bassoon harpsichord marimba xylophone keyboard oud kora koto shamisen erhu didgeridoo concertina bouzouki",
  sport:
    "football soccer tennis squash badminton hockey rugby cricket basketball volleyball handball golf chess judo karate swimming rowing running cycling climbing fencing skiing skating sailing surfing boxing wrestling yoga padel netball baseball softball gymnastics archery curling triathlon",
  pet: "dog cat parrot tortoise horse rabbit hamster budgie snake lizard gecko goldfish puppy kitten ferret guinea pig hen turtle",
  animal: "dog cat parrot tortoise horse rabbit hamster bee sheep goat hen quail chicken duck pig cow donkey pony alpaca goose",
  child: "son daughter baby twin twins triplet triplets toddler stepson stepdaughter",
  sibling: "sister brother twin",
  parent: "mother father mum dad",
  drink: "coffee tea beer wine juice water milk cocoa whisky whiskey gin rum cider lemonade soda cola espresso",
  boat: "yacht dinghy kayak canoe sailboat catamaran barge",
  language:
    "greek swahili finnish dutch quechua turkish armenian english french german spanish italian chinese japanese russian polish arabic hindi portuguese swedish danish norwegian welsh irish korean mandarin cantonese hebrew persian urdu bengali tamil",
  appointment: "dentist doctor exam check-up checkup",
};
const hypernymOf = new Map<string, Set<string>>();
for (const [kind, words] of Object.entries(HYPERNYMS)) {
  for (const word of words.split(" ")) {
    const kinds = hypernymOf.get(word) ?? new Set();
    kinds.add(kind);
    hypernymOf.set(word, kinds);
  }
}
/** Wider words for a noun ("volvo": car), with the kinds of its kinds. */
export function kindsOf(word: string): string[] {
  const direct = [...(hypernymOf.get(word) ?? [])];
  return [...new Set(direct.flatMap((kind) => [kind, ...(hypernymOf.get(kind) ?? [])]))];
}
export const hasKinds = (kind: string): boolean => kind in HYPERNYMS;
