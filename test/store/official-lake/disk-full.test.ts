/** A disk without room for a copy: the run fails, leaves nothing behind, and what was copied before stays; with room again it completes. */

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { collectedForEach, FIX } from "#test/official/collected.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { dataFiles, expected, from, openCopy, rowsOf, stored } from "./copies.ts";

const disk = smallDisk("publications copied to a disk that is full", 1024 * 1024);
const world = collectedForEach();

test.skipIf(!disk.isMounted)("a copy that gets more and more room", async () => {
  const directory = join(disk.path, "lake");
  const copy = openCopy(directory);
  await world.publish(FIX, "2026-04-09", { rows: rowsOf(1, 7) });
  await copy.follow(from(world.ledger));
  const before = await stored(directory);
  await world.publish(FIX, "2026-04-10", { rows: rowsOf(2, 7) });
  const filler = join(disk.path, "filler");
  const { version } = copy.table.latest() ?? {};
  let failed = 0;
  // With room for the commit alone it is there although the run failed: then the next one finds nothing to do.
  for (let room = 0; copy.table.latest()?.version === version; room += 4096) {
    disk.fill(filler, room);
    await copy.follow(from(world.ledger)).catch(() => (failed += 1));
    rmSync(filler);
    const { files, removed } = copy.table.latest() ?? {};
    const known = [...(files?.keys() ?? []), ...(removed?.keys() ?? [])].map((path) => `official/${path}`);
    expect(dataFiles(directory)).toEqual(known.sort());
    expect(await copy.audit()).toEqual([]);
    if (copy.table.latest()?.version === version) expect(await stored(directory)).toEqual([...before]);
  }
  expect(failed).toBeGreaterThan(1);
  await copy.follow(from(world.ledger));
  expect(await stored(directory)).toEqual([...(await expected(world.ledger))]);
});
