/** The demo as the recipes of docs/lake.md meet it: the product on the simulator, listening, with a correction, a held figure and a day of quotes. */

import { join } from "node:path";
import { readConfig } from "#config.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import { simulatedDirectory } from "#test/commands/lakes.ts";
import { quote } from "#test/store/archive/sample.ts";
import { held, observation } from "#test/store/lake/sample.ts";
import { openCrossrate } from "#wiring.ts";

/** All but the newest figures are collected then, and corrected a day later. */
export const COLLECTED = "2026-01-05T15:30:00Z";
const ASKED = Date.parse("2026-04-13T16:30:00Z");
export const CORRECTED_DAY = "2024-12-23";
const QUOTED_FROM = Date.parse("2026-03-02T05:00:00Z");

export interface LakeDemo {
  /** The lake's directory. */
  readonly directory: string;
  /** Without a slash at the end. */
  readonly url: string;
  /** Of an organization that may see the whole history: the demo is metered, as an installation is by default. */
  readonly key: string;
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startLakeDemo(): Promise<LakeDemo> {
  const dataDir = await simulatedDirectory(COLLECTED);
  const directory = join(dataDir, "lake");
  await correct(directory);
  const archive = await openQuoteArchive({ directory, simulated: true, access: "write" });
  await archive.append(quotes());
  await archive.close();

  const crossrate = await openCrossrate({
    config: readConfig({ DATA_DIR: dataDir, UPSTREAM_BASE: "http://127.0.0.1:9" }),
    clock: { now: () => ASKED },
    tell: () => {},
    version: "test",
    simulated: true,
    serves: true,
  });
  crossrate.tellCallersBy(() => "127.0.0.1");
  const { key } = (await crossrate.demoAccount()) as { key: string };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    development: false,
    fetch: crossrate.app.answer,
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    directory,
    url,
    key,
    get: async (path) => {
      const response = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return await response.json();
    },
    stop: async () => {
      await server.stop(true);
      await crossrate.close();
    },
  };
}

/** One figure of the dollar gets a second revision, another is taken back, and a third is held. */
async function correct(directory: string): Promise<void> {
  const lake = await openLake({ directory, simulated: true });
  const retrievedAt = Date.parse(COLLECTED) + 86_400_000;
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
