/** The product as a process of its own on a full history, and clients of it that do not behave. Linux only, as /proc is. */

import { afterEach } from "bun:test";
import { requestBytes } from "#bench/hostile/request.ts";
import { openSocket, type RawSocket } from "#bench/hostile/sockets.ts";
import { establishedConnections, residentMegabytes } from "#bench/hostile/watch.ts";
import { startReplica } from "#test/live-redis/replica-process.ts";
import { dataDirectory, NOON } from "#test/metered/history.ts";

/** Long answers, one of each way in which they are made: a document that all answers share, and a series that is computed. */
export const LARGE = {
  asset: "/openapi.json",
  series: "/compat/frankfurter/v2/rates?from=1999-01-04",
} as const;

/** To be called once a file; the returned function starts a server, which ends with its test, and its clients with it. */
export function attackedOfEachTest(): (environment?: Record<string, string>) => Promise<Attacked> {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
  });
  return (environment = {}) => start(environment, ends);
}

export type Attacked = Awaited<ReturnType<typeof start>>;

async function start(environment: Record<string, string>, ends: (() => Promise<unknown>)[]) {
  const replica = await startReplica({
    ACCESS: "open",
    ROLE: "api",
    LIVE_FEED: "off",
    UPSTREAM_BASE: "http://127.0.0.1:9",
    NOW: new Date(NOON).toISOString(),
    DATA_DIR: await dataDirectory("history"),
    ...environment,
  });
  const clients: RawSocket[] = [];
  ends.push(() => {
    for (const client of clients) client.close(true);
    return replica.end("SIGKILL");
  });
  const port = Number(new URL(replica.url).port);
  const asking = (path: string, from: string | undefined, smallBuffer: boolean): RawSocket => {
    const client = openSocket("127.0.0.1", port, { smallBuffer, ...(from === undefined ? {} : { from }) });
    const target = { name: path, method: "GET", path };
    // The handshake on the loopback is over when connect returns: the system takes the few bytes at once.
    const more = smallBuffer ? [] : ["Connection: close"];
    client.send(requestBytes({ target, coding: "identity", key: null }, more));
    clients.push(client);
    return client;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    resident: () => residentMegabytes(replica.pid),
    peak: () => residentMegabytes(replica.pid, "VmHWM"),
    /** Established connections, those of the tests' own fetches included. */
    connections: () => establishedConnections(port),
    /** Sends a request with the smallest receive buffer that the system allows, and never reads. */
    unread: (path: string, from?: string) => asking(path, from, true),
    /** Requests an answer whose end closes the connection, and reads what the test reads. */
    reader: (path: string, from?: string) => asking(path, from, false),
  };
}
