// "Does this line say again what was forgotten?": words were compared before anybody asked, and rules know no more than words.
import type { Script } from "../script.ts";

export function* sameFact(): Script {
  yield [];
  return "no";
}
