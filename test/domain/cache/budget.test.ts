import { describe, expect, test } from "bun:test";
import { CacheBudget, ENTRY_BYTES } from "#domain/cache/budget.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

/** Bytes of an entry, such that each costs a round hundred more than the size given here. */
const sized = (bytes: number) => bytes - ENTRY_BYTES;

describe("all caches together", () => {
  test("never hold more than the bound, whatever is put, replaced and removed", () => {
    const random = seededRandom(7);
    const budget = new CacheBudget(100_000);
    const caches = ["a", "b", "c"].map((name) => budget.cache<number, number>(name, { share: 0.8 }));
    const bytes = new Map<string, number>();
    for (let step = 0; step < 20_000; step++) {
      const which = Math.floor(random() * 3);
      const cache = caches[which] as (typeof caches)[number];
      const key = Math.floor(random() * 200);
      const what = random();
      if (what < 0.6) {
        const size = sized(200 + Math.floor(random() * 3_000));
        cache.set(key, size, size);
        bytes.set(`${which} ${key}`, size);
      } else if (what < 0.95) {
        const found = cache.get(key);
        // What is there is what was put there last.
        if (found !== undefined && found !== bytes.get(`${which} ${key}`)) throw new Error("a foreign value");
      } else if (what < 0.999) cache.delete(key);
      else cache.clear();
      const held = budget.uses().reduce((sum, use) => sum + use.bytes, 0);
      if (held > 100_000) throw new Error(`${held} bytes are held`);
      for (const use of budget.uses()) {
        if (use.bytes > use.limitBytes || use.bytes < 0) throw new Error(`${use.name} holds ${use.bytes}`);
        if ((use.entries === 0) !== (use.bytes === 0)) throw new Error("bytes without entries");
      }
    }
  });

  test("lose what was not used for longest, in whichever cache it is", () => {
    const budget = new CacheBudget(1_000);
    const [first, second] = [budget.cache<string, number>("first"), budget.cache<string, number>("second")];
    first.set("old", 1, sized(250));
    second.set("used", 2, sized(250));
    first.set("third", 3, sized(250));
    second.set("fourth", 4, sized(250));
    expect(second.get("used")).toBe(2);
    first.set("fifth", 5, sized(250));
    expect(first.get("old")).toBeUndefined();
    first.set("sixth", 6, sized(250));
    // The used one had a second chance: what came after it goes first.
    expect(first.get("third")).toBeUndefined();
    expect(second.get("used")).toBe(2);
  });

  test("do not keep an entry that would push out a quarter of the rest", () => {
    const budget = new CacheBudget(1_000);
    const cache = budget.cache<string, number>("only");
    cache.set("small", 1, sized(200));
    cache.set("large", 2, sized(251));
    expect(cache.get("large")).toBeUndefined();
    expect(cache.get("small")).toBe(1);
    // What was there under the key of one that is not kept is gone as well: it is not what was put there last.
    cache.set("small", 3, sized(300));
    expect(cache.get("small")).toBeUndefined();
  });
});

test("a cache stays within its share, and leaves the others unchanged", () => {
  const budget = new CacheBudget(10_000);
  const limited = budget.cache<number, number>("limited", { share: 0.2 });
  const other = budget.cache<number, number>("other");
  other.set(1, 1, sized(1_000));
  for (let key = 0; key < 100; key++) limited.set(key, key, sized(400));
  expect(budget.uses()).toEqual([
    { name: "limited", entries: 5, bytes: 2_000, limitBytes: 2_000 },
    { name: "other", entries: 1, bytes: 1_000, limitBytes: 10_000 },
  ]);
  // A name denotes one cache, however often it is requested.
  expect(budget.cache<number, number>("other").get(1)).toBe(1);
});
