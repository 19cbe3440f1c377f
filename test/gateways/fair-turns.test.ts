/** Fair turns: one each in turn for every waiting caller, bounds for each and for all, and a slot for a caller without one. */

import { expect, test } from "bun:test";
import { openFairTurns } from "#gateways/turns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const refusal = () => new Error("refused");

/** Work that lasts until it is released, in the order in which it began. */
function workshop() {
  const begun: { readonly name: string; readonly finish: () => void }[] = [];
  return {
    begun,
    names: () => begun.map(({ name }) => name),
    work: (name: string) => () =>
      new Promise<string>((resolve) => begun.push({ name, finish: () => resolve(name) })),
    /** Ends all that is running and what begins then, one after the other. */
    finishAll: async () => {
      for (let nth = 0; nth < begun.length; nth++) {
        begun[nth]?.finish();
        await Bun.sleep(0);
      }
    },
  };
}

/** What becomes of each, requested at once: a refusal comes before the others are done. */
const outcome = (taken: Promise<string>) => taken.catch((fault: Error) => fault.message);

test("those who wait get one turn each, round and round, in the order in which they came", async () => {
  const { work, names, finishAll } = workshop();
  const turns = openFairTurns({ atOnce: 1, waiting: 20, waitingEach: 9, refusal });
  const taken = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map((name) =>
    outcome(turns(name.slice(0, 1), work(name))),
  );
  await finishAll();
  expect(names()).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  expect(await Promise.all(taken)).toEqual(["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
});

test("beyond its own bound each is refused at once, and no other caller is", async () => {
  const { work, finishAll } = workshop();
  const turns = openFairTurns({ atOnce: 2, waiting: 20, waitingEach: 3, refusal });
  const taken = Array.from({ length: 9 }, (_, nth) => outcome(turns("a", work(`a${nth}`))));
  taken.push(outcome(turns("b", work("b"))));
  await finishAll();
  expect(await Promise.all(taken)).toEqual(["a0", "a1", "a2", "a3", "a4", ...Array(4).fill("refused"), "b"]);
});

test("a full queue makes room for a caller with a shorter queue: the last of the longest is refused", async () => {
  const { work, names, finishAll } = workshop();
  const turns = openFairTurns({ atOnce: 1, waiting: 4, waitingEach: 4, refusal });
  const taken = ["a0", "a1", "a2", "a3", "a4", "b1", "b2", "c1", "d1"].map((name) =>
    outcome(turns(name.slice(0, 1), work(name))),
  );
  await finishAll();
  expect(names()).toEqual(["a0", "a1", "b1", "c1", "d1"]);
  expect(await Promise.all(taken)).toEqual([
    "a0",
    "a1",
    "refused",
    "refused",
    "refused",
    "b1",
    "refused",
    "c1",
    "d1",
  ]);
});

test("where all have as little, the last caller is refused", async () => {
  const { work, finishAll } = workshop();
  const turns = openFairTurns({ atOnce: 1, waiting: 2, waitingEach: 2, refusal });
  const taken = ["a0", "a1", "b1", "c1", "a2"].map((name) => outcome(turns(name.slice(0, 1), work(name))));
  await finishAll();
  expect(await Promise.all(taken)).toEqual(["a0", "a1", "b1", "refused", "refused"]);
});

test("failed work releases its turn, and a caller without waiting work is dropped", async () => {
  const turns = openFairTurns({ atOnce: 1, waiting: 5, waitingEach: 5, refusal });
  const results = await Promise.allSettled(
    [1, 2, 3].map((nth) =>
      turns("a", () => (nth === 3 ? Promise.resolve(nth) : Promise.reject(new Error("no")))),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  const thrown = turns("a", () => {
    throw new Error("at once");
  });
  await expect(thrown).rejects.toThrow("at once");
  expect(await turns("b", async () => "free again")).toBe("free again");
});

test("in any storm no bound is broken, no call is lost, and a single caller among floods is served", async () => {
  const random = seededRandom(31);
  for (let round = 0; round < 40; round++) {
    const [atOnce, waitingEach] = [1 + Math.floor(random() * 3), 1 + Math.floor(random() * 6)];
    const waiting = waitingEach + 2 + Math.floor(random() * 20);
    const turns = openFairTurns({ atOnce, waiting, waitingEach, refusal });
    let running = 0;
    let most = 0;
    const work = (name: string) => async () => {
      running += 1;
      most = Math.max(most, running);
      for (let pause = Math.floor(random() * 4); pause > 0; pause--) await Promise.resolve();
      running -= 1;
      return name;
    };
    const flood = Array.from({ length: 100 }, (_, nth) => outcome(turns("flood", work(`${nth}`))));
    const single = turns("single", work("single"));
    const more = Array.from({ length: 100 }, (_, nth) =>
      outcome(turns(nth % 2 === 0 ? "flood" : "other", work(`${nth}`))),
    );
    expect(await single).toBe("single");
    const served = (await Promise.all(flood)).filter((one) => one !== "refused").length;
    await Promise.all(more);
    expect(most).toBeLessThanOrEqual(atOnce);
    expect(running).toBe(0);
    expect(served).toBeLessThanOrEqual(atOnce + waitingEach);
  }
});
