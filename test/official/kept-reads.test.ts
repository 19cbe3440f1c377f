/** Reads that everybody wants: how often the ledger is asked, and for how long an answer may be old. */

import { expect, test } from "bun:test";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { keptReads } from "#official/kept-reads.ts";

function opened() {
  let now = 1_000_000;
  let asked = 0;
  const kept = keptReads({ now: () => now }, 3000);
  const read = async () => {
    asked += 1;
    return null;
  };
  return {
    kept,
    read,
    asked: () => asked,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test("within the time the ledger is asked once, however many ask at the same moment; then again", async () => {
  const { kept, read, asked, pass } = opened();
  await Promise.all([kept.read("a", null, read), kept.read("a", null, read)]);
  pass(2999);
  await kept.read("a", null, read);
  expect(asked()).toBe(1);
  pass(1);
  await kept.read("a", null, read);
  expect(asked()).toBe(2);
});

test("tables, days and kinds of question keep apart", async () => {
  const { kept, read, asked } = opened();
  await kept.read("a", null, read);
  await kept.read("b", null, read);
  await kept.read("a", 20_000, read);
  await kept.read("a", 20_001, read);
  await kept.read("a", 20_001, read);
  await kept.read("a", null, read);
  expect(asked()).toBe(4);
});

test("the age counts from the beginning of the read: what was published during a slow one is not missed for longer", async () => {
  const { kept, read, asked, pass } = opened();
  const slow = Promise.withResolvers<PublicationVersion | null>();
  const first = kept.read("a", null, () => slow.promise);
  pass(3000);
  const second = kept.read("a", null, read);
  slow.resolve(null);
  await Promise.all([first, second]);
  expect(asked()).toBe(1);
});

test("a failure is told to those who waited, and not kept", async () => {
  const { kept, read, asked } = opened();
  const fault = new Error("no ledger");
  expect(await kept.read("a", null, () => Promise.reject(fault)).catch((thrown) => thrown)).toBe(fault);
  expect(await kept.read("a", null, read)).toBeNull();
  expect(asked()).toBe(1);
});

test("what is forgotten is read again, and so is everything when the clock was put back", async () => {
  const { kept, read, asked, pass } = opened();
  await kept.read("a", null, read);
  kept.forget();
  await kept.read("a", null, read);
  pass(-3600_000);
  await kept.read("a", null, read);
  expect(asked()).toBe(3);
});
