/** Fair queues: one turn each in rotation, bounds for each caller and for all, and a slot for a caller without one. */

import { describe, expect, test } from "bun:test";
import { inSeveral, newFairQueue } from "#domain/queues/fair-queue.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const refusal = (atWork: number, waiting: number) => new Error(`refused: ${atWork} and ${waiting}`);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Takes a turn for each name, by its first letter, and ends them one after the other; who was served and who was refused. */
async function serve(bounds: readonly [atOnce: number, waiting: number, waitingEach: number], names: string) {
  const [atOnce, waiting, waitingEach] = bounds;
  const queue = newFairQueue({ atOnce, waiting, waitingEach, refusal });
  const served: string[] = [];
  const refused: string[] = [];
  await Promise.all(
    names.split(" ").map(async (name) => {
      try {
        const end = await queue.take(name.slice(0, 1));
        served.push(name);
        await settled();
        end();
      } catch {
        refused.push(name);
      }
    }),
  );
  expect([queue.atWork(), queue.waiting()]).toEqual([0, 0]);
  return [served.join(" "), refused.sort().join(" ")];
}

test.each([
  ["who waits gets a turn each, in rotation", [1, 20, 9], "a1 a2 a3 a4 b1 b2 c1", "a1 a2 b1 c1 a3 b2 a4", ""],
  [
    "beyond its own bound one is refused alone",
    [2, 20, 2],
    "a0 a1 a2 a3 a4 a5 b0",
    "a0 a1 a2 b0 a3",
    "a4 a5",
  ],
  [
    "a full queue refuses the last of the longest",
    [1, 4, 4],
    "a0 a1 a2 a3 a4 b1 b2 c1 d1",
    "a0 a1 b1 c1 d1",
    "a2 a3 a4 b2",
  ],
  ["where all have as little, the last is refused", [1, 2, 2], "a0 a1 b1 c1 a2", "a0 a1 b1", "a2 c1"],
  ["without places who cannot start at once is refused", [1, 0, 0], "a0 b0", "a0", "b0"],
] as const)("%s", async (_, bounds, names, served, refused) => {
  expect(await serve(bounds, names)).toEqual([served, refused]);
});

test("a refusal says how many are at work and wait; what is owed is not refused, nor are others for it", async () => {
  const queue = newFairQueue({ atOnce: 1, waiting: 2, waitingEach: 9, refusal });
  const end = await queue.take("a");
  const waiting = [queue.take("a", null, true), queue.take("a", null, true), queue.take("a", null, true)];
  await expect(queue.take("b")).rejects.toThrow("refused: 1 and 3");
  end();
  for (const turn of waiting) (await turn)();
  expect([queue.atWork(), queue.waiting()]).toEqual([0, 0]);
});

test("a turn that is ended twice counts once", async () => {
  const queue = newFairQueue({ atOnce: 1, waiting: 9, waitingEach: 9, refusal });
  const end = await queue.take("a");
  const [second, third] = [queue.take("b"), queue.take("c")];
  end();
  end();
  const endSecond = await second;
  expect([queue.atWork(), queue.waiting()]).toEqual([1, 1]);
  endSecond();
  (await third)();
});

describe("who leaves the queue", () => {
  test("frees the place, receives the reason, and leaves the others in their order", async () => {
    const queue = newFairQueue({ atOnce: 1, waiting: 3, waitingEach: 3, refusal });
    const end = await queue.take("a");
    const leaving = new AbortController();
    const served: number[] = [];
    const waiting = [1, 2, 3].map(async (nth) => {
      const endOne = await queue.take("b", nth === 2 ? leaving.signal : null);
      served.push(nth);
      endOne();
    });
    leaving.abort(new Error("gone"));
    await expect(waiting[1]).rejects.toThrow("gone");
    expect(queue.waiting()).toBe(2);
    end();
    await Promise.allSettled(waiting);
    expect(served).toEqual([1, 3]);
  });
  test("before asking is refused, and after the turn has come keeps it", async () => {
    const queue = newFairQueue({ atOnce: 1, waiting: 1, waitingEach: 1, refusal });
    await expect(queue.take("a", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    const leaving = new AbortController();
    const end = await queue.take("a", leaving.signal);
    const next = queue.take("b", leaving.signal);
    end();
    leaving.abort();
    (await next)();
    expect([queue.atWork(), queue.waiting()]).toEqual([0, 0]);
  });
});

test("in any storm no bound is broken, no turn is lost, and a single caller among floods is served", async () => {
  const random = seededRandom(31);
  for (let round = 0; round < 20; round++) {
    const [atOnce, waitingEach] = [1 + Math.floor(random() * 3), 1 + Math.floor(random() * 6)];
    const waiting = waitingEach + 2 + Math.floor(random() * 20);
    const queue = newFairQueue({ atOnce, waiting, waitingEach, refusal });
    let [running, most] = [0, 0];
    const outcome = async (caller: string, mayLeave = false) => {
      const leaving = new AbortController();
      if (mayLeave && random() < 0.2) queueMicrotask(() => leaving.abort());
      const end = await queue.take(caller, leaving.signal).catch(() => null);
      if (end === null) return 0;
      running += 1;
      most = Math.max(most, running);
      for (let pause = Math.floor(random() * 4); pause > 0; pause--) await Promise.resolve();
      running -= 1;
      end();
      return 1;
    };
    const flood = Array.from({ length: 100 }, () => outcome("flood"));
    const single = outcome("single");
    const more = Array.from({ length: 100 }, (_, nth) => outcome(nth % 2 === 0 ? "flood" : "other", true));
    expect(await single).toBe(1);
    const served = (await Promise.all(flood)).reduce<number>((sum, one) => sum + one, 0);
    await Promise.all(more);
    expect(most).toBeLessThanOrEqual(atOnce);
    expect([running, queue.atWork(), queue.waiting()]).toEqual([0, 0, 0]);
    expect(served).toBeLessThanOrEqual(atOnce + waitingEach);
  }
});

test("work on many things: a few at once, in order, and nothing begins after a fault", async () => {
  let [running, most] = [0, 0];
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await settled();
    running -= 1;
    if (item === 4) throw new Error("no");
    return item * 2;
  };
  expect(await inSeveral([1, 2, 3], 2, work)).toEqual([2, 4, 6]);
  expect(most).toBe(2);
  await expect(inSeveral([4, 5, 6, 7], 2, work)).rejects.toThrow("no");
  expect([running, begun]).toEqual([0, [1, 2, 3, 4, 5]]);
});
