/** The lake for the commands that verify and repair it. They do not open the product, which damage may prevent. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "#config.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { INTRADAY } from "#store/archive/table.ts";
import { repairArchive } from "#store/archive/upkeep.ts";
import { sentenceOf } from "#store/delta/damage.ts";
import { repairDaily, surveyLake } from "#store/lake/maintain.ts";
import { DAILY, HELD, REVISIONS, STATEMENTS } from "#store/lake/tables.ts";
import { repairOfficial } from "#store/official-lake/official-lake.ts";
import { OFFICIAL } from "#store/official-lake/table.ts";

const TABLES = [DAILY, REVISIONS, HELD, STATEMENTS, INTRADAY, OFFICIAL];

export interface TableReport {
  readonly table: string;
  /** Null when its log cannot be read. */
  readonly version: number | null;
  readonly files: number;
  readonly rows: number;
  /** One sentence a fault. */
  readonly faults: readonly string[];
}

/** Every table of the lake, read whole. Empty where there is no lake. */
export async function verifyLake(
  { dataDir }: Pick<Config, "dataDir">,
  progress: (table: string, done: number, total: number) => void,
): Promise<readonly TableReport[]> {
  const surveys = await surveyLake(lakeOf(dataDir), TABLES, progress);
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

/** Says what a repair does, or does it; see repairDaily and repairArchive. */
export async function repairLake(
  { dataDir }: Pick<Config, "dataDir">,
  now: number,
  apply: boolean,
): Promise<LakeRepair> {
  const directory = lakeOf(dataDir);
  if (!existsSync(join(directory, DAILY.name))) return { steps: [], collectAgain: [] };
  const quotes = await repairArchive(directory, "real", now, apply);
  const publications = await repairOfficial(directory, "real", now, apply);
  const { steps, collectAgain } = await repairDaily(directory, "real", now, apply);
  return { steps: [...steps, ...quotes, ...publications], collectAgain };
}

function lakeOf(dataDir: string): string {
  return resolve(join(dataDir, "lake"));
}
