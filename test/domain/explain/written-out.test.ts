/** The computation and the lake query of a rate, for figures of any length. */

import { describe, expect, test } from "bun:test";
import { currencyIndex } from "#domain/currency/currency.ts";
import { computationOf, type LiveFigure, lakeQuery } from "#domain/explain/explanation.ts";
import { legsText } from "#domain/number/leg-digits.ts";

const AT = Date.parse("2026-04-13T16:29:58.250Z");

function leg(printed: string, multiplies: boolean): LiveFigure {
  const [whole = "", fraction = ""] = printed.split(".");
  return {
    kind: "live",
    source: "live",
    feed: "coinbase",
    base: "USD",
    quote: multiplies ? "JPY" : "GBP",
    printed,
    units: Number(whole + fraction),
    scale: fraction.length,
    multiplies,
    error: 0,
    bid: null,
    ask: null,
    observedAt: AT,
    simulated: false,
    retrievedAt: AT + 500,
    authority: "Coinbase",
    terms: "",
  };
}

const wanted = (legs: readonly LiveFigure[]) => ({
  base: currencyIndex("GBP"),
  quote: currencyIndex("JPY"),
  rate: legs.length === 0 ? "1" : legsText(legs),
});

describe("the computation", () => {
  test.each([
    ["a direct rate", [leg("157.698", true)], "157.698", "157698 / 1000", null],
    ["an inverse", [leg("0.7450", false)], "1 / 0.7450", "1000 / 745", 10],
    ["a cross", [leg("157.698", true), leg("0.745", false)], "157.698 / 0.745", "157698 / 745", 10],
  ] as const)(
    "of %s is a fraction of whole numbers without common zeros",
    (_, legs, expression, ratio, digits) => {
      const made = computationOf(legs, wanted(legs));
      expect(made.expression).toBe(expression);
      expect(`${made.numerator} / ${made.denominator}`).toBe(ratio);
      expect(made.significantDigits).toBe(digits);
    },
  );

  test("shows that a quotient goes on, and that it does not", () => {
    const lineOf = (printed: string) => {
      const legs = [leg(printed, false)];
      return computationOf(legs, wanted(legs)).lines.at(-2);
    };
    expect(lineOf("0.745")).toMatch(/^= 1\.3422818791946308\d+…$/);
    expect(lineOf("0.8")).toBe("= 1.25");
  });
});

describe("the query", () => {
  const sqlOf = (legs: readonly LiveFigure[]) => lakeQuery(legs, { ...wanted(legs), lake: "data/live/lake" });

  test("names the lake once, so that another one is put in its place", () => {
    const sql = sqlOf([leg("157.698", true), leg("0.745", false)]);
    expect(sql.match(/data\/live\/lake'/g)).toHaveLength(1);
    expect(sql).toContain("SET VARIABLE lake = 'data/live/lake';");
  });

  test("reads a quote by its time and price: one that came again is stored as it came first", () => {
    expect(sqlOf([leg("157.698", true)])).toContain(
      "observed_at = TIMESTAMPTZ '2026-04-13T16:29:58.250Z' AND mid = '157.698'\n  LIMIT 1",
    );
  });

  test("takes doubles only where whole numbers would not suffice", () => {
    expect(sqlOf([leg("157.698", true), leg("0.745", false)])).not.toContain("DOUBLE");
    const long = sqlOf([leg("16543.1234567891", false), leg("0.745123456789123", true)]);
    expect(long).toContain("round((leg_1.power * leg_2.units)::DOUBLE / (leg_1.units * leg_2.power), 14)");
  });
});
