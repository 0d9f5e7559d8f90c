// Whether a write that a model asks for stands on words that the user typed. What does not becomes a card with one button. Pure.
import { asksForAll, asksToForget, asksToRemember, saysChange, saysYes } from "./asks.ts";
import { typedText, untypedText, withoutSpeech } from "./spans.ts";

/** Cuts a text into comparable words (folded, stemmed, bigrams), without stop words. */
export type ContentWords = (text: string) => string[];

export interface Said {
  text: string;
  pasted: readonly (readonly [number, number])[];
}

/** The words of a turn, by who brought them. */
export interface Standing {
  /** Typed in this turn, without anybody's speech. */
  typed: string;
  /** Statements typed in this turn, letter for letter. */
  said: string;
  /** Words of statements typed in this turn and before it in the window, and of the proposal that a yes confirmed. */
  stated: Set<string>;
  /** All typed words of this turn, questions too. */
  turn: Set<string>;
  /** All typed words of the window. */
  window: Set<string>;
  /** Words of speech between quotation marks. */
  speech: Set<string>;
  /** Words of pasted, quoted or fenced documents of this turn. */
  documents: Set<string>;
  /** Words of everything else that the model could read. */
  around: Set<string>;
  confirmed: boolean;
  forgetAsked: boolean;
  allAsked: boolean;
  changeSaid: boolean;
  rememberAsked: boolean;
  words: ContentWords;
}

const flat = (text: string): string => text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();

const QUESTION = /[?？؟]\s*$/u;

/** Sentences that assert or ask for something to be kept: questions assert nothing. */
function statements(text: string): string {
  return text
    .split(/(?<=[.!?。！？\n])\s*/u)
    .filter((sentence) => !QUESTION.test(sentence) || asksToRemember(sentence))
    .join(" ");
}

/** The questions that end an answer: what a yes says yes to. */
function proposalOf(answer: string): string {
  return answer
    .split(/(?<=[.!?。！？\n])\s*/u)
    .filter((sentence) => sentence.trim() !== "")
    .slice(-3)
    .filter((sentence) => QUESTION.test(sentence))
    .join(" ");
}

/** Sorts the words of a turn. `before` are the earlier messages of the window, oldest first. */
export function standingOf(
  now: Said,
  before: readonly (Said & { role: "user" | "assistant" })[],
  around: string,
  words: ContentWords,
): Standing {
  const whole = typedText(now.text, now.pasted);
  const { text: typed, speech } = withoutSpeech(whole);
  const { short, documents } = untypedText(now.text, now.pasted);
  const earlier = before
    .filter((message) => message.role === "user")
    .map((message) => withoutSpeech(typedText(message.text, message.pasted)).text);
  const last = before[before.length - 1];
  const confirmed = last?.role === "assistant" && saysYes(typed);
  const proposal = confirmed ? proposalOf(last.text) : "";
  const ask = confirmed && proposal !== "" ? `${typed}\n${proposal}` : typed;
  return {
    typed,
    said: flat(statements(typed)),
    stated: new Set(words([statements(typed), short, ...earlier.map(statements), proposal].join("\n"))),
    turn: new Set(words(`${ask}\n${short}`)),
    window: new Set(words([ask, short, ...earlier].join("\n"))),
    speech: new Set(words(speech)),
    documents: new Set(words(documents)),
    around: new Set(words(around)),
    confirmed: confirmed && proposal !== "",
    forgetAsked: asksToForget(ask),
    allAsked: asksForAll(typed),
    changeSaid: saysChange(ask),
    rememberAsked: asksToRemember(ask),
    words,
  };
}

/** More that the model could read in this turn: what its tools brought. `own`: a text of its own that stood, whose words are no news to it. */
export function addAround(standing: Standing, text: string, own = ""): void {
  const known = new Set(standing.words(own));
  for (const word of standing.words(text)) if (!known.has(word)) standing.around.add(word);
}

const PREFIX_MIN = 5;

/** Whether a word is among others, itself or in another form: the first five letters and most of the shorter one agree. */
function among(word: string, others: ReadonlySet<string>): boolean {
  if (others.has(word)) return true;
  if (word.length < PREFIX_MIN || /\d/.test(word)) return false;
  for (const other of others) {
    if (other.length < PREFIX_MIN) continue;
    let same = 0;
    while (same < word.length && same < other.length && word[same] === other[same]) same++;
    if (same >= PREFIX_MIN && same >= Math.min(word.length, other.length) * 0.8) return true;
  }
  return false;
}

