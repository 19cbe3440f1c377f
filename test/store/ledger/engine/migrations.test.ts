/** Migrations: applied in order, once, under a lock; a newer or edited one stops the start and changes nothing. */

import { expect, test } from "bun:test";
import { LedgerMismatch } from "#domain/account/ledger.ts";
import { MIGRATIONS, type Migration } from "#store/ledger/engine/open-engine.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { NOON, onBothLedgers, optionsOf } from "#test/store/ledger/ledgers.ts";
import { emptyDatabase } from "./shared-postgres.ts";

/** So many after the last one of this release. */
const more = (after: number, text: string): Migration => {
  const number = MIGRATIONS.length + after;
  return { number, name: `${String(number).padStart(4, "0")}-test`, text };
};
const ADD = more(
  1,
  "-- A table; for the test.\nCREATE TABLE extra (\n  id TEXT PRIMARY KEY\n);\nINSERT INTO extra VALUES ('a;b');\n",
);

onBothLedgers(
  "migrations",
  (bench) => {
    const recorded = () => bench.sql("SELECT applied_at FROM schema_migrations");

    test("a later release adds its own, also when eight processes start it at once", async () => {
      const migrations = [...MIGRATIONS, ADD];
      await Promise.all(Array.from({ length: 8 }, () => bench.another({ migrations })));
      expect(await bench.sql("SELECT id FROM extra")).toEqual([{ id: "a;b" }]);
      const times = (await recorded()).map((row) => Number(row["applied_at"]));
      expect(times).toEqual(migrations.map(() => NOON));
      const older = bench.another();
      await expect(older).rejects.toThrow(LedgerMismatch);
      await expect(older).rejects.toThrow(`${ADD.name} was applied by a newer release`);
    });

    test("one that was edited after its release stops the start", async () => {
      const [first, ...rest] = MIGRATIONS as [Migration, ...Migration[]];
      const edited = bench.another({
        migrations: [{ ...first, text: `${first.text}\n-- edited\n` }, ...rest],
      });
      await expect(edited).rejects.toThrow(
        /^.*: 0001-tables was applied with another text .*: start the version that made/,
      );
    });

    test("one that fails leaves nothing of itself or of those before it", async () => {
      const migrations = [
        ...MIGRATIONS,
        ADD,
        more(2, "CREATE TABLE broken (id TEXT PRIMARY KEY);\nINSERT INTO nowhere VALUES (1);\n"),
      ];
      await expect(bench.another({ migrations })).rejects.toThrow("nowhere");
      expect(await recorded()).toHaveLength(MIGRATIONS.length);
      await expect(bench.sql("SELECT id FROM extra")).rejects.toThrow("extra");
      await bench.another({ migrations: [...MIGRATIONS, ADD] });
      expect(await recorded()).toHaveLength(MIGRATIONS.length + 1);
    });
  },
  emptyDatabase,
);

test("a directory that cannot be made is a ledger out of reach", async () => {
  const impossible = openLedger({ directory: "/proc/nowhere/ledger" }, optionsOf());
  await expect(impossible).rejects.toThrow("the ledger is unavailable");
});
