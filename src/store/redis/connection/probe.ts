/** What an operator asks about a Redis: whether it answers, and whether counts are safe in it. */

import { once } from "node:events";
import { Cluster } from "ioredis";
import { connectRedis, connectToFirst, type RedisConnection } from "./connection.ts";

const NAME = "crossrate doctor";
const GIVE_UP_MILLISECONDS = 5_000;

export interface RedisFindings {
  readonly version: string;
  /** Whether it removes keys when its memory is full; of a cluster: whether any master does. */
  readonly evicts: boolean;
}

/** What Redis says of itself. Rejects where it does not answer in time, or refuses. */
export async function probeRedis(url: string): Promise<RedisFindings> {
  const redis = connectRedis(url, NAME);
  try {
    // A command before that would fail at once. What fails before that is the answer.
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

/** Rejects with what a sentinel or a node says, or why there is no connection to it. */
async function explain(url: string): Promise<void> {
  const one = connectToFirst(url, NAME);
  if (one === null) return;
  try {
    await ready(one);
  } finally {
    disconnect(one);
  }
}

async function ready(redis: RedisConnection): Promise<void> {
  const late = AbortSignal.timeout(GIVE_UP_MILLISECONDS);
  try {
    await once(redis, "ready", { signal: late });
  } catch (fault) {
    throw late.aborted ? new Error(`no answer within ${GIVE_UP_MILLISECONDS / 1000} s`) : fault;
  }
}

function disconnect(redis: RedisConnection): void {
  // Faults after the first are not news.
  redis.on("error", () => {});
  redis.disconnect();
}

function said(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim();
}
