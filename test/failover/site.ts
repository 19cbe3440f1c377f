/** Two collectors and two replicas on one Postgres, one Redis and one bucket, each with ways of its own that the test cuts. */

import { generateKeyPairSync } from "node:crypto";
import type { BucketPlace } from "#store/bucket/client.ts";
import { runInProcess } from "#test/commands/process.ts";
import { type ReplicaProcess, startReplica } from "#test/live-redis/replica-process.ts";
import { CREDENTIALS, motoBucket } from "#test/store/bucket/storage-server.ts";
import { startPostgres } from "#test/store/ledger/engine/postgres.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { type TcpWay, tcpWayTo } from "#test/support/tcp-way.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export type Store = "postgres" | "redis" | "bucket";

/** A process with its ways, its directory, and whether it is there. */
export interface Member {
  readonly name: string;
  readonly dataDir: string;
  readonly ways: Readonly<Record<Store, TcpWay>>;
  process(): ReplicaProcess | null;
  /** Settings beside those of the site, such as a clock that is wrong. */
  start(more?: Record<string, string>): Promise<void>;
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
  end(): Promise<number>;
  /** Null while it does not answer. */
  isCollecting(): Promise<boolean | null>;
}

export interface SiteOptions {
  /** Official tables that are collected, as OFFICIAL_TABLES names them. */
  readonly tables: string;
  /** Of every process beside what it needs to be a member. */
  readonly settings?: Record<string, string>;
  readonly directory?: (name: string) => string;
  readonly begins?: number;
}

/** A Tuesday on which the market is open, soon after the day's rates came out: the history is short, and not what is tested. */
const BEGINS = Date.parse("2002-04-16T16:30:00Z");

const LAKE = "fx/lake";

/** Collectors of one lake sign with one key. */
const SIGNING_KEY = generateKeyPairSync("ed25519")
  .privateKey.export({ format: "der", type: "pkcs8" })
  .toString("base64");

export async function verified({ place }: Pick<Site, "place">) {
  return await runInProcess(["verify"], {
    ...CREDENTIALS,
    AWS_ENDPOINT_URL: place.endpoint,
    LAKE_URL: `s3://${place.bucket}/${LAKE}`,
    DATA_DIR: temporaryDirectory(),
  });
}

export type Site = Awaited<ReturnType<typeof openSite>>;

/** `programs` are those of Postgres, `redis` is the path of redis-server. Nothing of the product is started yet. */
export async function openSite(
  programs: string,
  redis: string,
  { tables, settings = {}, directory = temporaryDirectory, begins = BEGINS }: SiteOptions,
) {
  const began = performance.now();
  const now = () => begins + Math.floor(performance.now() - began);
  const simulator = await startFullSimulator({ now });
  const postgres = await startPostgres(programs);
  const cache = redisServer(redis);
  await cache.start();
  const place = await motoBucket();

  const member = async (
    name: string,
    more: Record<string, string>,
    database: string,
    bucket: BucketPlace,
  ): Promise<Member> => {
    const dataDir = directory(name);
    const ways = {
      postgres: await tcpWayTo(Number(new URL(database).port)),
      redis: await tcpWayTo(cache.port),
      bucket: await tcpWayTo(Number(new URL(place.endpoint).port)),
    };
    let running: ReplicaProcess | null = null;
    const signal = (what: NodeJS.Signals) => {
      if (running !== null) process.kill(running.pid, what);
    };
    return {
      name,
      dataDir,
      ways,
      process: () => running,
      start: async (special = {}) => {
        const ledger = new URL(database);
        ledger.port = String(ways.postgres.port);
        running = await startReplica({
          ...CREDENTIALS,
          AWS_ENDPOINT_URL: `http://127.0.0.1:${ways.bucket.port}`,
          LAKE_URL: `s3://${bucket.bucket}/${LAKE}`,
          DATABASE_URL: ledger.href,
          LAKE_SIGNING_KEY: SIGNING_KEY,
          REDIS_URL: `redis://127.0.0.1:${ways.redis.port}`,
          ...{ REPLICAS: "2", CURSOR_SECRET: "the same for all of them" },
          DATA_DIR: dataDir,
          UPSTREAM_BASE: simulator.base,
          NOW: new Date(now()).toISOString(),
          LIVE_FEED: "massive",
          MASSIVE_API_KEY: "0".repeat(32),
          MASSIVE_REQUESTS_PER_MINUTE: "60",
          LIVE_POLL_SECONDS: "1",
          OFFICIAL_TABLES: tables,
          SHUTDOWN_DELAY_SECONDS: "0",
          ...settings,
          ...more,
          ...special,
        });
      },
      pause: () => signal("SIGSTOP"),
      resume: () => signal("SIGCONT"),
      kill: async () => {
        const ending = running;
        running = null;
        await ending?.end("SIGKILL");
      },
      end: async () => {
        const ending = running;
        running = null;
        return (await ending?.end("SIGTERM")) ?? 0;
      },
      isCollecting: async () => {
        if (running === null) return null;
        const answer = await fetch(`${running.url}/status`, { signal: AbortSignal.timeout(1_000) }).catch(
          () => null,
        );
        const body = (await answer?.json().catch(() => null)) as {
          checks?: { process: { collecting: boolean } };
        } | null;
        return body?.checks?.process.collecting ?? null;
      },
    };
  };
  const { url } = postgres;
  const others: Member[] = [];
  const collectors = [
    await member("a", { ROLE: "collector" }, url, place),
    await member("b", { ROLE: "all" }, url, place),
  ] as const;
  const replicas = [
    await member("one", { ROLE: "api" }, url, place),
    await member("two", { ROLE: "api" }, url, place),
  ] as const;
  return {
    place,
    postgres,
    redis: cache,
    collectors,
    replicas,
    /** A collector of the same upstreams with stores of its own, which nothing happens to: not started yet. */
    alone: async () => {
      const [database, bucket] = [await postgres.database(), await motoBucket()];
      const one = await member("alone", { LIVE_FEED: "off", ACCESS: "open" }, database, bucket);
      others.push(one);
      return { member: one, database, place: bucket };
    },
    simulator,
    now,
    end: async () => {
      for (const one of [...collectors, ...replicas, ...others]) {
        one.resume();
        await one.kill();
        for (const way of Object.values(one.ways)) await way.close();
      }
      await simulator.stop();
      await cache.end();
      await postgres.stop();
    },
  };
}

/** The collector that collects; null where none says so, or both do. */
export async function leaderOf({ collectors }: Site): Promise<Member | null> {
  const said = await Promise.all(collectors.map((one) => one.isCollecting()));
  const leading = collectors.filter((_, at) => said[at] === true);
  return leading.length === 1 ? (leading[0] as Member) : null;
}

export function otherThan({ collectors }: Site, member: Member): Member {
  return collectors[0] === member ? collectors[1] : collectors[0];
}
