/** Two metered replicas in this process on one Redis and one database, under load while either breaks. */

import { afterEach, beforeAll, beforeEach, describe, expect } from "bun:test";
import { optionalPostgres, type PostgresServer, startPostgres } from "#test/store/ledger/engine/postgres.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { type Json, join } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { type Load, outcomesOf, servedToKeys, startLoad, usageInLedger } from "./load.ts";
import { openReplica, type Replica, runningClock, untilLimits } from "./replica.ts";

const PLANS = {
  // Far above what any of these loads needs.
  plus: { minute: 50_000, month: 1_000_000 },
};

const program = optionalTool("redis-server", "limits while Redis is away");
const programs = optionalPostgres("accounts while Postgres is away");
const OPENING_MILLISECONDS = 30_000;

export type Pair = Awaited<ReturnType<typeof openPair>>;

/** What a test may break; it need not put it right again, but for a Postgres that it has killed. */
export interface Breakable {
  readonly pair: Pair;
  readonly postgres: PostgresServer;
}

/** Describes what holds under load, each test on a pair of its own. */
export function underLoad(tests: (at: Breakable) => void): void {
  describe.skipIf(program === null || programs === null)("under load", () => {
    // Filled before they are read: by a test.
    const at = {} as { -readonly [Name in keyof Breakable]: Breakable[Name] };
    beforeAll(async () => {
      at.postgres = await startPostgres(programs ?? "");
    }, OPENING_MILLISECONDS);
    beforeEach(async () => {
      at.pair = await openPair(program ?? "", await at.postgres.database());
    }, OPENING_MILLISECONDS);
    afterEach(async () => {
      at.postgres.resume();
      await at.pair.close();
    }, OPENING_MILLISECONDS);
    tests(at);
  });
}

/** `program` is the path of redis-server. */
async function openPair(program: string, databaseUrl: string) {
  const dataDir = await dataDirectory();
  const redis = redisServer(program);
  await redis.start();
  const clock = runningClock();
  const settings = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, REPLICAS: "2" };
  let replicas: readonly Replica[] = [];
  let load: Load | null = null;

  const urls = () => replicas.map(({ url }) => url);
  const closeAll = () => Promise.all(replicas.map((replica) => replica.close()));
  const statusOf = async (url: string): Promise<readonly [number, Json]> => {
    const answer = await fetch(`${url}/status`);
    return [answer.status, await answer.json()];
  };
  const databaseOf = async (url: string) => (await statusOf(url))[1].checks.database.status;
  /** So many more of either kind: with a key, and without. */
  const moreOf = async ({ answered }: Load, calls: number) => {
    for (const who of ["key", "stranger"] as const) {
      const count = () => answered.reduce((sum, one) => sum + (one.who === who ? 1 : 0), 0);
      const wanted = count() + calls;
      await until(`more was called by ${who}`, () => count() >= wanted);
    }
  };

  /** So many more of either kind are called from now on, and all are served. */
  const servedNext = async (load: Load, calls: number) => {
    load.sinceLast();
    await moreOf(load, calls);
    expect(outcomesOf(load.sinceLast())).toEqual(["key 200", "stranger 200"]);
  };

  replicas = await Promise.all([1, 2].map(() => openReplica({ dataDir, clock, settings, plans: PLANS })));
  await untilLimits("ok", replicas);
  const [first] = replicas as [Replica];
  const members = [await join(first.url), await join(first.url)] as const;
  for (const { organizationId } of members) await first.setTier(organizationId, "plus");
  return {
    redis,
    clock,
    /** Whose keys the load uses. */
    members,
    replicas: () => replicas,
    urls,
    untilLimits: (wanted: "ok" | "degraded") => untilLimits(wanted, replicas),
    statusOf,
    moreOf,
    servedNext,
    untilDatabase: async (wanted: "ok" | "failed") => {
      const isSo = (url: string) =>
        until(`the database is ${wanted}`, async () => (await databaseOf(url)) === wanted);
      await Promise.all(urls().map(isSo));
    },
    begin: async (): Promise<Load> => {
      const begun = startLoad({ urls: urls(), keys: members.map(({ key }) => key) });
      load = begun;
      // Each server has seen each key: what it knows of one is not missing when a store goes.
      const seen = () => new Set(begun.answered.map(({ url, key }) => `${url} ${key}`)).size;
      await until("every caller was answered", () => seen() === urls().length * (members.length + 1));
      await servedNext(begun, 20);
      return begun;
    },
    /** Ends the load: every call that was served is in the ledger, once. */
    settle: async ({ stop, answered }: Load) => {
      await stop();
      const { served, calls } = servedToKeys(answered);
      const ids = members.map(({ organizationId }) => organizationId);
      const written = async () => (await usageInLedger(replicas[0] as Replica, clock, ids)).served >= served;
      await until("everything is written", written);
      await closeAll();
      const last = await openReplica({ dataDir, clock, settings: { DATABASE_URL: databaseUrl } });
      replicas = [last];
      expect(await usageInLedger(last, clock, ids)).toMatchObject({ served, calls });
    },
    close: async () => {
      redis.goOn();
      await load?.stop();
      await closeAll();
      await redis.end();
    },
  };
}
