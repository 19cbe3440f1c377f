/** The operators' listener: a separate port on the loopback address, because none of it may ever be public. */

import { asRouted } from "#api/request/inner-request.ts";
import { randomText } from "#domain/account/key-format.ts";
import { type OperatorDeps, operatorApp } from "./app.ts";
import { removeToken, writeToken } from "./token.ts";

export interface OperatorServerOptions extends Omit<OperatorDeps, "token"> {
  /** Where the token is written for those who may use it. `port` 0 takes any free one. */
  readonly tokenPath: string;
}

export interface OperatorServer {
  readonly url: string;
  /** Resolves when nothing listens, nothing is under way any more, and the token is gone. */
  stop(): Promise<void>;
}

const TOKEN_CHARACTERS = 43; // 256 bits
/** More is cut off by the runtime itself; a body that is read is bounded further. */
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
  // Only after the port is its own: the token of a process that has it already must stay.
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
      // The ledger is closed next: no change may be half way.
      await Promise.allSettled(underWay);
      await removeToken(tokenPath, token);
    },
  };
}
