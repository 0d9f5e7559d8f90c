// The events of the store evaluation: 24 invented facts that change 38 times, told in the order in which a person would tell them. Late arrivals
// (`late`), corrections of what was never true (`!`), and names of attributes that vary from telling to telling.

/** One telling. */
export interface Event {
  fact: string;
  path: string;
  text: string;
  slot: string;
  since: string | null;
  /** It takes back the telling before it. */
  correct: boolean;
  /** What it says was taken back later. */
  wrong: boolean;
}

/** A fact as it stands in the end. */
export interface Fact {
  question: string;
  /** What is true now, in a word of its line; what was before; what was never true. */
  now: string;
  old: string[];
}

/**
 * A block is one fact: its file and its question, then its tellings: `slot | since | text`. `>` marks the value that is true in the end, `late` an
 * older value that is told late, `wrong` one that is taken back by the line after it.
 */
const TOLD = `
about/life.md | Where do I live?
home | 2023-05 | Lives in Lisbon
> residence | 2025-02 | Lives in Tartu
late city | 2021 | Lives in Ghent

about/work.md | Who is my employer?
employer | 2022-01 | Works at Brightwater
> company | 2024-09 | Works at Nordlicht
late works-at | 2019-03 | Works at Quayside

about/work.md | What is my job?
job | 2022-01 | Works as a tester
occupation | 2023-06 | Works as a planner
> job-title | 2025-03 | Works as a surveyor

about/work.md | Who is my manager?
wrong manager | 2024-09 | Reports to Oskar
> boss | 2024-09 | Reports to Helmi

about/health.md | Who is my doctor?
doctor | 2022-04 | Has Doctor Reyes as a doctor
> gp | 2025-04 | Has Doctor Sundqvist as a doctor
late physician | 2018 | Has Doctor Lam as a doctor

about/health.md | Who is my dentist?
dentist | 2022-04 | Has Doctor Amari as a dentist
> tooth-doctor | 2025-05 | Has Doctor Vogel as a dentist

about/money.md | Which bank do I use?
bank | 2020 | Banks with Harbour Union
> main-bank | 2025-01 | Banks with Juniper Savings

about/health.md | What is my diet?
diet | 2021 | Eats everything as a diet
dietary-preference | 2023-02 | Keeps a vegetarian diet
> diet | 2025-06 | Keeps a vegan diet

about/tools.md | Which editor do I use?
editor | 2021 | Uses Larkspur as an editor
code-editor | 2023-10 | Uses Pinecone as an editor
> text-editor | 2025-08 | Uses Fieldnote as an editor

about/tools.md | Which browser do I use?
browser | 2022 | Uses Heron as a browser
> web-browser | 2025-09 | Uses Kestrel as a browser

about/life.md | How do I commute?
commute | 2022 | Takes the tram on the commute
> way-to-work | 2025-02 | Rides a bicycle on the commute

about/life.md | Who is my landlord?
landlord | 2023-05 | Has Senhor Prado as a landlord
> landlady | 2025-02 | Has Proua Tamm as a landlord

about/life.md | Which gym do I go to?
gym | 2023 | Goes to the gym at Ironbridge
fitness-studio | 2024-05 | Goes to the gym at Mill Lane
> sports-club | 2025-07 | Goes to the gym at Emajõe

people/ines.md | Where does Ines live?
home | 2020 | Lives in Utrecht
> city | 2024-03 | Lives in Bergen
late residence | 2016 | Lives in Leuven

people/ines.md | What does Ines work as, what is her job?
job | 2020 | Works as a nurse
> profession | 2024-03 | Works as a midwife

people/ines.md | Who is the partner of Ines?
wrong partner | 2023 | Is together with Paulo
> boyfriend | 2023 | Is together with Rafael

people/ines.md | What is the phone number of Ines?
phone | 2020 | Has the phone number 5550101
mobile | 2022 | Has the phone number 5550134
> phone-number | 2025-03 | Has the phone number 5550177

people/rein.md | Where does Rein live?
home | 2021 | Lives in Haapsalu
> town | 2025-08 | Lives in Viljandi

people/rein.md | Who is the employer of Rein?
employer | 2019 | Works at Saltworks
firm | 2022-02 | Works at Deepwell
> workplace | 2025-05 | Works at Greenfield

people/rein.md | What is the job of Rein?
wrong job | 2022-02 | Works as a welder
> occupation | 2022-02 | Works as a diver

people/rein.md | Which school did Rein choose?
school | 2020 | Studies at the school of Pallas
> university | 2024 | Studies at the school of Aalto
late college | 2017 | Studies at the school of Nida

projects/ferry.md | What is the status of the project Ferry?
status | 2025-01 | The status of the project is sketched
stage | 2025-05 | The status of the project is drawn
> phase | 2025-09 | The status of the project is launched

projects/ferry.md | What is the deadline of the project Ferry?
deadline | 2025-01 | The deadline of the project is in March
due-date | 2025-02 | The deadline of the project is in August
> ship-date | 2025-06 | The deadline of the project is in December

projects/ferry.md | Who is the owner of the project Ferry?
owner | 2025-01 | The owner of the project is Malin
> project-lead | 2025-04 | The owner of the project is Kasper
late maintainer | 2024 | The owner of the project is Solveig
`;

/** The words of a line that tell it from its other values. */
function valueOf(text: string, others: readonly string[]): string {
  const shared = new Set(others.flatMap((other) => other.split(" ")));
  return text
    .split(" ")
    .filter((word) => !shared.has(word))
    .join(" ");
}

const blocks = TOLD.trim()
  .split(/\n\s*\n/)
  .map((block) => {
    const [head = "", ...told] = block.split("\n");
    const [path = "", question = ""] = head.split(" | ");
    const tellings = told.map((line) => {
      const [first = "", since = "", text = ""] = line.split(" | ");
      const mark = /^(?:(>|late|wrong) )?(.*)$/.exec(first)!;
      return { mark: mark[1] ?? "", slot: mark[2]!, since, text };
    });
    return { path, question, tellings };
  });

export const EVENTS: readonly Event[] = blocks.flatMap(({ path, tellings }, n) =>
  tellings.map(({ mark, slot, since, text }, at): Event => ({
    fact: `${path.replace(/^.*\/|\.md$/g, "")}${n}`,
    path,
    text,
    slot,
    since: since || null,
    correct: tellings[at - 1]?.mark === "wrong",
    wrong: mark === "wrong",
  })),
);

export const FACTS: readonly Fact[] = blocks.map(({ question, tellings }) => {
  const texts = tellings.map(({ text }) => text);
  const value = (text: string) =>
    valueOf(
      text,
      texts.filter((other) => other !== text),
    );
  const now = tellings.find(({ mark }) => mark === ">")!;
  return { question, now: value(now.text), old: tellings.filter((one) => one !== now).map(({ text }) => value(text)) };
});
