/** How a file is put together: every day once and in order, what does not change untouched, no part larger than it may be. */

import { expect, test } from "bun:test";
import { formatDay, parseDay } from "#domain/time/day.ts";
import { compare, type StoredKey } from "#store/official-lake/keys.ts";
import { type Part, partsOf } from "#store/official-lake/parts.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const FIRST = parseDay("2020-01-01") as number;

function key(nth: number, more: Partial<StoredKey> = {}): StoredKey {
  const validFrom = formatDay(FIRST + nth);
  return { publication: validFrom, version: 1, validFrom, identity: `of ${validFrom}`, rows: 100, ...more };
}

const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, nth) => key(from + nth));
const summary = (parts: readonly Part[]) =>
  parts.map((part) => [
    part.kind,
    part.from - FIRST,
    part.to - FIRST,
    part.kind === "made" ? part.fresh.length : 0,
  ]);

test("a day's publication leaves all that was there as it is", () => {
  expect(summary(partsOf(keys(0, 3000), [key(3000)], []))).toEqual([
    ["kept", 0, 2999, 0],
    ["made", 3000, 3000, 1],
  ]);
});

test("a correction touches its day alone, and what goes touches its day, too", () => {
  expect(summary(partsOf(keys(0, 3000), [key(1500, { version: 2 })], [key(1000)]))).toEqual([
    ["kept", 0, 999, 0],
    ["made", 1000, 1000, 0],
    ["kept", 1001, 1499, 0],
    ["made", 1500, 1500, 1],
    ["kept", 1501, 2999, 0],
  ]);
});

test("days between two that change are put in order with them where they are few", () => {
  const corrected = [10, 12, 150].map((nth) => key(nth, { version: 2 }));
  expect(summary(partsOf(keys(0, 3000), corrected, []))).toEqual([
    ["kept", 0, 9, 0],
    ["made", 10, 150, 3],
    ["kept", 151, 2999, 0],
  ]);
});

test("a history is made in parts of at most 256 versions and 40,000 old rows", () => {
  const first = partsOf([], keys(0, 1000), []);
  expect(summary(first).map(([, , , fresh]) => fresh)).toEqual([256, 256, 256, 232]);
  const odd = keys(0, 1000).filter((_, nth) => nth % 2 === 1);
  const even = keys(0, 1000).filter((_, nth) => nth % 2 === 0);
  const between = partsOf(
    odd.map((one) => ({ ...one, rows: 1000 })),
    even,
    [],
  );
  for (const part of between) expect(part.to - part.from).toBeLessThanOrEqual(80);
});

test("whatever comes and goes, every day is in exactly one part and every fresh version in its day's", () => {
  const random = seededRandom(7);
  for (let round = 0; round < 200; round++) {
    const some = (share: number) => keys(0, 400).filter(() => random() < share);
    const lake = some(random()).map((one) => ({ ...one, rows: Math.ceil(random() * 3000) }));
    const fresh = some(random() ** 3);
    const gone = lake.filter(() => random() < 0.02);
    const parts = partsOf(lake, fresh, gone);
    for (const [at, part] of parts.entries()) {
      expect(part.to).toBeGreaterThanOrEqual(part.from);
      expect(part.from).toBeGreaterThan(parts[at - 1]?.to ?? Number.NEGATIVE_INFINITY);
    }
    const partOf = ({ validFrom }: StoredKey) => {
      const day = parseDay(validFrom) as number;
      return parts.find(({ from, to }) => from <= day && day <= to);
    };
    for (const one of lake) expect(partOf(one)).toBeDefined();
    for (const one of [...fresh, ...gone]) expect(partOf(one)?.kind).toBe("made");
    expect(parts.flatMap((part) => (part.kind === "made" ? part.fresh : []))).toEqual([...fresh]);
  }
});

test("differences are reported by name and identity, in the order of files", () => {
  const ledger = [key(2), key(1, { identity: "another" }), key(0)];
  const lake = [key(0), key(1), key(5)];
  const { fresh, replaced, foreign } = compare(ledger, lake, false);
  expect(fresh).toEqual([key(1, { identity: "another" }), key(2)]);
  expect([replaced, foreign]).toEqual([[key(1)], [key(5)]]);
  expect(compare(ledger, lake, true).fresh).toHaveLength(3);
});
