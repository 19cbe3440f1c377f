/** Fluctuations over the packaged real history, against an oracle that reads the ECB's own CSV and computes with whole numbers. */

import { beforeAll, describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { formatDay } from "#domain/time/day.ts";
import { fluctuation } from "#rates/fluctuation.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { depsOf, openOracle, ratioOf, rounded } from "./published-table.ts";

describe("500 random fluctuations of the real history", () => {
  let oracle: Awaited<ReturnType<typeof openOracle>>;
  beforeAll(async () => {
    oracle = await openOracle();
  }, 30_000);

  test("have the ends, the change and the extremes that the ECB's file has", () => {
    const random = seededRandom(20_261_127);
    const pick = () => CURRENCY_CODES[Math.floor(random() * CURRENCY_CODES.length)] as CurrencyCode;
    const deps = depsOf(oracle);
    let compared = 0;
    while (compared < 500) {
      const [base, to] = [pick(), pick()];
      if (base === to || base === "TWD" || to === "TWD") continue;
      const start = day("1999-01-04") + Math.floor(random() * 10_000);
      const end = Math.min(start + Math.floor(random() * 500), ECB_SNAPSHOT.newestDay);
      const query = { base: currencyIndex(base), symbols: [currencyIndex(to)], start, end, asOf: null };
      const [first, last] = [
        oracle.rateOn(formatDay(start), base, to),
        oracle.rateOn(formatDay(end), base, to),
      ];
      if (first === null || last === null) {
        expect(() => fluctuation(deps, query)).toThrow("no requested rate");
        continue;
      }
      const within = [first];
      for (let at = start; at <= end; at++) {
        const value = oracle.published(formatDay(at), base, to);
        if (value !== null) within.push({ date: formatDay(at), value });
      }
      const low = within.reduce((a, b) => (b.value < a.value ? b : a));
      const high = within.reduce((a, b) => (b.value > a.value ? b : a));
      const [rate] = fluctuation(deps, query).rates;
      const name = `${base}/${to} ${formatDay(start)} ${formatDay(end)}`;
      const plain = (dated: { day: number; text: string } | undefined) =>
        dated && { date: formatDay(dated.day), value: Number(dated.text) };
      expect([name, plain(rate?.start), plain(rate?.end)]).toEqual([name, first, last]);
      expect([name, plain(rate?.low), plain(rate?.high)]).toEqual([name, low, high]);
      const [a, b] = [ratioOf(rate?.start.text ?? ""), ratioOf(rate?.end.text ?? "")];
      expect(Number(rate?.change)).toBeCloseTo(last.value - first.value, 6);
      expect(Number(rate?.changePct)).toBe(rounded([(b[0] * a[1] - a[0] * b[1]) * 100n, a[0] * b[1]], 6));
      compared++;
    }
  }, 60_000);
});
