/** What the archive promises its callers: durable appends, flushes that happen once, one writer, retention; a damaged file of a date is refused, and the others are answered. */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BarQuery } from "#domain/history/periods.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { parseDay } from "#domain/time/day.ts";
import type { Archive, ArchiveOptions } from "#store/archive/archive.ts";
import { formatLine, segmentFile, segmentsOnDisk } from "#store/archive/journal/journal.ts";
import { selectOf } from "#store/archive/quotes.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { flip } from "#test/store/delta/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  at,
  DAY,
  HOUR,
  leaveSegment,
  lineOf,
  linesOf,
  MINUTE,
  openTemporary,
  query,
  quote,
  stored,
} from "./sample.ts";
import { checkFiles, filesInLog, partOf, partsOnDisk, versionOf } from "./table-log.ts";

const NOON = at("2026-03-02T12:00:00Z");

/** `count` quotes, a minute apart, in reverse order. */
function several(count: number, from = NOON, pair = "USD/EUR"): readonly LiveQuote[] {
  return Array.from({ length: count }, (_, nth) =>
    quote(pair, `0.8${String(nth).padStart(4, "0")}`, from + nth * MINUTE, { bid: "0.7999", ask: "0.9" }),
  ).reverse();
}

test("whether a quote is stored is known to the owner at once, and to another process by the file of its day", async () => {
  const directory = temporaryDirectory();
  const archive = await openTemporary(directory);
  const [later, earlier] = several(2);
  await archive.append([earlier as LiveQuote]);
  const reader = await openTemporary(directory, { access: "read" });
  const known = () =>
    [archive, reader].map((each) => [earlier, later].map((one) => each.isStored(one as LiveQuote)).join());
  expect(known()).toEqual(["false,false", "false,false"]);
  await archive.flush();
  expect(known()).toEqual(["true,false", "true,false"]);
  await archive.append([later as LiveQuote]);
  expect(known()).toEqual(["true,false", "true,false"]);
  await archive.flush();
  expect(known()).toEqual(["true,true", "true,true"]);
});

describe("a flush", () => {
  test("puts each quote into the file of the UTC day on which it was observed, sorted, with its digits", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    const midnight = at("2026-03-03T00:00:00Z");
    const quotes = [
      ...several(3),
      quote("USD/JPY", "158.250", midnight - 1, { feed: "massive", retrievedAt: midnight + 5 }),
      quote("EUR/USD", "1.1", midnight),
    ];
    await archive.append(quotes);
    expect(await archive.flush()).toBe(5);
    expect(segmentsOnDisk(directory)).toEqual([]);
    const files = await query(
      directory,
      "SELECT filename, count(*)::INTEGER AS n FROM {quotes} GROUP BY 1 ORDER BY 1",
    );
    expect(files.map(({ filename, n }) => [String(filename).slice(directory.length + 1), n])).toEqual([
      ["current/intraday/date=2026-03-02/quotes.parquet", 4],
      ["current/intraday/date=2026-03-03/quotes.parquet", 1],
    ]);
    expect(filesInLog(directory).map(({ date, rows }) => [date, rows])).toEqual([
      ["2026-03-02", 4],
      ["2026-03-03", 1],
    ]);
    checkFiles(directory);
    const order = [...several(3)].reverse();
    expect(await stored(directory)).toEqual([...order, ...quotes.slice(3)].map(lineOf));
  });

  test("adds to what is there, once, however often the same quotes are appended", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    await archive.append(several(5));
    await Promise.all([archive.append(several(5)), archive.append(several(6)), archive.append(several(6))]);
    expect(await archive.flush()).toBe(6);
    await archive.append(several(7));
    expect(await archive.flush()).toBe(1);
    // As another collector retrieved them, at a takeover.
    await archive.append(several(7).map((one) => ({ ...one, retrievedAt: one.retrievedAt + 1 })));
    expect(await archive.flush()).toBe(0);
    expect((await stored(directory)).length).toBe(7);
  });

  test("under way with others and with appends loses and doubles nothing", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    const work: Promise<unknown>[] = [];
    for (let nth = 0; nth < 30; nth++) {
      work.push(archive.append(several(4, NOON + nth * HOUR)));
      if (nth % 3 === 0) work.push(archive.flush());
      if (nth % 7 === 0) await Promise.all(work);
    }
    await Promise.all(work);
    await archive.flush();
    expect((await stored(directory)).length).toBe(120);
    expect(new Set(await stored(directory)).size).toBe(120);
  });
});

