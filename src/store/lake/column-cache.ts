/** The record of a lake as one binary file, so that a start needs no DuckDB. */

import { join } from "node:path";
import type { ObservationColumns } from "#domain/history/history.ts";
import type { LakeRecord } from "#ports.ts";
import { readCache, writeCache } from "#store/disk/binary-cache.ts";

/** Begins with a dot and ends otherwise: no reader of the lake takes it for data. */
const CACHE_FILE = ".columns.cache";

const COLUMNS = [
  ["units", Float64Array],
  ["observedAt", Float64Array],
  ["retrievedAt", Float64Array],
  ["publishedAt", Float64Array],
  ["date", Int32Array],
  ["revision", Uint16Array],
  ["source", Uint8Array],
  ["base", Uint8Array],
  ["quote", Uint8Array],
  ["scale", Uint8Array],
  ["decimals", Uint8Array],
] as const;

interface Facts extends Pick<LakeRecord, "version" | "held" | "superseded" | "statements"> {
  readonly count: number;
}

/** The record of the state that `key` names, without its coverage and retrievals; null where there is no intact cache of it. */
export function loadCached(
  directory: string,
  key: string,
): Omit<LakeRecord, "coverage" | "retrievals" | "damaged"> | null {
  return readCache(join(directory, CACHE_FILE), keyOf(key), ({ count, ...facts }: Facts, section) => {
    const arrays = Object.fromEntries(
      COLUMNS.map(([name, Column]) => [name, new Column(section(name) ?? [])]),
    );
    const { publishedAt, ...columns } = arrays;
    return {
      ...facts,
      publishedAt: publishedAt as Float64Array,
      observations: { count, ...columns } as unknown as ObservationColumns,
    };
  });
}

export function saveCached(directory: string, record: Omit<LakeRecord, "damaged">, key: string): void {
  const { observations, publishedAt, held, superseded, statements, version } = record;
  const facts: Facts = { version, count: observations.count, held, superseded, statements };
  const arrays = { ...observations, publishedAt };
  const sections = COLUMNS.map(([name]) => [name, arrays[name]] as const);
  writeCache(join(directory, CACHE_FILE), keyOf(key), facts, sections);
}

/** With the version of this layout. */
function keyOf(key: string): string {
  return `6 ${key}`;
}
