/** Means over the packaged real history, against an oracle that reads the ECB's own CSV and computes with whole numbers. */

import { beforeAll, describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { MEAN_METHODS } from "#domain/history/periods.ts";
import { formatDay } from "#domain/time/day.ts";
import { average } from "#rates/average.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { depsOf, openOracle, ratioOf, rounded } from "./published-table.ts";

describe("500 random means of the real history", () => {
  let oracle: Awaited<ReturnType<typeof openOracle>>;
  beforeAll(async () => {
    oracle = await openOracle();
  }, 30_000);

  test("have the days, the mean and the extremes that the ECB's file has", () => {
    const random = seededRandom(20_261_128);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    const deps = depsOf(oracle);
    let compared = 0;
    while (compared < 500) {
      const [base, to]: CurrencyCode[] = [pick(CURRENCY_CODES), pick(CURRENCY_CODES)];
      if (base === undefined || to === undefined || base === to || base === "TWD" || to === "TWD") continue;
      const start = day("1999-01-04") + Math.floor(random() * 10_000);
      const end = Math.min(start + Math.floor(random() * 400), ECB_SNAPSHOT.newestDay);
      const method = pick(MEAN_METHODS);
      const query = {
        base: currencyIndex(base),
        symbols: [currencyIndex(to)],
        start,
        end,
        method,
        asOf: null,
      };
      const values: { date: string; value: number }[] = [];
      for (let at = start; at <= end; at++) {
        const date = formatDay(at);
        const value =
          method === "published"
            ? oracle.published(date, base, to)
            : (oracle.rateOn(date, base, to)?.value ?? null);
        if (value !== null) values.push({ date, value });
      }
      if (values.length === 0) {
        expect(() => average(deps, query)).toThrow("no requested rate");
        continue;
      }
      const sum = values.reduce((total, { value }) => {
        const [numerator, denominator] = ratioOf(String(value));
        return total + numerator * (10n ** 20n / denominator);
      }, 0n);
      const low = values.reduce((a, b) => (b.value < a.value ? b : a));
      const high = values.reduce((a, b) => (b.value > a.value ? b : a));
      const [rate] = average(deps, query).rates;
      const name = `${base}/${to} ${formatDay(start)} ${formatDay(end)} ${method}`;
      const plain = (dated: { day: number; text: string } | undefined) =>
        dated && { date: formatDay(dated.day), value: Number(dated.text) };
      expect([name, rate?.days, plain(rate?.first), plain(rate?.last)]).toEqual([
        ...[name, values.length, values[0], values.at(-1)],
      ]);
      expect([name, plain(rate?.low), plain(rate?.high)]).toEqual([name, low, high]);
      const mean = rounded([sum, BigInt(values.length) * 10n ** 20n], 10);
      expect([name, Number(rate?.mean)]).toEqual([name, mean]);
      compared++;
    }
  }, 60_000);

  test("count the figures of a window that begins before the first one, and say why one has no figure", () => {
    const query = { base: currencyIndex("EUR"), symbols: [currencyIndex("USD")], asOf: null };
    const made = (start: string, end: string, method: (typeof MEAN_METHODS)[number]) =>
      average(depsOf(oracle), { ...query, start: day(start), end: day(end), method });
    for (const method of MEAN_METHODS) {
      const { start, rates } = made("1999-01-01", "1999-12-31", method);
      expect([formatDay(start), rates[0]?.days]).toEqual(["1999-01-01", method === "published" ? 259 : 362]);
      expect(() => made("1998-01-01", "1998-12-31", method)).toThrow("1998-12-31 is before 1999-01-04");
    }
    expect(() => made("2026-10-24", "2026-10-25", "published")).toThrow(
      "no requested rate was published from 2026-10-24 to 2026-10-25: method=calendar counts every day, with the rate in force",
    );
    expect(made("2026-10-24", "2026-10-25", "calendar").rates[0]?.days).toBe(2);
    const krona = {
      ...query,
      symbols: [currencyIndex("ISK")],
      method: "published",
      start: day("2012-03-03"),
    } as const;
    expect(() => average(depsOf(oracle), { ...krona, end: day("2012-03-04") })).toThrow(
      "no requested rate was published from 2012-03-03 to 2012-03-04 or within the 14 days before",
    );
  });

  test("name the origin of a currency that ended before the others", () => {
    const query = { base: currencyIndex("EUR"), symbols: [currencyIndex("USD"), currencyIndex("ISK")] };
    const window = {
      start: day("2008-11-03"),
      end: day("2009-06-30"),
      method: "published",
      asOf: null,
    } as const;
    const { rates, origin } = average(depsOf(oracle), { ...query, ...window });
    expect(rates.map(({ last }) => formatDay(last.day))).toEqual(["2009-06-30", "2008-12-09"]);
    expect(Object.keys(origin.sources)).toMatchObject(["USD", "ISK"]);
  });
});
