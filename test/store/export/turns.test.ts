/** Turns are bounded, fair between callers, and never lost. */

import { describe, expect, test } from "bun:test";
import { Failure } from "#domain/faults/errors.ts";
import { createTurns } from "#store/export/turns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const STAYS = new AbortController().signal;

/** Everything that is due has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("never more run at once than allowed, and every waiting caller gets a turn", async () => {
  const random = seededRandom(1);
  const turns = createTurns({ atOnce: 3, waiting: 100, waitingEach: 100 });
  let [running, most, done, left] = [0, 0, 0, 0];
  const one = async (caller: string) => {
    const leaving = new AbortController();
    if (random() < 0.2) setImmediate(() => leaving.abort());
    let release: () => void;
    try {
      release = await turns.take(caller, leaving.signal);
    } catch {
      left += 1;
      return;
    }
    running += 1;
    most = Math.max(most, running);
    for (let steps = Math.floor(random() * 4); steps > 0; steps--) await settled();
    running -= 1;
    done += 1;
    release();
    if (random() < 0.5) release();
  };
  await Promise.all(Array.from({ length: 100 }, (_, index) => one(`caller ${index % 7}`)));
  expect(most).toBe(3);
  expect(left).toBeGreaterThan(0);
  expect(done + left).toBe(100);
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
});

test("callers are served in rotation: ten of one do not starve one of another", async () => {
  const turns = createTurns({ atOnce: 1, waiting: 100, waitingEach: 100 });
  const release = await turns.take("first", STAYS);
  const served: string[] = [];
  const waiting = ["a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "b", "c", "c"].map(async (caller) => {
    const end = await turns.take(caller, STAYS);
    served.push(caller);
    end();
  });
  expect(turns.waiting).toBe(13);
  release();
  await Promise.all(waiting);
  expect(served.join("")).toBe("abcacaaaaaaaa");
});

test("a caller who comes back takes his place behind those who have waited", async () => {
  const turns = createTurns({ atOnce: 1, waiting: 100, waitingEach: 100 });
  let release = await turns.take("a", STAYS);
  const served: string[] = [];
  const wait = (caller: string) =>
    turns.take(caller, STAYS).then((end) => {
      served.push(caller);
      release = end;
    });
  wait("b");
  wait("a");
  for (const _ of [1, 2, 3]) {
    release();
    await settled();
    wait("a");
  }
  expect(served).toEqual(["b", "a", "a"]);
});

describe("a full queue", () => {
  test("refuses with a time to come back, and is open again when it has moved", async () => {
    const turns = createTurns({ atOnce: 1, waiting: 2, waitingEach: 2 });
    const release = await turns.take("a", STAYS);
    const first = turns.take("a", STAYS);
    const second = turns.take("b", STAYS);
    const refused = await turns.take("c", STAYS).catch((fault: unknown) => fault);
    expect(refused).toBeInstanceOf(Failure);
    expect(refused).toMatchObject({ code: "service_unavailable", status: 503, retryAfterSeconds: 5 });
    expect((refused as Failure).message).toMatch(/1 exports are under way and 2 wait/);
    release();
    (await first)();
    (await second)();
    (await turns.take("c", STAYS))();
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });
  test("is never filled by one caller alone", async () => {
    const turns = createTurns({ atOnce: 1, waiting: 4, waitingEach: 2 });
    const release = await turns.take("greedy", STAYS);
    const own = [turns.take("greedy", STAYS), turns.take("greedy", STAYS)];
    expect(turns.take("greedy", STAYS)).rejects.toThrow(/under way/);
    const other = turns.take("modest", STAYS);
    release();
    for (const turn of [...own, other]) turn.then((end) => end());
    await Promise.all([...own, other]);
  });
  test("with no places at all refuses who cannot start at once", async () => {
    const turns = createTurns({ atOnce: 1, waiting: 0, waitingEach: 0 });
    const release = await turns.take("a", STAYS);
    expect(turns.take("b", STAYS)).rejects.toBeInstanceOf(Failure);
    release();
    (await turns.take("b", STAYS))();
  });
});

describe("leaving the queue", () => {
  test("frees the slot and receives the reason", async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, waitingEach: 1 });
    const release = await turns.take("a", STAYS);
    const leaving = new AbortController();
    const left = turns.take("b", leaving.signal).catch((reason: unknown) => reason);
    const reason = new Error("gone");
    leaving.abort(reason);
    expect(await left).toBe(reason);
    expect(turns.waiting).toBe(0);
    const next = turns.take("b", STAYS);
    release();
    (await next)();
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });
  test("leaves the others of the same caller in their order", async () => {
    const turns = createTurns({ atOnce: 1, waiting: 9, waitingEach: 9 });
    const release = await turns.take("a", STAYS);
    const leaving = new AbortController();
    const served: number[] = [];
    const waiting = [1, 2, 3].map((number) =>
      turns.take("b", number === 2 ? leaving.signal : STAYS).then((end) => {
        served.push(number);
        end();
      }),
    );
    leaving.abort();
    release();
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(served).toEqual([1, 3]);
  });
  test("before asking is refused at once, and after the turn has come means nothing", async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, waitingEach: 1 });
    expect(turns.take("a", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    const leaving = new AbortController();
    const release = await turns.take("a", leaving.signal);
    leaving.abort();
    expect(turns.running).toBe(1);
    release();
    expect(turns.running).toBe(0);
  });
});

test("a turn that is ended twice counts once", async () => {
  const turns = createTurns({ atOnce: 1, waiting: 9, waitingEach: 9 });
  const release = await turns.take("a", STAYS);
  const second = turns.take("b", STAYS);
  const third = turns.take("c", STAYS);
  release();
  release();
  const end = await second;
  expect([turns.running, turns.waiting]).toEqual([1, 1]);
  end();
  (await third)();
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
});
