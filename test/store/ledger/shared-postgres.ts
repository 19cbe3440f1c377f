/** One Postgres for all tests of this process that need no more than a database; whoever stops or pauses it starts their own. */

import { atEnd } from "#test/at-end.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

let started: Promise<PostgresServer> | null = null;

/** An empty database of the caller's own; resolves with its address. `programs` is what `optionalPostgres` gave. */
export async function freshDatabase(programs: string): Promise<string> {
  started ??= begin(programs);
  return await (await started).database();
}

async function begin(programs: string): Promise<PostgresServer> {
  const server = await startPostgres(programs);
  atEnd(server.stop);
  return server;
}
