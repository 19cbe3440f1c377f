import { describe, expect, test } from "bun:test";
import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { type Cross, crossRate, derivationBound } from "#domain/history/cross.ts";
import { type History, leastFreshRow, rowSource } from "#domain/history/history.ts";
import { day, ecb, fred, historyOf } from "./columns.ts";

const cross = (history: History, date: string, from: CurrencyCode, to: CurrencyCode): Cross | null =>
  crossRate(history, day(date), currencyIndex(from), currencyIndex(to));
const text = (history: History, date: string, from: CurrencyCode, to: CurrencyCode) =>
  cross(history, date, from, to)?.text;

const week = historyOf([
  ecb("2026-04-09", "USD", "1.1700"),
  ecb("2026-04-10", "USD", "1.1699"),
  ecb("2026-04-10", "GBP", "0.85670", 5),
  ecb("2026-04-10", "JPY", "186.75"),
  ecb("2026-04-10", "HUF", "366.90"),
  fred("2026-04-10", "TWD", "32.1", 2),
  fred("2026-04-10", "BRL", "5.1901"),
]);

describe("a rate is", () => {
  test("1 between a pivot and itself while either source has it: H.10's euro when the ECB has stopped publishing", () => {
    const h10 = { ...fred("2026-04-01", "USD", "1.1562"), base: "EUR" } as const;
    const silent = historyOf([ecb("2026-03-16", "USD", "1.1500"), h10]);
    for (const date of ["2026-03-20", "2026-04-01"]) {
      expect(text(silent, date, "EUR", "USD")).toBe(date === "2026-04-01" ? "1.1562" : "1.1500");
      expect(text(silent, date, "EUR", "EUR")).toBe("1");
      expect(text(silent, date, "USD", "USD")).toBe("1");
    }
    expect(cross(silent, "2026-03-31", "EUR", "EUR")).toBeNull();
  });
  test("1 against itself where the currency is known, and nothing where it is not", () => {
    expect(text(week, "2026-04-10", "EUR", "EUR")).toBe("1");
    expect(text(week, "2026-04-10", "GBP", "GBP")).toBe("1");
    expect(cross(week, "2026-04-10", "ISK", "ISK")).toBeNull();
    expect(cross(week, "2026-04-09", "EUR", "GBP")).toBeNull();
  });
});

test("no rate is before the first figure, before coverage, or long after the last", () => {
  for (const date of ["2026-04-08", "1990-01-01", "2126-01-01"])
    expect(text(week, date, "EUR", "USD")).toBeUndefined();
});

describe("sources", () => {
  test("H.10 serves a currency until the ECB starts, the ECB from then on", () => {
    const history = historyOf([
      ecb("2007-12-28", "USD", "1.4692"),
      ecb("2008-01-02", "USD", "1.4688"),
      ecb("2008-01-02", "BRL", "2.6010"),
      fred("2007-12-28", "BRL", "1.7790"),
      { ...fred("2007-12-28", "USD", "1.4700"), base: "EUR" },
      fred("2008-01-02", "BRL", "1.7725"),
    ]);
    expect(text(history, "2007-12-28", "USD", "BRL")).toBe("1.7790");
    // Between both the ECB's dollar carries, not the euro of H.10.
    expect(text(history, "2007-12-28", "EUR", "BRL")).toBe("2.6137068");
    // Frankfurt is earlier on the day than New York, in whichever order.
    const rows = cross(history, "2007-12-28", "EUR", "BRL")?.rows ?? [];
    for (const order of [rows, rows.toReversed()])
      expect(rowSource(history, leastFreshRow(history, order))).toBe("ecb_daily");
    expect(text(history, "2008-01-02", "EUR", "BRL")).toBe("2.6010");
    expect(text(history, "2008-01-02", "USD", "BRL")).toBe("1.770833333");
  });
  test("H.10 alone still answers when the ECB has fallen silent for more than the fill limit", () => {
    const history = historyOf([
      ecb("2026-03-02", "USD", "1.1700"),
      { source: "fred_daily", date: day("2026-04-10"), base: "EUR", quote: "USD", printed: "1.1720" },
      { source: "fred_daily", date: day("2026-04-10"), base: "GBP", quote: "USD", printed: "1.3400" },
      fred("2026-04-10", "JPY", "159.50"),
    ]);
    expect(text(history, "2026-04-10", "EUR", "USD")).toBe("1.1720");
    expect(text(history, "2026-04-10", "USD", "GBP")).toBe("0.7462686567");
    expect(text(history, "2026-04-10", "EUR", "JPY")).toBe("186.934");
    expect(text(history, "2026-04-10", "EUR", "GBP")).toBe("0.8746268657");
  });
});

describe("the error bound", () => {
  test("is (r_a + r_b)/(1 - r_a) rounded up to 0.01 for two legs of one fixing", () => {
    // USD→JPY over EUR: r_a = 0.00005/1.1699, r_b = 0.005/186.75.
    const [ra, rb] = [0.00005 / 1.1699, 0.005 / 186.75];
    const exact = 1e4 * ((ra + rb) / (1 - ra));
    const bound = derivationBound(week, cross(week, "2026-04-10", "USD", "JPY") as Cross);
    expect(bound).toBe(Math.ceil((exact + 5e-6) * 100) / 100);
    expect(bound).toBe(0.7);
    // 1.7902
    expect(derivationBound(week, cross(week, "2026-04-10", "USD", "HUF") as Cross)).toBe(1.8);
  });
  test("covers the true cross of any figures that print the same", () => {
    const bound = derivationBound(week, cross(week, "2026-04-10", "USD", "JPY") as Cross) as number;
    const printed = Number(text(week, "2026-04-10", "USD", "JPY"));
    for (const usd of [1.16985, 1.1699, 1.16995]) {
      for (const jpy of [186.745, 186.75, 186.755]) {
        expect(Math.abs(jpy / usd / printed - 1) * 1e4).toBeLessThanOrEqual(bound);
      }
    }
  });
  test("takes the last digit that is not zero, whatever zeros a format kept", () => {
    const bound = Math.ceil((1e4 * ((1 + 0.00005 / 5.1901) / (1 - 0.05 / 32.1) - 1) + 5e-6) * 100) / 100;
    const stripped = derivationBound(week, cross(week, "2026-04-10", "TWD", "BRL") as Cross);
    expect(stripped).toBe(bound);
    const padded = historyOf([
      fred("2026-04-10", "TWD", "32.1000", 2),
      fred("2026-04-10", "BRL", "5.1901", 4),
    ]);
    expect(derivationBound(padded, cross(padded, "2026-04-10", "TWD", "BRL") as Cross)).toBe(bound);
  });
  test("is null for what is not triangulated, and where legs differ in source; legs of two days make no rate", () => {
    expect(derivationBound(week, cross(week, "2026-04-10", "EUR", "USD") as Cross)).toBeNull();
    expect(derivationBound(week, cross(week, "2026-04-10", "USD", "EUR") as Cross)).toBeNull();
    expect(derivationBound(week, cross(week, "2026-04-10", "EUR", "TWD") as Cross)).toBeNull();
    const uneven = historyOf([ecb("2026-04-09", "USD", "1.1700"), ecb("2026-04-10", "JPY", "186.75")]);
    expect(cross(uneven, "2026-04-10", "USD", "JPY")).toBeNull();
  });
});
