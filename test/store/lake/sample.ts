/** Small lakes for the tests: observations from one line each, and a reader that knows nothing of the product. */

import { DuckDBInstance } from "@duckdb/node-api";
import type { HeldFigure } from "#domain/collection.ts";
import type { CurrencyCode } from "#domain/currency.ts";
import { type Day, parseDay } from "#domain/day.ts";
import type { Observation } from "#domain/observation.ts";
import type { LakeChange } from "#ports.ts";

/** Milliseconds of 2026-01-05T15:00:00Z: when the sample documents were retrieved. */
export const RETRIEVED = Date.UTC(2026, 0, 5, 15);

export function day(text: string): Day {
  return parseDay(text) as Day;
}

/** 1 EUR = `printed` of `quote`, from a document called `name`. */
export function observation(
  date: string,
  quote: CurrencyCode,
  printed: string,
  more: Partial<Observation> & { readonly name?: string } = {},
): Observation {
  const { name = "first", ...rest } = more;
  return {
    source: "ecb_daily",
    date: day(date),
    base: "EUR",
    quote,
    printed,
    decimals: 4,
    observedAt: Date.parse(`${date}T13:15:00Z`),
    publishedAt: null,
    retrievedAt: RETRIEVED,
    revision: 1,
    document: `https://example.org/${name}.xml`,
    documentSha256: "0a".repeat(32),
    ...rest,
  };
}

export function held(date: string, quote: CurrencyCode, printed: string): HeldFigure {
  const { revision: _, ...figure } = observation(date, quote, printed);
  return { ...figure, rule: "decimal_slip", reason: `${printed} is 10 times the last accepted value` };
}

export function change(part: Partial<LakeChange>): LakeChange {
  return { accepted: [], withdrawn: [], held: [], coverage: [], ...part };
}

/** A change across two sources, four partitions, with a revision, a withdrawal and a held figure when applied after `firstChange`. */
export function secondChange(): LakeChange {
  const later = { retrievedAt: RETRIEVED + 86_400_000, name: "second" };
  return change({
    accepted: [
      observation("2024-12-30", "NOK", "11.5829", { ...later, revision: 2 }),
      observation("2025-01-03", "USD", "1.0299", later),
      observation("2023-12-29", "USD", "1.1050", later),
    ],
    withdrawn: [
      {
        ...observation("2025-01-02", "USD", "1.0321", { retrievedAt: later.retrievedAt, name: "second" }),
        revision: 1,
        publishedAt: null,
      },
    ],
    held: [held("2025-01-03", "NOK", "117.000")],
    coverage: [{ source: "ecb_daily", coveredThrough: day("2025-01-03"), retrievedAt: later.retrievedAt }],
  });
}

export function firstChange(): LakeChange {
  return change({
    accepted: [
      observation("2024-12-30", "NOK", "11.8529"),
      observation("2024-12-30", "USD", "1.0444"),
      observation("2025-01-02", "NOK", "11.7445"),
      observation("2025-01-02", "USD", "1.0321"),
      observation("2025-01-02", "USD", "1.0290", { source: "fred_daily", base: "EUR" }),
      observation("2025-01-02", "TWD", "32.90", { source: "fred_daily", base: "USD", decimals: 2 }),
    ],
    coverage: [{ source: "ecb_daily", coveredThrough: day("2025-01-02"), retrievedAt: RETRIEVED }],
  });
}

/** Runs SQL in a DuckDB of its own, as an analyst would; rows as objects of plain values. */
export async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Current and superseded rows as text, without what differs from run to run. */
export async function contents(directory: string): Promise<{ current: string[]; superseded: string[] }> {
  const lines = async (table: string, columns: string) => {
    const glob = `${directory}/${table}/*/*/*.parquet`;
    if (Array.from(new Bun.Glob(`${table}/*/*/*.parquet`).scanSync(directory)).length === 0) return [];
    const rows = await query(
      `SELECT concat_ws(' ', ${columns}) AS line FROM read_parquet('${glob}', union_by_name = true, hive_partitioning = false) ORDER BY ALL`,
    );
    return rows.map(({ line }) => String(line));
  };
  const key = "source, date, base, quote, revision, printed";
  return { current: await lines("daily", key), superseded: await lines("superseded", `${key}, why`) };
}
