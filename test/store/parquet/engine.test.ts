/** DuckDB is opened with the first use, and again after a failure. */

import { expect, test } from "bun:test";
import { openEngine } from "#store/parquet/engine.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

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
