/** Long computations: callers in rotation, one step a turn of the event loop, and bounds on waiting work. */

import { describe, expect, test } from "bun:test";
import { newComputeTurns } from "#api/response/compute-turns.ts";

const from = (caller: string, signal?: AbortSignal) =>
  new Request(`http://localhost/${caller}`, signal === undefined ? {} : { signal });

/** Turns whose event loop the test advances. */
function byHand() {
  const later: (() => void)[] = [];
  const turns = newComputeTurns(
    ({ url }) => url,
    (run) => later.push(run),
  );
  const settle = async () => {
    for (let nth = 0; nth < 20; nth++) await Promise.resolve();
  };
  return {
    turns,
    async turn() {
      await settle();
      later.shift()?.();
      await settle();
    },
    async all() {
      do {
        await this.turn();
      } while (later.length > 0);
    },
  };
}

describe("a turn", () => {
  test("goes to one step a turn of the loop, and to callers in rotation", async () => {
    const { turns, turn } = byHand();
    const order: string[] = [];
    for (const caller of ["a", "a", "a", "b", "c", "b"])
      void turns.take(from(caller)).then(() => order.push(caller));
    for (const expected of [1, 2, 3, 4, 5, 6]) {
      await turn();
      expect(order).toHaveLength(expected);
    }
    expect(order).toEqual(["a", "a", "b", "c", "a", "b"]);
    expect(turns.waiting()).toBe(0);
  });
  test("is refused to a caller of whom 128 wait, to all when 2,048 do, and never to an answer under way", async () => {
    const { turns } = byHand();
    for (let nth = 0; nth <= 128; nth++) void turns.take(from("greedy"));
    await expect(turns.take(from("greedy"))).rejects.toMatchObject({
      code: "service_unavailable",
      details: { retryAfterSeconds: 2 },
    });
    void turns.take(from("other"));
    void turns.take(from("greedy"), "continues");
    expect(turns.waiting()).toBe(131);
    for (let nth = 0; nth < 2048; nth++) void turns.take(from(`caller ${nth}`)).catch(() => {});
    // One is at work.
    expect(turns.waiting()).toBe(2049);
  });
});

describe("a computation of steps", () => {
  function* counting(log: string[], name: string, steps: number): Generator<undefined, string> {
    for (let step = 0; step < steps; step++) {
      log.push(name);
      yield undefined;
    }
    return `${name} done`;
  }
  test("gives its result, and no more than two are begun at once", async () => {
    const hand = byHand();
    const { turns } = hand;
    const log: string[] = [];
    const done: string[] = [];
    for (const name of ["a", "b", "c"])
      void turns.run(from(name), counting(log, name, 3)).then((result) => done.push(result));
    await hand.all();
    expect(done).toEqual(["a done", "b done", "c done"]);
    expect(log).toEqual(["a", "b", "a", "b", "a", "b", "c", "c", "c"]);
  });
  test("ends when its caller has left, and makes room for the next", async () => {
    const hand = byHand();
    const { turns } = hand;
    const leaving = new AbortController();
    const log: string[] = [];
    const left = turns.run(from("a", leaving.signal), counting(log, "a", 1000)).catch(String);
    const other = turns.run(from("b"), counting(log, "b", 1000)).catch(String);
    const next = turns.run(from("c"), counting(log, "c", 1));
    await hand.turn();
    leaving.abort(new Error("gone"));
    await hand.all();
    expect(await left).toContain("gone");
    expect(await next).toBe("c done");
    expect(await other).toBe("b done");
    expect(log.filter((name) => name === "a").length).toBeLessThan(3);
  });
  test("that fails makes room for the next", async () => {
    const hand = byHand();
    const { turns } = hand;
    const broken = () => Promise.reject(new Error("broken"));
    const outcomes = ["a", "b", "c"].map((name) => turns.slot(from(name), broken).catch(String));
    const last = turns.slot(from("d"), async () => "worked");
    await hand.all();
    expect(await Promise.all(outcomes)).toEqual(Array(3).fill("Error: broken"));
    expect(await last).toBe("worked");
  });
});
