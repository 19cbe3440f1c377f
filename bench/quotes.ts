/** A made-up intraday archive of any size, in the layout that the product writes: 30 pairs on USD, 1,500 quotes each a day. */

import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency.ts";
import { dayOf, formatDay } from "#domain/day.ts";
import { quoted } from "#store/export/engine.ts";

const PAIRS = CURRENCY_CODES.filter((code) => code !== "USD");
export const QUOTES_A_DAY = PAIRS.length * 1_500;
/** As the archive writes them: store/archive/merge.ts. */
const ROW_GROUP = 4_096;
export const FIRST_DAY = dayOf(2023, 1, 2) as number;

/**
 * Writes `days` dates under `lake`/intraday, the ones that are there already left alone; `progress` hears how many are
 * done. Prices walk slowly, with the digits that feeds deliver.
 */
export async function generateQuotes(
  lake: string,
  days: number,
  progress: (done: number) => void,
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE pairs AS SELECT unnest([${PAIRS.map(quoted).join(", ")}]) AS quote`);
  await connection.run(
    "ALTER TABLE pairs ADD COLUMN level DOUBLE; UPDATE pairs SET level = exp(hash(quote) % 1000 / 130.0 - 0.2)",
  );
  for (let done = 0; done < days; done++) {
    const date = formatDay(FIRST_DAY + done);
    const folder = join(lake, "intraday", `date=${date}`);
    const path = join(folder, "quotes.parquet");
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true });
      await connection.run(daySql(date, done, `${path}.tmp`));
      renameSync(`${path}.tmp`, path);
    }
    progress(done + 1);
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
      (decimals + 1)::UTINYINT AS decimals
    FROM ticks ORDER BY base, quote, observed_at
  ) TO ${quoted(path)} (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP}, USE_TMP_FILE false)`;
}
