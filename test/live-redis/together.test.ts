/** Two replicas on one Redis, asked without a break, while Redis is killed, paused, emptied, set back and refuses writes. */

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
import { eventually, newestOf, shownBy, untilDegraded, untilInStep, untilShows } from "./agreement.ts";
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
    await untilShows(replica, before + 1);
    return await newestOf(replica);
  }

  test("the one that only answers shows each new quote, under the same rates, and asks no upstream", async () => {
    for (let round = 0; round < 2; round++) await untilShows(b, await newsOf(a));
    const [one, other] = await eventually(
      "both were asked between two collections",
      () => Promise.all([shownBy(a), shownBy(b)]),
      ([first, second]) => first.get("EUR")?.effectiveAt === second.get("EUR")?.effectiveAt,
    );
    expect(other).toEqual(one);
    expect(one.size).toBe(19);
    expect(installation.unwanted()).toEqual([]);
  });

  test("killed and back empty: both go on, say why, and refill it", async () => {
    await redis.kill();
    const emitted = await Promise.all([untilDegraded(a), untilDegraded(b)]);
    expect(emitted.map(({ status }) => status)).toEqual(["degraded", "degraded"]);
    const alone = await newsOf(a);
    expect(await newestOf(b)).toBeLessThan(alone);
    await redis.start();
    await untilInStep([a, b]);
    await untilShows(b, alone);
    expect(await redis.ask("GET", "{crossrate}:book")).toContain("USD/JPY");
  });

  test("paused: both go on, say why, and are in step again when it goes on", async () => {
    redis.pause();
    await Promise.all([untilDegraded(a), untilDegraded(b)]);
    const alone = await newsOf(a);
    redis.goOn();
    await untilInStep([a, b]);
    await untilShows(b, alone);
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

  test("refusing writes: the one that writes says so, the other serves what there is, and it heals", async () => {
    await redis.ask("CONFIG", "SET", "maxmemory", "1");
    await untilDegraded(a, /OOM/);
    expect((await b.status()).checks.cache.status).toBe("ok");
    const alone = await newsOf(a);
    await redis.ask("CONFIG", "SET", "maxmemory", "0");
    await untilShows(b, alone);
    await untilInStep([a, b]);
  });

  test("coming and going does not fill the log, and the end of it is logged", async () => {
    const linesOf = (one: ReplicaProcess) => one.log().filter((line) => line.includes("the hot book is"));
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
