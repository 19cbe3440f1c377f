/** Seeded walks through accounts, limits and billing, each answer compared with a model written from the specification. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { walkFrom } from "./run.ts";

/** By hand: WALKS=200 WALK_SEED=1000 WALK_STEPS=150 bun test test/walk */
const { WALKS = "3", WALK_SEED = "1", WALK_STEPS = "120", WALK_LOG = "" } = process.env;
const SEEDS = Array.from({ length: Number(WALKS) }, (_, nth) => Number(WALK_SEED) + nth);

setDefaultTimeout(120_000);

test.each(SEEDS)(
  "walk %d: whatever people, providers and clocks do, the product and the model agree",
  async (seed) => {
    const { log, fault } = await walkFrom(seed, Number(WALK_STEPS));
    if (fault !== null)
      throw new Error(`seed ${seed}, after these steps: ${fault}\n${log.join("\n")}`, { cause: fault });
    if (WALK_LOG !== "") console.log(log.join("\n"));
    expect(log.length).toBeGreaterThan(0);
  },
);
