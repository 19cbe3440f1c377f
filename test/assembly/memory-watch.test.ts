import { describe, expect, test } from "bun:test";
import { keptUnderPressure, newMemoryWatch } from "#assembly/memory-watch.ts";

const MB = 1024 * 1024;
type Second = readonly [busy: number, megabytes: number];

/** What was done in which second, for seconds of so much work with a heap of so many MB; a collection leaves `after`. */
function done(seconds: readonly Second[], after = 60): string[] {
  const steps: string[] = [];
  let second = 0;
  const watch = newMemoryWatch({
    collect: () => steps.push(`${second} collect`),
    trim: () => steps.push(`${second} trim`),
    heapBytes: () => after * MB,
  });
  for (const [busy, megabytes] of seconds) {
    watch.look(busy, megabytes * MB);
    second += 1;
  }
  return steps;
}

const times = (count: number, busy: number, megabytes: number): Second[] =>
  Array.from({ length: count }, () => [busy, megabytes]);

describe("garbage is collected", () => {
  test("when a heap that grew has been idle for some seconds, once", () => {
    expect(done([[0.01, 60], [0.9, 200], ...times(20, 0.01, 150)], 150)).toEqual(["4 collect"]);
  });
  test("again when it has grown again", () => {
    expect(done([[0, 60], ...times(3, 0, 90)])).toEqual(["2 collect", "3 collect"]);
  });
  test("never while the process is busy", () => {
    expect(done([[0, 60], ...times(60, 0.5, 300)])).toEqual([]);
  });
  test("never where there is little to gain", () => {
    expect(done(Array.from({ length: 29 }, (_, second) => [0, 60 + (second % 15)]))).toEqual([]);
  });
  test("measured against the least that the runtime's own collections left", () => {
    expect(done([[0, 100], ...times(1, 0, 50), ...times(1, 0, 60), ...times(1, 0, 67)])).toEqual([
      "3 collect",
    ]);
  });
});

describe("caches are trimmed", () => {
  test("after half a minute without much work, once, and then garbage is collected, twice", () => {
    expect(done(times(100, 0.01, 60))).toEqual(["29 trim", "29 collect", "34 collect"]);
  });
  test("not in the gaps between bursts", () => {
    const burst = [...times(5, 0.9, 60), ...times(25, 0, 60)];
    expect(done([...burst, ...burst, ...burst])).toEqual([]);
  });
});

describe("under pressure the caches give way", () => {
  const kept = (residentMegabytes: number, collects = false, limitMegabytes = 50) =>
    keptUnderPressure({
      residentBytes: residentMegabytes * 1e6,
      limitBytes: limitMegabytes * 1e6,
      collects,
    }) / 1e6;

  test("not at all in a process of the usual size", () => {
    expect([kept(100), kept(205), kept(215)]).toEqual([50, 50, 50]);
  });
  test("the more the larger it is, down to a tenth", () => {
    const sizes = [215, 224, 230, 242, 250, 900];
    expect(sizes.map((megabytes) => Math.round(kept(megabytes)))).toEqual([50, 35, 25, 5, 5, 5]);
  });
  test("later where they have more room, or the process collects, too", () => {
    expect([kept(365, false, 200), kept(275, true)]).toEqual([200, 50]);
  });
});
