/** The tables of columns in docs/lake.md are the tables' own: in their files, and in their logs. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tableAfter } from "./document.ts";
import { startDemoWithPast } from "./lake-demo.ts";
import { LAKE_PAGE, rowsOf } from "./lake-recipes.ts";

const demo = await startDemoWithPast();

const HEADER = "| column | type | meaning |";
const sections = LAKE_PAGE.split(HEADER).slice(1);
const listed = (at: number) =>
  tableAfter(`${HEADER}${sections[at]}`, "column").map(([name = "", type = ""]) => [name, type] as const);

/** In the order of the page; a file of each, and the columns of its partitions. */
const FIGURES = [
  ["source", "VARCHAR"],
  ["year", "INTEGER"],
] as const;
const TABLES = [
  ["daily", "daily/source=ecb_daily/year=2025/rates.parquet", listed(0), FIGURES, "date, base, quote"],
  [
    "revisions",
    "revisions/source=ecb_daily/year=2024/revisions.parquet",
    [...listed(0), ...listed(1)],
    FIGURES,
    "date, base, quote, revision",
  ],
  ["held", "held/held.parquet", listed(2), [], "source, date, base, quote"],
  ["statements", "statements/statements.parquet", listed(3), [], "source, route, base, quote, first, says"],
  [
    "intraday",
    "intraday/date=2026-03-02/quotes.parquet",
    listed(4),
    [["date", "DATE"]],
    "base, quote, observed_at, retrieved_at, feed",
  ],
] as const;

const file = (path: string) => `read_parquet('${demo.directory}/current/${path}', hive_partitioning = false)`;

test.each(TABLES)(
  "files of %s have exactly the documented columns, types and order",
  async (_, path, columns) => {
    const rows = await rowsOf(`DESCRIBE SELECT * FROM ${file(path)}`);
    const found = rows.map((row) => [
      String(row["column_name"]),
      String(row["column_type"]).replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"),
    ]);
    expect(found).toEqual(columns as never);
  },
);

/** Delta's types by those of the page. */
const DELTA = {
  VARCHAR: "string",
  SMALLINT: "short",
  INTEGER: "integer",
  BIGINT: "long",
  DOUBLE: "double",
  DATE: "date",
  TIMESTAMPTZ: "timestamp",
} as const;

interface MetaData {
  readonly schemaString: string;
  readonly partitionColumns: readonly string[];
  readonly configuration: Readonly<Record<string, string>>;
}

test.each(TABLES)(
  "the log of %s says the same, its partitions and what it is",
  (name, _, columns, partitions) => {
    const first = readFileSync(join(demo.directory, name, "_delta_log/00000000000000000000.json"), "utf8");
    const actions = first
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const metaData: MetaData = actions.find((action) => "metaData" in action).metaData;
    const { fields } = JSON.parse(metaData.schemaString) as {
      fields: readonly { name: string; type: string }[];
    };
    const expected = [...partitions, ...columns] as readonly (readonly [string, keyof typeof DELTA])[];
    expect(fields.map((field) => [field.name, field.type])).toEqual(
      expected.map(([column, type]) => [column, DELTA[type]]),
    );
    expect([...metaData.partitionColumns]).toEqual(partitions.map(([column]) => column));
    expect(metaData.configuration).toEqual({ "crossrate.format": "2", "crossrate.mode": "simulated" });
    expect(actions).toContainEqual({ protocol: { minReaderVersion: 1, minWriterVersion: 2 } });
    const pageText = LAKE_PAGE.replace(/\s+/g, " ");
    for (const statement of [
      "`crossrate.format` in the configuration of every table, at present 2",
      "reader 1 and writer 2",
    ])
      expect(pageText).toContain(statement);
  },
);

test.each(TABLES)("rows of a file of %s lie in the documented order", async (_, path, __, ___, order) => {
  const [row] = await rowsOf(
    `SELECT list((${order})) = list_sort(list((${order}))) AS ordered, count(*) > 0 AS has_rows FROM (SELECT * FROM ${file(path)})`,
  );
  expect(row).toEqual({ ordered: true, has_rows: true });
});

test("row groups, compression and pages are as documented", async () => {
  const quotes = `${demo.directory}/current/intraday/date=2026-03-02/quotes.parquet`;
  const [row] = await rowsOf(
    `SELECT max(row_group_num_rows) AS rows, list(DISTINCT compression) AS compression FROM parquet_metadata('${quotes}')`,
  );
  expect(row).toMatchObject({ compression: ["ZSTD"] });
  expect(Number(row?.["rows"])).toBeLessThanOrEqual(4096);
});
