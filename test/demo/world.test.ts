/** The simulated market is a function of its seed, whenever and in whatever order it is queried. */

import { expect, test } from "bun:test";
import { createWorld } from "#demo/world.ts";
import { COVERAGE_START, type Day, parseDay, weekdayOf } from "#domain/time/day.ts";
import { FILES, GRAPH, linesOf, running, SDMX } from "./running.ts";

const day = (text: string) => parseDay(text) as Day;
const END = day("2026-12-31");
const weekdays: Day[] = [];
for (let at = COVERAGE_START; at <= END; at++) {
  if (weekdayOf(at) !== 0 && weekdayOf(at) !== 6) weekdays.push(at);
}
const world = createWorld(7);

test("the bytes for past days are the same from a fresh instance and years later", async () => {
  const early = await running("2020-07-02T09:00:00Z");
  const late = await running("2026-04-13T15:00:00Z");
  const past = {
    [`${SDMX}/D..EUR.SP00.A?format=csvdata&includeHistory=true&startPeriod=2020-01-01&endPeriod=2020-06-26`]: 29,
    [`${GRAPH}?id=DEXTAUS,DEXUSEU,DEXMXUS&cosd=1999-01-04&coed=2020-06-26`]: 5000,
  };
  for (const [address, lines] of Object.entries(past)) {
    // Some hundreds of later figures are requested first.
    await late.text(`${FILES}/eurofxref-hist-90d.xml`);
    const text = await early.text(address);
    expect(linesOf(text).length).toBeGreaterThan(lines);
    expect(Bun.hash(await late.text(address))).toBe(Bun.hash(text));
  }
  const tail = async ({ unzipped }: typeof early) =>
    linesOf(await unzipped(`${FILES}/eurofxref-hist.zip`, "eurofxref-hist.csv")).filter(
      (line) => line < "2020-07-01",
    );
  expect(await tail(late)).toEqual(await tail(early));
});

test("a value does not depend on the order of the questions", () => {
  const backwards = createWorld(7);
  for (const at of weekdays.slice(-400).reverse()) {
    expect(backwards.perEuro("JPY", at, 0.3)).toBe(world.perEuro("JPY", at, 0.3));
  }
});

test("quotes between two fixings begin at the one and end at the other, without a jump", () => {
  const [from, to] = [day("2026-04-13"), day("2026-04-14")];
  expect(world.perEuro("USD", from, 0)).toBe(world.perEuro("USD", from));
  expect(world.perEuro("USD", from, 1 - 1e-9) / world.perEuro("USD", to)).toBeCloseTo(1, 6);
  const path = Array.from({ length: 1441 }, (_, minute) => world.perEuro("USD", from, minute / 1441));
  const steps = path.slice(1).map((value, index) => Math.abs(value / (path[index] as number) - 1));
  expect(Math.max(...steps)).toBeLessThan(0.002);
  expect(new Set(path).size).toBe(path.length);
});

test("there is no market on a weekend or before 1999-01-04", () => {
  expect(() => world.perEuro("USD", day("2026-04-11"))).toThrow(RangeError);
  expect(() => world.perEuro("USD", day("1999-01-01"))).toThrow(RangeError);
});
