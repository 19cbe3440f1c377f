/** Rows of a SELECT chunk by chunk: all of them in their order, or an error; never a part of them without an error. */

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { fill, itemsOf, ReadBrokeOff, streamRows, withEngine } from "#store/parquet/engine.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const directory = temporaryDirectory();
const path = join(directory, "numbers.parquet");
const ROWS = 60_000;

await withEngine(directory, async (connection) => {
  await connection.run(
    `COPY (SELECT n::INTEGER AS n, hash(n)::VARCHAR AS noise FROM range(${ROWS}) AS numbers(n))
     TO '${path}' (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE 4096)`,
  );
});

async function numbersOf(connection: DuckDBConnection, select: string): Promise<number[]> {
  const stream = await streamRows(connection, select);
  const numbers: number[] = [];
  for (let rows = await stream.next(); rows !== null; rows = await stream.next()) {
    const items = itemsOf<Int32Array>(rows.chunk.getColumnVector(0));
    expect(rows.count).toBeGreaterThan(0);
    for (let row = 0; row < rows.count; row++) numbers.push(items[row] as number);
  }
  expect(await stream.next()).toBeNull();
  return numbers;
}

test.each([
  ["many", fill("SELECT n, noise FROM read_parquet({files})", { files: [path] }), ROWS],
  ["as many as a chunk has", "SELECT n::INTEGER AS n FROM range(2048) AS numbers(n)", 2048],
  ["one", "SELECT 0 AS n", 1],
  ["none", "SELECT 0 AS n WHERE false", 0],
  ["of a statement that ends with a semicolon", "SELECT n::INTEGER AS n FROM range(3) AS numbers(n);\n", 3],
  ["of one that ends with a comment", "SELECT n::INTEGER AS n FROM range(3) AS numbers(n) -- all", 3],
])("all rows of the answer come, in its order, and no other: %s", async (_, select, count) => {
  const found = await withEngine(directory, (connection) => numbersOf(connection, select));
  expect(found).toEqual(Array.from({ length: count }, (_row, n) => n));
});

test("the columns are those of the SELECT", async () => {
  await withEngine(directory, async (connection) => {
    const stream = await streamRows(connection, "SELECT 1 AS a, 'x' AS b, true AS is_it");
    expect(stream.columnNames).toEqual(["a", "b", "is_it"]);
    expect(stream.columnTypes.map(String)).toEqual(["INTEGER", "VARCHAR", "BOOLEAN"]);
  });
});

test("a file with a turned bit anywhere is an error or has all its rows, and never fewer", async () => {
  const whole = readFileSync(path);
  const outcomes = { whole: 0, brokeOff: 0, refused: 0 };
  await withEngine(directory, async (connection) => {
    for (let nth = 0; nth < 60; nth++) {
      const flipped = Buffer.from(whole);
      const at = Math.floor(((nth + 0.5) * whole.length) / 60);
      flipped[at] = (flipped[at] as number) ^ 0x10;
      // A name of its own each time: nothing that DuckDB remembers of another one counts.
      const file = join(directory, `flipped-${nth}.parquet`);
      writeFileSync(file, flipped);
      const select = fill("SELECT n, noise FROM read_parquet({files})", { files: [file] });
      const found = await numbersOf(connection, select).catch((fault: unknown) => fault);
      if (Array.isArray(found)) {
        expect(found).toHaveLength(ROWS);
        outcomes.whole += 1;
      } else if (found instanceof ReadBrokeOff) outcomes.brokeOff += 1;
      else outcomes.refused += 1;
    }
  });
  expect(outcomes.brokeOff + outcomes.refused).toBeGreaterThan(10);
});