describe("a restart", () => {
  test("puts right what is below current/", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    await archive.append(several(2));
    await archive.flush();
    rmSync(join(directory, "current"), { recursive: true });
    await openTemporary(directory, { access: "read" });
    checkFiles(directory);
  });

  test("brings what a dead writer left into the files, a torn end dropped, also where that was done already", async () => {
    const directory = temporaryDirectory();
    leaveSegment(directory, 4, linesOf(several(3)));
    leaveSegment(
      directory,
      5,
      `${linesOf(several(5))}${formatLine(several(6)[0] as LiveQuote).slice(0, -3)}`,
    );
    const archive = await openTemporary(directory);
    expect((await stored(directory)).length).toBe(5);
    await archive.close();
    leaveSegment(directory, 5, linesOf(several(5)));
    await (await openTemporary(directory)).close();
    expect((await stored(directory)).length).toBe(5);
    expect(existsSync(join(directory, segmentFile(5)))).toBe(false);
  });

  test.each(["", "\n", "00000000 \n", "garbage\n\0\0\0"])("survives a segment of %p", async (text) => {
    const directory = temporaryDirectory();
    leaveSegment(directory, 1, text);
    const archive = await openTemporary(directory);
    await archive.append(several(1));
    expect(await archive.flush()).toBe(1);
  });
});

describe("one process at a time", () => {
  test("owns the journal; another learns the owner, and may read and maintain the files", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    expect(openTemporary(directory, { waitSeconds: 0 })).rejects.toThrow(
      /another process writes the intraday archive/,
    );
    await archive.append(several(2));
    await archive.flush();
    const reader = await openTemporary(directory, { access: "read" });
    const window = { base: "USD", symbol: "EUR", from: NOON, to: NOON + HOUR } as const;
    expect(await reader.bars({ ...window, widthSeconds: 3600, order: "asc", limit: 1 })).toMatchObject([
      { ticks: 2 },
    ]);
    expect(await reader.upkeep()).toEqual({ files: 0, bytes: 0 });
    expect(reader.append(several(1))).rejects.toThrow(/does not own the journal/);
    await archive.close();
    await (await openTemporary(directory, { waitSeconds: 0 })).close();
  });

  test("and real and simulated quotes never mix", async () => {
    const directory = temporaryDirectory();
    await (await openTemporary(directory)).close();
    expect(openTemporary(directory, { simulated: true })).rejects.toThrow("real rates");
  });
});

test("a date is removed when it is older than the retention, unless the journal has quotes of it", async () => {
  const directory = temporaryDirectory();
  const archive = await openTemporary(directory);
  for (let day = 0; day < 5; day++) await archive.append(several(1, NOON + day * DAY));
  await archive.flush();
  await archive.append([quote("USD/JPY", "150", NOON)]);
  const dates = (kept: readonly string[]) => kept.map((text) => parseDay(text) as number);
  expect(await archive.retain(2, NOON + 4 * DAY)).toEqual(dates(["2026-03-03", "2026-03-04"]));
  expect(archive.dates()).toEqual(dates(["2026-03-02", "2026-03-05", "2026-03-06"]));
  checkFiles(directory);
  await archive.flush();
  expect(await archive.retain(2, NOON + 4 * DAY)).toEqual(dates(["2026-03-02"]));
  expect(await archive.retain(2, NOON + 4 * DAY)).toEqual([]);
  expect((await stored(directory)).length).toBe(2);
});

