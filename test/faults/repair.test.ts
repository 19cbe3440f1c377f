/** A repair that is killed at any step: no start takes the lake for whole, and the repair after it has everything collected again. */

import { expect, test } from "bun:test";
import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { LakeDamaged } from "#store/delta/damage.ts";
import { repairDaily } from "#store/lake/maintain.ts";
import { flip } from "#test/store/delta/sample.ts";
import { copyOf, firstChange, loggedFiles, openedLake, secondChange } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const [CHILD, PRELOAD] = [join(import.meta.dir, "repair-child.ts"), join(import.meta.dir, "kill-preload.ts")];
/** Effects of a repair: 60 where a data file is damaged, 100 where a log is. */
const DEATHS = [6, 14, 27, 41, 55, 78, 95];

const DAMAGES: Readonly<Record<string, (directory: string) => void>> = {
  "a data file": (directory) =>
    flip(loggedFiles(directory, "daily").find((path) => path.includes("year=2024")) as string, 300),
  "the log of daily": (directory) => flip(join(directory, "daily/_delta_log/00000000000000000002.json"), 300),
  "the log of revisions": (directory) =>
    flip(join(directory, "revisions/_delta_log/00000000000000000001.json"), 300),
};

async function damagedLake(damage: (directory: string) => void): Promise<string> {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  await lake.commit(firstChange);
  await lake.commit(secondChange);
  await lake.close();
  damage(directory);
  return directory;
}

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`a repair of ${name}`, async () => {
    const template = await damagedLake(damage);
    for (const at of DEATHS) {
      const directory = copyOf(template);
      const killed = Bun.spawnSync([process.execPath, "--preload", PRELOAD, CHILD, directory], {
        env: { ...process.env, KILL_AT: String(at), KILL_HALF: "0" },
      });
      const hasEnded = killed.stdout.toString().includes("repaired");
      const again = await repairDaily(directory, Date.now(), false);
      if (!hasEnded) {
        expect({ at, again: again.collectAgain }).toMatchObject({
          at,
          again: expect.arrayContaining(["ecb_daily"]),
        });
        const start = openedLake(directory).then((lake) => lake.read());
        if (name !== "a data file" || again.steps.some((step) => step.includes("has not ended")))
          await expect(start).rejects.toBeInstanceOf(LakeDamaged);
        await repairDaily(directory, Date.now(), true);
      }
      const lake = await openedLake(directory);
      const { coverage, damaged } = await lake.read();
      expect({ at, coverage, damaged }).toMatchObject({ at, coverage: [{ coveredThrough: 0 }], damaged: [] });
      await lake.close();
      expect(await repairDaily(directory, Date.now(), false)).toEqual({ steps: [], collectAgain: [] });
    }
  });
}

test("a version of a follower that daily names and that is gone is given up", async () => {
  const directory = await damagedLake(() => {});
  const lake = await openedLake(directory);
  const { revisions } = lake.tables;
  await revisions.log.writeHead({ table: revisions.latest()?.metaData.id as string, version: 0 });
  await lake.close();
  unlinkSync(join(directory, "revisions/_delta_log/00000000000000000001.json"));
  expect((await repairDaily(directory, Date.now(), true)).collectAgain).toEqual(["ecb_daily", "fred_daily"]);
  expect((await (await openedLake(directory)).read()).damaged).toEqual([]);
});
