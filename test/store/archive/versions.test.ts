/** Versions of the archive's table: a flush is one commit, files never change, old ones stay for a day and then go. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { parseDay } from "#domain/time/day.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, DAY, MINUTE, quote, stored } from "./sample.ts";
import { checkFiles, filesInLog, partsOnDisk, versionOf } from "./table-log.ts";
import { openTemporary } from "./temporary.ts";

const NOON = at("2026-03-02T12:00:00Z");

/** The `nth` quote of a day, a minute after the one before. */
function nthQuote(nth: number, day = 0): LiveQuote {
  return quote("USD/EUR", `0.8${String(nth).padStart(4, "0")}`, NOON + day * DAY + nth * MINUTE);
}

/** An archive whose clock the test moves. */
async function openAt(instant: number, directory = temporaryDirectory()) {
  const clock = { at: instant };
  const archive = await openTemporary(directory, { now: () => clock.at });
  const flush = async (...quotes: readonly LiveQuote[]) => {
    await archive.append(quotes);
    return await archive.flush();
  };
  return { directory, clock, archive, flush };
}

describe("a flush", () => {
  test("is one commit: one new file a date, and the one before it is no longer in the table", async () => {
    const { directory, flush } = await openAt(NOON);
    expect(versionOf(directory)).toBe(0);
    await flush(nthQuote(0), nthQuote(0, 1));
    const before = filesInLog(directory);
    expect(before.map(({ date, rows }) => [date, rows])).toEqual([
      ["2026-03-02", 1],
      ["2026-03-03", 1],
    ]);
    await flush(nthQuote(1));
    expect(versionOf(directory)).toBe(2);
    const after = filesInLog(directory);
    expect(after.map(({ date, rows }) => [date, rows])).toEqual([
      ["2026-03-02", 2],
      ["2026-03-03", 1],
    ]);
    expect(after[0]?.path).not.toBe(before[0]?.path as string);
    expect(after[1]?.path).toBe(before[1]?.path as string);
    checkFiles(directory);
  });
});

describe("upkeep", () => {
  test("removes what was replaced more than a day ago, and nothing younger", async () => {
    const { directory, clock, archive, flush } = await openAt(NOON);
    await flush(nthQuote(0));
    clock.at = NOON + 1000;
    await flush(nthQuote(1));
    clock.at = NOON + 2000;
    await flush(nthQuote(2));
    expect(partsOnDisk(directory).length).toBe(3);

    clock.at = NOON + DAY + 999;
    expect(await archive.upkeep()).toEqual({ files: 0, bytes: 0 });
    clock.at = NOON + DAY + 1000;
    expect((await archive.upkeep()).files).toBe(1);
    clock.at = NOON + DAY + 2000;
    const removed = await archive.upkeep();
    expect(removed.files).toBe(1);
    expect(removed.bytes).toBeGreaterThan(0);
    expect(partsOnDisk(directory)).toEqual(filesInLog(directory).map(({ path }) => path));
    expect((await stored(directory)).length).toBe(3);
    checkFiles(directory);
  });

  test("of a date that retention removed takes the files and the folder, a day later", async () => {
    const { directory, clock, archive, flush } = await openAt(NOON + DAY);
    await flush(nthQuote(0), nthQuote(0, 1));
    expect(await archive.retain(1, NOON + DAY)).toEqual([parseDay("2026-03-02") as number]);
    await archive.upkeep();
    expect(partsOnDisk(directory).length).toBe(2);
    clock.at += DAY;
    expect((await archive.upkeep()).files).toBe(1);
    const dates = readdirSync(join(directory, "intraday")).filter((name) => name.startsWith("date="));
    expect(dates).toEqual(["date=2026-03-03"]);
    checkFiles(directory);
  });
});

test("an older file below current/ is set right when the archive is opened", async () => {
  const { directory, archive, flush } = await openAt(NOON);
  await flush(nthQuote(0), nthQuote(0, 1));
  const path = join(directory, "current/intraday/date=2026-03-02/quotes.parquet");
  const old = readFileSync(path);
  await flush(nthQuote(1));
  await archive.close();
  await Bun.write(`${path}.older`, old);
  renameSync(`${path}.older`, path);
  await (await openTemporary(directory, { access: "read" })).close();
  checkFiles(directory);
});
