/** One Postgres for all tests of a file that need no more than a database; a test that stops or pauses one starts its own. */

import { openLedger } from "#store/ledger/ledger.ts";
import { atEnd, onceInFile } from "#test/support/at-end.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

/** An empty database of the caller's own; resolves with its address. `programs` is what `optionalPostgres` gave. */
export async function emptyDatabase(programs: string): Promise<string> {
  return await (await started(programs)).database();
}

/** One with the tables of a ledger that has nothing in them: a copy, which is half the work of making them. */
export async function freshDatabase(programs: string): Promise<string> {
  return await (await started(programs)).database(ORIGINAL);
}

/** One that is at every call as a new one: its rows are put back, which takes a hundredth of a copy. Whoever had it before must be done with it. */
export async function cleanDatabase(programs: string): Promise<string> {
  const { url, clean } = await cleaned(programs);
  await clean();
  return url;
}

const cleaned = onceInFile(async (programs: string) => {
  const url = await (await started(programs)).database(ORIGINAL);
  const sql = new Bun.SQL({ adapter: "postgres", url, max: 1 });
  atEnd(() => sql.close());
  const tables = async () => {
    const rows = await sql.unsafe("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    return rows.map(({ tablename }: { tablename: string }) => tablename) as string[];
  };
  const first = await tables();
  await sql.unsafe("CREATE SCHEMA original");
  for (const table of first) await sql.unsafe(`CREATE TABLE original.${table} AS TABLE ${table}`);
  const clean = async () => {
    const more = (await tables()).filter((table) => !first.includes(table));
    const statements = [
      "BEGIN",
      // In any order, whichever table refers to which.
      "SET LOCAL session_replication_role = replica",
      ...more.map((table) => `DROP TABLE ${table}`),
      ...first.map((table) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM original.${table}`),
      "COMMIT",
    ];
    await sql.unsafe(statements.join("; "));
  };
  return { url, clean };
});

/** What every server has; here it gets the tables. */
const ORIGINAL = "crossrate";

const started = onceInFile(async (programs: string): Promise<PostgresServer> => {
  const server = await startPostgres(programs);
  const options = { emit: () => {}, newId: (prefix: string) => prefix, clock: { now: () => 0 } };
  const ledger = await openLedger({ url: server.url }, options);
  await ledger.close();
  return server;
});
