/** This machine's clock is judged by several hosts, never by one, and by what they say now. */

import { describe, expect, test } from "bun:test";
import { type HostClock, isClockProven, judgeOwnClock } from "#domain/intake/reading.ts";

const NOW = Date.parse("2026-04-14T15:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Hosts a, b, c …, each a minute ago, by how far they say that this clock is ahead. */
const hosts = (...ahead: readonly number[]): HostClock[] =>
  ahead.map((one, index) => ({ host: "abcdefgh"[index] as string, at: NOW - MINUTE, ahead: one }));
const verdictOf = (...ahead: readonly number[]) => {
  const { status, ahead: by } = judgeOwnClock(hosts(...ahead), NOW);
  return { status, by };
};

test.each([
  ["nothing", []],
  ["one host alone, however far", [365 * 24 * HOUR]],
  ["two that are within two minutes", [2 * MINUTE, -2 * MINUTE]],
  ["two that contradict each other", [2 * HOUR, -2 * HOUR]],
  ["two wrong ones of five", [2 * HOUR, 2 * HOUR, 0, 0, 500]],
])("%s proves nothing", (_, ahead) => {
  expect(verdictOf(...ahead)).toEqual({ status: "ok", by: 0 });
});

test.each<[readonly number[], "off" | "wrong", number]>([
  [[2 * MINUTE + 1, 3 * MINUTE], "off", 2 * MINUTE + 1],
  [[-5 * MINUTE, -4 * MINUTE], "off", -4 * MINUTE],
  [[HOUR, 2 * HOUR], "off", HOUR],
  [[HOUR + 1, 2 * HOUR], "wrong", HOUR + 1],
  [[-2 * HOUR, -2 * HOUR, 0], "wrong", -2 * HOUR],
  [[365 * 24 * HOUR, 365 * 24 * HOUR], "wrong", 365 * 24 * HOUR],
])("hosts that say %p: %s", (ahead, status, by) => {
  expect(verdictOf(...ahead)).toEqual({ status, by });
});

test.each([
  ["nobody has spoken, as right after a jump", [], false],
  ["one host agrees", [HOUR], true],
  ["one host alone contradicts", [365 * 24 * HOUR], false],
  ["one agrees and one contradicts", [0, 2 * HOUR], true],
  ["two of three contradict", [0, 2 * HOUR, 2 * HOUR], false],
])("is anything removed by its age? %s", (_, ahead, isProven) => {
  expect(isClockProven(hosts(...ahead), NOW)).toBe(isProven);
  expect(isClockProven(hosts(...ahead), NOW + 2 * HOUR)).toBe(false);
});

test("a store of this installation is enough alone, yet stops no commit, and most hosts outweigh it", () => {
  const store = (ahead: number): HostClock => ({ host: "the database", at: NOW, ahead, isStore: true });
  expect(judgeOwnClock([store(2 * MINUTE)], NOW).status).toBe("ok");
  expect(judgeOwnClock([store(-2 * HOUR)], NOW)).toEqual({
    status: "off",
    ahead: -2 * HOUR,
    detail: "this machine's clock is 120 min behind the database: set it by NTP",
  });
  expect(judgeOwnClock([store(2 * HOUR), ...hosts(0)], NOW).status).toBe("ok");
  expect(judgeOwnClock([store(2 * HOUR), ...hosts(2 * HOUR)], NOW).status).toBe("wrong");
});

describe("an answer counts", () => {
  const at = (...times: readonly number[]) =>
    judgeOwnClock(
      times.map((time, index) => ({ host: `h${index}`, at: NOW - time, ahead: 2 * HOUR })),
      NOW,
    ).status;
  test("for an hour", () => {
    expect(at(MINUTE, HOUR)).toBe("wrong");
    expect(at(MINUTE, HOUR + 1)).toBe("ok");
  });
  test("until the clock is set back", () => {
    expect(at(-2 * HOUR + MINUTE, -2 * HOUR + MINUTE)).toBe("ok");
  });
});

test("the reason names hosts, size, direction and what to do", () => {
  expect(judgeOwnClock(hosts(2 * HOUR, 3 * HOUR), NOW).detail).toBe(
    "this machine's clock is 120 min ahead of a and b, and nothing is committed: set it by NTP",
  );
  expect(judgeOwnClock(hosts(-3 * MINUTE, -3 * MINUTE, -4 * MINUTE, -4 * MINUTE), NOW).detail).toBe(
    "this machine's clock is 3 min behind a, b, c and 1 more: set it by NTP",
  );
});
