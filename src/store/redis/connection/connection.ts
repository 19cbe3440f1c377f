/** Connections to Redis: they fail at once instead of hanging, come back by themselves, and what Redis refuses is logged once. */

import { once } from "node:events";
import { Cluster, Redis, type RedisOptions } from "ioredis";
import {
  type ClusterAddress,
  parseRedisAddress,
  REDIS_ADDRESS_NEEDED,
  type SentinelAddress,
} from "#domain/net/redis-address.ts";

/** One server, the master that sentinels name, or the nodes of a cluster: they take the same commands. */
export type RedisConnection = Redis | Cluster;

/** A reply later than this is a failure. */
const COMMAND_MILLISECONDS = 250;
/** Encryption takes several round trips. */
const CONNECT_MILLISECONDS = 500;
const LONGEST_RETRY_MILLISECONDS = 400;
const FEW_REDIRECTIONS = 4;
const TRY_AGAIN_MILLISECONDS = 40;

const retryAfter = (attempt: number): number => Math.min(50 * attempt, LONGEST_RETRY_MILLISECONDS);

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
  retryStrategy: retryAfter,
  // The check waits while Redis loads its file from disk, perhaps for minutes; without it the first command fails at once.
  enableReadyCheck: false,
  // After a fail-over the old primary is a replica: only a new connection finds the new one.
  reconnectOnError: (fault: Error) => /\bREADONLY\b|^MASTERDOWN/.test(fault.message),
} satisfies RedisOptions;

/** Starts connecting; `name` is what CLIENT LIST shows. Throws for an address that the settings refuse. */
export function connectRedis(url: string, name: string): RedisConnection {
  const address = parseRedisAddress(url);
  switch (address?.kind) {
    case "server":
      return inItsDatabase(new Redis(address.url, { ...OPTIONS, connectionName: name }));
    case "sentinel":
      return inItsDatabase(connectToMaster(address, name));
    case "cluster":
      return connectToCluster(address, name);
    default:
      throw new Error(REDIS_ADDRESS_NEEDED);
  }
}

/** Where its database was refused, the client would go on in database 0, which may be another program's. */
function inItsDatabase(redis: Redis): Redis {
  redis.on("error", ({ command }: { command?: { name: string } }) => {
    if (command?.name === "select") redis.disconnect(true);
  });
  return redis;
}

/** Asks only the sentinels of the address: others that they announce may not be reachable from here. */
function connectToMaster(address: SentinelAddress, connectionName: string): Redis {
  const { hosts, name, database, username, password, sentinelLogin, tls } = address;
  const redis = new Redis({
    ...OPTIONS,
    connectionName,
    sentinels: [...hosts],
    name,
    db: database,
    username,
    password,
    sentinelUsername: sentinelLogin.username,
    sentinelPassword: sentinelLogin.password,
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinelCommandTimeout: COMMAND_MILLISECONDS,
    sentinelRetryStrategy: retryAfter,
    updateSentinels: false,
  });
  // Why the last sentinel named no master, instead of "All sentinels are unreachable."
  let reason: string | null = null;
  redis.on("sentinelError", ({ message }: Error) => {
    reason = message.replace(/^connected to (.*) successfully.*/, "$1 knows no such master");
  });
  redis.on("error", (fault: Error) => {
    if (reason !== null && fault.message.startsWith("All sentinels")) fault.message = reason;
  });
  // An isolated sentinel names an old master, which may be a replica by now: the next sentinel is asked.
  redis.on("ready", () => {
    redis.role().then(
      ([role]) => {
        if (role !== "master") redis.disconnect(true);
      },
      () => {},
    );
  });
  return redis;
}

/** Commands wait while the cluster is not ready: callers check its status first. */
function connectToCluster(address: ClusterAddress, connectionName: string): Cluster {
  const { retryStrategy: _, ...redisOptions } = nodeOptions(address, connectionName);
  const cluster = new Cluster([...address.hosts], {
    redisOptions,
    clusterRetryStrategy: retryAfter,
    // Each connection resolves its own name: a certificate is for the name, and one unknown name must not fail the others.
    dnsLookup: (host, reply) => reply(null, host),
    // Commands for a node that has just become known wait until it is connected, up to their timeout.
    enableOfflineQueue: true,
    enableReadyCheck: false,
    // A command that may have been carried out must not be sent again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // TRYAGAIN means that a command was not carried out: its keys are being moved to another node.
    retryDelayOnTryAgain: TRY_AGAIN_MILLISECONDS,
    maxRedirections: FEW_REDIRECTIONS,
    slotsRefreshTimeout: CONNECT_MILLISECONDS,
  });
  // A failed ASKING needs no handling: the command after it fails, too.
  cluster.on("+node", (node: Redis) => {
    const asking = node.asking.bind(node);
    node.asking = (...callback: Parameters<typeof asking>) => {
      const asked = asking(...callback);
      asked.catch(() => {});
      return asked;
    };
  });
  // Replaces the message "Failed to refresh slots cache."
  cluster.on("error", (fault: Error & { lastNodeError?: Error }) => {
    if (fault.lastNodeError !== undefined) fault.message = `no node answers: ${fault.lastNodeError.message}`;
  });
  return cluster;
}

function nodeOptions({ username, password, tls }: ClusterAddress, connectionName: string) {
  return { ...OPTIONS, connectionName, username, password, ...(tls ? { tls: {} } : {}) };
}

const NAME = "crossrate doctor";
const GIVE_UP_MILLISECONDS = 5_000;

/**
 * Reads the version, and whether Redis removes keys when its memory is full (of a cluster: whether any master does). Rejects when Redis
 * does not answer in time, or refuses.
 */
export async function probeRedis(url: string) {
  const redis = connectRedis(url, NAME);
  try {
    // A command before `ready` would fail at once. A fault before `ready` is the answer.
    await ready(redis);
    const nodes = redis instanceof Cluster ? redis.nodes("master") : [redis];
    const infos = await Promise.all(nodes.map((node) => node.info()));
    const [first] = infos;
    if (first === undefined) throw new Error("the cluster names no master that has an address");
    const evicts = infos.some((info) => (said(info, "maxmemory_policy") ?? "noeviction") !== "noeviction");
    return { version: said(first, "redis_version") ?? "unknown", evicts };
  } catch (fault) {
    await explain(url);
    throw fault;
  } finally {
    disconnect(redis);
  }
}

/** Rejects with the fault of the first sentinel or node, or of the connection to it; resolves when there is no fault. */
async function explain(url: string): Promise<void> {
  const address = parseRedisAddress(url);
  if (address === null || address.kind === "server") return;
  const login = address.kind === "sentinel" ? address.sentinelLogin : address;
  const options = nodeOptions({ ...address, ...login, kind: "cluster" }, NAME);
  const one = new Redis({ ...options, ...address.hosts[0], retryStrategy: () => null });
  try {
    await ready(one);
  } finally {
    disconnect(one);
  }
}

function disconnect(redis: RedisConnection): void {
  // Faults after the first are ignored.
  redis.on("error", () => {});
  redis.disconnect();
}

async function ready(redis: RedisConnection): Promise<void> {
  const late = AbortSignal.timeout(GIVE_UP_MILLISECONDS);
  try {
    await once(redis, "ready", { signal: late });
  } catch (fault) {
    throw late.aborted ? new Error(`no answer within ${GIVE_UP_MILLISECONDS / 1000} s`) : fault;
  }
}

function said(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim();
}
