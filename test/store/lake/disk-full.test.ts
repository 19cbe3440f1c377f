/** A disk that fills up in the middle of a commit: a clear error, nothing accepted lost, and everything works again once there is room. */

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { CurrencyCode } from "#domain/currency.ts";
import { formatDay } from "#domain/day.ts";
import { openLake } from "#store/lake/lake.ts";
import { smallDisk } from "#test/small-disk.ts";
import { change, contents, day, firstChange, observation } from "./sample.ts";

const DISK_BYTES = 1024 * 1024;
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

test.skipIf(!disk.isMounted).each([4, 40, 120, 200])(
  "with %d kB left the commit fails by name, and with room again it completes",
  async (kilobytesLeft) => {
    const directory = join(disk.path, `lake-${kilobytesLeft}`);
    const lake = await openLake({ directory, simulated: false });
    await lake.commit(() => firstChange());
    const before = await contents(directory);

    const filler = join(disk.path, "filler");
    disk.fill(filler, kilobytesLeft * 1024);
    expect(lake.commit(() => largeChange())).rejects.toThrow(/no space left/i);
    // The same process goes on, and so does one that starts while the disk is still full.
    const readable = (await contents(directory)).current;
    for (const line of before.current) expect(readable).toContain(line);

    rmSync(filler);
    const again = await openLake({ directory, simulated: false });
    await again.commit(() => largeChange());
    const { current } = await contents(directory);
    const large = largeChange().accepted.map(
      ({ date, quote, printed }) => `ecb_daily ${formatDay(date)} EUR ${quote} 1 ${printed}`,
    );
    const accepted = new Set([...before.current, ...large].map((line) => line.replace(/ \S+$/, "")));
    expect(current.map((line) => line.replace(/ \S+$/, ""))).toEqual([...accepted].sort());
    expect((await lake.read()).observations.count).toBe(current.length);
    expect(Array.from(new Bun.Glob("**/*.tmp").scanSync({ cwd: directory, dot: true }))).toEqual([]);
    await lake.close();
    await again.close();
    rmSync(directory, { recursive: true });
  },
  30_000,
);
