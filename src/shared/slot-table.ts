// Owns the attributes of which a subject has one at a time, with the other names that people and models give them. Data for slots.ts.

const names = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Slot → its synonyms. One-valued is what a new value ends the old one of: people move, change jobs and doctors. What comes in
 * numbers (cars, pets, friends, languages, allergies, nationalities) is in MANY_VALUED.
 */
export const SLOT_TABLE: Readonly<Record<string, readonly string[]>> = {
  // The person
  name: names("full-name first-name given-name real-name called vorname"),
  surname: names("last-name family-name maiden-name nachname apellido"),
  nickname: names("preferred-name short-name alias call-me spitzname"),
  pronouns: names("pronoun gender-pronouns"),
  birthday: names("birth-date birthdate date-of-birth dob born birth-day day-of-birth geburtstag cumpleanos"),
  origin: names(
    "birthplace place-of-birth born-in hometown home-town comes-from native-town native-city grew-up-in childhood-home",
  ),
  "relationship-status": names("marital-status relationship civil-status"),
  partner: names(
    "spouse wife husband girlfriend boyfriend fiance fiancee significant-other married-to dating partner-name ehefrau ehemann",
  ),
  height: names("body-height tall"),
  weight: names("body-weight weighs"),
  "blood-type": names("blood-group blutgruppe"),
  "shoe-size": names("shoes-size schuhgrosse"),
  "clothing-size": names("clothes-size shirt-size dress-size t-shirt-size"),
  diet: names("dietary-preference eating-style eating-habit food-diet"),
  // Where
  home: names(
    "city town residence lives-in living-in living-place place-of-residence current-city home-city city-of-residence location home-location domicile lives living-location place-of-living wohnort ciudad ville",
  ),
  address: names("street-address home-address postal-address mailing-address street adresse direccion"),
  "living-situation": names("housing living-arrangement household lives-with flatmates roommate"),
  timezone: names("time-zone tz local-time zeitzone"),
  // Work and school
  employer: names(
    "company workplace works-at works-for work-place firm organization organisation business current-employer place-of-work arbeitgeber empresa",
  ),
  job: names(
    "job-title occupation profession role position work-title career works-as current-job current-role beruf trabajo work",
  ),
  team: names("department group-at-work unit squad"),
  manager: names("boss supervisor line-manager team-lead reports-to superior chef jefe"),
  office: names("work-location office-location workplace-address works-from"),
  salary: names("income pay wage earnings gehalt"),
  "working-hours": names("work-hours work-schedule shift working-time office-hours arbeitszeit"),
  school: names("university college studies-at school-name uni alma-mater schule"),
  "field-of-study": names("studies major degree-program subject-of-study course-of-study studiengang"),
  commute: names("way-to-work commutes-by"),
  // Those whom one has one of
  doctor: names("gp physician family-doctor general-practitioner primary-care hausarzt medico"),
  dentist: names("tooth-doctor zahnarzt"),
  therapist: names("psychologist psychotherapist counsellor counselor psychiatrist"),
  vet: names("veterinarian tierarzt"),
  hairdresser: names("barber hair-salon friseur"),
  lawyer: names("attorney solicitor anwalt"),
  landlord: names("landlady vermieter"),
  bank: names("main-bank bank-name house-bank banks-with hausbank"),
  insurance: names("health-insurance insurer health-insurer krankenkasse"),
  gym: names("fitness-studio sports-club"),
  // How to reach
  email: names("mail e-mail email-address mail-address e-mail-address correo"),
  phone: names("phone-number mobile cell cell-phone cellphone mobile-number telephone telephone-number telefon telefono"),
  // Tools
  editor: names("code-editor text-editor ide"),
  shell: names("command-shell default-shell"),
  browser: names("web-browser default-browser"),
  os: names("operating-system platform"),
  theme: names("color-theme colour-theme color-scheme colour-scheme"),
  font: names("typeface editor-font"),
  "preferred-language": names("ui-language default-language answer-language reply-language"),
  // Projects and places
  status: names("stage phase project-status current-status progress"),
  deadline: names("due-date due deadline-date ship-date launch-date release-date"),
  owner: names("project-owner project-lead lead maintainer responsible"),
  repository: names("repo repo-url source-repository code-repository"),
  budget: names("project-budget spending-limit"),
};

/** What a subject has several of: a second one never ends the first. */
export const MANY_VALUED: ReadonlySet<string> = new Set(
  names(`
  car vehicle bike bicycle boat pet dog cat child kid son daughter sibling brother sister parent friend neighbour neighbor colleague cousin aunt uncle
  language spoken-language nationality citizenship passport hobby interest like dislike preference allergy intolerance medication medicine condition
  illness diagnosis skill sport instrument project plan goal event appointment trip travel holiday visit meeting memory story opinion
  belief fact note todo task idea book-read film-seen place-visited gift subscription membership account device tattoo scar fear habit routine
  `),
);
