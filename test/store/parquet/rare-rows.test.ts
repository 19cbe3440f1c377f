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
  test("gives the rows as they are", async () => {
    const read = openRareRows(directory);
    expect(await read(SELECT)).toEqual([
      [0, "text 0", 0],
      [1, "text 1", 1],
      [2, "text 2", null],
    ]);
  });
  test("fails with DuckDB's reason, and the next one is answered", async () => {
    const read = openRareRows(directory);
    const gone = read(
      fill("SELECT a FROM read_parquet({files})", { files: [join(directory, "gone.parquet")] }),
    );
    const next = read("SELECT 1 AS one");
    expect(gone).rejects.toThrow(/gone\.parquet/);
    await gone.catch(() => {});
    expect(await next).toEqual([[1]]);
  });
  test("reads no file outside its folder", async () => {
    const read = openRareRows(temporaryDirectory());
    expect(read(SELECT)).rejects.toThrow(/[Pp]ermission/);
  });
  test.skipIf(process.platform !== "linux")("runs alone: no more than one process at a time", async () => {
    const read = openRareRows(directory);
    const seen: number[] = [];
    let isDone = false;
    const all = Promise.all([1, 2, 3].map((one) => read(`SELECT ${one} AS one`))).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      seen.push(duckDbChildren().length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await all).toEqual([[[1]], [[2]], [[3]]]);
    expect(Math.max(...seen)).toBe(1);
  });
});
