/** What is opened at its first use: one for all, and tried again where it could not be opened. */

import { expect, test } from "bun:test";
import { once } from "#domain/queues/once.ts";

test("everyone has the same one; a failed opening is told to those who waited, and the next use tries again", async () => {
  let openings = 0;
  const part = once(async () => {
    openings += 1;
    if (openings === 1) throw new Error("too many open files");
    return { openings };
  });
  expect(part.opened()).toBeNull();
  const first = await Promise.allSettled([part.get(), part.get()]);
  expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(part.opened()).toBeNull();
  expect(await part.get()).toBe(await part.get());
  expect(openings).toBe(2);
});
