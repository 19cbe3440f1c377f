/** The last day of a publication's validity. */

import { expect, test } from "bun:test";
import { withEnds } from "#domain/official/publication.ts";
import { rowOf, versionOf } from "#test/official/version.ts";

const begins = (validFrom: number) =>
  versionOf({ table: "CZE_FIXING", validFrom, rows: [rowOf("EUR", "CZK", "25")] });

test("a publication ends the day before the next one, held ones too, and never before its own first day", () => {
  const ends = withEnds([begins(12), begins(12), begins(8)], null, [12]).map(({ validTo }) => validTo);
  expect(ends).toEqual([null, 12, 11]);
  expect(withEnds([begins(8)], 20, [15])[0]?.validTo).toBe(14);
});
