/** Model-based test: seeded runs through accounts, limits and billing, each answer compared with a model written from the specification. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { runFrom } from "./run.ts";

/** By hand: MODEL_RUNS=200 MODEL_SEED=1000 MODEL_STEPS=150 bun test test/model */
const { MODEL_RUNS = "3", MODEL_SEED = "1", MODEL_STEPS = "120", MODEL_LOG = "" } = process.env;
const SEEDS = Array.from({ length: Number(MODEL_RUNS) }, (_, nth) => Number(MODEL_SEED) + nth);

setDefaultTimeout(120_000);

test.each(SEEDS)(
  "run %d: whatever people, providers and clocks do, the product and the model agree",
  async (seed) => {
    const log = await runFrom(seed, Number(MODEL_STEPS));
    if (MODEL_LOG !== "") console.log(log.join("\n"));
    expect(log.length).toBeGreaterThan(0);
  },
);
