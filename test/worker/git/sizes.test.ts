// Objects of every size come back as they were written: the runtime's inflate has limits of its own in the middle of ordinary sizes.
import { expect, it } from "vitest";
import { inRepository } from "./repository.ts";

it("reads back objects of any size up to a megabyte", () =>
  inRepository(({ store }) => {
    let tried = 0;
    for (let size = 1; size < 1_048_576; size = Math.floor(size * 1.07) + 11) {
      const data = new Uint8Array(size).map((_, i) => (i * 7919 + (i >> 7)) % 251);
      const oid = store.write("blob", data);
      expect(store.read(oid)?.data.byteLength, `${size} bytes`).toBe(size);
      tried++;
    }
    expect(tried).toBeGreaterThan(100);
  }));
