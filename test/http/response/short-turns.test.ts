/** Requests that arrive together, and what a turn of the event loop answers of them. */

import { expect, test } from "bun:test";
import { connect } from "node:net";
import { inShortTurns, type ShortTurnsDeps } from "#http/response/short-turns.ts";
import { sampleApp } from "#test/http/sample-world.ts";
import { until } from "#test/support/until.ts";

const ONE_CALLER = { callerOf: () => "a", isUrgent: () => false, isDone: () => false };

/** Each answer takes a millisecond; turns are run by the test. */
function rig(more: Partial<ShortTurnsDeps<number>> = {}, isLater: (nth: number) => boolean = () => false) {
  const turns: (() => void)[] = [];
  let now = 0;
  const answered: number[] = [];
  const answer = inShortTurns<number>(
    (nth) => {
      now += 1;
      answered.push(nth);
      const made = new Response(String(nth));
      return isLater(nth) ? Promise.resolve(made) : made;
    },
    { now: () => now, nextTurn: (run) => turns.push(run), ...ONE_CALLER, ...more },
  );
  const turn = () => {
    for (const run of turns.splice(0)) run();
  };
  return { answer, turn, answered };
}

test("a few requests are answered at once, turn after turn", () => {
  const { answer, turn } = rig();
  for (let nth = 0; nth < 200; nth++) {
    expect(answer(nth)).toBeInstanceOf(Response);
    if (nth % 5 === 4) turn();
  }
});

test("short answers ask for the next turn once a millisecond, and never get past the bound", () => {
  let now = 1_000;
  const turns: (() => void)[] = [];
  const answer = inShortTurns<number>(
    () => {
      now += 0.1;
      return new Response();
    },
    { now: () => now, nextTurn: (run) => turns.push(run), ...ONE_CALLER },
  );
  const isAnswered = () => answer(0) instanceof Response;
  // The last turn is long ago: the first request asks for the next one, the others do not.
  let answered = 0;
  while (isAnswered()) answered += 1;
  expect(turns).toHaveLength(1);
  expect(answered).toBeGreaterThan(35);
  expect(answered).toBeLessThanOrEqual(51);
  for (const run of turns.splice(0)) run();
  // Ten more are answered within the millisecond, then the next turn is asked for; together they have the bound.
  answered = 0;
  while (turns.length === 0 && isAnswered()) answered += 1;
  expect(answered).toBeGreaterThanOrEqual(10);
  while (isAnswered()) answered += 1;
  expect(turns).toHaveLength(1);
  expect(answered).toBeLessThanOrEqual(52);
});

test("callers take turns: who asks once does not wait for all requests of another", () => {
  const { answer, turn, answered } = rig({ callerOf: (nth) => (nth < 1000 ? "many" : "one") });
  for (let nth = 0; nth < 200; nth++) void answer(nth);
  void answer(1000);
  turn();
  expect(answered).toContain(1000);
  expect(answered.length).toBeLessThan(20);
});

test("an urgent request is answered at once, whoever waits", () => {
  const { answer, answered } = rig({ isUrgent: (nth) => nth === 1000 });
  for (let nth = 0; nth < 200; nth++) void answer(nth);
  expect(answer(1000)).toBeInstanceOf(Response);
  expect(answered).toContain(1000);
});

test("what an answer does that is not there at once counts, too", async () => {
  let now = 0;
  const turns: (() => void)[] = [];
  const begun: number[] = [];
  const answer = inShortTurns<number>(
    async (nth) => {
      begun.push(nth);
      await null;
      now += 3;
      return new Response();
    },
    { now: () => now, nextTurn: (run) => turns.push(run), ...ONE_CALLER },
  );
  const all = Array.from({ length: 20 }, (_, nth) => answer(nth));
  while (begun.length < 20) {
    const before = begun.length;
    for (const run of turns.splice(0)) run();
    for (let step = 0; step < 50; step++) await null;
    expect(begun.length - before).toBeLessThanOrEqual(2);
  }
  expect((await Promise.all(all)).length).toBe(20);
});

test("a request whose client has left is not worked on", async () => {
  let hasLeft = false;
  const { answer, turn, answered } = rig({ isDone: () => hasLeft });
  const all = Array.from({ length: 50 }, (_, nth) => answer(nth));
  const before = answered.length;
  hasLeft = true;
  turn();
  expect(answered.length).toBe(before);
  expect((await (all.at(-1) as Promise<Response>)).status).toBe(499);
});

test("of a crowd each turn answers those within its bound, all are answered, and in their order", async () => {
  const { answer, turn, answered } = rig();
  const all = Array.from({ length: 200 }, (_, nth) => answer(nth));
  const first = all.filter((one) => one instanceof Response).length;
  expect(first).toBeLessThan(30);
  let before = answered.length;
  for (let turns = 0; answered.length < 200; turns++) {
    expect(turns).toBeLessThan(50);
    turn();
    expect(answered.length - before).toBeLessThan(30);
    before = answered.length;
  }
  expect(answered).toEqual(Array.from({ length: 200 }, (_, nth) => nth));
  expect(await Promise.all(all.map(async (one) => (await one).text()))).toEqual(answered.map(String));
});

test("a fault in a later turn is the request's own", async () => {
  const turns: (() => void)[] = [];
  let now = 0;
  const answer = inShortTurns<number>(
    (nth) => {
      now += 1;
      if (nth === 199) throw new Error("of 199");
      return new Response();
    },
    { now: () => now, nextTurn: (run) => turns.push(run), ...ONE_CALLER },
  );
  const all = Array.from({ length: 200 }, (_, nth) => answer(nth));
  const ended = Promise.allSettled(all);
  while (turns.length > 0) for (const run of turns.splice(0)) run();
  expect((await ended).map(({ status }) => status).indexOf("rejected")).toBe(199);
});

test("a client that sends a thousand slow requests in one go does not keep another one waiting for them", async () => {
  let served = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: inShortTurns(
      ({ url }) => {
        if (url.endsWith("/health")) return new Response(String(served));
        const end = performance.now() + 2;
        while (performance.now() < end);
        served += 1;
        return new Response();
      },
      { now: () => performance.now(), nextTurn: (run) => void setImmediate(run), ...ONE_CALLER },
    ),
  });
  try {
    const socket = connect(server.port ?? 0, "127.0.0.1");
    let isClosed = false;
    socket.on("close", () => {
      isClosed = true;
    });
    socket.on("error", () => {});
    socket.resume();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1000));
    await until("some are answered", () => served > 0);
    expect(Number(await (await fetch(new URL("/health", server.url))).text())).toBeLessThan(100);
    await until("the connection is closed", () => isClosed);
    expect(served).toBeLessThan(100);
  } finally {
    await server.stop(true);
  }
});

test("of the application the path /health alone is urgent: a query that ends like it is not", async () => {
  const app = sampleApp();
  const answer = app.inShortTurns(() => {
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
