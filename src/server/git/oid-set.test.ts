import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { OidSet } from "./oid-set.ts";

it("holds what a set of texts would hold, in the order it came, also where hashes collide", () => {
  // Few different first bytes, so that slots are fought over.
  const oid = fc
    .tuple(fc.constantFrom("00000000", "01000000", "ffffffff", "ff030000"), fc.stringMatching(/^[0-9a-f]{32}$/))
    .map(([head, tail]) => head + tail);
  fc.assert(
    fc.property(fc.array(oid, { maxLength: 200 }), oid, (oids, other) => {
      const set = new OidSet();
      const model = new Set<string>();
      for (const each of oids) {
        expect(set.add(each)).toBe(!model.has(each));
        model.add(each);
      }
      expect([...set]).toEqual([...model]);
      expect(set.size).toBe(model.size);
      expect(set.has(other)).toBe(model.has(other));
    }),
  );
});

it("grows past its first size without losing one", () => {
  const set = new OidSet();
  const all = Array.from({ length: 50_000 }, (_, i) => createHash("sha1").update(`${i}`).digest("hex"));
  for (const oid of all) expect(set.add(oid)).toBe(true);
  expect(all.every((oid) => set.has(oid) && !set.add(oid))).toBe(true);
  expect([...set]).toEqual(all);
});
