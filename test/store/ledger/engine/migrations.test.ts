/** Migrations: applied in order, once, under a lock; a newer or edited one stops the start and changes nothing. */

import { expect, test } from "bun:test";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { LedgerMismatch } from "#domain/account/ledger.ts";
import { MIGRATIONS, type Migration } from "#store/ledger/engine/migrations/list.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { NOON, onBothLedgers, optionsOf } from "#test/store/ledger/ledgers.ts";
import { claiming, DELIVERED, OK } from "#test/store/ledger/publications/publishing.ts";
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

test("every file of the folder is in the list, in order and without gaps", () => {
  const files = readdirSync(`${import.meta.dir}/../../../../src/store/ledger/engine/migrations`)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files);
  expect(MIGRATIONS.map(({ number, name }) => [number, Number(name.slice(0, 4))])).toEqual(
    MIGRATIONS.map((_, nth) => [nth + 1, nth + 1]),
  );
});

onBothLedgers(
  "migrations",
  (bench) => {
    const recorded = () =>
      bench.sql("SELECT number, name, applied_at FROM schema_migrations ORDER BY number");

    test("are recorded with their time, and applied once", async () => {
      await bench.another();
      const rows = await recorded();
      expect(rows.map((row) => [Number(row["number"]), row["name"], Number(row["applied_at"])])).toEqual(
        MIGRATIONS.map(({ number, name }) => [number, name, NOON]),
      );
    });

    test("a later release adds its own, also when eight processes start it at once", async () => {
      const migrations = [...MIGRATIONS, ADD];
      await Promise.all(Array.from({ length: 8 }, () => bench.another({ migrations })));
      expect(await bench.sql("SELECT id FROM extra")).toEqual([{ id: "a;b" }]);
      expect(await recorded()).toHaveLength(MIGRATIONS.length + 1);
      const older = bench.another();
      await expect(older).rejects.toThrow(LedgerMismatch);
      await expect(older).rejects.toThrow(`${ADD.name} was applied by a newer release`);
    });

    test("one that was edited after its release stops the start", async () => {
      const [first, ...rest] = MIGRATIONS as [Migration, ...Migration[]];
      const edited = bench.another({
        migrations: [{ ...first, text: `${first.text}\n-- edited\n` }, ...rest],
      });
      await expect(edited).rejects.toThrow("0001-accounts was applied with another text");
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

    test("0004 preserves deliveries with their attempts, and frees what an older release had claimed", async () => {
      if (!("directory" in bench.place)) await bench.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
      else for (const name of readdirSync(bench.place.directory)) rmSync(join(bench.place.directory, name));
      const older = await bench.another({ migrations: MIGRATIONS.slice(0, 3) });
      await older.close();
      const insert = async (table: string, ...values: readonly (string | number | null)[]) => {
        const literals = values.map((value) => (typeof value === "string" ? `'${value}'` : String(value)));
        await bench.sql(`INSERT INTO ${table} VALUES (${literals.join(", ")})`);
      };
      await insert("identities", "idn_1", null, null, null, null, null, "user", NOON, null);
      const none = [null, null, null, null];
      await insert("organizations", "org_1", "idn_1", "pro", "active", ...none, 0, NOON);
      await insert(
        "webhook_endpoints",
        "whe_1",
        "org_1",
        "https://a.example/",
        "",
        1,
        1,
        "{}",
        NOON,
        NOON,
        0,
      );
      const deliveries = [
        ["whd_done", "delivered", 1, null, null, null],
        ["whd_due", "pending", 0, NOON, NOON, null],
        ["whd_claimed", "pending", 1, NOON - 1, NOON + 30_000, "clm_old"],
      ] as const;
      for (const [nth, [id, state, attempts, dueAt, readyAt, token]] of deliveries.entries()) {
        await insert(
          "webhook_events",
          nth + 1,
          `evt_${nth}`,
          "official.published",
          "mex_fix",
          null,
          NOON,
          "{}",
        );
        const times = [dueAt, readyAt, token, NOON];
        await insert("webhook_deliveries", id, "org_1", "whe_1", nth + 1, state, attempts, ...times);
        if (attempts > 0) await insert("webhook_attempts", id, 1, NOON, 500, null, 12, "203.0.113.7");
      }
      const ledger = await bench.another();
      const found = await ledger.outbox.deliveries("whe_1", "org_1", 9);
      expect(found.map(({ id, state, dueAt, tries }) => [id, state, dueAt, tries.length])).toEqual([
        ["whd_claimed", "pending", NOON - 1, 1],
        ["whd_due", "pending", NOON, 0],
        ["whd_done", "delivered", null, 1],
      ]);
      const claimed = await ledger.outbox.claim(claiming());
      expect(claimed.map(({ id }) => id)).toEqual(["whd_claimed", "whd_due"]);
      for (const one of claimed) expect(await ledger.outbox.complete(one, OK, DELIVERED, NOON)).toBe(true);
      expect(await ledger.outbox.prune(NOON + 1)).toBe(3);
      expect(await bench.sql("SELECT delivery_id FROM webhook_attempts")).toEqual([]);
    });

    test("the embedded file is for its owner alone", () => {
      if (!("directory" in bench.place)) return;
      const { directory } = bench.place;
      for (const name of readdirSync(directory).filter((one) => one.startsWith("ledger.sqlite"))) {
        expect([name, statSync(`${directory}/${name}`).mode & 0o077]).toEqual([name, 0]);
      }
    });
  },
  emptyDatabase,
);

test("a directory that cannot be made is a ledger out of reach", async () => {
  const impossible = openLedger({ directory: "/proc/nowhere/ledger" }, optionsOf());
  await expect(impossible).rejects.toThrow("the ledger is unavailable");
});
