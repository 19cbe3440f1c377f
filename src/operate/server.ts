/** The operators' listener: a separate port on the loopback address, because it must never be public. */

import { asRouted } from "#api/request/inner-request.ts";
import { randomText } from "#domain/account/key.ts";
import { type OperatorDeps, operatorApp } from "./app.ts";
import { removeToken, writeToken } from "./token.ts";

export interface OperatorServerOptions extends Omit<OperatorDeps, "token"> {
  /** The file of the token, for permitted readers. `port` 0 takes any free one. */
  readonly tokenPath: string;
}

export interface OperatorServer {
  readonly url: string;
  /** Resolves when the port is closed, all requests have ended, and the token is removed. */
  stop(): Promise<void>;
}

const TOKEN_CHARACTERS = 43; // 256 bits
/** The runtime cuts off more; the reader of a body has a smaller bound. */
const LARGEST_REQUEST_BYTES = 65_536;

/** Rejects when the port is taken, or with TokenFileFault. */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const { port, host, tokenPath, random, emit } = options;
  const token = randomText(random, TOKEN_CHARACTERS);
  const underWay = new Set<Promise<Response>>();
  const server = Bun.serve({
    port,
    hostname: host,
    reusePort: false,
    development: false,
    maxRequestBodySize: LARGEST_REQUEST_BYTES,
    fetch: (request) => {
      const answered = Promise.resolve(app.fetch(asRouted(request)));
      underWay.add(answered);
      return answered.finally(() => underWay.delete(answered));
    },
  });
  const app = operatorApp({ ...options, token, port: server.port ?? port });
  // After the port is taken: the token of a process that already has it must stay.
  await writeToken(tokenPath, token, random).catch(async (fault: unknown) => {
    await server.stop(true);
    throw fault;
  });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  emit({ kind: "listener_started", listener: "operators", url, tokenPath });
  return {
    url,
    stop: async () => {
      await server.stop(true);
      // The ledger is closed next: every change must be complete.
      await Promise.allSettled(underWay);
      await removeToken(tokenPath, token);
    },
  };
}
