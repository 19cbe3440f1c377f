/** A way to a server that the test cuts or slows down: for all connections at once, with an end or in silence. */

import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpWay {
  readonly port: number;
  /** `ended`: connections break off, new ones are refused. `silent`: they stay, and nothing passes any more. */
  cut(how: "ended" | "silent"): void;
  /** Everything passes so much later, in either direction. */
  delay(milliseconds: number): void;
  restore(): void;
  close(): Promise<void>;
}

/** A way to a port of this machine. */
export async function tcpWayTo(target: number): Promise<TcpWay> {
  let state: "open" | "ended" | "silent" = "open";
  let delay = 0;
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    if (state === "ended") {
      client.destroy();
      return;
    }
    const forward = connect(target, "127.0.0.1");
    const pair = [client, forward] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [forward, client] as const]) {
      let lastDue = 0;
      sockets.add(from);
      from.setNoDelay(true);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        pairs.delete(pair);
        // Behind what is still on its way.
        setTimeout(() => to.destroy(), Math.max(0, lastDue - performance.now()));
      });
      from.on("data", (bytes) => {
        const pass = () => {
          if (!to.write(bytes)) from.pause();
        };
        const now = performance.now();
        // Never before what came earlier, also when the delay has just ended.
        const due = Math.max(now + delay, lastDue);
        if (due <= now) return pass();
        lastDue = due + 1;
        setTimeout(pass, due - now);
      });
      to.on("drain", () => {
        if (state !== "silent") from.resume();
      });
    }
    if (state === "silent") for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut: (how) => {
      state = how;
      for (const socket of sockets) {
        if (how === "ended") socket.destroy();
        else socket.pause();
      }
    },
    delay: (milliseconds) => {
      delay = milliseconds;
    },
    restore: () => {
      [state, delay] = ["open", 0];
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
