/** SELECTs in processes of their own: their rows, their failures, and one process at a time. With real files. */

import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openRareRows } from "#store/parquet/duckdb-process.ts";
import { fill, quoted, withEngine } from "#store/parquet/engine.ts";
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

describe("a SELECT in a process of its own", () => {
  test("reads no file outside its folder", async () => {
    const read = openRareRows(temporaryDirectory());
    expect(read(SELECT)).rejects.toThrow(/[Pp]ermission/);
  });
  test("gives the rows as they are, or DuckDB's reason and the next one's, and runs alone: one process at a time", async () => {
    const read = openRareRows(directory);
    const files = [join(directory, "gone.parquet")];
    const gone = read(fill("SELECT a FROM read_parquet({files})", { files })).catch(String);
    let isDone = false;
    const all = Promise.all([gone, read(SELECT), read("SELECT 1 AS one")]).finally(() => {
      isDone = true;
    });
    const seen: number[] = [];
    while (!isDone) {
      seen.push(duckDbChildren().length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const rows = [
      [0, "text 0", 0],
      [1, "text 1", 1],
      [2, "text 2", null],
    ];
    expect(await all).toEqual([expect.stringMatching(/gone\.parquet/), rows, [[1]]]);
    if (process.platform === "linux") expect(Math.max(...seen)).toBe(1);
  });
});
