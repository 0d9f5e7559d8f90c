// A hostile model over the real memory: whatever it does, the user's facts stand, what was forgotten stays out, and the cost is bounded. The bench
// gives each behaviour nine dreams; here it has one.
import { expect, test } from "vitest";
import { BEHAVIOURS } from "../../lib/hostile-dreams.ts";
import { freshMemory, inside } from "../memory/support.ts";
import { hostileDreams } from "./hostile-world.ts";

test.each(Object.keys(BEHAVIOURS))("%s", async (name) => {
  const { wrong } = await inside(freshMemory(), (agent) => hostileDreams(agent, name, 1));
  expect(wrong).toEqual([]);
});
