/**
 * Crosses that DuckDB computes are, row for row and in their order, those of crossRate, from which the JSON pages are printed. Its rounding
 * and means of printed rates give the digits that exact arithmetic on their texts gives, ties and all.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CURRENCY_CODES, type CurrencyCode, currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { type Cross, crossRate, derivationBound, figuresOf, isUnfilled } from "#domain/history/cross.ts";
import { FILL_DAYS, type History, leastFreshRow } from "#domain/history/history.ts";
import {
  AS_PUBLISHED,
  EXPORT_FORMATS,
  emptyRateColumns,
  type Fill,
  type RateColumns,
  type RatesPlan,
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
import { copyStatement, filled, rowsSelect } from "#store/export/statement.ts";
import { openDuckDb } from "#store/parquet/duckdb.ts";
import { quoted, withEngine } from "#store/parquet/engine.ts";
import { historyOf } from "#test/domain/history/columns.ts";
import { wholeHistory } from "#test/domain/history/one-date-worlds.ts";
import { hardWorld, meanText } from "#test/domain/history/printed-columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { madeUpPlan, openTemporaryExports, requestFor } from "./plans.ts";

const STAYS = new AbortController().signal;
const directory = temporaryDirectory();
// With what a server gives it.
const given = { definitions: macrosSql, memoryMegabytes: 320, joinsAsWritten: true };
const duckdb = openDuckDb({ directories: [directory], ...given });
const tables = createRowTables(duckdb);
afterAll(() => duckdb.close());

/** The lines of a file with every row of a base, the base itself included. */
async function madeRows(history: History, base: number, fill: Fill): Promise<readonly string[]> {
  const symbols = CURRENCY_CODES.map((_, symbol) => symbol);
  const last = lastDay(history, fill);
  const plan: RatesPlan = {
    ...{ kind: "rates", base, symbols, layout: "long", order: "asc", dp: null },
    content: { history, first: history.firstDay, last, until: last, fill, interval: "1d", aggregate: "last" },
  };
  const { table, done } = await tables.take(plan, STAYS);
  const path = join(directory, `${crypto.randomUUID()}.csv`);
  const columns =
    "symbol, date - DATE '1970-01-01', rate_text(rate, scale, is_published), derived, is_filled, is_published, source, observed::BIGINT, bound";
  const statement = copyStatement(`SELECT ${columns} FROM ${rowsSelect(plan, table)}`, path, "csv", "rates");
  await duckdb.run(statement);
  done();
  return readFileSync(path, "utf8").trimEnd().split("\n").slice(1);
}

function lastDay(history: History, fill: Fill): number {
  return fill === "none" ? history.lastDay : history.lastDay + FILL_DAYS;
}

/** By crossRate and its companions, day by day. */
function* expectedRows(history: History, base: number, fill: Fill): Generator<string> {
  const { source, observedAt } = history.observations;
  for (const [symbol, code] of CURRENCY_CODES.entries()) {
    for (let day = history.firstDay; day <= lastDay(history, fill); day++) {
      const rows = figuresOf(history, day, base, symbol);
      if (rows === null || (fill === "none" && rows.some((row) => history.observations.date[row] !== day)))
        continue;
      const cross = crossRate(history, day, base, symbol) as Cross;
      const least = leastFreshRow(history, cross.rows);
      const isPublished = cross.legs.length === 1 && cross.legs[0]?.multiplies === true;
      const bound = derivationBound(history, cross);
      const limit = bound === null ? "" : Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
      const flags = [cross.derived, !isUnfilled(history, day, cross), isPublished];
      yield `${code},${day},${cross.text},${flags},${source[least]},${observedAt[least]},${limit}`;
    }
  }
}

async function compare(history: History, bases: readonly CurrencyCode[], fills: readonly Fill[]) {
  let count = 0;
  for (const base of bases.map(currencyIndex))
    for (const fill of fills) {
      const made = await madeRows(history, base, fill);
      let at = 0;
      for (const expected of expectedRows(history, base, fill)) {
        if (made[at] !== expected) throw new Error(`on ${currencyCode(base)}: ${made[at]}, not ${expected}`);
        at += 1;
      }
      expect(made.length).toBe(at);
      count += at;
    }
  return count;
}

test.each([1, 2])("on worlds with gaps, both sources, both directions and near ties (%d)", async (seed) => {
  const world = hardWorld(seededRandom(seed));
  const bases = ["EUR", "USD", "TWD", "MXN", "GBP", "IDR"] as const;
  expect(await compare(historyOf(world, `hard ${seed}`), bases, ["none", "previous"])).toBeGreaterThan(4_000);
});

test("of several versions of the whole history at once, in the memory that a server gives them", async () => {
  const history = historyOf(await wholeHistory());
  const versions = [1, 2].map((version) => ({ ...history, version: `version ${version}` }));
  const made = await Promise.all(versions.map((one) => madeRows(one, currencyIndex("TWD"), "previous")));
  expect(made[1]).toHaveLength(made[0]?.length as number);
});

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

// The digits that files hold: as published or the fewest, without an exponent, whatever the magnitude; the same bytes every time.
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
    const { path } = await exports.finish(requestFor({ plan }, "parquet"), STAYS);
    const rates = await withEngine(dirname(path), async (connection) => {
      const rate = layout === "long" ? "rate" : `"${currencyCode(0)}"`;
      return (
        await connection.runAndReadAll(`SELECT ${rate} FROM '${path}' ORDER BY date`)
      ).getColumnsJS()[0];
    });
    expect(rates).toEqual(texts.map(Number));
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
