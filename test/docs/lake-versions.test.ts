/** docs/views.sql reads the lake below current/ on disk and by the manifests over HTTP; without files too. */

import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { INTRADAY } from "#store/archive/table.ts";
import { openLake } from "#store/lake/lake.ts";
import { DAILY, HELD, REVISIONS } from "#store/lake/tables.ts";
import { OFFICIAL } from "#store/official-lake/official-lake.ts";
import { change, firstChange, observation, RETRIEVED, secondChange } from "#test/store/lake/sample.ts";
import { withDuckDb } from "#test/support/duckdb.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { tableAfter } from "./document.ts";
import { startDemoWithPast } from "./lake-demo.ts";
import { LAKE_PAGE, rowsOf, VIEWS, viewed } from "./lake-recipes.ts";

const TYPES = {
  string: "VARCHAR",
  short: "SMALLINT",
  integer: "INTEGER",
  long: "BIGINT",
  double: "DOUBLE",
  date: "DATE",
  timestamp: "TIMESTAMP WITH TIME ZONE",
};

const demo = await startDemoWithPast();

/** A lake with the changes of the samples, and its opened store. */
async function sampleLake() {
  const directory = temporaryDirectory();
  const lake = await openLake({ directory, simulated: true, now: () => RETRIEVED });
  await lake.commit(firstChange);
  await lake.commit(secondChange);
  return { directory, lake };
}

describe("on disk", () => {
  test("every view has the columns and types of its table, with rows and in a lake without a figure", async () => {
    const empty = temporaryDirectory();
    await (await openLake({ directory: empty, simulated: true })).close();
    const tables = [DAILY, REVISIONS, HELD, INTRADAY, OFFICIAL];
    for (const directory of [empty, demo.directory]) {
      const rows = await viewed(
        directory,
        "SELECT table_name, column_name, data_type FROM duckdb_columns() ORDER BY table_name, column_index",
      );
      for (const { name, columns, partitions } of tables)
        expect(
          rows
            .filter((row) => row["table_name"] === name)
            .map((row) => `${row["column_name"]} ${row["data_type"]}`),
        ).toEqual([...columns, ...partitions].map((column) => `${column.name} ${TYPES[column.type]}`));
    }
    const sources = [
      ...tables.map(({ name }) => name),
      "daily_all_revisions",
      "latest",
      "crosses('EUR')",
      "as_of(now())",
      "bars('EUR', 'USD', INTERVAL 1 hour)",
    ];
    const counts = sources.map((from) => `SELECT count(*) AS rows FROM ${from}`).join(" UNION ALL ");
    expect(await viewed(empty, counts)).toEqual(sources.map(() => ({ rows: "0" })));
  });

  test("where there is no lake, the error names that", async () => {
    const directory = temporaryDirectory();
    await expect(viewed(directory, "FROM daily")).rejects.toThrow(`there is no lake in ${directory}`);
  });

  test("the views show what is committed after they were made, and a new partition when they are made again", async () => {
    const { directory, lake } = await sampleLake();
    await withDuckDb(async (connection) => {
      const rows = async () =>
        Number((await connection.runAndReadAll("SELECT count(*) FROM daily")).getRows()[0]?.[0]);
      await connection.run(`SET VARIABLE lake = '${directory}';\n${VIEWS}`);
      const before = await rows();
      await lake.commit(() => change({ accepted: [observation("2025-01-06", "USD", "1.0403")] }));
      expect(await rows()).toBe(before + 1);
      await lake.commit(() => change({ accepted: [observation("2019-01-07", "USD", "1.1403")] }));
      await connection.run(VIEWS);
      expect(await rows()).toBe(before + 2);
    });
    await lake.close();
  });
});

test("over HTTP the manifests lead to the same rows as current/", async () => {
  // The extension that reads over HTTP may not be there: what the server answers is put into files of the same names.
  const mirror = temporaryDirectory();
  const bring = async (name: string) => {
    const response = await demo.ask(`/v1/lake/${name}`);
    expect(response.status).toBe(200);
    mkdirSync(dirname(join(mirror, name)), { recursive: true });
    writeFileSync(join(mirror, name), new Uint8Array(await response.arrayBuffer()));
  };
  await bring("manifest.json");
  const { manifests } = await demo.get("/v1/lake/manifest.json");
  const names = ["manifest.json", ...Object.values<string>(manifests)];
  for (const name of names) {
    await bring(name);
    const { files } = await demo.get(`/v1/lake/${name}`);
    for (const { path } of files) await bring(path);
  }
  const byManifest = VIEWS.replaceAll("LIKE 'http%'", "LIKE '%'");
  expect(byManifest).not.toBe(VIEWS);
  const count = "SELECT count(*) AS rows, sum(hash(COLUMNS(*)))";
  for (const name of ["daily", "revisions", "held", "intraday", "official"]) {
    const rows = await viewed(mirror, `${count} FROM ${name}`, byManifest);
    expect(rows).toEqual(await viewed(demo.directory, `${count} FROM ${name}`));
  }
});

// The tables of columns in docs/lake.md are the tables' own: in their files, and in their logs.
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
