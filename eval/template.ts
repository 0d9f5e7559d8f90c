// Prompts are readable files in eval/prompts with {{names}} to be filled in. Owns reading and filling them, and nothing of what they say.
import { readFileSync } from "node:fs";

/** The prompt of a name with its places filled. Throws where the prompt has a place that nobody fills. */
export function fill(name: string, values: Record<string, string>): string {
  const text = readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), "utf8").trim();
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`eval/prompts/${name}.md has a place {{${key}}} that nothing fills.`);
    return value;
  });
}

/** A judge's word. Null where it is neither yes nor no. What a model thought aloud before it does not count. */
export function yesOrNo(text: string): boolean | null {
  const said = text.replace(/<think>[\s\S]*?<\/think>/g, "").trim();
  const word = /^["'*_\s]*(yes|no)\b/i.exec(said)?.[1];
  return word === undefined ? null : word.toLowerCase() === "yes";
}
