/** Digits with an exponent, as some authorities print them. What else their readers share is tested by every table: tables.ts. */

import { expect, test } from "bun:test";
import { withoutExponent } from "#sources/official/reading.ts";

test.each([
  ["4.10E-05", "0.0000410"],
  ["1E-8", "0.00000001"],
  ["1.5e0", "1.5"],
  ["1.234e2", "123.4"],
  ["1.2e+3", "1200"],
  ["12e-1", "1.2"],
  ["3.6050", "3.6050"],
  ["1e999", "1e999"],
  ["NaN", "NaN"],
])("%s without its exponent is %s", (digits, plain) => expect(withoutExponent(digits)).toBe(plain));
