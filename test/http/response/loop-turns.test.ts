/** Who queues work for later turns of the event loop, and what one turn runs of it. */

import { expect, test } from "bun:test";
import { newLoopTurns } from "#http/response/loop-turns.ts";

test("two who always have more to do run in turns, one callback a turn", () => {
  const turns: (() => void)[] = [];
  const ran: string[] = [];
  const later = newLoopTurns((run) => turns.push(run));
  const pump = (name: string) => () => {
    ran.push(name);
    if (ran.length < 8) later(pump(name));
  };
  later(pump("steps"));
  later(pump("requests"));
  for (let turn = 1; turns.length > 0; turn++) {
    turns.shift()?.();
    expect(ran.length).toBe(turn);
  }
  expect(ran.slice(0, 6)).toEqual(["steps", "requests", "steps", "requests", "steps", "requests"]);
});

test("one who is alone has every turn, and nothing runs before its turn", () => {
  const turns: (() => void)[] = [];
  let ran = 0;
  const later = newLoopTurns((run) => turns.push(run));
  later(() => {
    ran += 1;
    later(() => {
      ran += 1;
    });
  });
  expect(ran).toBe(0);
  turns.shift()?.();
  expect(ran).toBe(1);
  turns.shift()?.();
  expect([ran, turns.length]).toEqual([2, 0]);
});
