/** The product on the simulator, listening, with a clock that the test sets: each day that passes is collected and committed. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "#demo/simulator.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import type { BucketPlace } from "#store/bucket/client.ts";
import { quote } from "#test/store/archive/sample.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const STARTS_AT = Date.parse("2026-04-13T16:30:00Z");
const DAY = 86_400_000;
const QUOTED_FROM = Date.parse("2026-03-02T05:00:00Z");
export const FIRST_DATE = "2026-01-02";
const LAST_DATE = "2099-12-31";
/** Of two pairs, a minute apart, for nineteen hours. */
const MINUTES = 19 * 60;
export const QUOTES = 2 * MINUTES;

/** Figures of the ECB as lines `date currency value`, sorted. */
export type Figures = readonly string[];

/** Of the tables in a bucket. */
const PREFIX = "fx";

export type Service = Awaited<ReturnType<typeof startService>>;

/** Without a place the lake is in a directory, where there are quotes, too. */
export async function startService(place: BucketPlace | null = null) {
  const dataDir = temporaryDirectory();
  const lake = join(dataDir, "lake");
  let now = STARTS_AT;
  const clock = { now: () => now };
  if (place === null) await writeQuotes(lake);
  const simulator = await startSimulator(clock);
  const settings = {
    ...{ DATA_DIR: dataDir, UPSTREAM_BASE: simulator.base, ACCESS: "open" },
    ...{ LIVE_FEED: "off", OFFICIAL_TABLES: "off" },
    ...(place === null ? {} : bucketSettings(place)),
  };
  const crossrate = await openProduct(settings, clock);
  const { url, close } = crossrate.listen();
  await crossrate.backfill(() => {});
  const pages = new Map<number, Figures>();
  const note = async () => {
    const version = newestVersion(join(lake, "daily"));
    pages.set(version, await figuresOf(url));
    return version;
  };
  await note();
  return {
    /** Directory of the table, or its address in the bucket as Hadoop writes it. */
    table: (name: "daily" | "intraday") =>
      place === null ? join(lake, name) : `s3a://${place.bucket}/${PREFIX}/${name}`,
    /** What the JSON pages said after a version of `daily` was committed, by that version. */
    pages,
    /** Lets a day pass: collects it, which commits, and reads the JSON pages. Resolves with the version of `daily`. */
    pass: async () => {
      const before = newestVersion(join(lake, "daily"));
      now += DAY;
      const { outcome, detail } = await crossrate.collector.collect("ecb_daily", "recent");
      if (outcome === "failed") throw new Error(detail ?? "");
      const version = await note();
      // Pages are those of one version each.
      if (version !== before + 1) throw new Error(`${version - before} commits instead of one`);
      return version;
    },
    stop: async () => {
      await close();
      await simulator.stop();
    },
  };
}

function bucketSettings({ bucket, endpoint, region, accessKeyId, secretAccessKey }: BucketPlace) {
  return {
    ...{ LAKE_URL: `s3://${bucket}/${PREFIX}`, AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: region },
    ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
  };
}

function newestVersion(table: string): number {
  const entries = readdirSync(join(table, "_delta_log")).filter((name) => /^\d{20}\.json$/.test(name));
  return Math.max(...entries.map((name) => Number(name.slice(0, 20))));
}

/** All pages of a series with the euro as base: the ECB's own figures are given there as published. */
async function figuresOf(url: string): Promise<Figures> {
  const lines: string[] = [];
  const query = new URLSearchParams({
    ...{ base: "EUR", symbols: "USD,JPY,GBP,CHF,SEK,NOK", start_date: FIRST_DATE, end_date: LAST_DATE },
    limit: "50",
  });
  for (;;) {
    const answer = await fetch(`${url}/v1/range?${query}`);
    if (!answer.ok) throw new Error(await answer.text());
    const page = await answer.json();
    for (const { date, rates } of page.data)
      for (const [code, rate] of Object.entries(rates)) lines.push(`${date} ${code} ${rate}`);
    if (!page.has_more) return lines.sort();
    query.set("cursor", page.next_cursor ?? "");
  }
}

/** They are in the table, none in the journal. */
async function writeQuotes(directory: string): Promise<void> {
  const now = () => QUOTED_FROM + DAY;
  const archive = await openQuoteArchive({ directory, simulated: true, access: "write", now });
  await archive.append(
    Array.from({ length: MINUTES }, (_, minute) => QUOTED_FROM + minute * 60_000).flatMap((at, minute) => [
      quote("USD/EUR", (0.85 + (minute % 97) / 10_000).toFixed(5), at),
      quote("USD/JPY", (155 + (minute % 89) / 100).toFixed(2), at),
    ]),
  );
  await archive.close();
}
