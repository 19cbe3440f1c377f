/** A disk that fills up in the middle of a commit: a clear error, nothing accepted lost, and everything works again once there is room. */

import { expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { formatDay } from "#domain/time/day.ts";
import { openLake } from "#store/lake/lake.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  change,
  contents,
  copyOf,
  day,
  firstChange,
  leftovers,
  loggedContents,
  loggedFiles,
  observation,
  secondChange,
} from "./sample.ts";

const DISK_BYTES = 1024 * 1024;
/** What a file on the small disk takes at the least. */
const PAGE_BYTES = 4096;
const disk = smallDisk("a disk that fills up", DISK_BYTES);

/** Six years of ten currencies, of changing digits: more than the disk holds beside the filler. */
function largeChange() {
  const quotes: readonly CurrencyCode[] = [
    "USD",
    "JPY",
    "GBP",
    "CHF",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "HUF",
  ];
  const accepted = [];
  for (let date = day("2019-01-01"); date < day("2025-01-01"); date++) {
    for (const [column, quote] of quotes.entries()) {
      const digits = String(1000 + ((date * 7919 + column * 104_729) % 9000));
      accepted.push(observation(formatDay(date), quote, `${column + 1}.${digits}`, { name: "large" }));
    }
  }
  return change({ accepted });
}

test.skipIf(!disk.isMounted)(
  "a large commit that finds no room fails by name and leaves nothing behind; with room again it completes",
  async () => {
    const directory = join(disk.path, "large");
    const lake = await openLake({ directory, simulated: false });
    await lake.commit(() => firstChange());
    const before = await contents(directory);

    const filler = join(disk.path, "filler");
    disk.fill(filler, 120 * 1024);
    expect(lake.commit(() => largeChange())).rejects.toThrow(/no space left/i);
    expect(await contents(directory)).toEqual(before);
    expect(await loggedContents(directory)).toMatchObject(before);
    expect((await lake.read()).observations.count).toBe(before.current.length);
    expectNothingLeft(directory);

    rmSync(filler);
    await lake.commit(() => largeChange());
    const { current } = await contents(directory);
    const large = largeChange().accepted.map(
      ({ date, quote, printed }) => `ecb_daily ${formatDay(date)} EUR ${quote} 1 ${printed}`,
    );
    const accepted = new Set([...before.current, ...large].map((line) => line.replace(/ \S+$/, "")));
    expect(current.map((line) => line.replace(/ \S+$/, ""))).toEqual([...accepted].sort());
    expect((await lake.read()).observations.count).toBe(current.length);
    await lake.close();
    rmSync(directory, { recursive: true });
  },
  30_000,
);

test.skipIf(!disk.isMounted)(
  "wherever the room ends, a commit is there as a whole or not at all, and with room again it completes",
  async () => {
    const template = temporaryDirectory();
    const made = await openLake({ directory: template, simulated: false });
    await made.commit(() => firstChange());
    await made.close();
    const before = await loggedContents(template);
    const complete = copyOf(template);
    const second = await openLake({ directory: complete, simulated: false });
    await second.commit(() => secondChange());
    await second.close();
    const after = await loggedContents(complete);
    const filler = join(disk.path, "filler");
    const directory = join(disk.path, "small");
    let [failed, fitted] = [0, false];
    for (let pages = 0; !fitted; pages++) {
      cpSync(template, directory, { recursive: true });
      const lake = await openLake({ directory, simulated: false });
      disk.fill(filler, pages * PAGE_BYTES);
      const fault = await lake
        .commit(() => secondChange())
        .then(
          () => null,
          (thrown: unknown) => String(thrown),
        );
      rmSync(filler);
      fitted = fault === null;
      if (fault !== null) {
        failed += 1;
        expect(fault).toMatch(/no space left|disk is full/i);
        const { current } = await loggedContents(directory);
        const isThere = Bun.deepEquals(current, after.current);
        if (!isThere) expect(current).toEqual(before.current);
        const { superseded, held } = await lake.read();
        expect([superseded.length, held.length]).toEqual(isThere ? [2, 1] : [0, 0]);
      }
      await lake.commit(() => secondChange());
      expect(await loggedContents(directory)).toEqual(after);
      expect(await contents(directory)).toEqual({ current: after.current, superseded: after.superseded });
      expect(leftovers(directory)).toEqual([]);
      await lake.close();
      rmSync(directory, { recursive: true });
    }
    // Files of data, then commits and what says how far they reach.
    expect(failed).toBeGreaterThan(8);
  },
  60_000,
);

/** No temporary file, and no file of data that no commit names. */
function expectNothingLeft(directory: string): void {
  expect(leftovers(directory)).toEqual([]);
  for (const table of ["daily", "revisions", "held"]) {
    const found = new Bun.Glob(`${table}/**/part-*.parquet`).scanSync(directory);
    expect(Array.from(found, (path) => join(directory, path)).sort()).toEqual(loggedFiles(directory, table));
  }
}
