/** A way to a server that the test cuts or slows down: for all connections at once, or each after so many bytes. */

import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { endsWithFile } from "./at-end.ts";

/** A reader loses what has come and was not read when its connection breaks off. */
const READ_MILLISECONDS = 100;
/** As much as the head of a request. */
const NOTED_CHARACTERS = 4_096;

export type TcpWay = Awaited<ReturnType<typeof tcpWayTo>>;

export async function tcpWayTo(target: number) {
  let state: "open" | "ended" | "silent" = "open";
  let delay = 0;
  let cuts: number[] = [];
  const asked: string[] = [];
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    if (state === "ended") {
      client.destroy();
      return;
    }
    const forward = connect(way.target, "127.0.0.1");
    const pair = [client, forward] as const;
    const nth = asked.push("") - 1;
    let left = cuts.shift() ?? Number.POSITIVE_INFINITY;
    pairs.add(pair);
    const breakOff = () => pair.forEach((socket) => void socket.destroy());
    for (const [from, to] of [pair, [forward, client] as const]) {
      let lastDue = 0;
      from.setNoDelay(true);
      from.on("error", () => {});
      from.on("close", () => {
        pairs.delete(pair);
        // Behind what is still on its way.
        setTimeout(() => to.destroy(), Math.max(0, lastDue - performance.now()));
      });
      from.on("data", (bytes: Buffer) => {
        const part = from === client ? bytes : bytes.subarray(0, Math.max(0, left));
        if (from === forward) left -= bytes.length;
        else if ((asked[nth]?.length ?? 0) < NOTED_CHARACTERS) asked[nth] += String(bytes);
        const pass = () => {
          if (left < 0) to.write(part, () => void setTimeout(breakOff, READ_MILLISECONDS));
          else if (!to.write(part)) from.pause();
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
  const cutOpen = (how: "ended" | "silent") => {
    for (const socket of [...pairs].flat()) how === "ended" ? socket.destroy() : socket.pause();
  };
  const way = {
    port: (server.address() as AddressInfo).port,
    /** Port at the other end, of connections from now on. */
    target,
    /** `ended`: connections break off, new ones are refused. `silent`: they stay, and nothing passes any more. */
    cut: (how: "ended" | "silent") => {
      state = how;
      cutOpen(how);
    },
    /** The same of the connections that there are; later ones pass. */
    cutOpen,
    /** Bytes of answers that the next connections let through, in turn, before they break off. */
    cutAfter: (...bytes: readonly number[]) => {
      cuts = [...bytes];
    },
    asked: () => asked,
    delay: (milliseconds: number) => {
      delay = milliseconds;
    },
    restore: () => {
      [state, delay] = ["open", 0];
      for (const socket of [...pairs].flat()) socket.resume();
    },
    close: endsWithFile(async () => {
      cutOpen("ended");
      await new Promise((resolve) => server.close(resolve));
    }),
  };
  return way;
}
