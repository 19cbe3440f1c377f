/** The traps of the two drivers, tried on both: 64-bit integers, text that must stay as it is. */

import { expect, test } from "bun:test";
import type { Engine } from "#store/ledger/engine/engine.ts";
import { openPostgres } from "#store/ledger/engine/postgres.ts";
import { integer, text } from "#store/ledger/engine/rows.ts";
import { openSqlite } from "#store/ledger/engine/sqlite.ts";
import { type Bench, onBothLedgers } from "#test/store/ledger/ledgers.ts";

async function withEngine(bench: Bench, work: (engine: Engine) => Promise<void>): Promise<void> {
  const { place } = bench;
  const engine =
    "url" in place
      ? openPostgres({ url: place.url, connections: 2 })
      : await openSqlite(`${place.directory}/values.sqlite`);
  try {
    await engine.write((transaction) =>
      transaction.run("CREATE TABLE v (name TEXT PRIMARY KEY, n BIGINT, t TEXT)"),
    );
    await work(engine);
  } finally {
    await engine.close();
  }
}

onBothLedgers("values", (bench) => {
  test("integers up to 2^53 - 1 come back as they are, and one beyond is refused on the way in and on the way out", () =>
    withEngine(bench, async (engine) => {
      const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number;
      for (const number of [0, -1, 2 ** 31, Date.UTC(2026, 10, 20), MAX_SAFE_INTEGER, MIN_SAFE_INTEGER]) {
        await engine.write((transaction) =>
          transaction.run("INSERT INTO v (name, n) VALUES ($1, $2)", String(number), number),
        );
        const [row] = await engine.read.rows("SELECT n FROM v WHERE n = $1", number);
        expect(row === undefined ? row : integer(row, "n")).toBe(number);
      }
      const tooLarge = engine.write((transaction) => transaction.run("UPDATE v SET n = $1", 2 ** 53));
      await expect(tooLarge).rejects.toThrow("below 2^53");
      const broken = engine.write((transaction) => transaction.run("UPDATE v SET n = $1", 0.5));
      await expect(broken).rejects.toThrow(RangeError);
      await engine.write((transaction) =>
        transaction.run("UPDATE v SET n = 9007199254740993 WHERE name = '0'"),
      );
      const [row] = await engine.read.rows("SELECT n FROM v WHERE name = '0'");
      expect(() => integer(row ?? {}, "n")).toThrow("below 2^53");
      const [sum] = await engine.read.rows("SELECT count(*) AS n FROM v WHERE n < 0");
      expect(sum === undefined ? sum : integer(sum, "n")).toBe(2);
    }));

  test("text comes back character for character", () =>
    withEngine(bench, async (engine) => {
      const quoted = ["a'b\"c\\d", "$1 ?1 :x", '{"a":[1,"b"]}'];
      for (const value of ["", " ", ...quoted, "Ünïcødé 💶 ‮", "1e5", "x".repeat(100_000)]) {
        await engine.write(async (transaction) => {
          await transaction.run("DELETE FROM v");
          await transaction.run("INSERT INTO v (name, t) VALUES ('a', $1)", value);
        });
        const [row] = await engine.read.rows("SELECT t FROM v WHERE t = $1", value);
        expect(row === undefined ? row : text(row, "t")).toBe(value);
      }
    }));

  test("a transaction that throws leaves nothing, and readers never see one that is under way", () =>
    withEngine(bench, async (engine) => {
      const failed = engine.write(async (transaction) => {
        await transaction.run("INSERT INTO v (name) VALUES ('lost')");
        expect(await engine.read.rows("SELECT name FROM v")).toEqual([]);
        throw new Error("after all not");
      });
      await expect(failed).rejects.toThrow("after all not");
      expect([...(await engine.read.rows("SELECT name FROM v"))]).toEqual([]);
      // The next one is not a part of it.
      await engine.write((transaction) => transaction.run("INSERT INTO v (name) VALUES ('kept')"));
      expect(await engine.read.rows("SELECT name FROM v")).toHaveLength(1);
    }));

  test("a mistake in a statement is reported as it is, not as an outage", async () => {
    const fault = bench.ledger().keys.markUsed([{ id: "key_a", at: Number.NaN }]);
    await expect(fault).rejects.toThrow(RangeError);
    expect(bench.emitted()).toEqual([]);
  });
});