/** What models call the person whose memory it is. */
const NOBODY = new Set(["user", "reader", "person", "he", "she", "they", "i"]);

function contentOf(standing: Standing, text: string): string[] {
  return [...new Set(standing.words(text))].filter((word) => !NOBODY.has(word));
}

/** What a speaker said between quotation marks may be kept of them, where their name stands outside of the marks. */
function namedSpeaker(standing: Standing, fact: { text: string; path?: string | undefined }): boolean {
  const names = [
    ...(fact.path ?? "").replace(/^.*\//, "").replace(/\.md$/, "").split(/[-_ ]/),
    ...fact.text.split(/[^\p{L}\p{M}]+/u).filter((word) => /^\p{Lu}/u.test(word)),
  ];
  const outside = standing.typed
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => /^\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
  return names.some((name) => name.length > 1 && outside.includes(name.toLowerCase()));
}

/** Whether the words of a fact were typed as a statement, or confirmed. Words in nobody's text are paraphrase and count for neither side. */
export function factStands(standing: Standing, fact: { text: string; path?: string | undefined }): boolean {
  const words = contentOf(standing, fact.text);
  // Letter for letter, which also serves facts that are signs only.
  if (fact.text.trim() !== "" && standing.said.includes(flat(fact.text))) return true;
  const quotedOfSpeaker = namedSpeaker(standing, fact);
  let typed = 0;
  let foreign = 0;
  for (const word of words) {
    if (among(word, standing.stated)) typed++;
    else if (among(word, standing.speech)) {
      if (quotedOfSpeaker) typed++;
      else foreign++;
    } else if (among(word, standing.documents)) return false;
    else if (among(word, standing.around)) foreign++;
  }
  return typed > 0 && typed >= foreign;
}

/** Entry words by which typed text can mean it: its text, its slot, its file. */
export interface Target {
  text: string;
  slot?: string | null | undefined;
  path?: string | undefined;
}

function meant(standing: Standing, target: Target, typed: ReadonlySet<string>): boolean {
  const words = contentOf(
    standing,
    [target.text, target.slot ?? "", (target.path ?? "").replace(/\.md$/, "").replace(/[/_-]/g, " ")].join(" "),
  );
  return words.some((word) => among(word, typed));
}

/** Whether typed words of this turn ask to change or end an entry. */
export function reviseStands(
  standing: Standing,
  target: Target,
  revision: { text?: string | undefined; slotWords?: string | undefined },
): boolean {
  const near =
    meant(standing, target, standing.turn) ||
    (revision.slotWords !== undefined && contentOf(standing, revision.slotWords).some((word) => among(word, standing.turn)));
  if (revision.text === undefined)
    return standing.changeSaid && (near || (meant(standing, target, standing.window) && pointsBack(standing)));
  const fresh = contentOf(standing, revision.text).filter((word) => !contentOf(standing, target.text).includes(word));
  const said = fresh.length === 0 || fresh.some((word) => among(word, standing.turn));
  return (
    said &&
    (fresh.length === 0 ? near : true) &&
    factStands(standing, { text: revision.text, path: target.path }) &&
    (near || meant(standing, target, standing.window))
  );
}

const POINTING =
  /\b(?:it|that|this|them|those|him|her|he|she|they|das|es|ça|cela|eso|esto|lo|questo|isso|dat|det|se)\b|[它他她]|那|这|それ|वह|यह/iu;

function pointsBack(standing: Standing): boolean {
  return POINTING.test(standing.typed) || standing.confirmed;
}

/** Whether typed words of this turn ask to forget this. */
export function forgetStands(standing: Standing, wanted: string, path?: string, slotWords?: string): boolean {
  if (!standing.forgetAsked) return false;
  // "Forget where I live", "forget my home": the slot is named, not its value.
  if (slotWords !== undefined && contentOf(standing, slotWords).some((word) => among(word, standing.turn))) return true;
  const words = contentOf(standing, `${wanted} ${(path ?? "").replace(/\.md$/, "").replace(/[/_-]/g, " ")}`);
  if (words.length === 0) return standing.typed.toLowerCase().includes(wanted.trim().toLowerCase());
  if (words.some((word) => !among(word, standing.turn) && among(word, standing.documents))) return false;
  return (
    words.some((word) => among(word, standing.turn)) ||
    (pointsBack(standing) && words.some((word) => among(word, standing.window)))
  );
}
