/** DuckDB's rounding and means of printed rates give the digits that exact arithmetic on their texts gives, ties and all. */

import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AS_PUBLISHED,
  emptyRateColumns,
  type RateColumns,
  setDigits,
  WITHDRAWN,
} from "#domain/history/rate-columns.ts";
import {
  type Decimal,
  parseDecimal,
  roundDecimals,
  roundSignificant,
  unitsText,
} from "#domain/number/decimal.ts";
import { DERIVED_DIGITS } from "#domain/number/leg-digits.ts";
import { createRowTables } from "#store/export/rows.ts";
import macrosSql from "#store/export/sql/macros.sql" with { type: "text" };
import meanSql from "#store/export/sql/period-mean.sql" with { type: "text" };
import roundedSql from "#store/export/sql/rounded.sql" with { type: "text" };
import { filled, rowsSelect } from "#store/export/statement.ts";
import { openDuckDb } from "#store/parquet/duckdb.ts";
import { quoted } from "#store/parquet/engine.ts";
import { meanText } from "#test/domain/history/printed-columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { madeUpPlan } from "./plans.ts";

const directory = temporaryDirectory();
const duckdb = openDuckDb({ directories: [directory], definitions: macrosSql });
const tables = createRowTables(duckdb);
const STAYS = new AbortController().signal;
afterAll(() => duckdb.close());

/** Rates as they occur: published ones with zeros at the end, derived ones of ten digits at any magnitude. */
function randomText(random: () => number): string {
  const scale = Math.floor(random() * 7);
  if (random() < 0.4) return unitsText(1 + Math.floor(random() * 1e7), scale);
  const digits = BigInt(1 + Math.floor(random() * (1e10 - 1)));
  return roundSignificant(digits, 10n ** BigInt(Math.floor(random() * 15)), DERIVED_DIGITS);
}

/** A table with the texts of one month a group, in their order. */
async function tableOf(groups: readonly (readonly string[])[]): Promise<string> {
  const texts = groups.flatMap((group, month) => group.map((text, day) => ({ text, month, day })));
  const block = emptyRateColumns(texts.length);
  for (const [row, { text, month, day }] of texts.entries()) {
    setDigits(block, row, text);
    block.date[row] = Math.round(Date.UTC(2000, month, day + 1) / 86_400_000);
    block.flags[row] = AS_PUBLISHED;
    block.bound[row] = Number.NaN;
  }
  block.count = texts.length;
  return await rowsOf(block);
}

async function rowsOf(block: RateColumns): Promise<string> {
  const { plan } = madeUpPlan({ blocks: () => [block] });
  return rowsSelect(plan, (await tables.take(plan, STAYS)).table);
}

async function linesOf(select: string): Promise<readonly string[]> {
  const path = join(directory, "lines.csv");
  await duckdb.run(`COPY (${select}) TO ${quoted(path)} (FORMAT csv, HEADER false)`);
  return readFileSync(path, "utf8").trimEnd().split("\n");
}

const textsOf = (select: string) =>
  linesOf(`SELECT rate_text(rate, scale, is_published) FROM (${select}) ORDER BY date`);

describe("rounding to decimals", () => {
  const rounded = async (texts: readonly string[], dp: number) =>
    await textsOf(filled(roundedSql, { rows: await tableOf(texts.map((text) => [text])), dp: String(dp) }));

  test("is that of texts, for every number of decimals", async () => {
    const random = seededRandom(2);
    const ties = ["0.5", "1.5", "2.5", "0.125", "0.375", "1.005", "0.00005", "0.00015", "9.9999999995"];
    const others = ["366.90", "0.000004999", "0.0000000095", "0.00004968343744", "1234567890"];
    const texts = [...ties, ...others, ...Array.from({ length: 4000 }, () => randomText(random))];
    for (let decimals = 0; decimals <= 10; decimals++) {
      const expected = texts.map((text) => roundDecimals(parseDecimal(text) as Decimal, decimals));
      expect(await rounded(texts, decimals)).toEqual(expected);
    }
  });
  test("leaves what is gone alone", async () => {
    const block = emptyRateColumns(1);
    Object.assign(block, { count: 1 });
    block.rate[0] = Number.NaN;
    block.flags[0] = WITHDRAWN;
    const rows = await rowsOf(block);
    const rounded = `SELECT rate, withdrawn FROM (${filled(roundedSql, { rows, dp: "1" })})`;
    expect(await linesOf(rounded)).toEqual([",true"]);
  });
});

describe("a mean", () => {
  const meansOf = async (groups: readonly (readonly string[])[]) =>
    await textsOf(filled(meanSql, { rows: `FROM ${await tableOf(groups)}`, unit: "month" }));

  test("is the exact one: of one, of a week, of a month, of unlike scales and magnitudes", async () => {
    const random = seededRandom(4);
    const groups = Array.from({ length: 4_000 }, () => {
      const alike = random() < 0.7;
      const first = randomText(random);
      return Array.from({ length: 1 + Math.floor(random() * 28) }, () =>
        alike ? nudged(first, random) : randomText(random),
      );
    });
    expect(await meansOf(groups)).toEqual(groups.map(meanText));
  });
  test("goes to the even digit on a half", async () => {
    const groups = [
      ["1.000976562", "1.000976563"],
      ["1.000976563", "1.000976564"],
      ["0.0000578412345", "0.0000578412346"],
      ["17285.61", "17285.62"],
      ["99999.99999", "99999.99998", "99999.99999", "99999.99999"],
      ["1", "2"],
      ["1", "1", "2"],
    ];
    expect(await meansOf(groups)).toEqual(groups.map(meanText));
  });
});

/** The same number of places, another last few digits. */
function nudged(text: string, random: () => number): string {
  const value = parseDecimal(text) as Decimal;
  return unitsText(Number(value.units) + Math.floor(random() * 1000), value.scale);
}
