// What a fetch is given: nothing that is needed is left out, and what is new costs what it is, not what stands there.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { OidSet } from "../../../src/server/git/oid-set.ts";
import { reachKept } from "../../../src/server/git/reach-kept.ts";
import { reach, type ReachRequest } from "../../../src/server/git/reach.ts";
import type { ObjectStore } from "../../../src/server/git/store.ts";
import { commit, inRepository, land, MAIN, NEW_YEAR, type Repository } from "./repository.ts";

function collect(store: ObjectStore, request: ReachRequest): { found: OidSet; steps: number } {
  const walk = reach(store, request);
  let steps = 0;
  let step = walk.next();
  for (; !step.done; step = walk.next()) steps++;
  return { found: step.value, steps };
}

it("together with what the client has, is everything, over random graphs", () =>
  inRepository(async ({ store }: Repository) => {
    let compared = 0;
    const step = fc.tuple(fc.nat(), fc.nat(), fc.boolean(), fc.constantFrom("a/x.md", "a/b/y.md", "z.md", "a.md"), fc.nat(3));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const made = [commit(store, null, { "MEMORY.md": "0", "a/b/c/d.md": "deep" }).commit];
        for (const [i, [one, two, merge, path, text]] of steps.entries()) {
          const first = made[one % made.length]!;
          const second = made[two % made.length]!;
          const parents = merge && first !== second ? [first, second] : [first];
          const at = NEW_YEAR + i * 1000;
          made.push(commit(store, first, { [path]: text === 0 ? null : `${text}`, "MEMORY.md": `${i}` }, { parents, at }).commit);
        }
        const tip = made.at(-1)!;
        const all = collect(store, { wants: [tip] }).found;
        // The same by walking, which a shallow set that names nobody forces.
        const walked = collect(store, { wants: [tip], shallow: new Set(["1".repeat(40)]) }).found;
        expect([...walked].sort()).toEqual([...all].sort());
        for (const have of made) {
          const fresh = collect(store, { wants: [tip], haves: [have] }).found;
          const had = collect(store, { wants: [have] }).found;
          for (const oid of all) expect(fresh.has(oid) || had.has(oid)).toBe(true);
          for (const oid of fresh) expect(all.has(oid)).toBe(true);
          compared++;
        }
        expect(collect(store, { wants: [tip], haves: [tip] }).found.size).toBe(0);
      }),
      { numRuns: 40 },
    );
    expect(compared).toBeGreaterThan(100);
  }));

it("after one save is that save's five objects, found in a few steps among a thousand files", () =>
  inRepository(({ store }) => {
    land(store, Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`notes/d${i % 10}/${i}.md`, `${i}`])));
    const before = store.ref(MAIN)!;
    const { objects } = land(store, { "notes/d3/3.md": "changed" }, NEW_YEAR + 1000);
    const { found, steps } = collect(store, { wants: [store.ref(MAIN)!], haves: [before] });
    expect([objects, found.size]).toEqual([5, 5]);
    expect(steps).toBeLessThan(10);
  }));

it("a kept walk finds what a new one finds: again, after saves, beside another branch, and when the branch was rewritten", () =>
  inRepository(({ store }) => {
    const kept = (wants: string[], tip: string): { found: string[]; steps: number } => {
      const walk = reachKept(store, wants, tip);
      let steps = 0;
      let step = walk.next();
      for (; !step.done; step = walk.next()) steps++;
      return { found: [...step.value].sort(), steps };
    };
    const anew = (wants: string[]): string[] => [...collect(store, { wants }).found].sort();
    land(store, Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`notes/d${i % 10}/${i}.md`, `${i}`])));
    const first = store.ref(MAIN)!;
    expect(kept([first], first).found).toEqual(anew([first]));
    expect(kept([first], first)).toEqual({ found: anew([first]), steps: 0 });
    for (let i = 0; i < 5; i++) land(store, { [`notes/d3/${i}.md`]: `changed ${i}` }, NEW_YEAR + 1000 * (i + 1));
    const later = store.ref(MAIN)!;
    const after = kept([later], later);
    expect(after.found).toEqual(anew([later]));
    expect(after.steps).toBeLessThan(40);
    const side = commit(store, null, { "thread/a.md": "said", "x/y/z.md": "deep" }, { at: NEW_YEAR }).commit;
    expect(kept([later, side], later).found).toEqual(anew([later, side]));
    // The first set was not grown by the walks after it.
    expect(kept([later], later).found).toEqual(anew([later]));
    const rewritten = commit(store, null, { "MEMORY.md": "another history" }, { at: NEW_YEAR }).commit;
    expect(kept([rewritten], rewritten).found).toEqual(anew([rewritten]));
  }));

it("names the object that is missing instead of giving a pack with a hole", () =>
  inRepository(({ store, sql }) => {
    land(store, { "a/b.md": "text" });
    sql.exec("DELETE FROM git_objects WHERE type = 2");
    const tip = store.ref(MAIN)!;
    for (const shallow of [new Set<string>(), new Set(["1".repeat(40)])])
      expect(() => collect(store, { wants: [tip], shallow })).toThrowError(expect.objectContaining({ code: "unavailable" }));
  }));
