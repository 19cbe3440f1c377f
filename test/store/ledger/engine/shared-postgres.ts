/** One Postgres for all tests of this process that need no more than a database; a test that stops or pauses one starts its own. */

import { openLedger } from "#store/ledger/ledger.ts";
import { atEnd } from "#test/support/at-end.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

let started: Promise<PostgresServer> | null = null;

/** An empty database of the caller's own; resolves with its address. `programs` is what `optionalPostgres` gave. */
export async function emptyDatabase(programs: string): Promise<string> {
  started ??= begin(programs);
  return await (await started).database();
}

/** One with the tables of a ledger that has nothing in them: a copy, which is half the work of making them. */
export async function freshDatabase(programs: string): Promise<string> {
  started ??= begin(programs);
  return await (await started).database(ORIGINAL);
}

/** What every server has; here it gets the tables. */
const ORIGINAL = "crossrate";

async function begin(programs: string): Promise<PostgresServer> {
  const server = await startPostgres(programs);
  atEnd(server.stop);
  const options = { emit: () => {}, newId: (prefix: string) => prefix, clock: { now: () => 0 } };
  const ledger = await openLedger({ url: server.url, connections: 1 }, options);
  await ledger.close();
  return server;
}
