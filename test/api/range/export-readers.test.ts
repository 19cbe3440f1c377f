/** Exports read back by independent readers hold the rows of the JSON pages: doubles bit for bit, dates, nulls and booleans too. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { runQuietly } from "#test/clients/process.ts";
import { datasetOf } from "#test/domain/history/columns.ts";
import { FIRST, hardWorld, LAST } from "#test/domain/history/printed-columns.ts";
import { withDuckDb } from "#test/support/duckdb.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { csvRows, walkPages } from "./range-pages.ts";

type Cell = string | number | boolean | null;
type Rows = readonly (readonly Cell[])[];

const directory = temporaryDirectory();

const dataset = datasetOf(hardWorld(seededRandom(11)));
const { visit } = openTestApp({ world: dataset, now: LAST * MILLISECONDS_PER_DAY });
const SYMBOLS = ["EUR", "GBP", "IDR", "JPY", "MXN", "TWD", "ZAR"];
const QUESTION = `/v1/range?base=USD&symbols=${SYMBOLS.join(",")}&start_date=${formatDay(FIRST)}&end_date=${formatDay(LAST)}&fill=previous`;
const LAYOUTS = ["long", "wide"] as const;
const FORMATS = ["parquet", "arrow", "csv", "ndjson"] as const;

const fileOf = (layout: string, format: string) => join(directory, `${layout}.${format}`);
const expected: Record<(typeof LAYOUTS)[number], Rows> = { long: [], wide: [] };

for (const layout of LAYOUTS) {
  for (const format of FORMATS) {
    await Bun.write(fileOf(layout, format), await visit(`${QUESTION}&format=${format}&layout=${layout}`));
  }
}
const pages = await walkPages(visit, QUESTION, 50);
expected.wide = pages.map(({ date, source, is_forward_filled, rates }) => [
  date,
  "USD",
  source,
  is_forward_filled,
  ...SYMBOLS.map((symbol) => bits(rates[symbol])),
]);
// What the pages do not have for a single value is in the CSV, whose rates are those of the pages by another test.
const origins = csvRows(await Bun.file(fileOf("long", "csv")).text()).rows;
const rates = SYMBOLS.flatMap((symbol) =>
  pages.filter((row) => row.rates[symbol] !== undefined).map((row) => [row.date, symbol, row.rates[symbol]]),
);
expect(origins.map(({ date, symbol, rate }) => [date, symbol, rate])).toEqual(rates as string[][]);
expected.long = origins.map((row) => [
  row["date"] as string,
  "USD",
  row["symbol"] as string,
  bits(row["rate"]),
  row["source"] as string,
  row["is_forward_filled"] === "true",
  row["derived"] === "true",
  bits(row["derivation_bps_max"]),
]);
expect(expected.long.length).toBeGreaterThan(200);
expect(expected.wide.some((row) => row.includes(null))).toBe(true);

/** The double of a text as its eight bytes; null where there is none. */
function bits(text: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  return bitsOf(Number(text));
}

function bitsOf(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return `f${bytes.toString("hex")}`;
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return bitsOf(value);
  if (typeof value === "boolean") return value;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return String(value);
}

describe.each([...LAYOUTS])("the %s Parquet file", (layout) => {
  test("through hyparquet", async () => {
    const file = await asyncBufferFromFile(fileOf(layout, "parquet"));
    const rows = await parquetReadObjects({ file, compressors });
    expect(rows.map((row) => Object.values(row).map(cellOf))).toEqual(expected[layout] as Cell[][]);
  });
  test("through DuckDB", async () => {
    const select = `SELECT * REPLACE (date::VARCHAR AS date) FROM read_parquet('${fileOf(layout, "parquet")}')`;
    const result = await withDuckDb((connection) => connection.runAndReadAll(select));
    expect(result.getRowsJS().map((row) => row.map(cellOf))).toEqual(expected[layout] as Cell[][]);
  });
});

test("a wide Arrow stream of months has the last days of the CSV", async () => {
  const months = `${QUESTION.replace("fill=previous", "interval=1mo")}&layout=wide`;
  const table = tableFromIPC(await (await visit(`${months}&format=arrow`)).bytes());
  const { rows } = csvRows(await (await visit(`${months}&format=csv`)).text());
  expect(table.toArray().map(({ last_date }) => last_date)).toEqual(rows.map((row) => row["last_date"]));
});

const python = optionalPython(["polars", "pandas", "pyarrow"], "exports read by Polars, pandas and PyArrow");

describe.skipIf(python === null)("Polars, pandas and PyArrow", () => {
  test("read the same rows from every form", async () => {
    const paths = LAYOUTS.flatMap((layout) =>
      // Wide lines hold an object of rates, which is no column.
      FORMATS.filter((format) => layout === "long" || format !== "ndjson").map((format) =>
        fileOf(layout, format),
      ),
    );
    const script = join(import.meta.dir, "export-readers.py");
    const answers = JSON.parse(await runQuietly([python as string, script, ...paths])) as {
      path: string;
      reader: string;
      rows?: Rows;
      types?: object;
    }[];
    for (const { path, reader, rows, types } of answers) {
      const layout = path.includes("/long.") ? "long" : "wide";
      if (rows !== undefined) {
        expect([path, reader, rows]).toEqual([path, reader, expected[layout]]);
        continue;
      }
      const doubles = Object.fromEntries(SYMBOLS.map((symbol) => [symbol, "double"]));
      const common = { date: "date32[day]", base: "string", source: "string", is_forward_filled: "bool" };
      const long = { symbol: "string", rate: "double", derived: "bool", derivation_bps_max: "double" };
      expect(types).toEqual(layout === "long" ? { ...common, ...long } : { ...common, ...doubles });
    }
    const read = answers.map(({ path, reader }) => `${path.slice(directory.length + 1)} ${reader}`);
    expect(read).toHaveLength(17);
  });
});
