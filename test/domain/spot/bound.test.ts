/** The error bound of a spot rate: never below what the printed figures leave open, and silent where rounding bounds nothing. */

import { expect, test } from "bun:test";
import { type SpotRate, spotBound } from "#domain/spot/rates.ts";
import { type SpotFigure, spotTable } from "#domain/spot/table.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { everyPair, randomQuestion } from "./worlds.ts";

const random = seededRandom(31);
const QUESTIONS = Array.from({ length: 30 }, () => randomQuestion(random));

function everyRate(each: (rate: SpotRate, question: (typeof QUESTIONS)[number]) => void): void {
  for (const question of QUESTIONS) everyPair(spotTable(question), (rate) => each(rate, question));
}

/** Least and most that a figure can mean: its bid and ask, or what rounds to its last digit. */
function cornersOf(figure: SpotFigure, { book }: (typeof QUESTIONS)[number]): readonly [number, number] {
  const value = figure.units / 10 ** figure.scale;
  for (const { mid, bid, ask, observedAt, feed } of book.quotes.values()) {
    const isThis = figure.giver === feed && observedAt === figure.observedAt && Number(mid) === value;
    if (isThis && bid !== null && ask !== null) return [Number(bid), Number(ask)];
  }
  const half = 0.5 * 10 ** -figure.scale;
  return [value - half, value + half];
}

test("is at least the error of every combination of values that the legs can mean", () => {
  let bounded = 0;
  let tightest = Number.POSITIVE_INFINITY;
  everyRate((rate, question) => {
    const bound = spotBound(rate);
    if (bound === null) return;
    bounded += 1;
    let extremes = [1];
    for (const { figure, multiplies } of rate.legs) {
      const corners = cornersOf(figure, question);
      extremes = extremes.flatMap((value) =>
        corners.map((corner) => (multiplies ? value * corner : value / corner)),
      );
    }
    const printed = Number(rate.text);
    const error = Math.max(...extremes.map((value) => Math.abs(value / printed - 1))) * 1e4;
    expect(error).toBeLessThanOrEqual(bound + 1e-9);
    tightest = Math.min(tightest, bound - error);
  });
  expect(bounded).toBeGreaterThan(2_000);
  // A ceiling that is far above what it bounds would say nothing: it is rounded up to 0.01, and never by much more.
  expect(tightest).toBeLessThan(0.01);
});

test("is null for what is not triangulated, and where the legs differ in giver or observation time; else a number", () => {
  const seen = { plain: 0, uneven: 0, even: 0 };
  everyRate((rate) => {
    const [first, ...others] = rate.legs.map(({ figure }) => figure);
    const even = others.every(
      ({ giver, observedAt }) => giver === first?.giver && observedAt === first.observedAt,
    );
    const kind = !rate.derived ? "plain" : even ? "even" : "uneven";
    seen[kind] += 1;
    if (kind === "even") expect(spotBound(rate)).toBeGreaterThan(0);
    else expect(spotBound(rate)).toBeNull();
  });
  expect(Math.min(seen.plain, seen.uneven, seen.even)).toBeGreaterThan(1_000);
});
