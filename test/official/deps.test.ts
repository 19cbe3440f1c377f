/** Cached reads: how often the ledger is read, and for how long an answer may be old. */

import { expect, test } from "bun:test";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { cachedReads } from "#official/deps.ts";

function opened() {
  let now = 1_000_000;
  let reads = 0;
  const cached = cachedReads({ now: () => now }, 3000);
  const read = async () => {
    reads += 1;
    return null;
  };
  return {
    cached,
    read,
    reads: () => reads,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test("within the time the ledger is read once, however many reads come at the same moment; then again", async () => {
  const { cached, read, reads, pass } = opened();
  await Promise.all([cached.read("a", null, read), cached.read("a", null, read)]);
  pass(2999);
  await cached.read("a", null, read);
  expect(reads()).toBe(1);
  pass(1);
  await cached.read("a", null, read);
  expect(reads()).toBe(2);
});

test("tables, days and kinds of question keep apart", async () => {
  const { cached, read, reads } = opened();
  await cached.read("a", null, read);
  await cached.read("b", null, read);
  await cached.read("a", 20_000, read);
  await cached.read("a", 20_001, read);
  await cached.read("a", 20_001, read);
  await cached.read("a", null, read);
  expect(reads()).toBe(4);
});

test("the age counts from the beginning of the read: what was published during a slow one is not missed for longer", async () => {
  const { cached, read, reads, pass } = opened();
  const slow = Promise.withResolvers<PublicationVersion | null>();
  const first = cached.read("a", null, () => slow.promise);
  pass(3000);
  const second = cached.read("a", null, read);
  slow.resolve(null);
  await Promise.all([first, second]);
  expect(reads()).toBe(1);
});

test("a failure reaches all that waited, and is not cached", async () => {
  const { cached, read, reads } = opened();
  const fault = new Error("no ledger");
  expect(await cached.read("a", null, () => Promise.reject(fault)).catch((thrown) => thrown)).toBe(fault);
  expect(await cached.read("a", null, read)).toBeNull();
  expect(reads()).toBe(1);
});

test("what was evicted is read again, and so is everything when the clock was set back", async () => {
  const { cached, read, reads, pass } = opened();
  await cached.read("a", null, read);
  cached.forget();
  await cached.read("a", null, read);
  pass(-3600_000);
  await cached.read("a", null, read);
  expect(reads()).toBe(3);
});
