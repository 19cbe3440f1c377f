/** Two replicas on one Redis, under requests without a break, while Redis is killed, paused, emptied, set back and refuses writes. */

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { optionalTool } from "#test/support/require-tool.ts";
import { eventually, liveRatesOf, newestOf, untilDegraded, untilInStep, untilServes } from "./agreement.ts";
import { type Installation, openInstallation } from "./installation.ts";
import type { ReplicaProcess } from "./replica-process.ts";
import { startWitness, type Witness } from "./witness.ts";

setDefaultTimeout(30_000);
const program = optionalTool("redis-server", "two replicas on one Redis");

describe.skipIf(program === null)("two replicas on one Redis", () => {
  let installation: Installation;
  let redis: Installation["redis"];
  let a: ReplicaProcess;
  let b: ReplicaProcess;
  let witness: Witness;

  beforeAll(async () => {
    installation = await openInstallation(program ?? "");
    redis = installation.redis;
    await redis.start();
    [a, b] = await Promise.all([installation.collecting(), installation.answering()]);
    await untilInStep([a, b]);
  });
  beforeEach(() => {
    witness = startWitness([a, b]);
  });
  // What every test promises: each answer a 200, no quote went back, one quote has one rate everywhere.
  afterEach(async () => {
    await witness.stop();
    expect(witness.broken).toEqual([]);
    expect([...witness.statuses.keys()]).toEqual([200]);
  });
  afterAll(() => installation.end());

  /** Something that A has taken in since: B has it as well once Redis is there. */
  async function newsOf(replica: ReplicaProcess): Promise<number> {
    const before = await newestOf(replica);
    await untilServes(replica, before + 1);
    return await newestOf(replica);
  }

  test("the replica that only answers serves each new quote, with the same rates, and requests no upstream", async () => {
    for (let round = 0; round < 2; round++) await untilServes(b, await newsOf(a));
    const [one, other] = await eventually(
      "both answered between two collections",
      () => Promise.all([liveRatesOf(a), liveRatesOf(b)]),
      ([first, second]) => first.get("EUR")?.effectiveAt === second.get("EUR")?.effectiveAt,
    );
    expect(other).toEqual(one);
    expect(one.size).toBe(19);
    expect(installation.unwanted()).toEqual([]);
  });

  test("killed and back empty: both continue, report the reason, and refill it", async () => {
    await redis.kill();
    const emitted = await Promise.all([untilDegraded(a), untilDegraded(b)]);
    expect(emitted.map(({ status }) => status)).toEqual(["degraded", "degraded"]);
    const newest = await newsOf(a);
    expect(await newestOf(b)).toBeLessThan(newest);
    await redis.start();
    await untilInStep([a, b]);
    await untilServes(b, newest);
    expect(await redis.ask("GET", "{crossrate}:book")).toContain("USD/JPY");
  });
});
