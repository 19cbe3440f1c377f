/** Damage in the daily tables: which files, what is read without them, and which changes are refused beside them. */

import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import { yearOf } from "#domain/time/day.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";
import type { Add } from "#store/delta/actions.ts";
import { type DamagedFile, LakeDamaged, sentenceOf } from "#store/delta/damage.ts";
import { filesOf } from "#store/delta/snapshot.ts";
import { loadCached, saveCached } from "./column-cache.ts";
import { loadRecord } from "./read.ts";
import { coverageIn, type DailyTables, recordKey, retrievalsIn, type State, TABLE_NAMES } from "./state.ts";

/** A damaged file, as its table and its log know it. */
export interface Found {
  readonly add: Add;
  readonly damage: DamagedFile;
  readonly table: DamagedFigures["table"];
}

/** The files of a state that do not match the log; only files that changed since are read again. */
export async function damageOf(tables: DailyTables, state: State): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const table of TABLE_NAMES) {
    for (const add of filesOf(state[table])) {
      const damage = await tables[table].verifier.check(add);
      if (damage !== null) found.push({ add, damage, table });
    }
  }
  return found;
}

/** From the cache where it is of this very state, else from the Parquet files; without the damaged ones. */
export async function readRecord(
  directory: string,
  tables: DailyTables,
  state: State,
  damaged: readonly Found[],
): Promise<LakeRecord> {
  const leftOut = new Set(damaged.map(({ add }) => add));
  if (leftOut.size === 0) {
    const cached = loadCached(directory, recordKey(state));
    if (cached !== null)
      return { ...cached, coverage: coverageIn(state), retrievals: retrievalsIn(state), damaged: [] };
    const record = await loadRecord(directory, tables, state, leftOut);
    saveCached(directory, record, recordKey(state));
    return { ...record, damaged: [] };
  }
  const record = await loadRecord(directory, tables, state, leftOut);
  // A record without some files is not the version that it would be with them.
  const paths = damaged.map(({ damage }) => damage.path).join("\n");
  const version = `${record.version}-damaged${Bun.hash(paths).toString(36)}`;
  return { ...record, version, damaged: damaged.map(figuresOf) };
}

function figuresOf({ damage, table }: Found): DamagedFigures {
  const { source, year } = damage.partitionValues;
  return {
    table,
    path: `${table}/${damage.path}`,
    sentence: sentenceOf(damage),
    source: DAILY_SOURCES.find((known) => known === source) ?? null,
    year: year === undefined ? null : Number(year),
  };
}

/** A change is refused where its figures would go into, or were judged against, a year that is damaged. */
export function refuseDamaged(
  damaged: readonly DamagedFigures[],
  change: LakeChange,
  changes: { readonly held: boolean; readonly statements: boolean },
): void {
  for (const { table, path, source, year, sentence } of damaged) {
    const touches = [...change.accepted, ...change.withdrawn].some((figure) => {
      const of = yearOf(figure.date);
      return figure.source === source && year !== null && (of === year || of === year + 1);
    });
    // A list is written as a whole, so what was in the damaged file would be gone.
    if (touches || (table === "held" && changes.held) || (table === "statements" && changes.statements))
      throw new LakeDamaged(path, `${sentence.slice(path.length + 1)}, so nothing is written beside it`);
  }
}
