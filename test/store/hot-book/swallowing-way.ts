/** A TCP way to Redis whose open connections can go silent without closing, as behind a router that forgot them. */

import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SwallowingWay {
  readonly url: string;
  /** From now on nothing passes on the connections that are open; later ones work. */
  swallow(): void;
  end(): void;
}

export function swallowingWay(port: number): SwallowingWay {
  const open = new Set<{ readonly near: Socket; readonly far: Socket }>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) socket.on("error", () => {});
    near.pipe(far);
    far.pipe(near);
    open.add({ near, far });
  });
  server.listen(0, "127.0.0.1");
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${own}`,
    swallow: () => {
      for (const { near, far } of open) {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
        far.resume();
      }
    },
    end: () => {
      for (const { near, far } of open) {
        near.destroy();
        far.destroy();
      }
      server.close();
    },
  };
}
