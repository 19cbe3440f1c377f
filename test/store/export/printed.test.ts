/** The digits that files hold: as published or the fewest, without an exponent, whatever the magnitude; the same bytes every time. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  AS_PUBLISHED,
  EXPORT_FORMATS,
  emptyRateColumns,
  type RateColumns,
  setDigits,
} from "#domain/history/rate-columns.ts";
import { roundSignificant, unitsText } from "#domain/number/decimal.ts";
import { DERIVED_DIGITS } from "#domain/number/leg-digits.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { madeUpPlan, openTemporaryExports, requestFor } from "./plans.ts";

const STAYS = new AbortController().signal;
const { exports } = openTemporaryExports({ threads: 2 });

const content = async (...args: Parameters<typeof requestFor>) =>
  readFileSync((await exports.finish(requestFor(...args), STAYS)).path);

/** Published figures up to 15 digits with up to 12 places, and derived ones from 10^-16 to 10^10. */
function everyMagnitude(): { block: RateColumns; texts: readonly string[] } {
  const random = seededRandom(1);
  const texts: string[] = ["1", "10", "1000000000", "0.1", "0.0001", "0.00009999999999", "0.0001000000001"];
  const published = texts.length;
  for (let scale = 0; scale <= 12; scale++) {
    for (let round = 0; round < 60; round++) {
      const digits = Math.min(15, scale + 9);
      texts.push(unitsText(1 + Math.floor(random() * 10 ** (1 + random() * (digits - 1))), scale));
    }
  }
  const derived = texts.length;
  for (let power = 0; power <= 16; power++) {
    for (let round = 0; round < 60; round++) {
      const digits = BigInt(Math.floor(1e9 + random() * 9e9));
      texts.push(roundSignificant(digits, 10n ** BigInt(power), DERIVED_DIGITS));
      if (random() < 0.2) texts.push(roundSignificant(digits / 100_000n, 10n ** BigInt(power), 10));
    }
  }
  const block = emptyRateColumns(texts.length);
  for (const [row, text] of texts.entries()) {
    setDigits(block, row, text);
    block.date[row] = 10_000 + row;
    block.bound[row] = Number.NaN;
    block.flags[row] = row >= published && row < derived ? AS_PUBLISHED : 0;
  }
  block.count = texts.length;
  return { block, texts };
}

test("a rate of any magnitude is its text in CSV and NDJSON, and the nearest double in Parquet", async () => {
  const { block, texts } = everyMagnitude();
  for (const layout of ["long", "wide"] as const) {
    const { plan } = madeUpPlan({ layout, symbols: [0], blocks: () => [block] });
    const csv = (await content({ plan }, "csv")).toString().trimEnd().split("\n").slice(1);
    const column = layout === "long" ? 3 : 4;
    expect(csv.map((line) => line.split(",")[column])).toEqual([...texts]);
    const lines = (await content({ plan }, "ndjson")).toString().trimEnd().split("\n");
    const member = layout === "long" ? /"rate":([^,]*),/ : /"rates":\{"\w+":([^}]*)\}/;
    expect(lines.map((line) => member.exec(line)?.[1])).toEqual([...texts]);
    for (const line of lines) JSON.parse(line);
  }
});

test.each([...EXPORT_FORMATS])(
  "the same rows are the same bytes, whatever the threads: one tag denotes one content (%s)",
  async (format) => {
    const one = openTemporaryExports({ threads: 1 });
    const [alone, withTwo] = await Promise.all(
      [one.exports, exports].map(async (where) => {
        const { plan } = madeUpPlan({ layout: "wide", order: "desc" }, { symbols: 8, days: 1200 });
        const long = { ...plan, layout: "long", order: "asc" } as const;
        const made = [long, plan].map((each) => where.finish(requestFor({ plan: each }, format), STAYS));
        return (await Promise.all(made)).map(({ sha256 }) => sha256);
      }),
    );
    expect(withTwo).toEqual(alone as string[]);
    await one.exports.close();
  },
);
