/** The demo as the recipes of docs/lake.md meet it: the product on the simulator, listening; newly made, or with a past. */

import { cpSync } from "node:fs";
import { join } from "node:path";
import { loadDemoHistory } from "#compose.ts";
import { startSimulator } from "#demo/simulator.ts";
import { type RealHistory, readRealHistory } from "#demo/world.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { FeedPoll } from "#ports.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { COINBASE } from "#sources/live/coinbase.ts";
import { feedPoller } from "#sources/live/poll.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import { NOW, simulatedDirectory, simulateRecent } from "#test/commands/lakes.ts";
import { bearer, json } from "#test/metered/client.ts";
import { quote } from "#test/store/archive/sample.ts";
import { held, observation } from "#test/store/lake/sample.ts";
import { copyOf } from "#test/support/once.ts";
import { openProduct } from "#test/support/product.ts";

/** All but the newest figures of the demo with a past are collected then, and corrected a day later. */
const COLLECTED = "2026-01-05T15:30:00Z";
const STARTED_AT = Date.parse("2026-04-13T16:30:00Z");
export const CORRECTED_DAY = "2024-12-23";
const QUOTED_FROM = Date.parse("2026-03-02T05:00:00Z");

/**
 * A demo that was started a minute ago: the history as the simulator publishes it, a minute of live quotes, nothing else.
 * `real` begins with the ECB's own history, as `crossrate demo` does.
 */
export async function startNewDemo({ real = false } = {}) {
  const history = real ? await loadDemoHistory() : null;
  const startsAt = history?.startsAt ?? Date.parse(NOW);
  const dataDir = await copyOf(`new demo of ${formatInstant(startsAt)}`, async (directory) => {
    await fillNewDemo(directory, startsAt, history === null ? null : readRealHistory(history.csv));
  });
  return await start(dataDir, startsAt + 55_000, real);
}

async function fillNewDemo(dataDir: string, startsAt: Instant, real: RealHistory | null): Promise<void> {
  cpSync(await simulatedDirectory(formatInstant(startsAt), real), dataDir, { recursive: true });
  let now = startsAt;
  const clock = { now: () => now };
  const directory = join(dataDir, "lake");
  const archive = await openQuoteArchive({ directory, simulated: true, access: "write", ...clock });
  const simulator = await startSimulator({ ...clock, real });
  const upstream = openUpstream({ clock, base: simulator.base, userAgent: "test", attempts: 1 });
  const ask = feedPoller(upstream, clock);
  const [poll] = COINBASE.polls(["EUR", "GBP", "JPY", "CHF"]);
  for (; now < startsAt + 60_000; now += 15_000) {
    const outcome = await ask(COINBASE, poll as FeedPoll);
    if (outcome.kind !== "quotes") throw new Error(`the simulated feed has no quotes: ${outcome.kind}`);
    await archive.append(outcome.quotes);
  }
  await archive.close();
  await simulator.stop();
}

/** One with a correction, a withdrawal, a held figure, and a day of quotes with a gap. */
export async function startDemoWithPast() {
  const dataDir = await copyOf("demo with a past", async (made) => {
    // Rates of the two winters are enough for it.
    await simulateRecent(made, Date.parse(COLLECTED) - 365 * 86_400_000, Date.parse(COLLECTED));
    const directory = join(made, "lake");
    await correct(directory);
    const now = () => QUOTED_FROM + 86_400_000;
    const archive = await openQuoteArchive({ directory, simulated: true, access: "write", now });
    await archive.append(quotes());
    await archive.close();
  });
  return await start(dataDir, STARTED_AT);
}

export type LakeDemo = Awaited<ReturnType<typeof start>>;

async function start(dataDir: string, now: number, realHistory = false) {
  const settings = { DATA_DIR: dataDir, UPSTREAM_BASE: "http://127.0.0.1:9" };
  const crossrate = await openProduct(settings, { now: () => now, realHistory });
  const { key } = (await crossrate.demoAccount()) as { key: string };
  const { url } = crossrate.listen();
  const ask = (path: string) => fetch(url + path, { headers: bearer(key) });
  return {
    directory: join(dataDir, "lake"),
    url,
    /** Of an organization that may see the whole history: the demo is metered, as an installation is by default. */
    key,
    ask,
    get: async (path: string) => await json(await ask(path)),
  };
}

/** One figure of the dollar gets a second revision, another is taken back, and a third is held. */
async function correct(directory: string): Promise<void> {
  const retrievedAt = Date.parse(COLLECTED) + 86_400_000;
  const lake = await openLake({ directory, simulated: true, now: () => retrievedAt });
  await lake.commit(() => ({
    accepted: [observation(CORRECTED_DAY, "USD", "1.0393", { retrievedAt, name: "corrected", revision: 2 })],
    withdrawn: [
      { ...observation("2024-12-30", "NOK", "11.1", { retrievedAt, name: "corrected" }), revision: 1 },
    ],
    held: [held("2026-01-06", "USD", "10.393")],
    coverage: [],
  }));
  await lake.close();
}

/** Nineteen hours of quotes, three of which have none of the yen; sterling is quoted the other way round. */
function quotes(): readonly LiveQuote[] {
  const all: LiveQuote[] = [];
  for (let minute = 0; minute < 19 * 60; minute++) {
    const at = QUOTED_FROM + minute * 60_000;
    const feed = { feed: "massive" } as const;
    all.push(quote("USD/EUR", (0.85 + (minute % 97) / 10_000).toFixed(5), at, feed));
    all.push(quote("GBP/USD", (1.34 + (minute % 31) / 10_000).toFixed(5), at + 2_000, feed));
    if (minute < 300 || minute >= 480)
      all.push(quote("USD/JPY", (159 + (minute % 53) / 100).toFixed(3), at + 1_000, feed));
  }
  return all;
}
