/** File exports by the settings: what DuckDB may use for them, and where finished files are cached. */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Config } from "#config.ts";
import { selectOf } from "#store/archive/access.ts";
import type { Archive } from "#store/archive/archive.ts";
import { openExports } from "#store/export/exports.ts";
import type { Emit } from "#telemetry.ts";

/** What DuckDB may take for exports; DuckDB's own, beside what the process has. */
const EXPORT_MEMORY_MEGABYTES = 320;

export function exportsOf(config: Config, lakeDirectory: string, archive: Archive, emit: Emit) {
  return openExports({
    directory: join(config.dataDir, "exports"),
    sources: [lakeDirectory],
    archiveSelect: (plan) => selectOf(archive, plan),
    atOnce: config.exportConcurrency,
    waiting: config.exportQueue,
    threads: Math.max(1, availableParallelism() - 1),
    memoryMegabytes: EXPORT_MEMORY_MEGABYTES,
    keptBytes: config.exportCacheBytes,
    emit,
  });
}
