/** DuckDB is opened with the first use, again after a failure, and closed only when nothing connects to it. */

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
