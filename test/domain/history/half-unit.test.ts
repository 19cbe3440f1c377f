/** The half-unit of a figure, over the whole real history. The error bound rests on it: cross.test.ts. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { COARSE_STEPS, type CoarseStep, halfUnit } from "#domain/history/cross.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { ecbFigure } from "#sources/ecb/documents.ts";
import { fredFigure, fredSeries } from "#sources/fred/fred.ts";
import { realFigures } from "#test/domain/spot/real.ts";
import { columnsOf, ecb, fred, type PlainObservation } from "./columns.ts";

describe("the half-unit of a figure", () => {
  test.each([
    ["is half of the last digit that is not zero", ecb("2020-03-02", "USD", "1.1699", 4), 0.00005],
    ["also where that is not the last one", ecb("2020-03-02", "USD", "1.1690", 4), 0.0005],
    ["of any magnitude", ecb("2020-03-02", "ISK", "141.30", 2), 0.05],
    ["is the same where the route pads with zeros", ecb("2020-03-02", "USD", "1.1700", 4), 0.005],
    ["and where it does not", ecb("2020-03-02", "USD", "1.17", 4), 0.005],
    ["as little as any other zeros do", ecb("2008-11-03", "ISK", "305.00", 2), 2.5],
    ["which a route leaves out", ecb("2008-11-03", "ISK", "305", 2), 2.5],
    ["is never finer than the decimals that are published", ecb("2020-03-02", "HUF", "337.571", 2), 0.005],
    ["is at most two digits coarser than these", ecb("2020-03-02", "USD", "2.0000", 4), 0.005],
    ["of a one, too", ecb("2020-03-02", "USD", "1.0000", 4), 0.005],
    ["of large figures, too", ecb("2020-03-02", "IDR", "16000.00", 2), 0.5],
    ["before a period of the table is of its own digits", ecb("2008-10-06", "ISK", "183.20", 2), 0.05],
    ["is half of the step from its first day", ecb("2008-10-08", "ISK", "265.00", 2), 2.5],
    ["to its last", ecb("2008-12-09", "ISK", "275.00", 2), 2.5],
    ["of a step that is no power of ten", ecb("2010-03-01", "NOK", "8.0345", 4), 0.00025],
    ["is coarser within a period, too", ecb("2010-03-01", "NOK", "8.0300", 4), 0.005],
    ["of a step of H.10", fred("2004-11-01", "TWD", "33.355", 3), 0.0025],
    ["of no multiple of the step is that of its digits", ecb("2010-03-01", "NOK", "8.0347", 4), 0.00005],
    ["of one currency implies nothing for another", ecb("2010-03-01", "PLN", "3.9345", 4), 0.00005],
    ["nor one source for the other", fred("2010-03-01", "NOK", "5.9345", 4), 0.00005],
  ])("%s", (_, figure, expected) => expect(halfUnit(columnsOf([figure]), 0)).toBeCloseTo(expected, 12));
});

/** Every printed figure of the ECB, and of TWD at H.10, by series, ascending, with the decimals that each has. */
const history = Map.groupBy(
  (await realFigures()).map((figure): PlainObservation => {
    const { date, quote, printed } = figure;
    const { decimals } =
      figure.source === "ecb_daily"
        ? ecbFigure(date, quote, printed, null)
        : fredFigure(fredSeries("DEXTAUS"), date, printed);
    return { ...figure, decimals };
  }),
  ({ source, quote }) => `${source} ${quote}`,
);
for (const series of history.values()) series.sort((a, b) => a.date - b.date);

/** The figure in units of 10^-6, exactly: no figure of either authority has more decimals. */
function millionths(printed: string): number {
  const [whole = "0", fraction = ""] = printed.split(".");
  if (fraction.length > 6) throw new Error(`${printed} has more than six decimals`);
  return Number(whole + fraction.padEnd(6, "0"));
}

const WINDOW = 20;
/** Last digits that are not zero: nine of them, one a 5 and four even. So many in a window are no accident. */
const STEPS = [
  { mantissa: 1, digitsSeen: 0 },
  { mantissa: 2, digitsSeen: 20 },
  { mantissa: 5, digitsSeen: 6 },
] as const;

/**
 * The step to which each figure was evidently rounded, in millionths: the largest of 1, 2, 5 times a power of ten of which
 * the figure and nine tenths of its 40 neighbours are multiples. Nothing of the product is used for it.
 */
