/** A damaged file of a date: what needs it is refused, everything else is answered, and no quote is lost over it. */

import { describe, expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import type { BarQuery } from "#domain/history/periods.ts";
import { parseDay } from "#domain/time/day.ts";
import type { Archive, ArchiveOptions } from "#store/archive/archive.ts";
import { segmentsOnDisk } from "#store/archive/journal/journal.ts";
import { selectOf } from "#store/archive/quotes.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { flip } from "#test/store/delta/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, DAY, HOUR, lineOf, MINUTE, openTemporary, quote, stored } from "./sample.ts";
import { checkFiles, filesInLog, partOf, versionOf } from "./table-log.ts";

const NOON = at("2026-03-02T12:00:00Z");
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
