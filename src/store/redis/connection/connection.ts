/** Connections to Redis: they fail at once instead of hanging, come back by themselves, and what Redis refuses is logged once. */

import { Redis, type RedisOptions } from "ioredis";
import type { Emit, RedisUse } from "#telemetry.ts";

/** A reply later than this is a failure. */
const COMMAND_MILLISECONDS = 250;
/** Encryption takes several ways there and back. */
const CONNECT_MILLISECONDS = 500;
const LONGEST_RETRY_MILLISECONDS = 400;

const OPTIONS = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // A command that has failed here must not be sent later.
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  commandTimeout: COMMAND_MILLISECONDS,
  connectTimeout: CONNECT_MILLISECONDS,
  // A peer that no longer answers does not close its side either: the socket is dropped, not waited for.
  socketTimeout: 2 * COMMAND_MILLISECONDS,
  disconnectTimeout: COMMAND_MILLISECONDS,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, LONGEST_RETRY_MILLISECONDS),
  // The check waits for as long as Redis loads its file from disk, which may be minutes: the first command fails at once.
  enableReadyCheck: false,
  // After a fail-over the old primary is a replica: only a new connection finds the new one.
  reconnectOnError: (fault: Error) => fault.message.startsWith("READONLY"),
} satisfies RedisOptions;

/** Starts connecting; `name` is what CLIENT LIST shows. */
export function connectRedis(url: string, name: string): Redis {
  return new Redis(url, { ...OPTIONS, connectionName: name });
}

export interface Subscription {
  /** Called now and then: a connection that only receives would never notice that its peer is gone. */
  probe(): void;
  close(): void;
}

export interface Subscriber {
  received(message: string): void;
  /** From now on messages arrive; those published before are missed. */
  subscribed(): void;
  /** They do not arrive; a refusal by Redis itself is an error of its own, a lost connection a plain one. */
  unsubscribed(reason: Error): void;
}

/** Starts connecting, subscribes to one channel, and goes on trying. `name` is what CLIENT LIST shows. */
export function subscribeTo(
  url: string,
  name: string,
  channel: string,
  subscriber: Subscriber,
): Subscription {
  const redis = connectRedis(url, name);
  let fault: Error | null = null;
  let isSubscribed = false;
  const unsubscribed = (reason: Error) => {
    isSubscribed = false;
    subscriber.unsubscribed(reason);
  };
  const subscribe = () => {
    redis.subscribe(channel).then(() => {
      isSubscribed = true;
      subscriber.subscribed();
    }, unsubscribed);
  };
  redis.on("error", (reason: Error) => {
    fault = reason;
  });
  redis.on("close", () => unsubscribed(fault ?? new Error("the connection was closed")));
  redis.on("ready", () => {
    fault = null;
    subscribe();
  });
  redis.on("message", (_channel, message) => subscriber.received(message));
  return {
    probe: () => {
      if (redis.status !== "ready") return;
      // When no answer comes, the socket's own timeout drops the connection.
      if (isSubscribed) redis.ping().catch(() => {});
      else subscribe();
    },
    close: () => redis.disconnect(),
  };
}

/**
 * Faults that Redis itself answers with: a right that is missing, a full memory. No outage shows them. `effect` is what this
 * process does without the command.
 */
export function logRefusals(emit: Emit, use: RedisUse, effect: string) {
  let isLogged = false;
  return {
    /** Logs a refusal once, until the command works again. A connection that fails is no refusal: it is logged elsewhere. */
    failed: (fault: unknown) => {
      if (isLogged || !(fault instanceof Error) || fault.name !== "ReplyError") return;
      isLogged = true;
      emit({ kind: "redis_refused", use, effect, detail: fault.message });
    },
    works: () => {
      isLogged = false;
    },
  };
}
