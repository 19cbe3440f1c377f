/** Older versions of the lake: readable unchanged within the retention, and unknown afterwards. */

import { expect, test } from "bun:test";
import type { LakeRecord } from "#ports.ts";
import { openLake } from "#store/lake/lake.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { add, change, firstChange, lines, observation, openedLake, secondChange } from "./sample.ts";

test("an older version is read as it was, also by a process that comes later; one that never was is null", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const first = await lake.commit(() => firstChange());
  const before = await lake.read();
  const second = await lake.commit(() => secondChange());
  await lake.commit(() => change({ ...secondChange(), accepted: [], withdrawn: [], held: [] }));
  await lake.close();
  const again = await openedLake(directory);
  const older = await again.at(first);
  expect(lines(older as LakeRecord)).toEqual(lines(before));
  expect(older).toMatchObject({
    version: first,
    held: [],
    superseded: [],
    coverage: before.coverage,
    damaged: [],
  });
  expect((await again.at(second))?.held).toEqual(secondChange().held as never);
  expect((await again.at(second))?.superseded).toHaveLength(2);
  for (const never of [`9-${first.split("-")[1]}`, `${first.split("-")[0]}-zz`, "x", "", `${first}-damaged1`])
    expect(await again.at(never)).toBeNull();
});

test("older versions are readable within the retention, and unknown afterwards", async () => {
  let now = Date.UTC(2026, 0, 6);
  const options = { directory: temporaryDirectory(), simulated: false, retentionDays: 7, now: () => now };
  const lake = await openLake(options);
  const versions = [await lake.commit(() => firstChange())];
  for (let day = 1; day <= 12; day++) {
    now += 86_400_000;
    const figure = observation(`2025-02-${String(day).padStart(2, "0")}`, "USD", `1.03${day + 10}`);
    // Every fourth day the other tables change, too.
    const corrected =
      day % 4 === 0 ? [observation("2025-01-02", "USD", `1.04${day}`, { revision: day / 4 + 1 })] : [];
    versions.push(await add(lake, { accepted: [figure, ...corrected] }));
    await lake.upkeep();
  }
  for (const opened of [lake, await openLake(options)]) {
    for (const [day, version] of versions.entries()) {
      const older = await opened.at(version);
      if (day >= 12 - 7) {
        expect(older?.observations.count).toBe(6 + day);
        expect(older?.superseded).toHaveLength(Math.floor(day / 4));
      } else if (day < 12 - 8) expect(older).toBeNull();
    }
    expect((await opened.read()).observations.count).toBe(18);
    expect((await opened.read()).superseded).toHaveLength(3);
  }
  const kept = Array.from(new Bun.Glob("daily/**/part-*.parquet").scanSync(options.directory));
  expect(kept.length).toBeLessThan(14);
});
