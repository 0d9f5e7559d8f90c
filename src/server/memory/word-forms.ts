// Words that stand for each other in questions and answers, where stemming does not bring them together. Readable tables; pure.
import { searchTokens } from "../../shared/words.ts";

/** English verbs whose forms share no stem. */
const VERBS = `be am is are was were been being
become became
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
cost costs
cut cuts
deal dealt
do did done does
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
forget forgot forgotten
get got gotten
give gave given
go went gone goes
grow grew grown
have has had
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
leave left
lend lent
lose lost
make made
mean meant
meet met
pay paid
read reads
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
shoot shot
sing sang sung
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
swim swam swum
take took taken
teach taught
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
win won
write wrote written
child children
person people
man men
woman women
foot feet
tooth teeth
wife wives
knife knives
mouse mice`;

/** Words of everyday life that ask for one another. */
const GROUPS = `live lives home house flat apartment reside resident moved address town city
work job employer company profession career living occupation
manager boss supervisor
husband wife spouse married partner marriage
partner girlfriend boyfriend fiance fiancee
child children kid kids son daughter
mother mum mom father dad parents
brother sister sibling siblings
film movie
holiday vacation trip travel journey
car vehicle
birthday born birth
phone telephone mobile number
email mail
favourite favorite
colour color
allergic allergy allergies intolerant
vegetarian vegan diet
doctor physician
ill sick illness disease condition
medicine medication pills
school university college study studies studying
language languages speak speaks
hobby hobbies pastime leisure
instrument play plays
sport exercise workout gym
pet dog cat animal
money bank salary
plan plans upcoming appointment
buy bought purchase purchased
child baby pregnant
city town village
like likes love loves enjoy enjoys fond
hate hates dislike dislikes
afraid scared fear fears
big large huge
start began started begin
end ended finish finished stop stopped
talk talked conversation chat spoke
happy glad
photo picture image
present gift`;

function tableOf(text: string, weight: number): { words: string[]; weight: number }[] {
  return text.split("\n").map((line) => ({ words: [...new Set(searchTokens(line))], weight }));
}

/** Words that are in every question and in every answer: they tell little, whatever the counts of a small memory say. */
const LIGHT = new Set(
  searchTokens(
    "go get take make give do come put say tell see know think want need use happen thing time way new good well still already first last keep let look find call get work day long much many old big little own really bit lot",
  ),
);
const LIGHT_WEIGHT = 0.35;

const FORM_WEIGHT = 0.85;
const GROUP_WEIGHT = 0.4;

const relatives = new Map<string, Map<string, number>>();
for (const { words, weight } of [...tableOf(GROUPS, GROUP_WEIGHT), ...tableOf(VERBS, FORM_WEIGHT)]) {
  for (const word of words) {
    const known = relatives.get(word) ?? new Map<string, number>();
    for (const other of words) if (other !== word) known.set(other, Math.max(weight, known.get(other) ?? 0));
    relatives.set(word, known);
  }
}

/** The tokens of a question with those that may stand in the answer instead. Weights: 1 what was asked, less what stands for it or tells little. */
export function withRelatives(tokens: readonly string[]): { term: string; weight: number; asked: string }[] {
  const asked = new Set(tokens);
  const only = tokens.every((term) => LIGHT.has(term));
  const weightOf = (term: string): number => (LIGHT.has(term) && !only ? LIGHT_WEIGHT : 1);
  const all = tokens.map((term) => ({ term, weight: weightOf(term), asked: term }));
  for (const term of asked) {
    for (const [other, weight] of relatives.get(term) ?? [])
      if (!asked.has(other)) all.push({ term: other, weight: weight * weightOf(term), asked: term });
  }
  return all;
}
