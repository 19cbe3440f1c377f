/** The whole real ECB history through the index: every figure, every cross, every filled day. */

import { describe, expect, test } from "bun:test";
import {
  CURRENCY_CODES,
  CURRENCY_COUNT,
  type CurrencyCode,
  currencyIndex,
} from "#domain/currency/currency.ts";
import { crossRate } from "#domain/history/cross.ts";
import { buildHistory, FILL_DAYS } from "#domain/history/history.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { realFigures } from "#test/domain/spot/real.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { columnsOf, day } from "./columns.ts";

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

  test("reciprocals and triangles of one date close below 0.01 bps on all pairs of 8 random days", () => {
    const random = seededRandom(2026);
    let closed = 0;
    for (let round = 0; round < 8; round++) {
      const date = (dates[0] as Day) + Math.floor(random() * (lastDate - (dates[0] as Day)));
      const crosses = Array.from({ length: CURRENCY_COUNT }, (_, from) =>
        Array.from({ length: CURRENCY_COUNT }, (__, to) => crossRate(history, date, from, to)),
      );
      const at = (from: number, to: number) => Number(crosses[from]?.[to]?.text ?? Number.NaN);
      // A hole takes some pairs back to an earlier date than others: these need not close.
      const isOfOneDate = (...pairs: readonly (readonly [number, number])[]) => {
        const rows = pairs.flatMap(([from, to]) => crosses[from]?.[to]?.rows ?? []);
        return new Set(rows.map((row) => history.observations.date[row])).size === 1;
      };
      for (let a = 0; a < CURRENCY_COUNT; a++) {
        for (let b = 0; b < CURRENCY_COUNT; b++) {
          if (Number.isNaN(at(a, b))) continue;
          expect(Math.abs(at(a, b) * at(b, a) - 1) * 1e4).toBeLessThan(0.01);
          for (let c = 0; c < CURRENCY_COUNT; c++) {
            if (Number.isNaN(at(b, c))) continue;
            if (!isOfOneDate([a, b], [b, c], [a, c])) continue;
            closed += 1;
            const error = Math.abs((at(a, b) * at(b, c)) / at(a, c) - 1) * 1e4;
            if (!(error < 0.01)) throw new Error(`${formatDay(date)} ${a} ${b} ${c}: ${error} bps`);
          }
        }
      }
    }
    expect(closed).toBeGreaterThan(110_000);
  });
});