test("upkeep removes what was replaced more than a day ago, and nothing younger", async () => {
  const directory = temporaryDirectory();
  let now = NOON;
  const archive = await openTemporary(directory, { now: () => now });
  for (const quote of several(3)) {
    await archive.append([quote]);
    await archive.flush();
    now += 1000;
  }
  expect(partsOnDisk(directory)).toHaveLength(3);
  for (const [after, files] of [
    [999, 0],
    [1000, 1],
    [2000, 1],
  ] as const) {
    now = NOON + DAY + after;
    expect((await archive.upkeep()).files).toBe(files);
  }
  expect(partsOnDisk(directory)).toEqual(filesInLog(directory).map(({ path }) => path));
  expect((await stored(directory)).length).toBe(3);
  checkFiles(directory);
});

const DATE = "2026-03-02";
const EUR = quote("USD/EUR", "0.8700", NOON, { bid: "0.86", ask: "0.88" });
const NEXT_DAY = { ...EUR, observedAt: NOON + DAY, retrievedAt: NOON + DAY + 800 };
const LATER = { ...EUR, observedAt: NOON + HOUR, retrievedAt: NOON + HOUR + 800 };
const LATER_NEXT_DAY = { ...LATER, observedAt: NOON + DAY + HOUR };
const REFUSED = { code: "data_unavailable" };
const BARS: BarQuery = {
  base: "USD",
  symbol: "EUR",
  from: NOON - HOUR,
  to: NOON + HOUR,
  widthSeconds: 3600,
  order: "asc",
  limit: 10,
};

const HOWS = ["missing", "cut", "flipped"] as const;
type How = (typeof HOWS)[number];

/** Damages a file; the returned function puts it back as it was. */
function damage(path: string, how: How): () => void {
  const bytes = readFileSync(path);
  if (how === "missing") rmSync(path);
  if (how === "cut") truncateSync(path, bytes.length - 100);
  if (how === "flipped") flip(path);
  return () => {
    writeFileSync(`${path}.restored`, bytes);
    renameSync(`${path}.restored`, path);
  };
}

/** Two dates, of which the first is damaged, reopened. */
async function damagedArchive(how: How, options: Partial<ArchiveOptions> = {}) {
  const directory = temporaryDirectory();
  const first = await openTemporary(directory);
  await first.append([EUR, NEXT_DAY]);
  await first.flush();
  await first.close();
  const path = partOf(directory, DATE);
  const restore = damage(path, how);
  const emitted: TelemetryEvent[] = [];
  const emit = (event: TelemetryEvent) => emitted.push(event);
  const archive = await openTemporary(directory, { emit, ...options });
  return { directory, archive, emitted, emit, path, restore };
}

async function expectRefused(archive: Archive): Promise<void> {
  const selected = { kind: "quotes", pairs: null, from: NOON - DAY, to: NOON + DAY, order: "asc" } as const;
  await expect(archive.bars(BARS)).rejects.toMatchObject(REFUSED);
  await expect(archive.bars({ ...BARS, from: NOON - 30 * DAY, to: NOON + 30 * DAY })).rejects.toMatchObject(
    REFUSED,
  );
  await expect(archive.quotes(NOON, NOON + 1)).rejects.toMatchObject(REFUSED);
  await expect(archive.newest(0, NOON + 2 * DAY)).rejects.toMatchObject(REFUSED);
  await expect(archive.filesBetween(NOON - DAY, NOON + DAY)).rejects.toMatchObject(REFUSED);
  await expect(selectOf(archive, selected)).rejects.toMatchObject(REFUSED);
}

