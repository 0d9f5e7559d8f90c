import { expect, test } from "vitest";
import { bothOf } from "./TwoHands.tsx";

test("changes that do not meet stand together, changes of the same words do not", () => {
  const before = "Lives in Ghent, Sleepstraat 210";
  expect(bothOf({ before, mine: "Lives in Ghent, Sleepstraat 112", theirs: "Rents in Ghent, Sleepstraat 210" })).toBe(
    "Rents in Ghent, Sleepstraat 112",
  );
  expect(bothOf({ before, mine: "Lives in Ghent, Sleepstraat 112", theirs: "Lives in Ghent, Sleepstraat 114" })).toBeNull();
  expect(bothOf({ before, mine: "Lives in Lyon", theirs: null })).toBeNull();
});
