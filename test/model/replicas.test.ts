/** The same runs through two replicas on one Postgres and one Redis: who answers a step is a matter of chance. */

import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { optionalPostgres } from "#test/store/ledger/engine/postgres.ts";
import { freshDatabase } from "#test/store/ledger/engine/shared-postgres.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { runFrom } from "./run.ts";

/** By hand: PAIR_WALKS=50 MODEL_SEED=1000 MODEL_STEPS=150 bun test test/model/replicas.test.ts */
const { PAIR_WALKS = "1", MODEL_SEED = "1", MODEL_STEPS = "100" } = process.env;
const SEEDS = Array.from({ length: Number(PAIR_WALKS) }, (_, nth) => Number(MODEL_SEED) + nth);
const program = optionalTool("redis-server", "runs through replicas");
const programs = optionalPostgres("runs through replicas");

setDefaultTimeout(120_000);

describe.skipIf(program === null || programs === null)("two replicas", () => {
  const redis = redisServer(program ?? "");
  beforeAll(redis.start);

  test.each(SEEDS)("run %d: the product and the model agree", async (seed) => {
    const shared = { DATABASE_URL: await freshDatabase(programs ?? ""), REDIS_URL: redis.url };
    expect((await runFrom(seed, Number(MODEL_STEPS), shared)).length).toBeGreaterThan(0);
  });
});
