// Marks an answer by one call of a model: yes or no, against the correct answer of the set.
import type { Case, Question } from "./cases.ts";
import { EvalProblem } from "./problem.ts";
import type { Spending } from "./spending.ts";
import { fill, yesOrNo } from "./template.ts";

/** Whether the answer is right. Throws where the judge says neither yes nor no: a guess would be no mark. */
export async function judge(
  spending: Spending,
  model: string,
  one: Case,
  question: Question,
  strategy: string,
  answer: string,
): Promise<boolean> {
  const call = spending.model(model, { strategy, case: one.id, phase: "judge", question: question.id });
  const content = fill(question.unknown ? "judge-unknown" : "judge", { question: question.text, gold: question.gold, answer });
  const { text } = await call({ kind: "judge", ref: null, messages: [{ role: "user", content }] });
  const verdict = yesOrNo(text);
  if (verdict === null) throw new EvalProblem(`The judge ${model} said neither yes nor no: “${text.trim().slice(0, 80)}”.`);
  return verdict;
}
