/** For guarantees that do not depend on the database: the same bench as on both ledgers, on SQLite only. */

import { afterEach, beforeEach, describe } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ledger } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { type Bench, optionsOf } from "#test/store/ledger/ledgers.ts";

export function onSqlite(name: string, promises: (bench: Pick<Bench, "ledger" | "another">) => void): void {
  describe(name, () => {
    let directory = "";
    let all: Ledger[] = [];
    const another: Bench["another"] = async (options = {}) => {
      const ledger = await openLedger({ directory }, { ...optionsOf(), ...options });
      all.push(ledger);
      return ledger;
    };
    beforeEach(async () => {
      directory = mkdtempSync(join(tmpdir(), "crossrate-billing-"));
      await another();
    });
    afterEach(async () => {
      await Promise.all(all.map((ledger) => ledger.close()));
      all = [];
      rmSync(directory, { recursive: true, force: true });
    });
    promises({ ledger: () => all[0] as Ledger, another });
  });
}
