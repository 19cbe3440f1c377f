/** Real receivers on loopback, well-behaved and otherwise, over TLS or plain; they keep the bytes that came. */

import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { endsWithFile } from "#test/support/at-end.ts";

export type Behaviour = (socket: Socket) => void;

export const answering =
  (text: string): Behaviour =>
  (socket) => {
    socket.end(text);
  };

/** Says something and then the same thing over and over, as fast as it is taken. */
export const endless =
  (first: string, again: string): Behaviour =>
  (socket) => {
    socket.write(first);
    const more = () => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on("drain", more);
    more();
  };

export interface ReceiverOptions {
  readonly behaviour?: Behaviour;
  readonly tls?: { readonly key: string; readonly cert: string; readonly [option: string]: unknown };
  readonly address?: string;
  readonly port?: number;
}

export const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

export async function startReceiver(options: ReceiverOptions = {}) {
  const { behaviour = answering(OK), tls, address = "127.0.0.1", port = 0 } = options;
  const requests: string[] = [];
  const names: (string | false | null)[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  let settled = () => {};

  // Counted below TLS, so that handshakes which never end count too.
  const count = (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      if (open.size === 0) settled();
    });
  };
  const serve = (socket: Socket) => {
    let received = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (!isWhole(received)) return;
      requests.push(received);
      behaviour(socket);
    });
  };
  const server: Server =
    tls === undefined
      ? createServer(serve)
      : createTlsServer(tls, (socket) => {
          names.push((socket as { servername?: string | false }).servername ?? null);
          serve(socket);
        });
  server.on("connection", count);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  return {
    port: (server.address() as { port: number }).port,
    requests,
    names,
    get connections() {
      return connections;
    },
    /** Resolves when no connection is open. */
    idle: () => (open.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => (settled = resolve))),
    stop: endsWithFile(() => {
      for (const socket of open) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    }),
  };
}

function isWhole(received: string): boolean {
  const head = received.indexOf("\r\n\r\n");
  if (head < 0) return false;
  const length = Number(/\r\nContent-Length: (\d+)\r\n/i.exec(received)?.[1] ?? 0);
  return received.length >= head + 4 + length;
}
