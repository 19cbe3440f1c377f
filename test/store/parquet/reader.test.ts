/** SELECTs in another process: their rows and their failures. With real files. */

import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openReader } from "#store/parquet/duckdb-process.ts";
import { fill, quoted, withEngine } from "#store/parquet/engine.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { duckDbChildren } from "./children.ts";

const directory = temporaryDirectory();
const file = join(directory, "rows.parquet");
const SELECT = fill("SELECT a, b, c FROM read_parquet({files}) ORDER BY a", { files: [file] });

beforeAll(async () => {
  await withEngine(directory, async (connection) => {
    const rows = "SELECT i::INTEGER AS a, 'text ' || i AS b, NULLIF(i, 2)::INTEGER AS c FROM range(3) t(i)";
    await connection.run(`COPY (${rows}) TO ${quoted(file)}`);
  });
});

function open(folder: string) {
  const reader = openReader(folder);
  atEnd(reader.close);
  return reader;
}

test("reads no file outside its folder", async () => {
  await expect(open(temporaryDirectory()).rows(SELECT)).rejects.toThrow(/[Pp]ermission/);
});

test("gives the rows as they are, or DuckDB's reason and the next one's, all in one process", async () => {
  const { rows } = open(directory);
  const before = duckDbChildren().length;
  const files = [join(directory, "gone.parquet")];
  const gone = rows(fill("SELECT a FROM read_parquet({files})", { files })).catch(String);
  expect(await Promise.all([gone, rows(SELECT), rows("SELECT 1 AS one")])).toEqual([
    expect.stringMatching(/gone\.parquet/),
    [
      [0, "text 0", 0],
      [1, "text 1", 1],
      [2, "text 2", null],
    ],
    [[1]],
  ]);
  if (process.platform === "linux") expect(duckDbChildren().length).toBe(before + 1);
});
