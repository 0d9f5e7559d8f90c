// The people whom a "my" can introduce, and the animals: which words, which is one-valued, which words ask for the same.

interface Role {
  /** Word in lines. */
  name: string;
  /** Other words for it, singular. */
  also?: string[];
  plural?: string;
  slot?: string;
  /** Wider words that a question may use. */
  kinds?: string[];
  /** One at a time, as a rule: a "now" or "new" puts somebody in another's place. */
  single?: boolean;
}

const ROLES: Role[] = [
  { name: "mother", also: ["mum", "mom", "mummy", "mommy", "mama", "ma"], kinds: ["parent"] },
  { name: "father", also: ["dad", "daddy", "papa"], kinds: ["parent"] },
  { name: "parent" },
  { name: "sister", also: ["sis"], kinds: ["sibling"] },
  { name: "brother", also: ["bro"], kinds: ["sibling"] },
  { name: "sibling" },
  { name: "twin", kinds: ["sibling"] },
  { name: "son", kinds: ["child"] },
  { name: "daughter", kinds: ["child"] },
  { name: "child", also: ["kid"], plural: "children" },
  { name: "baby", plural: "babies", kinds: ["child"] },
  { name: "grandson", kinds: ["grandchild"] },
  { name: "granddaughter", kinds: ["grandchild"] },
  { name: "grandchild", plural: "grandchildren" },
  { name: "grandmother", also: ["grandma", "granny", "gran", "nan", "nana"], kinds: ["grandparent"] },
  { name: "grandfather", also: ["grandpa", "grandad", "granddad"], kinds: ["grandparent"] },
  { name: "grandparent" },
  { name: "aunt", also: ["auntie", "aunty"] },
  { name: "uncle" },
  { name: "cousin" },
  { name: "niece" },
  { name: "nephew" },
  { name: "wife", plural: "wives", slot: "partner", kinds: ["partner"] },
  { name: "husband", also: ["hubby"], slot: "partner", kinds: ["partner"] },
  { name: "partner", slot: "partner" },
  { name: "spouse", slot: "partner", kinds: ["partner"] },
  { name: "boyfriend", slot: "partner", kinds: ["partner"] },
  { name: "girlfriend", slot: "partner", kinds: ["partner"] },
  { name: "fiancé", also: ["fiance", "fiancée", "fiancee"], slot: "partner", kinds: ["partner"] },
  { name: "friend", also: ["mate", "buddy", "pal"] },
  { name: "neighbour", also: ["neighbor"] },
  { name: "colleague", also: ["coworker", "co-worker", "workmate", "teammate"] },
  { name: "flatmate", also: ["roommate", "housemate"], single: true },
  { name: "manager", also: ["boss", "supervisor", "line manager", "team lead"], slot: "manager" },
  { name: "mentor", single: true },
  { name: "teacher" },
  { name: "tutor", single: true },
  { name: "coach", plural: "coaches", also: ["trainer"], single: true },
  { name: "doctor", slot: "doctor", also: ["gp", "physician"] },
  { name: "dentist", slot: "dentist" },
  { name: "therapist", slot: "therapist" },
  { name: "physiotherapist", also: ["physio"], single: true },
  { name: "lawyer", slot: "lawyer", also: ["solicitor", "attorney"] },
  { name: "accountant", single: true },
  { name: "landlord", slot: "landlord", also: ["landlady"] },
  { name: "tenant", single: true },
  { name: "lodger", single: true },
  { name: "hairdresser", slot: "hairdresser", also: ["barber"] },
  { name: "babysitter", also: ["nanny", "childminder", "au pair"], single: true },
  { name: "cleaner", single: true },
  { name: "gardener", single: true },
  { name: "assistant", single: true },
  { name: "psychologist", also: ["psychiatrist"], single: true },
  { name: "counsellor", also: ["counselor"], single: true },
  { name: "midwife", plural: "midwives", single: true },
  { name: "optician", also: ["optometrist"], single: true },
  { name: "mechanic", single: true },
  { name: "instructor", also: ["driving instructor"], single: true },
  { name: "deputy", plural: "deputies", single: true },
  { name: "priest", also: ["pastor", "vicar", "rabbi", "imam"], single: true },
  { name: "carer", also: ["caregiver"] },
  { name: "apprentice" },
  { name: "intern" },
  { name: "classmate", also: ["schoolmate"] },
  { name: "bandmate" },
  { name: "business partner" },
  { name: "penfriend", also: ["pen pal", "penpal", "pen friend"] },
  { name: "student" },
  { name: "pupil" },
  { name: "client" },
  { name: "ex" },
  { name: "godmother" },
  { name: "godfather" },
  { name: "godson" },
  { name: "goddaughter" },
  { name: "godchild", plural: "godchildren" },
];

