/** The lake for the commands that verify and repair it. They do not open the product, which damage may prevent. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "#config.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { repairArchive } from "#store/archive/upkeep.ts";
import { sentenceOf } from "#store/delta/damage.ts";
import { repairDaily, surveyLake } from "#store/lake/maintain.ts";
import { DAILY } from "#store/lake/tables.ts";
import { repairOfficial } from "#store/official-lake/official-lake.ts";
import { resumeHistory } from "./history.ts";
import { LAKE_TABLES, onFreshCopy } from "./storage.ts";

export interface TableReport {
  readonly table: string;
  /** Null when its log cannot be read. */
  readonly version: number | null;
  readonly files: number;
  readonly rows: number;
  /** One sentence a fault. */
  readonly faults: readonly string[];
}

/** Every table of the lake, read whole; of a lake in a bucket what is there. Empty where there is no lake. */
export async function verifyLake(
  { dataDir, storage = null }: Pick<Config, "dataDir"> & Partial<Pick<Config, "storage">>,
  progress: (table: string, done: number, total: number) => void,
): Promise<readonly TableReport[]> {
  const surveys =
    storage === null
      ? await surveyLake(lakeOf(dataDir), LAKE_TABLES, progress)
      : await onFreshCopy({ dataDir, storage }, async (directory, opened) => {
          const found = await surveyLake(directory, LAKE_TABLES, progress, opened);
          const { address } = opened.state();
          return found.map((one) => ({
            ...one,
            log: one.log.map((line) => line.replaceAll(directory, address)),
          }));
        });
  return surveys.map(({ log, damaged, ...facts }) => ({
    ...facts,
    faults: [...log, ...damaged.map(sentenceOf)],
  }));
}

export interface LakeRepair {
  /** One sentence a step; empty when there is nothing to repair. */
  readonly steps: readonly string[];
  readonly collectAgain: readonly DailySource[];
}

/** Says what a repair does, or does it; see repairDaily and repairArchive. Rejects for a lake in a bucket. */
export async function repairLake(
  config: Pick<Config, "dataDir" | "lakeSigningKeys" | "storage">,
  now: number,
  apply: boolean,
): Promise<LakeRepair> {
  const { dataDir, storage } = config;
  if (storage !== null)
    throw new Error(
      `LAKE_URL=s3://${storage.bucket}/${storage.prefix}: a lake in a bucket is repaired in a directory; docs/lake.md, "A lake in a bucket", says how`,
    );
  const directory = lakeOf(dataDir);
  if (!existsSync(join(directory, DAILY.name))) return { steps: [], collectAgain: [] };
  const quotes = await repairArchive(directory, "real", now, apply);
  const publications = await repairOfficial(directory, "real", now, apply);
  const { steps, collectAgain } = await repairDaily(directory, "real", now, apply);
  const signed = await resumeHistory(config, now, apply);
  return { steps: [...steps, ...quotes, ...publications, ...signed], collectAgain };
}

function lakeOf(dataDir: string): string {
  return resolve(join(dataDir, "lake"));
}
