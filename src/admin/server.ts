/** The operators' listener: a port of its own on the loopback address, so that nothing of it is ever served to the public. */

import { reaching } from "#accounts/account/deps.ts";
import { type Random, randomText } from "#domain/account/key-format.ts";
import type { Tell } from "#telemetry.ts";
import type { AdminTools } from "./admin-deps.ts";
import { type Answering, refusal, success } from "./answers.ts";
import { admit, type Door, doorOf } from "./guard.ts";
import { jsonOf } from "./reading.ts";
import { routeOf } from "./routes.ts";
import { removeToken, writeToken } from "./token-file.ts";

export interface AdminServerOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** An address of this machine alone. */
  readonly host: string;
  /** Where the token is written for those who may use it. */
  readonly tokenPath: string;
  readonly tools: AdminTools;
  readonly random: Random;
  readonly tell: Tell;
}

export interface AdminServer {
  readonly url: string;
  /** Resolves when nothing listens, nothing is under way any more, and the token is gone. */
  stop(): Promise<void>;
}

const TOKEN_CHARACTERS = 43; // 256 bits
const ID_CHARACTERS = 16;
/** More is cut off by the runtime itself; a body that is read is bounded further. */
const LARGEST_REQUEST_BYTES = 65_536;

/** Rejects when the port is taken, or with TokenFileFault. */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const { port, host, tokenPath, random, tell } = options;
  const token = randomText(random, TOKEN_CHARACTERS);
  const underWay = new Set<Promise<Response>>();
  const server = Bun.serve({
    port,
    hostname: host,
    reusePort: false,
    development: false,
    maxRequestBodySize: LARGEST_REQUEST_BYTES,
    fetch: (request) => {
      const answered = answer(options, door, request);
      underWay.add(answered);
      return answered.finally(() => underWay.delete(answered));
    },
  });
  const door: Door = doorOf(host, server.port ?? port, token);
  // Only after the port is its own: the token of a process that has it already must stay.
  await writeToken(tokenPath, token, random).catch(async (fault: unknown) => {
    await server.stop(true);
    throw fault;
  });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  tell({ kind: "notice", text: `the operators' listener is on ${url}, its token in ${tokenPath}` });
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

async function answer(
  { tools, random, tell }: AdminServerOptions,
  door: Door,
  request: Request,
): Promise<Response> {
  const url = URL.parse(request.url);
  const path = url?.pathname ?? "/";
  const answering: Answering = { requestId: randomText(random, ID_CHARACTERS), path, tell };
  try {
    admit(door, request);
    const { verb, id } = routeOf(request.method === "HEAD" ? "GET" : request.method, path);
    const query = url?.searchParams ?? new URLSearchParams();
    const body = () => jsonOf(request);
    return success(await reaching(() => verb(tools, { id, query, body })), answering);
  } catch (thrown) {
    return refusal(thrown, answering);
  }
}
