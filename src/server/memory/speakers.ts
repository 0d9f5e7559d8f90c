// Who speaks in a message of a conversation between people, and which day a question names: both say which messages can answer it. Pure.
import { foldText } from "../../shared/words.ts";

export interface Spoken {
  role: string;
  text: string;
  at: number;
}

/** A message of whom the question asks; of another than whom it asks; of a day that it names. */
const ASKED_SPEAKER_FACTOR = 1.3;
const OTHER_SPEAKER_FACTOR = 0.8;
const ASKED_DAY_FACTOR = 1.25;
/** Times that one side calls the other by a name before it counts as theirs, and how much rarer the other side may say it. */
const CALLED_MIN = 2;
const CALLED_SHARE = 0.34;

const PREFIX = /^\s*(\p{Lu}[\p{L}\p{M}'’.-]*(?: \p{Lu}[\p{L}\p{M}'’.-]*){0,2}):\s/u;
const NO_SPEAKER = /^(?:note|ps|re|fw|fwd|todo|edit|update|warning|error|info|question|answer|correction)$/i;

/** "Ana: I moved on Monday" is Ana's; folded, null where no name stands before the words. */
export function speakerOf(text: string): string | null {
  const name = PREFIX.exec(text)?.[1];
  return name && !NO_SPEAKER.test(name) ? foldText(name) : null;
}

/** Capitalised words of a question behind its first, folded: who may be meant. */
function namesIn(query: string): string[] {
  return [...query.matchAll(/(?<=\S\s+["“(]?)\p{Lu}[\p{L}\p{M}]+/gu)].map(([name]) => foldText(name));
}

const calls = (text: string, name: string): boolean =>
  new RegExp(
    `(?:^|[,!.]\\s*|\\b(?:hey|hi|hello|thanks|thank you|wow|congrats|bye|yeah|yes|oh|sure|great|awesome)[,!]?\\s+)${name}\\s*[,!.?]`,
    "u",
  ).test(foldText(text));

/** The side of a conversation whose name this is: the one that the other calls by it. */
function sideOf(name: string, messages: readonly Spoken[]): string | null {
  let user = 0;
  let assistant = 0;
  for (const { role, text } of messages) {
    if (!calls(text, name)) continue;
    if (role === "user") user++;
    else assistant++;
  }
  if (Math.max(user, assistant) < CALLED_MIN || Math.min(user, assistant) > CALLED_SHARE * Math.max(user, assistant)) return null;
  return user > assistant ? "assistant" : "user";
}

const MONTHS = "january february march april may june july august september october november december".split(" ");

/** The month or year that a question names, as the beginning of an ISO day ("-08-" for a month of any year); null where none. */
function dayNamed(query: string): RegExp | null {
  const folded = foldText(query);
  const month = MONTHS.findIndex((name) =>
    new RegExp(`\\b(?:in|of|on|during|since|from|late|early|\\d+) ${name}\\b|\\b${name} (?:\\d|of\\b)`).test(folded),
  );
  const year = /\b(?:19|20)\d\d\b/.exec(folded)?.[0];
  if (month < 0 && !year) return null;
  const day =
    month < 0
      ? ""
      : (/\b(\d{1,2})(?:st|nd|rd|th)?,? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/.exec(
          folded,
        )?.[1] ?? "");
  return new RegExp(
    `^${year ?? "\\d{4}"}${month < 0 ? "" : `-${String(month + 1).padStart(2, "0")}`}${day ? `-${day.padStart(2, "0")}` : ""}`,
  );
}

/** How much each message counts for a question, by who said it and when. `messages` are those that may answer. */
export function sayingWeights(query: string, messages: readonly Spoken[]): (message: Spoken) => number {
  const speakers = new Set(messages.map(({ text }) => speakerOf(text)).filter((name) => name !== null));
  const names = namesIn(query);
  const asked = new Set([...speakers].filter((speaker) => names.some((name) => speaker.split(" ").includes(name))));
  const sides = new Set(speakers.size > 0 ? [] : names.map((name) => sideOf(name, messages)).filter((side) => side !== null));
  const day = dayNamed(query);
  return (message) => {
    const who = speakerOf(message.text);
    let factor = day?.test(new Date(message.at).toISOString()) ? ASKED_DAY_FACTOR : 1;
    if (asked.size > 0 && who !== null) factor *= asked.has(who) ? ASKED_SPEAKER_FACTOR : OTHER_SPEAKER_FACTOR;
    if (sides.size === 1) factor *= sides.has(message.role) ? ASKED_SPEAKER_FACTOR : OTHER_SPEAKER_FACTOR;
    return factor;
  };
}
