/** Connections of a port are counted as the system lists them: established ones of both protocols, our side of each. */

import { expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { connectionsOf } from "#metrics/process.ts";
import { freePort } from "#test/support/free-port.ts";

test.skipIf(process.platform !== "linux").each(["127.0.0.1", "::1"])(
  "of a real listener on %s as many are open as clients are connected",
  async (host) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    // Of the ports that the system gives out, a connection of another program may have the same at its own end.
    const port = freePort();
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    expect(await connectionsOf(port)).toBe(0);
    await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise<Socket>((resolve) => {
            const client = connect(port, host, () => resolve(client.resume()));
          }),
      ),
    );
    expect(await connectionsOf(port)).toBe(3);
    // In good order: what the system still lists of them then waits for its time to be over.
    for (const socket of sockets) socket.end();
    await new Promise<unknown>((resolve) => server.close(resolve));
    expect(await connectionsOf(port)).toBe(0);
  },
);
