// The summary of a conversation's older part: its own sentences, the user's first, as many as fit.
import { talkOf } from "../language/small-talk.ts";
import { type ChatMessage, textOf } from "../prompt.ts";
import type { Script } from "../script.ts";

/** Words of a summary (the task asks for at most 200). */
const SUMMARY_MAX_WORDS = 180;

export function* summary(messages: readonly ChatMessage[]): Script {
  yield [];
  const text = messages
    .filter(({ role }) => role === "user")
    .map(textOf)
    .join("\n\n");
  const earlier = /<summary>\s*([\s\S]*?)\s*<\/summary>/.exec(text)?.[1] ?? "";
  const turns = text
    .replace(/<summary>[\s\S]*?<\/summary>/g, "")
    .replace(/<pasted>[\s\S]*?<\/pasted>/g, "(pasted text)")
    .split(/\n\n(?=(?:User|Assistant): )/);
  const said = turns.flatMap((turn) => {
    const [, who = "", words = ""] = /^(User|Assistant): ([\s\S]*)$/.exec(turn.trim()) ?? [];
    const kept = words
      .split(/(?<=[.!?。！？])\s+|\n+/)
      .map((line) => line.trim())
      .filter((line) => line !== "" && talkOf(line) === null);
    return kept.length === 0 ? [] : [{ who, words: kept.slice(0, who === "User" ? 3 : 1).join(" ") }];
  });
  const out: string[] = earlier ? [earlier] : [];
  let left = SUMMARY_MAX_WORDS - count(earlier);
  // The newest turns matter most for going on; they are kept in their order.
  const chosen: string[] = [];
  for (const { who, words } of [...said].reverse()) {
    const line = who === "User" ? `The user said: “${words}”` : `The answer was: “${words}”`;
    if (count(line) > left) continue;
    left -= count(line);
    chosen.unshift(line);
  }
  out.push(...chosen);
  return out.join(" ") || "Nothing was said that matters for what follows.";
}

const count = (text: string): number => text.split(/\s+/).filter(Boolean).length;
