/** A conversion that is killed: the next start takes it up, wherever it ended. */

import { describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expectConverted, oldArchive, oldFile, oldFilesIn } from "./old-archive.ts";
import { openTemporary } from "./temporary.ts";

const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);

describe.each(["with", "without"])("%s its manifest, a conversion that is killed", (how) => {
  test(`is taken up by the next start, wherever it ended (KILL_SEED=${SEED})`, async () => {
    const random = seededRandom(SEED);
    let unfinished = 0;
    for (let round = 0; round < 8; round++) {
      const directory = oldArchive();
      if (how === "without") rmSync(join(directory, "intraday/manifest.json"));
      for (let kills = 0; kills < 3; kills++) {
        await killAfterSome(directory, random);
        if (oldFilesIn(directory).length > 0) unfinished += 1;
      }
      await expectConverted(directory);
    }
    console.log(`conversion kill test: seed ${SEED}, ${unfinished} of 24 kills before the end`);
  }, 60_000);

  test("is taken up where it had committed and removed some of the old files", async () => {
    const directory = oldArchive();
    if (how === "without") rmSync(join(directory, "intraday/manifest.json"));
    const copied = temporaryDirectory();
    cpSync(directory, copied, { recursive: true });
    await (await openTemporary(directory, { access: "read" })).close();
    // The state just before the last steps: the table is there, and so is a part of what it was made from.
    const marker = how === "with" ? "manifest.json" : ".converting";
    if (how === "with") copyFileSync(join(copied, "intraday", marker), join(directory, "intraday", marker));
    else writeFileSync(join(directory, "intraday", marker), "");
    copyFileSync(oldFile(copied, "2026-03-03"), oldFile(directory, "2026-03-03"));
    await expectConverted(directory);
    expect(existsSync(join(directory, "intraday", marker))).toBe(false);
  });
});

/** Kills a process that opens the archive, at a random instant of that. */
async function killAfterSome(directory: string, random: () => number): Promise<void> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "reader-child.ts"), directory, "0", "1"], {
    stdout: "ignore",
    stderr: "ignore",
  });
  await Bun.sleep(60 + random() * 240);
  child.kill("SIGKILL");
  await child.exited;
}
