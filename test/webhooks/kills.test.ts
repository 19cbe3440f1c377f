/**
 * Three worker processes, killed with SIGKILL at random moments and replaced at once: every event arrives at every endpoint, what comes
 * twice is the same, and what a killed one had in hand others take over. How soon, and after pauses: test/webhooks/workers.test.ts.
 *
 * By hand: WEBHOOK_KILLS=20 WEBHOOK_EVENTS=5000 bun test test/webhooks/kills.test.ts; WEBHOOK_SEED repeats the random numbers.
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
const EVENTS = Number(process.env["WEBHOOK_EVENTS"] ?? 60);
const SEED = Number(process.env["WEBHOOK_SEED"] ?? Date.now() % 1_000_000);
const WORKERS = 3;
const PATHS = ["/a", "/b", "/c"];
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
    `${KILLS} kills, ${EVENTS} events × ${PATHS.length} endpoints`,
    async () => {
      const random = seededRandom(SEED);
      console.log(`seed ${SEED}`);
      const { ledger, fixture, ownerId } = await openFor(bench, "plus");
      const came = new Map<string, number>();
      const bodies = new Map<string, Set<string>>();
      const receiver = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        async fetch(request) {
          const { pathname } = new URL(request.url);
          const body = await request.text();
          const what = `${pathname} ${JSON.parse(body).id}`;
          came.set(what, (came.get(what) ?? 0) + 1);
          bodies.set(what, (bodies.get(what) ?? new Set()).add(body));
          // So that some are always under way.
          await Bun.sleep(30);
          return new Response(null, { status: 204 });
        },
      });
      for (const path of PATHS) await fixture.endpoint(ownerId, `http://127.0.0.1:${receiver.port}${path}`);
      const all = Array.from({ length: EVENTS }, (_, nth) => news(`n-${nth}`));
      await ledger.outbox.publish(all, fixture.clock.at);

      const children = await Promise.all(Array.from({ length: WORKERS }, () => startChild(bench)));
      /** One that has something in hand at this moment: one that dies idle leaves nothing to take over. */
      const busyOne = async (): Promise<number> => {
        const names = "SELECT DISTINCT worker FROM webhook_deliveries WHERE worker IS NOT NULL";
        await until("a worker has something in hand", async () => (await bench.sql(names)).length > 0);
        await Bun.sleep(300 * random());
        const busy = (await bench.sql(names)).map((row) => row["worker"]);
        const places = children.flatMap(({ worker }, at) => (busy.includes(worker) ? [at] : []));
        return places[Math.floor(random() * places.length)] ?? Math.floor(random() * WORKERS);
      };
      for (let nth = 0; nth < KILLS; nth++) {
        await Bun.sleep(100 * random());
        const place = await busyOne();
        const { process: ended } = children[place] as Child;
        ended.kill("SIGKILL");
        await ended.exited;
        children[place] = await startChild(bench);
      }
      // For as long as the test may take.
      while ((await left()) > 0) await Bun.sleep(50);
      for (const { process: ending } of children) ending.kill("SIGTERM");
      expect(await Promise.all(children.map(({ process: ending }) => ending.exited))).toEqual([0, 0, 0]);
      receiver.stop(true);

      const twice = [...came.values()].filter((times) => times > 1).length;
      expect(came.size).toBe(EVENTS * PATHS.length);
      expect([...bodies.values()].every((each) => each.size === 1)).toBe(true);
      expect(twice).toBeLessThanOrEqual(KILLS * MOST_IN_HAND);
      const states = await bench.sql(
        "SELECT state, attempts, count(*) AS n FROM webhook_deliveries GROUP BY state, attempts",
      );
      expect(states.map((row) => [row["state"], Number(row["attempts"]), Number(row["n"])])).toEqual([
        ["delivered", 1, EVENTS * PATHS.length],
      ]);
      // Those that ended as requested have retired; the killed ones were removed by others.
      expect(await bench.sql("SELECT worker FROM webhook_deliveries WHERE worker IS NOT NULL")).toEqual([]);
    },
    90_000 + 20_000 * KILLS,
  );
});
