// The sentences of the offline model that are not about a line of memory: who it is, small talk, what it cannot do. In the voice of the product.
import type { Talk } from "../language/small-talk.ts";

export const IDENTITY =
  "I am Reverie's built-in offline model: a set of rules, not a language model. I keep what you tell me in plain English sentences, find it again, change it and forget it. I cannot write, translate, calculate or tell you about the world; for that, choose a model in Settings.";
export const ABILITY =
  "Tell me plain facts, and I keep them: where you live, who your people are, what you like, what you plan and when. Ask about them later, say what changed or was wrong, or say “forget …”. “Remember that …” works in many languages. For other work choose a model in Settings: I am only the built-in offline model.";
export const ORDER =
  "I cannot do that. I am the built-in offline model: I keep facts and find them again. For writing, translating or explaining choose a model in Settings.";
export const PASTE =
  "I read pasted text as somebody else's words, so nothing of it was kept. Explaining it is beyond me: I am the built-in offline model.";
export const NOTHING = "I found nothing to keep in that. To keep a sentence as it stands, begin it with “remember that”.";
export const SUPPOSED = "I take that as not meant, so nothing of it was kept.";
export const SECRET =
  "That holds what looks like a secret. Secrets do not belong in a memory that can be cloned, so it was not kept.";
export const NO = "Then it stays as it is.";
export const YES_TO_NOTHING = "Good.";
export const EMPTY = "What would you like me to keep, or to find?";

export const TALK: Record<Talk, string> = {
  greeting: "Hello. Tell me something, or ask what I know.",
  howareyou: "All is quiet here. What would you like me to keep, or to find?",
  thanks: "You are welcome.",
  bye: "Until next time.",
  praise: "Thank you.",
  mood: "Good to hear from you.",
  ack: "All right.",
  laugh: "All right.",
  sorry: "No harm done.",
};
