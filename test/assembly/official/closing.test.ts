/** What a process waits for until it is closed. */

import { expect, test } from "bun:test";
import { openClosing } from "#assembly/official/official.ts";

const stopped = () => new Error("stopped");

test("work that ends in time settles as it did", async () => {
  const closing = openClosing(stopped);
  expect(await closing.orGiveUp(Promise.resolve(7))).toBe(7);
  await expect(closing.orGiveUp(Promise.reject(new Error("its own")))).rejects.toThrow("its own");
});

test("what is under way when closing begins is given up at once, and so is what comes later", async () => {
  const closing = openClosing(stopped);
  const waiting = closing.orGiveUp(new Promise<never>(() => {}));
  closing.begin();
  await expect(waiting).rejects.toThrow("stopped");
  await expect(closing.orGiveUp(Promise.resolve(7))).rejects.toThrow("stopped");
  expect(closing.isClosing()).toBe(true);
});
