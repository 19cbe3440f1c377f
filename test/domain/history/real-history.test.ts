/** The whole real ECB history through the index: every figure and every filled day. Crosses: one-date.test.ts. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { crossRate } from "#domain/history/cross.ts";
import { buildHistory, FILL_DAYS } from "#domain/history/history.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { realFigures } from "#test/domain/spot/real.ts";
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
});
