// Which messages of a conversation a prompt holds. The window moves in large steps, so that two turns in a row begin with the same bytes. Pure.
import { estimateTokenCount } from "tokenx";
import { WINDOW_MAX_TOKENS } from "../../shared/limits.ts";

export interface Sized {
  n: number;
  role: "user" | "assistant";
  text: string;
}

/** Share of the window that stays when it has to move: what goes is summarised once, not at every turn. */
const KEPT_SHARE = 0.5;
const FRAME_TOKENS = 4;

/** Number of the first message of the window: `from` as long as all fits, else far enough on for half of it. Always a user's message. */
export function windowStart(messages: readonly Sized[], from: number, maxTokens = WINDOW_MAX_TOKENS): number {
  const inside = messages.filter(({ n }) => n >= from);
  const sizes = inside.map(({ text }) => estimateTokenCount(text) + FRAME_TOKENS);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxTokens) return inside[0]?.n ?? from;
  let at = 0;
  while (at < inside.length && (total > maxTokens * KEPT_SHARE || inside[at]!.role !== "user")) total -= sizes[at++]!;
  return inside[at]?.n ?? (inside[inside.length - 1]?.n ?? from) + 1;
}
