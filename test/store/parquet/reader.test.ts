/** SELECTs in another process: their columns and their failures. With real files. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { openReader } from "#store/parquet/duckdb-process.ts";
import { fill, openEngine, quoted, withEngine } from "#store/parquet/engine.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { duckDbChildren } from "./children.ts";

const directory = temporaryDirectory();
const file = join(directory, "rows.parquet");
const SELECT = fill("SELECT a, b FROM read_parquet({files}) ORDER BY a", { files: [file] });

await withEngine(directory, async (connection) => {
  const rows = "SELECT i::INTEGER AS a, i / 2 AS b FROM range(3) t(i)";
  await connection.run(`COPY (${rows}) TO ${quoted(file)}`);
});

function open(folder: string) {
  const reader = openReader(folder);
  atEnd(reader.close);
  return reader;
}

test("reads no file outside its folder", async () => {
  await expect(open(temporaryDirectory()).columns(SELECT)).rejects.toThrow(/[Pp]ermission/);
});

test("gives the columns as they are, or DuckDB's reason and the next one's, all in one process", async () => {
  const { columns } = open(directory);
  const before = duckDbChildren().length;
  const files = [join(directory, "gone.parquet")];
  const gone = columns(fill("SELECT a FROM read_parquet({files})", { files })).catch(String);
  expect(await Promise.all([gone, columns(SELECT), columns("SELECT 1::INTEGER AS one")])).toEqual([
    expect.stringMatching(/gone\.parquet/),
    { a: Int32Array.of(0, 1, 2), b: Float64Array.of(0, 0.5, 1) },
    { one: Int32Array.of(1) },
  ]);
  if (process.platform === "linux") expect(duckDbChildren().length).toBe(before + 1);
});

test("a failure to open is not remembered: the next use tries again", async () => {
  const options = { directories: [temporaryDirectory()], definitions: "SELECT no_such_function()" };
  const engine = openEngine(options);
  const ask = () =>
    engine.use(async (connection) => (await connection.runAndReadAll("SELECT 1")).getRowsJS());
  await expect(ask()).rejects.toThrow("no_such_function");
  await expect(ask()).rejects.toThrow("no_such_function");
  options.definitions = "SELECT 2";
  expect(await ask()).toEqual([[1]]);
  await engine.close();
});

test("uses that begin just before it is closed get their answers", async () => {
  const engine = openEngine({ directories: [temporaryDirectory()] });
  const ask = () =>
    engine.use(async (connection) => (await connection.runAndReadAll("SELECT 1")).getRowsJS());
  await ask();
  for (let round = 0; round < 20; round++) {
    const asked = [ask(), ask(), ask()];
    // The uses are connecting now.
    await Promise.resolve();
    const closed = engine.close();
    for (const rows of await Promise.all([...asked, ask()])) expect(rows).toEqual([[1]]);
    await closed;
  }
  await engine.close();
});
