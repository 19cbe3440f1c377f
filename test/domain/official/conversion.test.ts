/** Conversion by one publication: directions, units and crosses, against plain arithmetic. */

import { describe, expect, test } from "bun:test";
import { parseDecimal } from "#domain/number/decimal.ts";
import { convertOfficially } from "#domain/official/conversion.ts";
import type { OfficialRow } from "#domain/official/publication.ts";

const row = (base: string, quote: string, rate: string, unit = 1): OfficialRow => ({
  ...{ base, quote, rate, unit, kind: "mid" },
});
const ROWS = [row("EUR", "PLN", "4.2500"), row("JPY", "PLN", "2.4300", 100), row("GBP", "USD", "1.2937")];

function converted(from: string, to: string, amount: string) {
  const digits = parseDecimal(amount);
  if (digits === null) throw new Error(`no amount: ${amount}`);
  return convertOfficially(ROWS, { from, to, amount: digits });
}

describe("an amount is converted", () => {
  test.each([
    ["EUR", "PLN", "100", "4.2500", "425"],
    ["PLN", "EUR", "100", "0.2352941176", "23.5294117647059"],
    ["JPY", "PLN", "1000", "0.0243", "24.3"],
    ["PLN", "JPY", "24.30", "41.15226337", "1000"],
    ["EUR", "JPY", "2", "174.8971193", "349.794238683128"],
    ["GBP", "USD", "-100.50", "1.2937", "-130.01685"],
    ["EUR", "PLN", "0", "4.2500", "0"],
  ])("from %s to %s: %s at %s is %s", (from, to, amount, rate, result) => {
    expect(converted(from, to, amount)).toMatchObject({ rate, converted: result });
  });

  test("by the rows that it rests on, in their order", () => {
    expect(converted("EUR", "JPY", "1")?.rows).toEqual([ROWS[0] as OfficialRow, ROWS[1] as OfficialRow]);
  });

  test("only where rows connect the two", () => {
    expect(converted("EUR", "USD", "1")).toBeNull();
    expect(converted("EUR", "XXX", "1")).toBeNull();
  });
});
