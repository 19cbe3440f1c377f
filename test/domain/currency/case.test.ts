/** A code is in upper or in lower case. In mixed case it may be a hundredth of a currency, as market data writes it. */

import { expect, test } from "bun:test";
import { CURRENCY_CODES, currencyIndex, mixedCaseHint, parseSlug } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";

test("every code is read in upper and in lower case, and in no mixture of both", () => {
  for (const [index, code] of CURRENCY_CODES.entries()) {
    for (let bits = 0; bits < 8; bits++) {
      const written = [...code]
        .map((letter, at) => (bits & (1 << at) ? letter.toLowerCase() : letter))
        .join("");
      const isWhole = bits === 0 || bits === 7;
      expect(currencyIndex(written)).toBe(isWhole ? index : -1);
      expect(mixedCaseHint(written) === null).toBe(isWhole);
    }
  }
});

test.each([
  ["GBp", "GBp is not a currency code here: pence are not served; write GBP or gbp for pounds"],
  ["ZAc", "ZAc is not a currency code here: cents are not served; write ZAR or zar for rand"],
  ["ILa", "ILa is not a currency code here: agorot are not served; write ILS or ils for shekels"],
  ["Usd", "Usd is not a currency code here: write USD or usd"],
  ["GBX", null],
  ["Xyz", null],
  ["toString", null],
  ["__proto__", null],
  ["", null],
])("the hint for %p is %p", (code, hint) => expect(mixedCaseHint(code)).toBe(hint));

test.each(["usd-mxn", "USD-MXN", "UsD-mxN", "usd-mxn-banxico", "Usd-MXN-Banxico"])("%s is a slug", (slug) =>
  expect(parseSlug(slug).text).toBe(slug.toLowerCase()),
);
test.each(["GBp-mxn", "usd-ZAc", "ILa-usd", "usd-mxn-fix", "u\u{17f}d-mxn", "usd-\u{212a}rw"])(
  "%s is none",
  (slug) => expect(() => parseSlug(slug)).toThrow(Failure),
);