function inferredSteps(figures: readonly PlainObservation[]): Float64Array {
  const units = figures.map(({ printed }) => millionths(printed));
  const steps = new Float64Array(units.length);
  for (let exponent = 0; exponent <= 9; exponent++) {
    for (const { mantissa, digitsSeen } of STEPS) {
      const step = mantissa * 10 ** exponent;
      const fits = units.map((value) => value % step === 0);
      const isTelling = units.map((value) => value % step === 0 && value % 10 ** (exponent + 1) !== 0);
      const [fitting, telling] = [sums(fits), sums(isTelling)];
      for (let at = WINDOW; at < units.length - WINDOW; at++) {
        const inside = (of: readonly number[]) =>
          (of[at + WINDOW + 1] as number) - (of[at - WINDOW] as number);
        if (!fits[at] || inside(fitting) < 0.9 * (2 * WINDOW + 1) || inside(telling) < digitsSeen) continue;
        steps[at] = Math.max(steps[at] as number, step);
      }
    }
  }
  return steps;
}

/** Running sums: element i is how many of the first i are true. */
function sums(flags: readonly boolean[]): number[] {
  const all = [0];
  for (const flag of flags) all.push((all.at(-1) as number) + (flag ? 1 : 0));
  return all;
}

describe.skipIf(history.size === 0)("over the whole real history", () => {
  test("no figure has a smaller half-unit than the step to which it was evidently rounded", () => {
    let figures = 0;
    let coarser = 0;
    for (const [name, series] of history) {
      const columns = columnsOf(series);
      const steps = inferredSteps(series);
      for (const [row, { date, printed, decimals = 0 }] of series.entries()) {
        const inferred = (steps[row] as number) / 2e6;
        if (halfUnit(columns, row) < inferred - 1e-12) {
          throw new Error(`${name} ${formatDay(date)} ${printed}: ${halfUnit(columns, row)} < ${inferred}`);
        }
        figures += 1;
        if (inferred > 0.5 * 10 ** -decimals + 1e-12) coarser += 1;
      }
    }
    expect(figures).toBeGreaterThan(180_000);
    // What the rule is for: figures that are rounded more coarsely than they are printed.
    expect(coarser).toBeGreaterThan(12_000);
  });

  test("the periods of the table are periods of multiples", () => {
    for (const period of COARSE_STEPS) {
      const { multiples, figures, telling, fitting, ends } = evidenceOf(period);
      const name = `${period.source} ${period.currency} ${formatDay(period.from)}`;
      if (figures === 0) throw new Error(`${name}: no figure`);
      expect({ name, ends }).toEqual({ name, ends: [true, true] });
      const least = period.mantissa === 2 ? 19 / 20 : 5 / 6;
      if (multiples < least * figures) throw new Error(`${name}: ${multiples} of ${figures} are multiples`);
      // By chance one of nine last digits is a 5, and four of nine are even.
      if (telling < 18 || fitting < (2 / 3) * telling)
        throw new Error(`${name}: ${fitting} of ${telling} informative values fit`);
    }
  });

  function evidenceOf({ source, currency, from, to, mantissa, exponent }: CoarseStep) {
    const series = history.get(`${source} ${currency}`) ?? [];
    const inside = series.filter(({ date }) => date >= from && date <= (to ?? Number.POSITIVE_INFINITY));
    const units = inside.map(({ printed }) => millionths(printed));
    const [step, digit] = [mantissa * 10 ** (exponent + 6), 10 ** (exponent + 6)];
    const telling = units.filter((value) => value % (10 * digit) !== 0);
    return {
      figures: units.length,
      multiples: units.filter((value) => value % step === 0).length,
      telling: telling.length,
      fitting: telling.filter((value) => value % step === 0).length,
      // The end of an open period is that of the evidence, not of the table.
      ends: [units[0], to === null ? 0 : units.at(-1)].map((value) => (value as number) % step === 0),
    };
  }
});

test("the periods of one series are in order and do not overlap", () => {
  for (const [index, { source, currency, from, to }] of COARSE_STEPS.entries()) {
    expect(from).toBeLessThanOrEqual(to ?? from);
    const next: { source: DailySource; currency: CurrencyCode; from: Day } | undefined =
      COARSE_STEPS[index + 1];
    if (next?.source === source && next.currency === currency) expect(next.from).toBeGreaterThan(to as Day);
    expect(CURRENCY_CODES).toContain(currency);
  }
});
