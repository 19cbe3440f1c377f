/** docs/views.sql reads the lake below current/ on disk and by the manifests over HTTP; without files too. */

import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { INTRADAY } from "#store/archive/table.ts";
import { openLake } from "#store/lake/lake.ts";
import { DAILY, HELD, REVISIONS } from "#store/lake/tables.ts";
import { OFFICIAL } from "#store/official-lake/official-lake.ts";
import { change, firstChange, observation, RETRIEVED, secondChange } from "#test/store/lake/sample.ts";
import { withDuckDb } from "#test/support/duckdb.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startDemoWithPast } from "./lake-demo.ts";
import { VIEWS, viewed } from "./lake-recipes.ts";

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
