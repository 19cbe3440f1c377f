/**
 * Three worker processes, killed with SIGKILL at random moments and replaced at once, some paused with SIGSTOP: every event
 * arrives at every endpoint, what comes twice is the same, and what a killed one had in hand others take over.
 *
 * The check runs a small one. The full size, whose times count, is selected by
 * WEBHOOK_KILLS=20 WEBHOOK_EVENTS=5000 bun test test/webhooks/kills.test.ts; WEBHOOK_PAUSES=5 pauses so many workers after the
 * kills, and WEBHOOK_SEED repeats the random numbers.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { ROOT } from "#test/docs/document.ts";
import { type Bench, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { until } from "#test/support/until.ts";
import { endsWithEachTest, openFor } from "./fixture.ts";

endsWithEachTest();

const KILLS = Number(process.env["WEBHOOK_KILLS"] ?? 2);
const PAUSES = Number(process.env["WEBHOOK_PAUSES"] ?? 0);
const EVENTS = Number(process.env["WEBHOOK_EVENTS"] ?? 60);
const SEED = Number(process.env["WEBHOOK_SEED"] ?? Date.now() % 1_000_000);
const isFull = process.env["WEBHOOK_KILLS"] !== undefined;
const WORKERS = 3;
const PATHS = ["/a", "/b", "/c"];
/** Longer than it takes to be declared dead. */
const PAUSE_MILLISECONDS = 6_000;
/** After a kill. One that is paused may keep the lock of a SQLite file. */
const RECOVERY_MILLISECONDS = 5_000;
/** Attempts of one worker that may be under way at all endpoints together. */
const MOST_IN_HAND = 2 * PATHS.length;

interface Child {
  readonly process: Bun.Subprocess;
  /** Its worker's id, the present one. */
  worker: string;
}

async function startChild({ place }: Bench): Promise<Child> {
  const args = [join(import.meta.dir, "kill-child.ts"), JSON.stringify(place)];
  const started = Bun.spawn([process.execPath, ...args], { cwd: ROOT, stdout: "pipe", stderr: "inherit" });
  const child: Child = { process: started, worker: "" };
  const named = Promise.withResolvers<void>();
  void (async () => {
    let output = "";
    for await (const chunk of started.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk;
      child.worker = [...output.matchAll(/^worker (\S+)$/gm)].at(-1)?.[1] ?? child.worker;
      if (child.worker !== "") named.resolve();
    }
    named.resolve();
  })();
  await named.promise;
  return child;
}

