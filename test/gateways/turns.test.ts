/** Turns: never more at once than allowed, first come first served, and no turn is lost to a failure. */

import { expect, test } from "bun:test";
import { openTurns } from "#gateways/turns.ts";

test("so many run, so many wait, the rest is refused at once", async () => {
  const turns = openTurns(2, 3);
  const gate = Promise.withResolvers<void>();
  const order: number[] = [];
  const taken = Array.from({ length: 8 }, (_, index) =>
    turns(async () => {
      order.push(index);
      await gate.promise;
    }),
  );
  expect(taken.map((turn) => turn !== null)).toEqual([true, true, true, true, true, false, false, false]);
  await Promise.resolve();
  expect(order).toEqual([0, 1]);
  gate.resolve();
  await Promise.all(taken);
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test("work that fails gives its turn back", async () => {
  const turns = openTurns(1, 5);
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((index) =>
      turns(() => (index === 3 ? Promise.resolve(index) : Promise.reject(new Error("no")))),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(await turns(() => Promise.resolve("free again"))).toBe("free again");
});
