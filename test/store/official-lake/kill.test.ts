/** kill -9 at random instants of publishing and copying: the table is whole at every look, and the next run makes it the ledger's. */

import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openLedger } from "#store/ledger/ledger.ts";
import { DOF, FIX } from "#test/official/collected.ts";
import { killedChild } from "#test/support/killed-child.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expected, from, openCopy, stored } from "./copies.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 6);
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
const LONGEST_LIFE_MILLISECONDS = 900;
const CHILD = join(import.meta.dir, "copy-child.ts");

test(
  `${ROUNDS} copying processes killed at random (KILL_SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const directory = temporaryDirectory();
    const lake = join(directory, "lake");
    mkdirSync(lake);
    for (let round = 0; round < ROUNDS; round++) {
      await killedChild(CHILD, [directory, String(round)], random() * LONGEST_LIFE_MILLISECONDS);
      const left = openCopy(lake);
      const snapshot = left.table.latest();
      // Whatever the process was doing: what the log names is there and intact.
      expect(await left.table.verifier.audit(snapshot?.files.values() ?? [])).toEqual([]);
      const newId = (prefix: string) => `${prefix}${crypto.randomUUID()}`;
      const ledger = await openLedger({ directory }, { emit: () => {}, newId, clock: Date });
      const wanted = await expected(ledger, [FIX, DOF]);
      // Every line that was copied is one of the ledger's, once: the copy is never ahead.
      const before = await stored(lake);
      expect(new Set(before).size).toBe(before.length);
      const all = new Set(wanted);
      expect(before.filter((line) => !all.has(line))).toEqual([]);
      if (round % 2 === 1 || round === ROUNDS - 1) {
        const next = openCopy(lake);
        await next.follow(from(ledger));
        expect(await stored(lake)).toEqual([...wanted]);
        expect(next.emitted).toEqual([]);
      }
      await ledger.close();
    }
  },
  20_000 + ROUNDS * 5_000,
);
