/** DuckDB is open while it is used, and for a while afterwards. */

import { expect, test } from "bun:test";
import { openEngine } from "#store/parquet/engine.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** Timers are run by the test. */
function rig() {
  const timers = new Set<() => void>();
  const engine = openEngine({
    directories: [temporaryDirectory()],
    idleMilliseconds: 1_000,
    later: (_, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  const pass = () => {
    for (const run of [...timers]) {
      timers.delete(run);
      run();
    }
  };
  const ask = (sql: string) =>
    engine.use(async (connection) => (await connection.runAndReadAll(sql)).getRowsJS());
  return { engine, timers, pass, ask };
}

const HAS_TABLE = "SELECT count(*)::INTEGER FROM duckdb_tables() WHERE table_name = 'mark'";

test("an instance that nothing uses is closed after a while, and the next use opens another", async () => {
  const { engine, pass, ask } = rig();
  await ask("CREATE TABLE mark (a INTEGER)");
  expect(await ask(HAS_TABLE)).toEqual([[1]]);
  pass();
  expect(await ask(HAS_TABLE)).toEqual([[0]]);
  await engine.close();
});

test("a use under way keeps it open, and a new one puts the end off", async () => {
  const { engine, timers, pass, ask } = rig();
  await ask("CREATE TABLE mark (a INTEGER)");
  expect(timers.size).toBe(1);
  const free = Promise.withResolvers<void>();
  const using = engine.use(async (connection) => {
    await free.promise;
    return (await connection.runAndReadAll(HAS_TABLE)).getRowsJS();
  });
  pass();
  free.resolve();
  expect(await using).toEqual([[1]]);
  expect(timers.size).toBe(1);
  await engine.close();
  expect(timers.size).toBe(0);
});

test("a failure to open is not remembered", async () => {
  const options = { directories: [temporaryDirectory()], definitions: "SELECT no_such_function()" };
  const engine = openEngine(options);
  const asking = () => engine.use(async (connection) => await connection.run("SELECT 1"));
  await expect(asking()).rejects.toThrow("no_such_function");
  options.definitions = "SELECT 1";
  await asking();
  await engine.close();
});
