import { expect, test } from "vitest";
import { toggleTask } from "./tasks.ts";

test("the n-th box is turned, boxes in code are not counted, all else stays", () => {
  const text = "- [ ] one\n```\n- [ ] code\n```\n1. [x] two\r\n- no box\n";
  expect(toggleTask(text, 0)).toBe(text.replace("- [ ] one", "- [x] one"));
  expect(toggleTask(text, 1)).toBe(text.replace("[x] two", "[ ] two"));
  expect(toggleTask(text, 7)).toBe(text);
});
