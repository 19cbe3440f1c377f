/** A lake of the first layout out of one of today's: one file of a fixed name a partition, and manifests beside them. */

import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { DAILY_SOURCES } from "#domain/currency/source.ts";

const NUMBERS = "scale::UTINYINT AS scale, decimals::UTINYINT AS decimals, revision::USMALLINT AS revision";
const DECIMALS =
  "decimals::UTINYINT AS decimals, bid_decimals::UTINYINT AS bid_decimals, ask_decimals::UTINYINT AS ask_decimals";

/** Writes the lake at `to`. The quotes in the journal of the other one come along. */
export async function writeOldLayout(from: string, to: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    const files = currentFiles(from);
    const daily: object[] = [];
    const quotes: object[] = [];
    for (const path of files) {
      const [table, ...rest] = path.split("/") as [string, ...string[]];
      const target = [table === "revisions" ? "superseded" : table, ...rest].join("/");
      const selected =
        table === "held"
          ? "* REPLACE (decimals::UTINYINT AS decimals)"
          : table === "intraday"
            ? `* EXCLUDE (decimals, bid_decimals, ask_decimals), ${DECIMALS}`
            : `* EXCLUDE (scale, decimals, revision), ${NUMBERS}, '${rest[0]?.slice("source=".length)}' AS source`;
      const entry = await copy(connection, join(from, "current", path), join(to, target), selected);
      (table === "intraday" ? quotes : daily).push({ path: target, ...entry });
    }
    const coverage = DAILY_SOURCES.map((source) => ({
      source,
      covered_through: "2025-12-30",
      retrieved_at: "2026-01-05T15:00:00.000Z",
    }));
    const base = { format: 1, mode: "real", sequence: 7 };
    writeFileSync(
      join(to, "manifest.json"),
      JSON.stringify({ ...base, version: "7-0", coverage, files: daily }),
    );
    mkdirSync(join(to, "intraday"), { recursive: true });
    writeFileSync(join(to, "intraday/manifest.json"), JSON.stringify({ ...base, files: quotes }));
    cpSync(join(from, "intraday/.journal"), join(to, "intraday/.journal"), { recursive: true });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function currentFiles(lake: string): readonly string[] {
  const root = join(lake, "current");
  if (!existsSync(root)) return [];
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

async function copy(
  connection: DuckDBConnection,
  from: string,
  to: string,
  selected: string,
): Promise<object> {
  mkdirSync(dirname(to), { recursive: true });
  const select = `SELECT ${selected} FROM read_parquet('${from}', hive_partitioning = false)`;
  await connection.run(`COPY (${select}) TO '${to}' (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd)`);
  const sha256 = new Bun.CryptoHasher("sha256").update(await Bun.file(to).bytes()).digest("hex");
  return { bytes: statSync(to).size, sha256 };
}
