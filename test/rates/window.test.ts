/** Means and changes over the packaged real history, against an oracle that reads the ECB's own CSV and computes with whole numbers. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { MEAN_METHODS } from "#domain/history/periods.ts";
import { formatDecimal } from "#domain/number/decimal.ts";
import { readDatedItems, type SentItem } from "#domain/rates/dated.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { average } from "#rates/average.ts";
import { type ConvertDatedDeps, convertDated } from "#rates/convert-dated.ts";
import { fluctuation } from "#rates/fluctuation.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { SAMPLE_SOURCES } from "#test/api/harness.ts";
import { datasetOf, day, ecb, fred } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { depsOf, openOracle, type Ratio, ratioOf, rounded } from "./published-table.ts";

interface Value {
  readonly date: string;
  readonly value: number;
}

const oracle = await openOracle();

const lowest = (values: readonly Value[]) => values.reduce((a, b) => (b.value < a.value ? b : a));
const highest = (values: readonly Value[]) => values.reduce((a, b) => (b.value > a.value ? b : a));
const plain = ({ day, text }: { readonly day: number; readonly text: string }) => ({
  date: formatDay(day),
  value: Number(text),
});

test("500 random windows of the real history have the means, the changes and the extremes of the ECB's file", () => {
  const random = seededRandom(20_261_128);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const deps = depsOf(oracle);
  let compared = 0;
  while (compared < 500) {
    const [base, to] = [pick(CURRENCY_CODES), pick(CURRENCY_CODES)] as [CurrencyCode, CurrencyCode];
    if (base === to || base === "TWD" || to === "TWD") continue;
    const start = day("1999-01-04") + Math.floor(random() * 10_000);
    const end = Math.min(start + Math.floor(random() * 500), ECB_SNAPSHOT.newestDay);
    const method = pick(MEAN_METHODS);
    const query = { base: currencyIndex(base), symbols: [currencyIndex(to)], start, end, asOf: null };
    const name = `${base}/${to} ${formatDay(start)} ${formatDay(end)} ${method}`;
    const dates = Array.from({ length: end - start + 1 }, (_, nth) => formatDay(start + nth));
    const valuesOf = (valueOn: (date: string) => number | null) =>
      dates.flatMap((date): Value[] => {
        const value = valueOn(date);
        return value === null ? [] : [{ date, value }];
      });
    const published = valuesOf((date) => oracle.published(date, base, to));
    const inForce = (date: string) => oracle.rateOn(date, base, to);
    const counted = method === "published" ? published : valuesOf((date) => inForce(date)?.value ?? null);
    if (counted.length === 0) expect(() => average(deps, { ...query, method })).toThrow("no requested rate");
    else {
      const [rate] = average(deps, { ...query, method }).rates;
      if (rate === undefined) throw new Error(name);
      const ends = [counted[0], counted.at(-1)] as Value[];
      expect([name, rate.days, plain(rate.first), plain(rate.last)]).toEqual([name, counted.length, ...ends]);
      expect([name, plain(rate.low), plain(rate.high)]).toEqual([name, lowest(counted), highest(counted)]);
      const sum = counted.reduce((total, { value }) => {
        const [numerator, denominator] = ratioOf(String(value));
        return total + numerator * (10n ** 20n / denominator);
      }, 0n);
      const mean = rounded([sum, BigInt(counted.length) * 10n ** 20n], 10);
      expect([name, Number(rate.mean)]).toEqual([name, mean]);
    }
    const [first, last] = [inForce(formatDay(start)), inForce(formatDay(end))];
    if (first === null || last === null) {
      expect(() => fluctuation(deps, query)).toThrow("no requested rate");
      continue;
    }
    const [rate] = fluctuation(deps, query).rates;
    if (rate === undefined) throw new Error(name);
    const within = [first, ...published];
    expect([name, plain(rate.start), plain(rate.end)]).toEqual([name, first, last]);
    expect([name, plain(rate.low), plain(rate.high)]).toEqual([name, lowest(within), highest(within)]);
    const [a, b] = [ratioOf(rate.start.text), ratioOf(rate.end.text)];
    expect(Number(rate.change)).toBeCloseTo(last.value - first.value, 6);
    expect(Number(rate.changePct)).toBe(rounded([(b[0] * a[1] - a[0] * b[1]) * 100n, a[0] * b[1]], 6));
    compared++;
  }
});

test("means count the figures of a window that begins before the first one, and say why one has no figure", () => {
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

test("means and changes name the source of their oldest figure, and the one that took over", () => {
  const dataset = datasetOf([
    ...["2007-12-28", "2007-12-31"].map((date) => fred(date, "BRL", "1.83")),
    ...["2007-12-28", "2007-12-31", "2008-01-02", "2008-01-03"].map((date) => ecb(date, "USD", "1.47")),
    ...["2008-01-02", "2008-01-03"].map((date) => ecb(date, "BRL", "2.6")),
  ]);
  const deps = depsOf({ ...oracle, dataset });
  const query = { base: currencyIndex("USD"), symbols: [currencyIndex("BRL")], asOf: null };
  const window = { ...query, start: day("2007-12-28"), end: day("2008-01-03") };
  for (const { origin, lastSources } of [
    average(deps, { ...window, method: "published" }),
    average(deps, { ...window, method: "calendar" }),
    fluctuation(deps, window),
  ]) {
    expect([origin.source, origin.sources.BRL, lastSources.BRL].join()).toBe(
      "fred_daily,fred_daily,ecb_daily",
    );
    expect(formatInstant(origin.dataUpdatedAt)).toBe("2007-12-28T17:00:00Z");
    expect(origin.effectiveAt.BRL).toBe("2008-01-03T13:15:00Z");
    // Direct of H.10, a cross of the ECB's.
    expect(origin.derivedSymbols).toEqual(["BRL"]);
  }
});

test("both ends of a change lie between its extremes, also where two sources have no day in common", () => {
  const dataset = datasetOf([
    fred("2026-04-03", "TWD", "32"),
    ...["2026-04-07", "2026-04-10"].map((date, at) => ecb(date, "USD", `1.1${at}`)),
  ]);
  const query = { base: currencyIndex("EUR"), symbols: [currencyIndex("TWD")], asOf: null };
  const window = { ...query, start: day("2026-04-07"), end: day("2026-04-10") };
  const [rate] = fluctuation(depsOf({ ...oracle, dataset }), window).rates;
  expect([rate?.start.text, rate?.end.text]).toEqual(["35.2", "35.52"]);
  expect([rate?.low.text, rate?.high.text]).toEqual(["35.2", "35.52"]);
});

test("a mean names the origin of a currency that ended before the others", () => {
  const query = { base: currencyIndex("EUR"), symbols: [currencyIndex("USD"), currencyIndex("ISK")] };
  const window = { start: day("2008-11-03"), end: day("2009-06-30"), asOf: null };
  const { rates, origin } = average(depsOf(oracle), { ...query, ...window, method: "published" });
  expect(rates.map(({ last }) => formatDay(last.day))).toEqual(["2009-06-30", "2008-12-09"]);
  expect(Object.keys(origin.sources)).toMatchObject(["USD", "ISK"]);
});

// Dated batches over the packaged real history, against an oracle that reads the ECB's own CSV and computes with whole numbers.
const deps: ConvertDatedDeps = {
  dataset: () => oracle.dataset,
  clock: { now: () => ECB_SNAPSHOT.retrievedAt },
  ...SAMPLE_SOURCES,
  turn: async () => {},
  officially: async () => {
    throw new Error("no item names a table");
  },
};

const convert = (list: readonly SentItem[]) =>
  convertDated(deps, { items: readDatedItems(list), asOf: null });

describe("500 random items of the real history", () => {
  const random = seededRandom(20_261_127);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const items = Array.from({ length: 800 }, () => ({
    from: pick(CURRENCY_CODES),
    to: pick(CURRENCY_CODES),
    date: formatDay(
      day("1999-01-04") + Math.floor(random() * (ECB_SNAPSHOT.newestDay - day("1999-01-04") + 1)),
    ),
    amount: `${random() < 0.2 ? "-" : ""}${(random() * 10 ** Math.floor(random() * 7)).toFixed(2)}`,
  })).filter(({ from, to }) => from !== "TWD" && to !== "TWD");
  const expected = (item: { from: CurrencyCode; to: CurrencyCode; date: string; amount: string }) => {
    const { from, to, date, amount } = item;
    const found = oracle.rateOn(date, from, to);
    if (found === null) return null;
    const rate = from === to ? 1 : found.value;
    const sign = amount.startsWith("-") ? -1n : 1n;
    const [a, b]: [Ratio, Ratio] = [ratioOf(String(rate)), ratioOf(amount.replace("-", ""))];
    const converted = rounded([sign * a[0] * b[0], a[1] * b[1]], 15);
    const derived = from !== to && from !== "EUR" && to !== "EUR";
    // Zero has no sign.
    const unsigned = { ...item, amount: amount.replace(/^-(?=0\.00$)/, "") };
    return { ...unsigned, rate, converted, rateDay: found.date, isFilled: found.date !== date, derived };
  };

  test("have the rate, the amount and the day that the ECB's file has", async () => {
    const converted = items.filter((item) => expected(item) !== null).slice(0, 500);
    expect(converted.length).toBe(500);
    const { conversions } = await convert(converted);
    const plain = conversions.map(({ item, rate, converted, rateDay, isFilled, derived }) => ({
      ...{ from: item.from, to: item.to, date: formatDay(item.day), derived, isFilled },
      amount: formatDecimal(item.amount.units, item.amount.scale),
      ...{ rate: Number(rate), converted: Number(converted), rateDay: formatDay(rateDay) },
    }));
    expect(plain as never).toEqual(converted.map((item) => expected(item)) as never);
  });

  test("are cited with the figures of the file", async () => {
    const { conversions } = await convert([{ from: "USD", to: "GBP", amount: "1", date: "2024-03-02" }]);
    const [conversion] = conversions;
    expect(conversion?.citation).toStartWith(
      "European Central Bank, 2024-03-01, 1 EUR = 0.85588 GBP, 1 EUR = 1.0813 USD, retrieved ",
    );
  });
});
