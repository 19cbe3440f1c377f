/** The same walks through two replicas on one Postgres and one Redis: who answers a step is a matter of chance. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { optionalTool } from "#test/require-tool.ts";
import { type RedisServer, redisServer } from "#test/store/hot-book/redis-server.ts";
import { optionalPostgres } from "#test/store/ledger/postgres.ts";
import { freshDatabase } from "#test/store/ledger/shared-postgres.ts";
import { walkFrom } from "./run.ts";

/** By hand: PAIR_WALKS=50 WALK_SEED=1000 WALK_STEPS=150 bun test test/walk/replicas.test.ts */
const { PAIR_WALKS = "1", WALK_SEED = "1", WALK_STEPS = "100" } = process.env;
const SEEDS = Array.from({ length: Number(PAIR_WALKS) }, (_, nth) => Number(WALK_SEED) + nth);
const program = optionalTool("redis-server", "walks through replicas");
const programs = optionalPostgres("walks through replicas");

setDefaultTimeout(120_000);

describe.skipIf(program === null || programs === null)("two replicas", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = redisServer(program ?? "");
    await redis.start();
  });
  afterAll(() => redis.end());

  test.each(SEEDS)("walk %d: the product and the model agree", async (seed) => {
    const shared = { DATABASE_URL: await freshDatabase(programs ?? ""), REDIS_URL: redis.url };
    const { log, fault } = await walkFrom(seed, Number(WALK_STEPS), shared);
    if (fault !== null)
      throw new Error(`seed ${seed}, after these steps: ${fault}\n${log.join("\n")}`, { cause: fault });
    expect(log.length).toBeGreaterThan(0);
  });
});
