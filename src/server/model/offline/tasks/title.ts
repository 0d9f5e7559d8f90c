// A short title for a conversation: the user's first words that say what it is about.
import { typedOf } from "../language/untyped.ts";
import { talkOf } from "../language/small-talk.ts";
import { upperFirst } from "../language/words.ts";
import { type ChatMessage, textOf } from "../prompt.ts";
import type { Script } from "../script.ts";

/** Words of a title. */
const TITLE_MAX_WORDS = 7;

export function* title(messages: readonly ChatMessage[]): Script {
  yield [];
  const said = messages
    .filter(({ role }) => role === "user")
    .map(textOf)
    .join("\n");
  const lines = typedOf(said.replace(/^\s*(?:User|Assistant):\s*/gm, ""))
    .typed.split(/(?<=[.!?。！？])\s+|\n+/)
    .map((line) => line.trim());
  const chosen =
    lines.find((line) => line !== "" && talkOf(line) === null) ?? lines.find((line) => line !== "") ?? "Conversation";
  const words = chosen
    .replace(/^(?:hi|hey|hello|please|so|ok|okay|and)[,!.\s]+/i, "")
    .replace(/[\s.!?,;:]+$/, "")
    .split(/\s+/);
  const short = words.length > TITLE_MAX_WORDS ? `${words.slice(0, TITLE_MAX_WORDS).join(" ")} …` : words.join(" ");
  return upperFirst(short);
}
