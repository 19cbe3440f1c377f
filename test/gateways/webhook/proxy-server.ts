/** A real CONNECT proxy on loopback that leads every tunnel to one local port, and records its requests. */

import { connect, createServer, type Socket } from "node:net";
import { endsWithFile } from "#test/support/at-end.ts";

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n";

/** Without `refusal` every tunnel is made; with it that is all the proxy ever says. */
export async function startProxy(target: () => number, refusal: string | null = null) {
  const heads: string[] = [];
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    socket.once("data", (chunk) => {
      heads.push(chunk.toString("latin1"));
      if (refusal !== null) return void socket.end(refusal);
      const onward = connect(target(), "127.0.0.1", () => {
        socket.write(ESTABLISHED);
        socket.pipe(onward).pipe(socket);
      });
      keep(onward);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    heads,
    stop: endsWithFile(() => {
      for (const socket of open) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    }),
  };
}
