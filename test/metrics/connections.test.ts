/** Connections of a port are counted as the system lists them: established ones of both protocols, our side of each. */

import { expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { connectionsOf, establishedIn } from "#metrics/process.ts";
import { freePort } from "#test/support/free-port.ts";

/** Port 3000 is 0BB8; the states are ESTABLISHED (01), TIME_WAIT (06) and LISTEN (0A). */
const LISTED = [
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
  "   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0",
  "   1: 0100007F:0BB8 0100007F:A001 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 20 4",
  "   2: 0100007F:A001 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000     0        0 13 1 0 20 4",
  "   3: 0100007F:0BB8 0100007F:A002 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4",
  "   4: 0100007F:0BB8 0100007F:A003 01 00000000:00000000 00:00000000 00000000     0        0 14 1 0 20 4",
  "   5: 0100007F:1F90 0100007F:A004 01 00000000:00000000 00:00000000 00000000     0        0 15 1 0 20 4",
  "",
].join("\n");

test("only the port's own side of established connections is counted", () => {
  expect(establishedIn(LISTED, 3_000)).toBe(2);
  expect(establishedIn(LISTED, 8_080)).toBe(1);
  expect(establishedIn(LISTED, 22)).toBe(0);
  expect(establishedIn("", 22)).toBe(0);
});

test("a list of IPv6 is read the same way", () => {
  const six = "00000000000000000000000001000000";
  const line = `   1: ${six}:0BB8 ${six}:A001 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 20 4\n`;
  expect(establishedIn(line, 3_000)).toBe(1);
});

test.skipIf(process.platform !== "linux").each(["127.0.0.1", "::1"])(
  "of a real listener on %s as many are open as clients are connected",
  async (host) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    // Of the ports that the system gives out, a connection of another program may have the same at its own end.
    const port = freePort();
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    expect(await connectionsOf(port)).toBe(0);
    const clients = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise<Socket>((resolve) => {
            const client = connect(port, host, () => resolve(client));
          }),
      ),
    );
    expect(await connectionsOf(port)).toBe(3);
    for (const socket of [...clients, ...sockets]) socket.destroy();
    await new Promise<unknown>((resolve) => server.close(resolve));
    expect(await connectionsOf(port)).toBe(0);
  },
);
