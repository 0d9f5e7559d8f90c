// The labelled set of recall: 60 short conversations with near misses among them, and questions with the messages that answer them.
import a from "./set-a.txt?raw";
import b from "./set-b.txt?raw";
import c from "./set-c.txt?raw";
import d from "./set-d.txt?raw";

export interface Talk {
  id: string;
  title: string;
  messages: { role: "user" | "assistant"; text: string }[];
}
export interface Question {
  text: string;
  /** `<talk>#m<n>` of each message that answers it; one of them is enough. */
  answers: string[];
}

/** The set, read from its text: `# title`, `U:` and `A:` lines, and `? question => numbers`. */
export function recallSet(): { talks: Talk[]; questions: Question[] } {
  const talks: Talk[] = [];
  const questions: Question[] = [];
  for (const line of [a, b, c, d].join("\n").split("\n")) {
    const talk = talks.at(-1);
    if (line.startsWith("# "))
      talks.push({ id: `talk${String(talks.length).padStart(4, "0")}`, title: line.slice(2), messages: [] });
    else if (line.startsWith("U: ")) talk!.messages.push({ role: "user", text: line.slice(3) });
    else if (line.startsWith("A: ")) talk!.messages.push({ role: "assistant", text: line.slice(3) });
    else if (line.startsWith("? ")) {
      const [text, numbers] = line.slice(2).split(" => ");
      questions.push({ text: text!, answers: numbers!.split(",").map((n) => `${talk!.id}#m${n.trim()}`) });
    }
  }
  return { talks, questions };
}
