/** Dated batches over the packaged real history, against an oracle that reads the ECB's own CSV and computes with whole numbers. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { formatDecimal } from "#domain/number/decimal.ts";
import { readDatedItems, type SentItem } from "#domain/rates/dated.ts";
import { formatDay } from "#domain/time/day.ts";
import { type ConvertDatedDeps, convertDated } from "#rates/convert-dated.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { SAMPLE_SOURCES } from "#test/api/harness.ts";
import { day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { openOracle, type Ratio, ratioOf, rounded } from "./published-table.ts";

const oracle = await openOracle();
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
    return { ...item, rate, converted, rateDay: found.date, isFilled: found.date !== date, derived };
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
