import { describe, expect, test } from "bun:test";
import { newMemoryWatch, newPressureWatch } from "#assembly/memory-watch.ts";

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
  test("after half a minute without much work, once, and then garbage is collected", () => {
    expect(done(times(100, 0.01, 60))).toEqual(["29 trim", "29 collect"]);
  });
  test("not in the gaps between bursts", () => {
    const burst = [...times(5, 0.9, 60), ...times(25, 0, 60)];
    expect(done([...burst, ...burst, ...burst])).toEqual([]);
  });
});

describe("under pressure garbage is collected while the process is busy", () => {
  /** In which looks, for looks of so many resident MB and so many of the heap. */
  function collected(looks: readonly (readonly [resident: number, heap: number])[]): number[] {
    const at: number[] = [];
    let look = 0;
    const watch = newPressureWatch(220 * MB, () => at.push(look));
    for (const [resident, heap] of looks) {
      watch.look(resident * MB, heap * MB);
      look += 1;
    }
    return at;
  }

  test("once the process is large, and again each time the heap has grown", () => {
    expect(
      collected([
        [180, 60],
        [230, 80],
        [231, 82],
        [240, 90],
        [240, 70],
        [240, 75],
      ]),
    ).toEqual([1, 3, 5]);
  });
  test("never while it is small, however the heap grows", () => {
    expect(collected(Array.from({ length: 50 }, (_, nth) => [219, 60 + nth * 5] as const))).toEqual([]);
  });
  test("not again and again where the heap does not grow", () => {
    expect(collected(Array.from({ length: 50 }, () => [400, 100] as const))).toEqual([0]);
  });
});
