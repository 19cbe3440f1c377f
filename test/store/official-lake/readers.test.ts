/** Readers that never saw the product find the publications as published: Delta Lake, pandas, Polars, PyArrow, DuckDB. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "#test/clients/process.ts";
import { CUSTOMS, collectedForEach, FIX } from "#test/official/collected.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { from, openCopy } from "./copies.ts";

const python = optionalPython(
  ["deltalake", "pandas", "polars", "duckdb", "pyarrow"],
  "official publications read by Delta Lake, pandas, Polars, PyArrow and DuckDB",
);
const world = collectedForEach();

describe.skipIf(python === null)("the table of publications", () => {
  test("is read by all of them, in its newest version and in an older one", async () => {
    const copy = openCopy();
    await world.publish(FIX, "2026-04-10", { rate: "17.3400" });
    await world.publish(CUSTOMS, "2026-05", {
      validFrom: "2026-05-01",
      validTo: "2026-05-31",
      rate: "0.0570",
    });
    await copy.follow(from(world.ledger));
    await world.publish(FIX, "2026-04-10", { version: 2, rate: "17.3500" });
    await copy.follow(from(world.ledger));
    const out = await run([python ?? "", join(import.meta.dir, "readers.py"), copy.directory]);
    const dollar = (table: string, publication: string, version: number, printed: string) => [
      table,
      publication,
      version,
      "USD",
      Number(printed),
      printed,
      1,
      "mid",
    ];
    expect(JSON.parse(out)).toEqual({
      version: 2,
      partitions: ["table_id"],
      rows: [
        dollar("gbr_customs", "2026-05", 1, "0.0570"),
        dollar("mex_fix", "2026-04-10", 1, "17.3400"),
        dollar("mex_fix", "2026-04-10", 2, "17.3500"),
      ],
      valid_from: ["2026-05-01", "2026-04-10", "2026-04-10"],
      retrieved_at: ["2026-05-01T12:00:00Z", "2026-04-10T12:00:00Z", "2026-04-10T12:00:00Z"].map(Date.parse),
      older: 2,
      of_one: 2,
      pandas: 3,
      polars: 3,
      pyarrow: 2,
      newest: [
        ["gbr_customs", "2026-05", 1, "USD", 0.057],
        ["mex_fix", "2026-04-10", 2, "USD", 17.35],
      ],
    });
  }, 30_000);
});
