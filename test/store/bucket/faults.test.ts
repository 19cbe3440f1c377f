/** Writers on several machines whose requests fail at random: what was acknowledged is in the bucket, once, and nothing else is. */

import { expect, test } from "bun:test";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import { quote } from "#test/store/archive/sample.ts";
import { add, figureAt } from "#test/store/lake/sample.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { bucketBehind, openStorage } from "./storage-server.ts";

const COMMITS = Number(process.env["BUCKET_COMMITS"] ?? 3);
const SEED = Number(process.env["BUCKET_SEED"] ?? Date.now() % 1_000_000);
const QUOTES = ["USD", "NOK", "JPY"] as const;
const START = Date.UTC(2026, 2, 2, 10);

test(
  `${COMMITS} commits on each of ${QUOTES.length} machines, with answers lost and refused (BUCKET_SEED=${SEED})`,
  async () => {
    console.log(`bucket fault test: seed ${SEED}, ${COMMITS} commits a machine`);
    const random = seededRandom(SEED);
    const { place, way, through } = await bucketBehind();
    way.decide(() => {
      const chance = random();
      return chance < 0.05 ? "cut" : chance < 0.1 ? "refuse" : chance < 0.13 ? "gone" : "pass";
    });
    const acknowledged = new Set<string>();
    let failed = 0;
    await Promise.all(
      QUOTES.map(async (currency, index) => {
        const directory = temporaryDirectory();
        const storage = await again(() => openStorage(through, directory));
        const lake = await again(() => openLake({ directory, simulated: false, storage }));
        const archive = await again(() =>
          openQuoteArchive({ directory, simulated: false, storage, access: "write" }),
        );
        for (let number = 0; number < COMMITS; number++) {
          // As a collector does: what failed is collected again, and may be there already.
          await again(() => add(lake, { accepted: [figureAt(number, currency)] }));
          acknowledged.add(`${number} ${currency}`);
          await archive.append([quote("USD/EUR", `0.${1000 + number}`, START + number * 1000 + index)]);
          await archive.flush().catch(() => failed++);
        }
        await again(() => archive.flush());
        await again(() => lake.keepUp());
        await archive.close();
        await lake.close();
        await storage.close();
      }),
    );
    way.decide(() => "pass");
    const directory = temporaryDirectory();
    const storage = await openStorage(place, directory);
    const lake = await openLake({ directory, simulated: false, storage });
    const { observations, damaged, superseded } = await lake.read();
    expect(damaged).toEqual([]);
    expect(superseded).toEqual([]);
    expect(observations.count).toBe(acknowledged.size);
    const archive = await openQuoteArchive({ directory, simulated: false, storage, access: "read" });
    const quotes = await archive.quotes(START, START + 3_600_000);
    expect(quotes.length).toBe(COMMITS * QUOTES.length);
    expect(new Set(quotes.map(({ observedAt }) => observedAt)).size).toBe(quotes.length);
    for (const one of [archive, lake, storage]) await one.close();
    console.log(
      `bucket fault test: ${way.requests.length} requests, ${failed} attempts failed and were repeated`,
    );

    async function again<T>(work: () => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work();
        } catch (fault) {
          failed += 1;
          if (attempt === 200) throw fault;
        }
      }
    }
  },
  30_000 + COMMITS * 10_000,
);
