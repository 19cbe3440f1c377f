/** The private index of a closed date: bars from it are the bars without it, and in any doubt it is ignored. */

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BarQuery } from "#domain/history/periods.ts";
import { dayAt } from "#domain/time/day.ts";
import { isIndexed, readIndexed } from "#store/archive/bars/ticks.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, DAY, HOUR, MINUTE, quote } from "./sample.ts";
import { filesInLog } from "./table-log.ts";
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

/** Two closed dates with their indexes, and the bars as they were before that. */
async function indexed() {
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
  expect(await archive.index({ from: DATE, to: DATE + 1, now: START + 3 * DAY })).toBe(2);
  await archive.close();
  const index = join(directory, "intraday/date=2026-03-02/.ticks.cache");
  return { directory, index, bars };
}

/** Path of the date's file below the table, which is what an index is of. */
async function identityOf(directory: string): Promise<string> {
  return (await filesInLog(directory))[0]?.path as string;
}

async function barsOf(directory: string) {
  const reader = await openTemporary(directory, { access: "read" });
  return await reader.bars(QUERY);
}

test("bars from the index are the bars from the file", async () => {
  const { directory, bars } = await indexed();
  const identity = await identityOf(directory);
  expect(isIndexed(directory, DATE, identity)).toBe(true);
  expect(readIndexed(directory, DATE, identity, ["USD/JPY"])?.get("USD/JPY")?.mid.length).toBe(144);
  expect(readIndexed(directory, DATE, identity, ["USD/SEK"])?.size).toBe(0);
  expect(await barsOf(directory)).toEqual(bars);
  expect(bars.length).toBeGreaterThan(100);
});

test("an index with a damaged byte is passed over by bars, which stay what they were", async () => {
  const { directory, index, bars } = await indexed();
  const bytes = readFileSync(index);
  for (const position of [0, 8, 40, bytes.length >> 1, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[position] = (damaged[position] as number) ^ 1;
    writeFileSync(index, damaged);
    expect(await barsOf(directory)).toEqual(bars);
  }
});

test("ticks that belong to another file do not pass, although they are intact", async () => {
  const { directory, index, bars } = await indexed();
  const other = readFileSync(join(directory, "intraday/date=2026-03-03/.ticks.cache"));
  const mixed = readFileSync(index);
  expect(other.length).toBe(mixed.length);
  // Both have the same pairs and counts: only the header distinguishes them.
  const start = 16 + Number(mixed.readBigUInt64LE(0));
  other.copy(mixed, start, start);
  writeFileSync(index, mixed);
  expect(await barsOf(directory)).toEqual(bars);
});

test("an index of another version of the file is ignored, and made again by the next look", async () => {
  const { directory } = await indexed();
  const archive = await openTemporary(directory);
  await archive.append([quote("USD/JPY", "151", START + HOUR + 1)]);
  await archive.flush();
  const identity = await identityOf(directory);
  expect(isIndexed(directory, DATE, identity)).toBe(false);
  const [bar] = await archive.bars({ ...QUERY, base: "USD", symbol: "JPY", from: START + HOUR });
  expect(bar?.ticks).toBe(3);
  expect(await archive.index({ from: DATE, to: DATE + 1, now: START + 3 * DAY })).toBe(1);
  expect(isIndexed(directory, DATE, await identityOf(directory))).toBe(true);
});
