/** The figures of one source inside a rate are of one observation date: every rate beside a slow oracle, over histories with holes. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { crossRate, isUnfilled } from "#domain/history/cross.ts";
import { buildHistory, FILL_DAYS, type History } from "#domain/history/history.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { realFigures } from "#test/domain/spot/real.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { columnsOf, day, ecb, historyOf, type PlainObservation } from "./columns.ts";
import { type Oracle, oracleOf } from "./one-date-oracle.ts";
import { type Random, wholeHistory, withHoles } from "./one-date-worlds.ts";

/** The whole history takes minutes with every pair: CROSS_PAIRS=930 asks for it. */
const PAIRS_A_DAY = Number(process.env["CROSS_PAIRS"] ?? 3);

const index = (code: CurrencyCode) => currencyIndex(code);

function figureNames(figures: readonly PlainObservation[]): string {
  return figures
    .map(({ source, base, quote, date }) => `${source} ${base}/${quote} ${formatDay(date)}`)
    .sort()
    .join(", ");
}

function rowNames({ observations }: History, rows: readonly number[]): string {
  return rows
    .map((row) => {
      const source = observations.source[row] === 0 ? "ecb_daily" : "fred_daily";
      const [base, quote] = [observations.base[row] as number, observations.quote[row] as number];
      return `${source} ${CURRENCY_CODES[base]}/${CURRENCY_CODES[quote]} ${formatDay(observations.date[row] as Day)}`;
    })
    .sort()
    .join(", ");
}

/** Digits, figures and fill of a pair on a day beside the oracle's. */
function assertCross(history: History, oracle: Oracle, date: Day, from: CurrencyCode, to: CurrencyCode) {
  const cross = crossRate(history, date, index(from), index(to));
  const wanted = oracle.daily(date, from, to);
  const found = cross === null ? null : `${cross.text} of ${rowNames(history, cross.rows)}`;
  const expected = wanted === null ? null : `${wanted.text} of ${figureNames(wanted.figures)}`;
  if (found !== expected)
    throw new Error(`${formatDay(date)} ${from}→${to}: ${found}, the rule says ${expected}`);
  if (cross !== null && wanted !== null) expect(isUnfilled(history, date, cross)).toBe(!wanted.filled);
  return wanted === null ? 0 : 1;
}

function somePairs(random: Random, count: number): (readonly [CurrencyCode, CurrencyCode])[] {
  const one = () => CURRENCY_CODES[Math.floor(random() * CURRENCY_CODES.length)] as CurrencyCode;
  const pairs = Array.from({ length: count }, () => [one(), one()] as const);
  // The pivots are where holes matter most.
  const pivots = [["USD", one()] as const, [one(), "USD"] as const, ["EUR", one()] as const];
  return [...pairs, ...pivots, ["TWD", one()] as const].filter(([from, to]) => from !== to);
}

describe("named days", () => {
  const silent = historyOf([
    ecb("2026-04-07", "USD", "1.1600"),
    ecb("2026-04-07", "JPY", "185.00"),
    ecb("2026-04-07", "GBP", "0.87000"),
    ecb("2026-04-08", "JPY", "187.39"),
    ecb("2026-04-08", "GBP", "0.87100"),
    ecb("2026-04-09", "USD", "1.1700"),
    ecb("2026-04-09", "JPY", "187.00"),
  ]);
  const rate = (history: History, date: string, from: CurrencyCode, to: CurrencyCode) =>
    crossRate(history, day(date), index(from), index(to));

  test("a day without the ECB's dollar has the dollar rates of the day before, and its own of all others", () => {
    expect(rate(silent, "2026-04-08", "USD", "JPY")?.text).toBe("159.4827586");
    expect(rate(silent, "2026-04-08", "EUR", "USD")?.text).toBe("1.1600");
    expect(rate(silent, "2026-04-08", "EUR", "JPY")?.text).toBe("187.39");
    expect(rate(silent, "2026-04-08", "GBP", "JPY")?.text).toBe("215.1435132");
  });
  test("fourteen days count from the date that both have", () => {
    const apart = historyOf([
      ecb("2026-04-01", "USD", "1.1600"),
      ecb("2026-04-01", "JPY", "185.00"),
      ecb("2026-04-10", "JPY", "187.00"),
    ]);
    expect(rate(apart, "2026-04-15", "USD", "JPY")?.text).toBe("159.4827586");
    expect(rate(apart, "2026-04-16", "USD", "JPY")).toBeNull();
    expect(rate(apart, "2026-04-16", "EUR", "JPY")?.text).toBe("187.00");
  });
});

describe("beside the slow oracle", () => {
  test("the whole history with holes, some pairs a day", async () => {
    const random = seededRandom(11);
    const figures = withHoles(random, await wholeHistory());
    const [history, oracle] = [historyOf(figures), oracleOf(figures)];
    let rates = 0;
    for (let date = history.observations.date[0] as Day; date <= history.lastDay + FILL_DAYS; date++) {
      for (const [from, to] of somePairs(random, PAIRS_A_DAY))
        rates += assertCross(history, oracle, date, from, to);
    }
    expect(rates).toBeGreaterThan(3_000);
  });
});

// The whole real ECB history through the index: every figure and every filled day. Crosses: one-date.test.ts.
const EUR = currencyIndex("EUR");

const figures = await realFigures();

describe.skipIf(figures.length === 0)("on the real history 1999 … 2026", () => {
  const history = buildHistory("real", columnsOf(figures));
  const ofEcb = figures.filter(({ source }) => source === "ecb_daily");
  const table = new Map(
    [...Map.groupBy(ofEcb, ({ date }) => date)].map(([date, row]) => [
      date,
      new Map(row.map(({ quote, printed }) => [quote, printed])),
    ]),
  );
  const dates = [...table.keys()].sort((a, b) => a - b);
  const lastDate = dates.at(-1) as Day;

  test("every date answers every currency as published, every weekend and holiday repeats the last fixing, and a gap is a gap", () => {
    expect(dates.length).toBe(6983);
    let compared = 0;
    const lastSeen = new Map<CurrencyCode, Day>();
    for (let at = dates[0] as Day; at <= lastDate; at++) {
      for (const code of table.get(at)?.keys() ?? []) lastSeen.set(code, at);
      for (const code of CURRENCY_CODES) {
        if (code === "EUR" || code === "TWD") continue;
        const seen = lastSeen.get(code);
        const expected =
          seen !== undefined && at - seen <= FILL_DAYS ? table.get(seen)?.get(code) : undefined;
        const got = crossRate(history, at, EUR, currencyIndex(code))?.text;
        if (got !== expected) throw new Error(`${formatDay(at)} ${code}: ${got}, expected ${expected}`);
        if (seen === at) compared += 1;
      }
    }
    expect(compared).toBe(178_728);
    const isk = currencyIndex("ISK");
    expect(crossRate(history, day("2008-12-23"), EUR, isk)?.text).toBe("290");
    expect(crossRate(history, day("2008-12-24"), EUR, isk)).toBeNull();
    expect(crossRate(history, day("2018-01-31"), EUR, isk)).toBeNull();
    expect(crossRate(history, day("2018-02-01"), EUR, isk)?.text).toBe("125.01");
  });
});
