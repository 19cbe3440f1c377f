/** `bun bench/limits.ts`: what a take costs in memory, from leases and by a round trip to Redis, beside a plain counter in a map. */

import { later as realLater } from "#assembly/process.ts";
import type { Caller } from "#domain/limits/counts.ts";
import type { Counters } from "#ports/ledger.ts";
import { memoryCounters } from "#store/memory/limits/counters.ts";
import { openRedisCounters } from "#store/redis/limits/counters.ts";
import { untilLinked } from "#test/store/counters/fixtures.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { median } from "./median.ts";

const ROUNDS = 5;
const CALLERS = 1_000;
const LIMIT = 1_000_000_000;
const clock = { now: () => Date.now() };

const callers: readonly Caller[] = Array.from({ length: CALLERS }, (_, nth) => ({
  kind: "org",
  id: `org_${nth}`,
  allowance: { minute: LIMIT, hour: null, month: LIMIT },
}));
const addresses: readonly Caller[] = callers.map(({ id }) => ({
  kind: "address",
  id,
  allowance: { minute: LIMIT, hour: LIMIT, month: null },
}));

/** Calls between two looks at the network: a server comes back to it after each batch of requests. */
const BATCH = 100;

/** Calls a second, the median of some rounds. `inFlight` calls at once. */
async function rate(
  who: readonly Caller[],
  calls: number,
  inFlight: number,
  call: (caller: Caller) => unknown,
): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now();
    let done = 0;
    const worker = async () => {
      while (done < calls) {
        const answer = call(who[done++ % who.length] as Caller);
        if (answer instanceof Promise) await answer;
        else if (inFlight > 1 && done % BATCH === 0) await Bun.sleep(0);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    // The first round warms up.
    if (round > 0) figures.push((calls / (performance.now() - began)) * 1000);
  }
  return median(figures);
}

const takeOf = (counters: Counters) => (caller: Caller) => counters.take(caller, 1);

const plainCounts = new Map<string, number>();
const plain = await rate(callers, 2_000_000, 1, ({ id }) => {
  const count = (plainCounts.get(id) ?? 0) + 1;
  plainCounts.set(id, count);
  return count <= LIMIT;
});

const report = (name: string, perSecond: number) => {
  const [answered, time] = [Math.round(perSecond).toLocaleString("en"), 1e6 / perSecond];
  console.log(
    `| ${name} | ${answered} | ${time.toPrecision(3)} µs | ${(perSecond / plain).toPrecision(2)} |`,
  );
};

console.log("| take | calls/s | each | ratio to a plain counter |");
console.log("|---|---|---|---|");
report("plain counter in a map, one window, no headers", plain);

const memory = memoryCounters({ clock, monthUsed: async () => 0 });
report("memory, a key (minute, month)", await rate(callers, 1_000_000, 1, takeOf(memory)));
report("memory, an address (minute, hour)", await rate(addresses, 1_000_000, 1, takeOf(memory)));

const program = Bun.which("redis-server");
if (program === null) console.log("redis-server is not there: nothing shared was measured");
else await shared(program);

async function shared(path: string): Promise<void> {
  const server = redisServer(path);
  await server.start();
  const open = async (leases: boolean) => {
    const monthUsed = async () => 0;
    const deps = { url: server.url, clock, emit: () => {}, monthUsed, later: realLater, leases };
    const counters = openRedisCounters({ ...deps, replicas: 1 });
    await untilLinked(counters);
    return counters;
  };
  try {
    const asking = await open(false);
    report("Redis, one round trip after the other", await rate(callers, 20_000, 1, takeOf(asking)));
    report("Redis, 64 under way", await rate(callers, 60_000, 64, takeOf(asking)));
    await asking.close();
    const leasing = await open(true);
    report(
      "leases, 64 under way, 10 callers",
      await rate(callers.slice(0, 10), 1_000_000, 64, takeOf(leasing)),
    );
    report("leases, 64 under way, 1,000 callers", await rate(callers, 1_000_000, 64, takeOf(leasing)));
    await leasing.close();
  } finally {
    await server.end();
  }
}
