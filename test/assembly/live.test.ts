/** The start of the live side: the book is warmed from the archive, and a damaged file there stops nothing and is not made up for. */

import { expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { openLive } from "#assembly/live.ts";
import { readConfig } from "#config.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import type { Happening } from "#telemetry.ts";
import { at, DAY, quote } from "#test/store/archive/sample.ts";
import { partOf } from "#test/store/archive/table-log.ts";
import { temporaryDirectory } from "#test/temporary.ts";

const NOON = at("2026-04-14T12:00:00Z");
const EUR = quote("USD/EUR", "0.87", NOON - 60_000, { feed: "massive" });
const JPY = quote("USD/JPY", "158.20", NOON - DAY, { feed: "massive" });
const OLDER_EUR = { ...EUR, mid: "0.8500", observedAt: NOON - DAY };

/** An archive with quotes of today and yesterday, and the live side as a server opens it. */
async function start(damage: (partOfToday: string) => void) {
  const directory = temporaryDirectory();
  const writer = await openQuoteArchive({ directory, simulated: false, access: "write" });
  await writer.append([EUR, JPY, OLDER_EUR]);
  await writer.close();
  const today = await partOf(directory, "2026-04-14");
  damage(today);
  const told: Happening[] = [];
  const clock = { now: () => NOON };
  const tell = (happening: Happening) => told.push(happening);
  const { live: settings } = readConfig({
    LIVE_FEED: "massive",
    MASSIVE_API_KEY: "0".repeat(32),
    LIVE_CURRENCIES: "EUR,JPY",
  });
  const archive = await openQuoteArchive({ directory, simulated: false, access: "read" });
  const live = await openLive({
    ...{ settings, archive, clock, tell, redisUrl: null, dataset: () => null },
    upstream: { clock, base: "http://127.0.0.1:9", userAgent: "test" },
  });
  const shown = () =>
    [...live.hotBook.read().quotes.values()].map(({ quote, mid }) => `${quote} ${mid}`).sort();
  return {
    today,
    told,
    live,
    shown,
    close: async () => {
      await live.close();
      await archive.close();
    },
  };
}

test("the book begins with the newest quote of each currency", async () => {
  const { told, live, shown, close } = await start(() => {});
  expect(shown()).toEqual(["EUR 0.87", "JPY 158.20"]);
  expect((await live.recent()).map(({ mid }) => mid)).toEqual(["0.8500", "158.20", "0.87"]);
  expect(told).toEqual([]);
  await close();
});

test.each(["missing", "cut", "changed"])(
  "a file of today that is %s is logged by name, and nothing older is taken for the newest",
  async (how) => {
    let intact = Buffer.alloc(0);
    const { told, live, shown, close, today } = await start((path) => {
      intact = readFileSync(path);
      const changed = Buffer.from(intact);
      changed[changed.length >> 1] = (changed[changed.length >> 1] as number) ^ 1;
      if (how === "missing") rmSync(path);
      if (how === "cut") truncateSync(path, intact.length >> 1);
      if (how === "changed") writeFileSync(path, changed);
    });
    expect(shown()).toEqual([]);
    expect(await live.recent()).toEqual([]);
    expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(["lake_damaged"]));
    const { detail } = told[0] as Extract<Happening, { kind: "lake_damaged" }>;
    expect(detail).toContain(today);

    // Restored, it is read again without a restart.
    writeFileSync(`${today}.restored`, intact);
    renameSync(`${today}.restored`, today);
    expect((await live.recent()).length).toBe(3);
    await close();
  },
);
