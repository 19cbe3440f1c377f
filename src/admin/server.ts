/** The operators' listener: a separate port on the loopback address, because none of it may ever be public. */

import { type Random, randomText } from "#domain/account/key-format.ts";
import { redact } from "#domain/net/redact.ts";
import type { FigureReview } from "#ports/figure-review.ts";
import type { Emit } from "#telemetry.ts";
import { doorOf, removeToken, writeToken } from "./access.ts";
import type { AdminTools } from "./request.ts";
import { openRoom } from "./room/room.ts";

export interface AdminServerOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** A loopback address. */
  readonly host: string;
  /** Where the token is written for those who may use it. */
  readonly tokenPath: string;
  readonly tools: AdminTools;
  /** What the pages decide on besides accounts; null where there is nothing. */
  readonly figures: FigureReview | null;
  readonly random: Random;
  readonly emit: Emit;
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
      const answered = room.answer(request);
      underWay.add(answered);
      return answered.finally(() => underWay.delete(answered));
    },
  });
  const door = doorOf(host, server.port ?? port, token);
  const failed = (path: string, fault: unknown) => {
    const error = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    const requestId = randomText(random, ID_CHARACTERS);
    emit({ kind: "request_failed", requestId, path: redact(path), error: redact(error) });
    return requestId;
  };
  const room = openRoom({ ...options, door, port: server.port ?? port, failed });
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
