/** A generated intraday archive of any size, in the layout that the product writes: 30 pairs on USD, 1,500 quotes each a day. */

import { DuckDBInstance } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { dayOf, formatDay } from "#domain/time/day.ts";
import { ROW_GROUP_ROWS } from "#store/archive/changes.ts";
import { filesByDate, INTRADAY } from "#store/archive/table.ts";
import type { Mode } from "#store/delta/schema.ts";
import { openTable } from "#store/delta/table.ts";
import { writeFiles } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { quoted } from "#store/parquet/engine.ts";

const PAIRS = CURRENCY_CODES.filter((code) => code !== "USD");
export const QUOTES_A_DAY = PAIRS.length * 1_500;
export const FIRST_DAY = dayOf(2023, 1, 2) as number;
/** Dates of a commit. */
const AT_ONCE = 25;

/**
 * Writes `days` dates into the table of a lake, the ones that are there already left alone; `progress` is called with how
 * many are done. Prices walk slowly, with the digits that feeds deliver. `current/` is made when the archive is opened.
 */
export async function generateQuotes(
  lake: string,
  days: number,
  progress: (done: number) => void,
  { first = FIRST_DAY, mode = "real" as Mode } = {},
): Promise<void> {
  makeFolder(lake);
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`CREATE TABLE pairs AS SELECT unnest([${PAIRS.map(quoted).join(", ")}]) AS quote`);
  await connection.run(
    "ALTER TABLE pairs ADD COLUMN level DOUBLE; UPDATE pairs SET level = exp(hash(quote) % 1000 / 130.0 - 0.2)",
  );
  const table = openTable(lake, INTRADAY, mode);
  let snapshot = table.latest() ?? (await table.commit(null, [], "CREATE TABLE", Date.now()));
  for (let done = 0; done < days; done += AT_ONCE) {
    const there = filesByDate(snapshot);
    const files = Array.from({ length: Math.min(AT_ONCE, days - done) }, (_, nth) => done + nth)
      .filter((nth) => !there.has(first + nth))
      .map((nth) => {
        const date = formatDay(first + nth);
        return {
          partition: { date },
          write: (target: string) => connection.run(daySql(date, nth, target)),
        };
      });
    if (files.length > 0) {
      const now = Date.now();
      const adds = await writeFiles(table, connection, files, now);
      const actions = adds.map((add) => ({ add }));
      snapshot = await table.commit(snapshot, actions, "WRITE", now);
    }
    progress(Math.min(done + AT_ONCE, days));
  }
  connection.closeSync();
  instance.closeSync();
}

function daySql(date: string, day: number, path: string): string {
  return `COPY (
    WITH ticks AS (
      SELECT
        quote, TIMESTAMPTZ '${date} 00:00:00Z' + INTERVAL 1 SECOND * (57.6 * tick)::INTEGER AS observed_at,
        CASE WHEN level < 20 THEN 5 WHEN level < 500 THEN 3 ELSE 2 END AS decimals,
        level * (1 + 0.01 * sin((${day} + tick / 1500.0) / 9 + level) + 0.0004 * ((hash(quote, ${day}, tick) % 1000) / 1000.0 - 0.5)) AS mid
      FROM pairs, range(1500) AS ticks(tick)
    )
    SELECT
      observed_at, observed_at + INTERVAL 1 SECOND AS retrieved_at, 'massive' AS feed, 'USD' AS base, quote,
      round(mid * 0.9999, decimals) AS bid, round(mid * 1.0001, decimals) AS ask,
      round((round(mid * 0.9999, decimals) + round(mid * 1.0001, decimals)) / 2, decimals + 1) AS mid,
      (decimals + 1)::SMALLINT AS decimals,
      NULL::SMALLINT AS bid_decimals, NULL::SMALLINT AS ask_decimals
    FROM ticks ORDER BY base, quote, observed_at
  ) TO ${quoted(path)} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, USE_TMP_FILE false)`;
}
