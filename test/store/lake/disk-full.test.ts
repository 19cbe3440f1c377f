/** A disk that fills up in the middle of a commit: a clear error, nothing accepted lost, and everything works again once there is room. */

import { expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openLake } from "#store/lake/lake.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { contents, copyOf, firstChange, leftovers, loggedContents, secondChange } from "./sample.ts";

const DISK_BYTES = 1024 * 1024;
/** What a file on the small disk takes at the least. */
const PAGE_BYTES = 4096;
const disk = smallDisk("a disk that fills up", DISK_BYTES);

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
);
