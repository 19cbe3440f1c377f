/** kill -9 of a writer at any request of its commits, before and after the bucket has it: nothing lost, nothing doubled. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { currencyIndex } from "#domain/currency/currency.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import { day } from "#test/store/lake/sample.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { newBucket, openStorage, TABLES, wayTo } from "./storage-server.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 4);
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
/** Requests of a start and two or three commits of both kinds. */
const MOST_REQUESTS = 70;
const CHILD = join(import.meta.dir, "kill-child.ts");

test(
  `${ROUNDS} writers of a bucket killed at random requests (KILL_SEED=${SEED})`,
  async () => {
    console.log(`bucket kill test: seed ${SEED}, ${ROUNDS} rounds`);
    const random = seededRandom(SEED);
    const place = await newBucket();
    const way = await wayTo(place.endpoint);
    const directory = temporaryDirectory();
    const copy = temporaryDirectory();
    const acknowledged = { figure: new Set<number>(), quote: new Set<number>() };
    let begun = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const step = 1 + Math.floor(random() * MOST_REQUESTS);
      const when = random() < 0.5 ? "before" : "after";
      const from = way.requests.length;
      const options = {
        place: { ...place, endpoint: way.endpoint, prefix: "fx/lake", copyBytes: 100_000_000 },
        ...{ tables: TABLES, leader: "daily", patience: { firstPause: 5 } },
      };
      const child = Bun.spawn([process.execPath, CHILD, JSON.stringify(options), directory, String(begun)], {
        stdout: "pipe",
        stderr: "inherit",
      });
      const kill = () => child.kill(9);
      way.decide(({ number }) => {
        if (number - from < step) return "pass";
        // What a connection that outlives the process still brings is not of the commit.
        if (number - from > step) return "gone";
        return when === "before" ? { before: kill } : { after: kill };
      });
      const output = await new Response(child.stdout).text();
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");
      for (const [, kind, number] of output.matchAll(/^(figure|quote) (\d+)\n/gm))
        acknowledged[kind as "figure" | "quote"].add(Number(number));
      // The one under way at the kill may be there or not: the next writer begins after it.
      begun = Math.max(begun, ...[...acknowledged.figure].map((number) => number + 2), begun + 1);
      way.decide(() => "pass");
      await check(round);
    }
    console.log(
      `bucket kill test: ${acknowledged.figure.size} figures and ${acknowledged.quote.size} quotes acknowledged`,
    );

    async function check(round: number): Promise<void> {
      // Every other time a machine that has nothing yet, else one that follows.
      const here = round % 2 === 0 ? copy : temporaryDirectory();
      const storage = await openStorage(place, here);
      const lake = await openLake({ directory: here, simulated: false, storage });
      const { observations, damaged } = await lake.read();
      expect(damaged).toEqual([]);
      const { count, date, quote } = observations;
      const dates = Array.from({ length: count }, (_, at) => (date[at] as number) - day("2025-01-01"));
      expect(new Set(dates).size).toBe(count);
      expect(Array.from(quote).every((code) => code === currencyIndex("USD"))).toBe(true);
      for (const number of acknowledged.figure) expect(dates).toContain(number);
      for (const number of dates) expect(number).toBeLessThan(begun);
      await lake.close();
      await storage.close();
      // The quotes that were not flushed are in the journal of the writer's machine: it starts again.
      const again = await openStorage(place, directory);
      const archive = await openQuoteArchive({
        directory,
        simulated: false,
        storage: again,
        access: "write",
      });
      const start = Date.UTC(2026, 2, 2, 10);
      const quotes = await archive.quotes(start, start + 3_600_000);
      const numbers = quotes.map(({ observedAt }) => (observedAt - start) / 1000);
      expect(new Set(numbers).size).toBe(numbers.length);
      for (const number of acknowledged.quote) expect(numbers).toContain(number);
      await archive.close();
      await again.close();
    }
  },
  30_000 + ROUNDS * 20_000,
);
