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

  test("paused: both continue, report the reason, and agree again when Redis resumes", async () => {
    redis.pause();
    await Promise.all([untilDegraded(a), untilDegraded(b)]);
    const newest = await newsOf(a);
    redis.goOn();
    await untilInStep([a, b]);
    await untilServes(b, newest);
  });

  test("emptied: it has everything again, and no replica was ever without", async () => {
    await redis.ask("FLUSHALL");
    const text = await eventually(
      "the book is back",
      () => redis.ask("GET", "{crossrate}:book"),
      (book) => book !== null,
    );
    expect(text).toContain("USD/JPY");
    await untilInStep([a, b]);
  });

  test("set back to an older state: it is brought up to date", async () => {
    await redis.ask("SAVE");
    await newsOf(a);
    await redis.kill();
    const before = await newestOf(a);
    await redis.start();
    await untilInStep([a, b]);
    expect(Math.min(await newestOf(a), await newestOf(b))).toBeGreaterThanOrEqual(before);
  });

  test("refusing writes: the writer reports it, the other serves what there is, and both recover", async () => {
    await redis.ask("CONFIG", "SET", "maxmemory", "1");
    await untilDegraded(a, /OOM/);
    expect((await b.status()).checks.cache.status).toBe("ok");
    const newest = await newsOf(a);
    await redis.ask("CONFIG", "SET", "maxmemory", "0");
    await untilServes(b, newest);
    await untilInStep([a, b]);
  });

  test("a flapping Redis does not fill the log, and its recovery is logged", async () => {
    const linesOf = (one: ReplicaProcess) =>
      one.log().filter((line) => /"redis_(unavailable|recovered)"/.test(line));
    for (let round = 0; round < 5; round++) {
      await redis.kill();
      await Promise.all([untilDegraded(a), untilDegraded(b)]);
      await redis.start();
      await untilInStep([a, b]);
    }
    for (const one of [a, b]) {
      const lines = linesOf(one);
      expect(lines.length).toBeLessThanOrEqual(4);
      expect(lines.at(-1)).toContain("redis_recovered");
    }
  });
});
