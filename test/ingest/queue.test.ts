/** One run at a time: who shares a run, who waits, and that a failed run delays no other. */

import { expect, test } from "bun:test";
import { oneAtATime } from "#ingest/queue.ts";

test("equal requests share a run, others wait for their turn, other keys do not", async () => {
  const queue = oneAtATime<string, string, string>();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const run = (name: string, wait: Promise<void>) => async () => {
    log.push(`${name} begins`);
    await wait;
    log.push(`${name} ends`);
    return name;
  };
  const first = queue("ecb", "latest", run("first", gate.promise));
  const shared = queue("ecb", "latest", run("never", gate.promise));
  const waiting = queue("ecb", "history", run("history", Promise.resolve()));
  expect(await queue("fred", "latest", run("fred", Promise.resolve()))).toBe("fred");
  expect(log).toEqual(["first begins", "fred begins", "fred ends"]);
  gate.resolve();
  expect(await Promise.all([first, shared, waiting])).toEqual(["first", "first", "history"]);
  expect(log.slice(3)).toEqual(["first ends", "history begins", "history ends"]);
});

test("a run that fails fails alone, and its request can be made again", async () => {
  const queue = oneAtATime<string, string, number>();
  const broken = queue("ecb", "latest", () => Promise.reject(new Error("broken")));
  const next = queue("ecb", "history", async () => 2);
  expect(broken).rejects.toThrow("broken");
  expect(await next).toBe(2);
  expect(await queue("ecb", "latest", async () => 3)).toBe(3);
});
