/** Connections to a cluster: MOVED and ASK are followed, what cannot be reached fails at once, and is found again after a failover. */

import { Cluster, type Command, Redis, type RedisOptions } from "ioredis";
import type { ClusterAddress, HostAndPort } from "#domain/net/redis-address.ts";

export interface NodeOptions extends Omit<RedisOptions, "replyMapping"> {
  readonly connectTimeout: number;
  readonly retryStrategy: (attempt: number) => number;
}

const FEW_REDIRECTIONS = 4;
const TRY_AGAIN_MILLISECONDS = 40;

/** The library's cluster, in which no command waits for a connection to the cluster, nor longer than a reply may take. */
class PromptCluster extends Cluster {
  override sendCommand(...sent: Parameters<Cluster["sendCommand"]>): unknown {
    const command: Command = sent[0];
    if (this.status !== "ready") {
      command.reject(new Error("no node of the cluster answers"));
      return command.promise;
    }
    const { commandTimeout } = this.options.redisOptions ?? {};
    if (commandTimeout !== undefined) command.setTimeout(commandTimeout);
    return super.sendCommand(...sent);
  }
}

/** Starts connecting. `options` are those of the connection to each node. */
export function connectToCluster(address: ClusterAddress, options: NodeOptions): Cluster {
  const { retryStrategy, ...nodes } = options;
  const cluster = new PromptCluster(address.hosts.map(nodeOf), {
    redisOptions: { ...nodes, ...loginOf(address) },
    clusterRetryStrategy: retryStrategy,
    // Names are left to each connection: a certificate is for the name, and one name that is unknown must not fail the others.
    dnsLookup: (host, found) => found(null, host),
    // While a node that has become known is being connected, commands wait for it, up to their timeout.
    enableOfflineQueue: true,
    enableReadyCheck: false,
    // A command that may have been carried out must not be sent again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // One that was not may: its keys are on their way to another node.
    retryDelayOnTryAgain: TRY_AGAIN_MILLISECONDS,
    maxRedirections: FEW_REDIRECTIONS,
    slotsRefreshTimeout: options.connectTimeout,
  });
  // The library does not look whether ASKING failed: the command behind it fails too.
  cluster.on("+node", (node: Redis) => {
    const asking = node.asking.bind(node);
    node.asking = (...callback: Parameters<typeof asking>) => {
      const asked = asking(...callback);
      asked.catch(() => {});
      return asked;
    };
  });
  // Instead of "Failed to refresh slots cache."
  cluster.on("error", (fault: Error & { lastNodeError?: Error }) => {
    if (fault.lastNodeError !== undefined) fault.message = `no node answers: ${fault.lastNodeError.message}`;
  });
  return cluster;
}

/**
 * Starts connecting to one node after the other until one takes the connection: for messages, which all nodes of a cluster pass on
 * to each other.
 */
export function connectToAnyNode(address: ClusterAddress, options: NodeOptions): Redis {
  const { hosts } = address;
  let turn = Math.floor(Math.random() * hosts.length);
  const next = () => {
    turn += 1;
    return hosts.map(nodeOf)[turn % hosts.length];
  };
  const first: NodeOptions = {
    ...options,
    ...loginOf(address),
    ...next(),
    retryStrategy: (attempt) => {
      Object.assign(redis.options, next());
      return options.retryStrategy(attempt);
    },
  };
  const redis: Redis = new Redis(first);
  return redis;
}

/** A node that is cut off from the others receives none of their messages, and answers all the same: the next one is connected to. */
export function leaveIfCutOff(redis: Redis): void {
  redis.cluster("INFO").then(
    (info) => {
      if (String(info).includes("cluster_state:fail")) redis.disconnect(true);
    },
    () => {},
  );
}

function nodeOf({ host, port }: HostAndPort) {
  return { host, port };
}

function loginOf({ username, password, tls }: ClusterAddress) {
  return { username, password, ...(tls ? { tls: {} } : {}) };
}
