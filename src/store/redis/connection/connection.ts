/** Connections to Redis: they fail at once instead of hanging, come back by themselves, and what Redis refuses is logged once. */

import { type Cluster, Redis, type RedisOptions } from "ioredis";
import { parseRedisAddress, type RedisAddress } from "#domain/net/redis-address.ts";
import type { Emit, RedisUse } from "#telemetry.ts";
import { connectToAnyNode, connectToCluster, leaveIfCutOff } from "./cluster.ts";
import { connectToMaster } from "./sentinel.ts";

/** One server, the master that sentinels name, or the nodes of a cluster: they take the same commands. */
export type RedisConnection = Redis | Cluster;

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
  reconnectOnError: (fault: Error) => /\bREADONLY\b|^MASTERDOWN/.test(fault.message),
} satisfies RedisOptions;

/** Starts connecting; `name` is what CLIENT LIST shows. */
export function connectRedis(url: string, name: string): RedisConnection {
  const address = addressOf(url);
  if (address.kind === "cluster") return connectToCluster(address, { ...OPTIONS, connectionName: name });
  return connectOne(address, name);
}

/** Starts connecting for messages alone, which any node of a cluster passes on to the others. */
export function connectForMessages(url: string, name: string): Redis {
  const address = addressOf(url);
  if (address.kind === "cluster") return connectToAnyNode(address, { ...OPTIONS, connectionName: name });
  return connectOne(address, name);
}

/** Starts connecting once, to one sentinel or node of the address: what fails there is the reason of what fails above. */
export function connectToFirst(url: string, name: string): Redis | null {
  const address = addressOf(url);
  if (address.kind === "server") return null;
  const { hosts, tls, username, password } = address;
  const login = address.kind === "sentinel" ? address.sentinelLogin : { username, password };
  const [first] = hosts;
  return new Redis({
    ...OPTIONS,
    ...first,
    ...login,
    ...(tls ? { tls: {} } : {}),
    connectionName: name,
    retryStrategy: () => null,
  });
}

function connectOne(address: Exclude<RedisAddress, { kind: "cluster" }>, name: string): Redis {
  if (address.kind === "sentinel") return connectToMaster(address, { ...OPTIONS, connectionName: name });
  return new Redis(address.url, { ...OPTIONS, connectionName: name });
}

/** Throws for an address that the settings refuse. */
function addressOf(url: string): RedisAddress {
  const address = parseRedisAddress(url);
  if (address.kind === "fault") throw new Error(`this is no address of Redis: ${address.needed}`);
  return address;
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
  const redis = connectForMessages(url, name);
  const isOfCluster = addressOf(url).kind === "cluster";
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
      if (isOfCluster) leaveIfCutOff(redis);
    },
    close: () => redis.disconnect(),
  };
}

/** What nodes answer while another becomes master, or keys are on their way. */
const PASSING = /^(CLUSTERDOWN|MASTERDOWN|TRYAGAIN) /;

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
      if (PASSING.test(fault.message)) return;
      isLogged = true;
      emit({ kind: "redis_refused", use, effect, detail: fault.message });
    },
    works: () => {
      isLogged = false;
    },
  };
}