onBothLedgers("three workers", (bench) => {
  const left = async () =>
    Number(
      (await bench.sql("SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'pending'"))[0]?.["n"],
    );

  test(
    `${KILLS} kills, ${PAUSES} pauses, ${EVENTS} events × ${PATHS.length} endpoints`,
    async () => {
      const random = seededRandom(SEED);
      console.log(`seed ${SEED}`);
      const { ledger, fixture, ownerId } = await openFor(bench, "plus");
      const came = new Map<string, number[]>();
      const bodies = new Map<string, Set<string>>();
      const receiver = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        async fetch(request) {
          const { pathname } = new URL(request.url);
          const body = await request.text();
          const what = `${pathname} ${JSON.parse(body).id}`;
          came.set(what, [...(came.get(what) ?? []), performance.now()]);
          bodies.set(what, (bodies.get(what) ?? new Set()).add(body));
          // So that some are always under way.
          await Bun.sleep(isFull ? 2 + random() * 20 : 30);
          return new Response(null, { status: 204 });
        },
      });
      for (const path of PATHS) await fixture.endpoint(ownerId, `http://127.0.0.1:${receiver.port}${path}`);
      const all = Array.from({ length: EVENTS }, (_, nth) => news(`n-${nth}`));
      await ledger.outbox.publish(all, fixture.clock.at);

      const children = await Promise.all(Array.from({ length: WORKERS }, () => startChild(bench)));
      const begun = performance.now();
      const recoveries: Promise<number>[] = [];
      /** How long what the worker had in hand waits until it comes again, or is found to have ended. */
      const recovery = async (worker: string, since: number): Promise<number> => {
        const held = `SELECT endpoint_id, event_position FROM webhook_deliveries WHERE worker = '${worker}'`;
        const inHand = await bench.sql(held);
        if (inHand.length === 0) return 0;
        await until("its claims are over", async () => (await bench.sql(held)).length === 0);
        return performance.now() - since;
      };
      /** One that has something in hand at this moment: one that dies idle leaves nothing to take over. */
      const busyOne = async (): Promise<number> => {
        const names = "SELECT DISTINCT worker FROM webhook_deliveries WHERE worker IS NOT NULL";
        await until("a worker has something in hand", async () => (await bench.sql(names)).length > 0);
        await Bun.sleep(300 * random());
        const busy = (await bench.sql(names)).map((row) => row["worker"]);
        const places = children.flatMap(({ worker }, at) => (busy.includes(worker) ? [at] : []));
        return places[Math.floor(random() * places.length)] ?? Math.floor(random() * WORKERS);
      };
      for (let nth = 0; nth < KILLS + PAUSES; nth++) {
        await Bun.sleep((isFull ? 3_000 : 100) * random());
        const place = await busyOne();
        const { process: ended, worker } = children[place] as Child;
        const since = performance.now();
        if (nth < KILLS) {
          ended.kill("SIGKILL");
          recoveries.push(recovery(worker, since));
          await ended.exited;
          children[place] = await startChild(bench);
        } else {
          ended.kill("SIGSTOP");
          await Bun.sleep(PAUSE_MILLISECONDS);
          ended.kill("SIGCONT");
        }
      }
      // For as long as the test may take.
      while ((await left()) > 0) await Bun.sleep(50);
      const seconds = (performance.now() - begun) / 1000;
      const times = await Promise.all(recoveries);
      for (const { process: ending } of children) ending.kill("SIGTERM");
      expect(await Promise.all(children.map(({ process: ending }) => ending.exited))).toEqual([0, 0, 0]);
      receiver.stop(true);

      const twice = [...came.values()].filter((each) => each.length > 1).length;
      const longest = Math.max(...times);
      const silences = PATHS.map((path) => {
        const arrivals = [...came].flatMap(([what, each]) => (what.startsWith(`${path} `) ? each : []));
        arrivals.sort((a, b) => a - b);
        return Math.max(...arrivals.slice(1).map((at, nth) => at - (arrivals[nth] ?? at)));
      });
      const inSeconds = (some: readonly number[]) => some.map((time) => (time / 1000).toFixed(2)).join(", ");
      console.log(
        `${came.size} of ${EVENTS * PATHS.length} arrived in ${seconds.toFixed(1)} s, ${twice} of them twice; ` +
          `recovery after each: ${inSeconds(times)} s; longest silence of each endpoint: ${inSeconds(silences)} s`,
      );
      expect(came.size).toBe(EVENTS * PATHS.length);
      expect([...bodies.values()].every((each) => each.size === 1)).toBe(true);
      expect(twice).toBeLessThanOrEqual((KILLS + PAUSES) * MOST_IN_HAND);
      const states = await bench.sql(
        "SELECT state, attempts, count(*) AS n FROM webhook_deliveries GROUP BY state, attempts",
      );
      expect(states.map((row) => [row["state"], Number(row["attempts"]), Number(row["n"])])).toEqual([
        ["delivered", 1, EVENTS * PATHS.length],
      ]);
      // Those that ended as requested have retired; the killed ones were removed by others.
      expect(await bench.sql("SELECT worker FROM webhook_deliveries WHERE worker IS NOT NULL")).toEqual([]);
      if (isFull) expect(longest).toBeLessThanOrEqual(RECOVERY_MILLISECONDS);
    },
    isFull ? 900_000 : 90_000,
  );
});
