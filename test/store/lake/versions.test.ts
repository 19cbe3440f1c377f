/** Older versions of the lake: readable unchanged within the retention, and unknown afterwards. */

import { expect, test } from "bun:test";
import type { LakeRecord } from "#ports.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { change, firstChange, lines, openedLake, secondChange } from "./sample.ts";

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
