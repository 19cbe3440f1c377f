/** Small lakes for the tests: observations from one line each, and a reader independent of the product. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Observation } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import type { Lake, LakeChange, LakeRecord } from "#ports.ts";
import { type LakeOptions, type OpenedLake, openLake } from "#store/lake/lake.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

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

/** A dollar of its own for each number: so many days after 2025-01-01. */
export function figureAt(number: number, quote: CurrencyCode = "USD"): Observation {
  const date = day("2025-01-01") + number;
  return { ...observation("2025-01-01", quote, `1.${1000 + number}`), date };
}

export function held(date: string, quote: CurrencyCode, printed: string): HeldFigure {
  const { revision: _, ...figure } = observation(date, quote, printed);
  return { ...figure, rule: "decimal_slip", reason: `${printed} is 10 times the last accepted value` };
}

/** Closed at the end of the process where a test has not closed it. */
export async function openedLake(
  directory = temporaryDirectory(),
  options: Partial<LakeOptions> = {},
): Promise<OpenedLake> {
  const lake = await openLake({ directory, simulated: false, ...options });
  atEnd(lake.close);
  return lake;
}

export function change(part: Partial<LakeChange>): LakeChange {
  return { accepted: [], withdrawn: [], held: [], coverage: [], ...part };
}

/** Commits `part` beside the coverage and the held figures that the lake has. */
export function add(lake: Lake, part: Partial<LakeChange>): Promise<string> {
  return lake.commit(({ coverage, held }) => change({ coverage, held, ...part }));
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
    statements: [
      {
        source: "ecb_daily",
        route: "sdmx",
        base: "EUR",
        quote: "NOK",
        first: day("2025-01-03"),
        last: day("2025-01-03"),
        says: "value",
        printed: "117.000",
        since: 1_776_000_000_000,
      },
    ],
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

let analyst: Promise<DuckDBConnection> | null = null;

/** Runs SQL in a DuckDB that is not the product's, as an analyst would; rows as objects of plain values. */
export async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  analyst ??= (async () => {
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const connection = await instance.connect();
    // Tests replace files faster than modification times resolve.
    await connection.run("SET enable_external_file_cache = false");
    atEnd(() => {
      analyst = null;
      connection.closeSync();
      instance.closeSync();
    });
    return connection;
  })();
  return (await (await analyst).runAndReadAll(sql)).getRowObjectsJson();
}

/** Current and superseded rows as text, without what differs from run to run, by the plain files for other readers. */
export async function contents(directory: string): Promise<{ current: string[]; superseded: string[] }> {
  const lines = async (table: string, columns: string) => {
    const files = Array.from(new Bun.Glob(`current/${table}/*/*/*.parquet`).scanSync(directory));
    return await linesOf(
      files.map((path) => join(directory, path)),
      columns,
    );
  };
  return { current: await lines("daily", KEY), superseded: await lines("revisions", `${KEY}, why`) };
}

const KEY = "source, date, base, quote, revision, printed";

/** The same by the logs, read as the Delta protocol defines them. */
export async function loggedContents(
  directory: string,
): Promise<{ current: string[]; superseded: string[]; held: string[] }> {
  const lines = (table: string, columns: string) => linesOf(loggedFiles(directory, table), columns);
  return {
    current: await lines("daily", KEY),
    superseded: await lines("revisions", `${KEY}, why`),
    held: await lines("held", "source, date, base, quote, printed, rule"),
  };
}

/** Data files of a table at a version, by its commits from the first one on. */
export function loggedFiles(directory: string, table: string, version = Number.POSITIVE_INFINITY): string[] {
  const folder = join(directory, table, "_delta_log");
  const files = new Set<string>();
  for (const name of readdirSync(folder).sort()) {
    if (!/^\d{20}\.json$/.test(name) || Number(name.slice(0, 20)) > version) continue;
    for (const line of readFileSync(join(folder, name), "utf8").trimEnd().split("\n")) {
      const { add, remove } = JSON.parse(line);
      if (add !== undefined) files.add(add.path);
      if (remove !== undefined) files.delete(remove.path);
    }
  }
  return [...files].sort().map((path) => join(directory, table, path));
}

async function linesOf(files: readonly string[], columns: string): Promise<string[]> {
  if (files.length === 0) return [];
  const list = files.map((path) => `'${path}'`).join(", ");
  const rows = await query(
    `SELECT concat_ws(' ', ${columns}) AS line FROM read_parquet([${list}], hive_partitioning = true) ORDER BY ALL`,
  );
  return rows.map(({ line }) => String(line));
}

/** A copy of a lake as it lies there: two names of one file stay that. */
export function copyOf(directory: string, copy = temporaryDirectory()): string {
  const { success } = Bun.spawnSync(["cp", "-a", `${directory}/.`, copy]);
  if (!success) throw new Error(`${directory} could not be copied`);
  return copy;
}

/** Names of everything in a lake that a writer leaves behind only when it dies. */
export function leftovers(directory: string): string[] {
  return Array.from(new Bun.Glob("**/*.tmp").scanSync({ cwd: directory, dot: true })).sort();
}

/** `source date base quote units/scale` of every current observation. */
export function lines({ observations }: LakeRecord): string[] {
  return Array.from({ length: observations.count }, (_, row) =>
    [
      observations.source[row],
      formatDay(observations.date[row] as number),
      observations.base[row],
      observations.quote[row],
      `${observations.units[row]}/${observations.scale[row]}`,
    ].join(" "),
  );
}
