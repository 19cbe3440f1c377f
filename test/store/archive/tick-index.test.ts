/** The private index of a closed date: bars from it are the bars without it, and in any doubt it is ignored. */

import { expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BarQuery } from "#domain/bars.ts";
import { dayAt } from "#domain/day.ts";
import { dateFile, identityOf } from "#store/archive/layout.ts";
import { isIndexed, readIndexed } from "#store/archive/tick-index.ts";
import { temporaryDirectory } from "#test/temporary.ts";
import { at, DAY, HOUR, MINUTE, quote } from "./sample.ts";
import { openTemporary } from "./temporary.ts";

const START = at("2026-03-02T00:00:00Z");
const DATE = dayAt(START);
const QUERY: BarQuery = {
  base: "JPY",
  symbol: "EUR",
  from: START,
  to: START + 2 * DAY,
  widthSeconds: 900,
  order: "asc",
  limit: 1e6,
};

/** Two closed dates, compacted, and the bars as they were before that. */
async function compacted() {
  const directory = temporaryDirectory();
  const archive = await openTemporary(directory);
  for (let nth = 0; nth < 2 * 24 * 6; nth++) {
    const observed = START + nth * 10 * MINUTE;
    await archive.append([
      quote("USD/JPY", (150 + Math.sin(nth)).toFixed(3), observed),
      quote("EUR/USD", (1.1 + nth / 10_000).toFixed(5), observed + 20_000, { feed: "oanda" }),
    ]);
  }
  await archive.flush();
  const bars = await archive.bars(QUERY);
  await archive.compact({ from: DATE, to: DATE + 1, now: START + 3 * DAY });
  await archive.close();
  const index = join(directory, dirname(dateFile(DATE)), ".ticks.cache");
  return { directory, index, bars };
}

async function barsOf(directory: string) {
  const reader = await openTemporary(directory, { access: "read" });
  return await reader.bars(QUERY);
}

test("bars from the index are the bars from the file", async () => {
  const { directory, bars } = await compacted();
  const identity = identityOf(directory, DATE) as string;
  expect(isIndexed(directory, DATE, identity)).toBe(true);
  expect(readIndexed(directory, DATE, identity, ["USD/JPY"])?.get("USD/JPY")?.mid.length).toBe(144);
  expect(readIndexed(directory, DATE, identity, ["USD/SEK"])?.size).toBe(0);
  expect(await barsOf(directory)).toEqual(bars);
  expect(bars.length).toBeGreaterThan(100);
});

test.each(["empty", "header", "ticks", "prefix", "short"])(
  "an index that is broken (%s) is ignored",
  async (where) => {
    const { directory, index, bars } = await compacted();
    const bytes = readFileSync(index);
    const flip = (position: number) => {
      bytes[position] = (bytes[position] as number) ^ 1;
      writeFileSync(index, bytes);
    };
    if (where === "empty") truncateSync(index, 0);
    if (where === "short") truncateSync(index, bytes.length - 1);
    if (where === "prefix") flip(0);
    if (where === "header") flip(40);
    if (where === "ticks") for (let at = 9000; at < bytes.length; at += 1000) flip(at);
    expect(await barsOf(directory)).toEqual(bars);
  },
);

test("an index of another version of the file is ignored, and made again by the next compaction", async () => {
  const { directory } = await compacted();
  const archive = await openTemporary(directory);
  await archive.append([quote("USD/JPY", "151", START + HOUR + 1)]);
  await archive.flush();
  const identity = identityOf(directory, DATE) as string;
  expect(isIndexed(directory, DATE, identity)).toBe(false);
  const [bar] = await archive.bars({ ...QUERY, base: "USD", symbol: "JPY", from: START + HOUR });
  expect(bar?.ticks).toBe(3);
  await archive.compact({ from: DATE, to: DATE + 1, now: START + 3 * DAY });
  expect(isIndexed(directory, DATE, identityOf(directory, DATE) as string)).toBe(true);
});
