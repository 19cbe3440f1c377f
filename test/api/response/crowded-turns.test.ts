/** Requests that arrive together, and what one turn of the event loop answers of them. */

import { expect, test } from "bun:test";
import { type CrowdedTurnsDeps, inCrowdedTurns, newComputeTurns } from "#api/response/compute-turns.ts";
import { sampleApp } from "#test/api/sample-world.ts";

/** Each answer takes a millisecond of the clock. */
function rig(changes: Partial<CrowdedTurnsDeps> = {}) {
  let now = 0;
  const answered: string[] = [];
  const answer = inCrowdedTurns(
    ({ url }) => {
      now += 1;
      answered.push(new URL(url).pathname);
      return new Response();
    },
    {
      turns: newComputeTurns(({ url }) => new URL(url).pathname.split("/")[1] ?? ""),
      isDone: () => false,
      isUrgent: ({ url }) => url.endsWith("/health"),
      now: () => now,
      ...changes,
    },
  );
  return { answered, ask: (path: string) => answer(new Request(`http://localhost${path}`)) };
}

test("of a crowd one turn answers those of some milliseconds, and later turns all others, callers in rotation", async () => {
  const { answered, ask } = rig();
  const many = Array.from({ length: 100 }, () => ask("/many"));
  const one = ask("/one");
  expect(answered.length).toBeLessThan(20);
  expect(ask("/many/health")).toBeInstanceOf(Response);
  await one;
  expect(answered.length).toBeLessThan(20);
  await Promise.all(many);
  expect(answered).toHaveLength(102);
});

test("a request with a client that has left is not worked on", async () => {
  let hasLeft = false;
  const { answered, ask } = rig({ isDone: () => hasLeft });
  const all = Array.from({ length: 50 }, () => ask("/a"));
  const before = answered.length;
  hasLeft = true;
  const statuses = await Promise.all(all.map(async (one) => (await one).status));
  expect([statuses.at(-1), answered.length]).toEqual([499, before]);
});

test("of the application the path /health alone is urgent: a query that ends like it is not", async () => {
  const app = sampleApp();
  const answer = app.inTurns(() => {
    const end = performance.now() + 1;
    while (performance.now() < end);
    return new Response();
  });
  const ask = (path: string) => answer(new Request(`http://localhost${path}`));
  const crowd = Array.from({ length: 50 }, () => ask("/v1/latest"));
  expect(ask("/v1/latest?x=/health")).toBeInstanceOf(Promise);
  expect(ask("/health?x=1")).toBeInstanceOf(Response);
  await Promise.all(crowd);
});
