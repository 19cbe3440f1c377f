/** A network between client and server that breaks: each connection is cut after so many bytes of its answers. */

import { type AddressInfo, connect, createServer } from "node:net";

export interface CuttingProxy {
  readonly url: string;
  /** What each connection was asked, one text each. */
  asked(): readonly string[];
  /** Bytes of answers that the next connections let through, in turn; those after them are not cut. */
  cutAfter(...bytes: readonly number[]): void;
  /** Cuts the connections that there are. */
  cut(): void;
  stop(): void;
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { port } = new URL(target);
  const open = new Set<() => void>();
  const asked: string[] = [];
  let cuts: number[] = [];
  const server = createServer((client) => {
    const most = cuts.shift() ?? Number.POSITIVE_INFINITY;
    let passed = 0;
    const nth = asked.push("") - 1;
    const upstream = connect(Number(port), "127.0.0.1");
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    open.add(end);
    client.on("error", end).on("close", end);
    upstream.on("error", end).on("close", () => client.end());
    client.pipe(upstream);
    client.on("data", (bytes) => {
      asked[nth] += String(bytes);
    });
    upstream.on("data", (bytes: Buffer) => {
      passed += bytes.length;
      if (passed <= most) client.write(bytes);
      else client.write(bytes.subarray(0, Math.max(0, bytes.length - (passed - most))), end);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    cutAfter: (...bytes) => {
      cuts = [...bytes];
    },
    cut: () => {
      for (const end of open) end();
    },
    stop: () => void server.close(),
  };
}
