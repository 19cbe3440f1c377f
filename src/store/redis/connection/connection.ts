/** Connections to Redis that fail at once instead of hanging, and come back by themselves. */

import { Redis, type RedisOptions } from "ioredis";

/** A reply later than this is a failure. */
export const COMMAND_MILLISECONDS = 250;
/** Encryption takes several ways there and back. */
const CONNECT_MILLISECONDS = 500;
const LONGEST_RETRY_MILLISECONDS = 400;

const OPTIONS = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // A command that has failed here must not be sent behind its caller's back.
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  commandTimeout: COMMAND_MILLISECONDS,
  connectTimeout: CONNECT_MILLISECONDS,
  // A peer that no longer answers does not close its side either: the socket is dropped, not waited for.
  socketTimeout: 2 * COMMAND_MILLISECONDS,
  disconnectTimeout: COMMAND_MILLISECONDS,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, LONGEST_RETRY_MILLISECONDS),
  // The check waits for as long as Redis loads its file from disk, which may be minutes: the first command says so at once.
  enableReadyCheck: false,
  // After a fail-over the old primary is a replica: only a new connection finds the new one.
  reconnectOnError: (fault: Error) => fault.message.startsWith("READONLY"),
} satisfies RedisOptions;

/** Starts connecting; `name` is what CLIENT LIST shows. */
export function connectRedis(url: string, name: string): Redis {
  return new Redis(url, { ...OPTIONS, connectionName: name });
}