const PETS =
  `dog puppy cat kitten parrot budgie canary tortoise turtle horse pony donkey hamster gerbil guinea\\ pig rabbit bunny goldfish fish snake lizard gecko iguana hen chicken duck goose quail rat mouse ferret
hedgehog chinchilla cockatiel cockatoo macaw parakeet spider tarantula frog axolotl goat sheep pig alpaca llama cow bee bird`
    .split(/\s+(?!pig)/)
    .map((word) => word.replace("\\ ", " "));
const PET_PLURALS: Record<string, string> = {
  puppy: "puppies",
  pony: "ponies",
  bunny: "bunnies",
  goldfish: "goldfish",
  fish: "fish",
  goose: "geese",
  mouse: "mice",
  sheep: "sheep",
  canary: "canaries",
};

const byWord = new Map<string, { role: Role; plural: boolean }>();
for (const role of ROLES) {
  for (const word of [role.name, ...(role.also ?? [])]) {
    byWord.set(word, { role, plural: false });
    byWord.set(word === role.name && role.plural ? role.plural : `${word}s`, { role, plural: true });
  }
}
/** Breeds and other words for one kind. */
const BREEDS: Record<string, string> = {
  dog: "labrador retriever poodle terrier spaniel beagle collie dachshund corgi husky pug greyhound whippet dalmatian chihuahua bulldog schnauzer labradoodle cockapoo rottweiler doberman mastiff hound pup mongrel",
  cat: "tabby tomcat ragdoll moggy kitty",
  horse: "mare stallion gelding foal cob",
};

interface PetWord {
  kind: string;
  word: string;
  plural: boolean;
}

const petByWord = new Map<string, PetWord>();
for (const pet of PETS) {
  petByWord.set(pet, { kind: pet, word: pet, plural: false });
  petByWord.set(PET_PLURALS[pet] ?? `${pet}s`, { kind: pet, word: pet, plural: true });
}
for (const pet of ["goldfish", "fish", "sheep"]) petByWord.set(pet, { kind: pet, word: pet, plural: false });
for (const [kind, words] of Object.entries(BREEDS)) {
  for (const word of words.split(" ")) {
    petByWord.set(word, { kind, word, plural: false });
    petByWord.set(`${word}s`, { kind, word, plural: true });
  }
}

const JOINED = /^(step[- ]?|half[- ]|ex[- ]|great[- ])?(.+?)([- ]in[- ]law)?$/;
const FORMER = /\b(?:ex|former|previous|late|old)\b/;

export interface RoleWord {
  /** The role's word in lines; the joined parts stay ("step-sister"). */
  name: string;
  plural: boolean;
  slot?: string;
  kinds: string[];
  single?: boolean;
}

/** What a role word (or its plural) stands for, or null. */
export function roleOf(words: string): RoleWord | null {
  const plain = words.toLowerCase().trim();
  const whole = JOINED.exec(plain);
  const found = whole ? byWord.get(whole[2] as string) : undefined;
  if (!whole || !found) return null;
  const [, before, , inLaw] = whole;
  const name = `${before ? (before.startsWith("step") ? "step" : before.replace(/[- ]?$/, "-")) : ""}${found.role.name}${inLaw ? "-in-law" : ""}`;
  const derived = Boolean(before || inLaw);
  return {
    name,
    plural: found.plural,
    kinds: derived ? [] : (found.role.kinds ?? []),
    ...(!derived && found.role.single ? { single: true } : {}),
    ...(derived || !found.role.slot ? {} : { slot: found.role.slot }),
  };
}

/** Whether the modifiers before a role say that it is over ("my former boss", "my late aunt"). */
export const isFormer = (modifiers: string): boolean =>
  FORMER.test(modifiers.replace(/\bolder|eldest|oldest\b/g, "").replace(/\bold friend/, ""));
export const petWord = (words: string): PetWord | null => petByWord.get(words.toLowerCase().trim()) ?? null;
/** The kind of an animal that a word names ("retriever": dog), or null. */
export const petOf = (words: string): string | null => petWord(words)?.kind ?? null;
/** Whether a line about `role` answers a question about `asked`. */
export const answersRole = (role: RoleWord, asked: RoleWord): boolean =>
  role.name === asked.name ||
  role.kinds.includes(asked.name) ||
  (asked.slot === "partner" && /^(?:partner|spouse)$/.test(role.name)) ||
  (role.slot === "partner" && /^(?:partner|spouse)$/.test(asked.name));