describe.each(HOWS)("a date's file that is damaged (%s)", (how) => {
  test("refuses what depends on it, and nothing else; the start is not stopped by it", async () => {
    const { archive } = await damagedArchive(how);
    await expectRefused(archive);
    const midnight = at("2026-03-03T00:00:00Z");
    expect(await archive.quotes(midnight, midnight + DAY)).toEqual([NEXT_DAY]);
    expect(await archive.newest(midnight, midnight + DAY)).toEqual([NEXT_DAY]);
    expect(await archive.bars({ ...BARS, from: midnight, to: midnight + DAY })).toMatchObject([{ ticks: 1 }]);
    expect((await archive.filesBetween(midnight, midnight + DAY)).length).toBe(1);
    await expect(archive.state(NOON, NOON + 1)).rejects.toMatchObject(REFUSED);
    expect((await archive.state(midnight, midnight + DAY)).quotes).toBe(1);
  });

  test("takes no quotes: they stay in the journal over restarts, and reach the table once it is restored", async () => {
    const { directory, archive, emitted, path, restore } = await damagedArchive(how);
    const version = versionOf(directory);
    await archive.append([LATER, LATER_NEXT_DAY]);
    expect(await archive.flush()).toBe(1);
    // The other date continues; nothing is served of the damaged one.
    expect(versionOf(directory)).toBe(version + 1);
    expect(filesInLog(directory).map(({ path: one }) => path.endsWith(one))).toEqual([true, false]);
    expect(segmentsOnDisk(directory).length).toBe(1);
    await expectRefused(archive);
    expect(await archive.flush()).toBe(0);
    await archive.close();

    const restarted = await openTemporary(directory);
    expect(segmentsOnDisk(directory).length).toBe(1);
    await expectRefused(restarted);
    restore();
    expect(await restarted.quotes(NOON, NOON + DAY - 1)).toEqual([EUR, LATER]);
    expect(await restarted.flush()).toBe(1);
    expect(segmentsOnDisk(directory)).toEqual([]);
    checkFiles(directory);
    expect(await stored(directory)).toEqual([EUR, LATER, NEXT_DAY, LATER_NEXT_DAY].map(lineOf));
    expect(emitted).toMatchObject([{ kind: "lake_damaged" }]);
    const { detail } = emitted[0] as Extract<TelemetryEvent, { kind: "lake_damaged" }>;
    expect(detail).toContain(path.slice(directory.length + 1));
    expect(detail).toContain(`quotes of ${DATE} stay in the journal`);
  });

  test("stops neither upkeep nor retention; ticks that were cached before open no way around it", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    await archive.append([EUR, NEXT_DAY]);
    await archive.flush();
    await archive.bars(BARS);
    damage(partOf(directory, DATE), how);
    await expectRefused(archive);
    await archive.upkeep();
    await expectRefused(archive);
    expect(await archive.retain(1, NOON + DAY)).toEqual([parseDay(DATE) as number]);
    expect(await archive.newest(0, NOON + 2 * DAY)).toEqual([NEXT_DAY]);
    await archive.upkeep();
    checkFiles(directory);
  });

  test("is refused by a reader, too, also when it is damaged while that one runs", async () => {
    const { directory, restore } = await damagedArchive(how);
    const reader = await openTemporary(directory, { access: "read" });
    await expectRefused(reader);
    restore();
    expect(await reader.quotes(NOON, NOON + 1)).toEqual([EUR]);
    damage(partOf(directory, DATE), how);
    await expectRefused(reader);
  });
});

test("a cross just after midnight is refused where its other leg may be in a damaged file", async () => {
  const { archive } = await damagedArchive("flipped");
  const midnight = at("2026-03-03T00:00:00Z");
  const cross = { ...BARS, base: "JPY", symbol: "EUR" } as const;
  const early = { ...cross, from: midnight + 10 * MINUTE, to: midnight + DAY };
  await expect(archive.bars(early)).rejects.toMatchObject(REFUSED);
  expect(await archive.bars({ ...cross, from: midnight + 15 * MINUTE, to: midnight + DAY })).toEqual([]);
});

test("a damaged log that a reader meets while it runs is refused, not served as an older version", async () => {
  const directory = temporaryDirectory();
  const writer = await openTemporary(directory);
  const reader = await openTemporary(directory, { access: "read" });
  await writer.append([EUR]);
  await writer.flush();
  expect(await reader.quotes(NOON, NOON + 1)).toEqual([EUR]);
  await writer.append([LATER]);
  await writer.flush();
  const commit = `${directory}/intraday/_delta_log/00000000000000000002.json`;
  const text = readFileSync(commit, "utf8");
  writeFileSync(commit, text.slice(0, -10));
  await expect(reader.quotes(NOON, NOON + 1)).rejects.toMatchObject(REFUSED);
  await expect(reader.state(NOON, NOON + 1)).rejects.toMatchObject(REFUSED);
  writeFileSync(commit, text);
  expect(await reader.quotes(NOON, NOON + DAY)).toEqual([EUR, LATER]);
});
