/** The lake's DuckDB is confined: its own directory, no network, no settings changed afterwards, no text that ends a literal. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLake } from "#store/lake/lake.ts";
import { fill, withEngine } from "#store/parquet/engine.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { firstChange } from "./sample.ts";

const directory = temporaryDirectory();

test.each([
  ["a file elsewhere", "SELECT * FROM read_text('/etc/hostname')"],
  ["a file above it", `SELECT * FROM read_text('${directory}/../secret')`],
  ["the network", "SELECT * FROM read_csv('https://example.org/x.csv')"],
  ["an extension", "INSTALL httpfs"],
  ["opening up again", "SET enable_external_access = true"],
  ["another memory limit", "SET memory_limit = '64GB'"],
])("%s is refused", async (_, sql) => {
  expect(withEngine(directory, (connection) => connection.run(sql))).rejects.toThrow();
});

test("its own directory is readable", async () => {
  writeFileSync(join(directory, "own.txt"), "own");
  const sql = `SELECT content FROM read_text('${directory}/own.txt')`;
  const read = await withEngine(directory, (connection) => connection.runAndReadAll(sql));
  expect(read.getRowObjectsJson()).toEqual([{ content: "own" }]);
});

test("a directory whose name holds quotes works like any other", async () => {
  const lake = await openLake({ directory: join(directory, "it's {here} "), simulated: false });
  await lake.commit(() => firstChange());
  expect((await lake.read()).observations.count).toBe(6);
  await lake.close();
});

test("a value that was forgotten is an error", () => {
  expect(() => fill("{missing}", {})).toThrow("no value for {missing}");
});
