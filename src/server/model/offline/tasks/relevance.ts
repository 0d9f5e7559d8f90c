// "Which of these lines help?": yes or no a line, by the words that they share with the message.
import { contentStems, lineStems } from "../language/words.ts";
import { type ChatMessage, textOf } from "../prompt.ts";
import type { Script } from "../script.ts";

export function* relevance(messages: readonly ChatMessage[]): Script {
  yield [];
  const text = messages
    .filter(({ role }) => role === "user")
    .map(textOf)
    .join("\n");
  const block = /<recalled>\s*([\s\S]*?)\s*<\/recalled>/.exec(text)?.[1] ?? "";
  const wanted = contentStems(/Message: ([\s\S]*)$/.exec(text)?.[1] ?? "");
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  const marks = lines.map((line) => {
    const stems = lineStems(line);
    return wanted.some((word) => stems.has(word));
  });
  // Words that share nothing with any line say nothing about the lines: then all go out.
  return marks.map((mark) => (mark || !marks.includes(true) ? "yes" : "no")).join(" ");
}
