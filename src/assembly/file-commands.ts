/** What commands do to files without a server: they write an export, and compact the lake. */

import type { Query } from "#api/parameters.ts";
import { readSeries } from "#api/range/parameters.ts";
import type { Config } from "#config.ts";
import type { ExportFormat } from "#domain/history/export-plan.ts";
import { openFile } from "#rates/export/export.ts";
import type { Archive } from "#store/archive/archive.ts";
import { compactAll, flushUnowned, type Span } from "#store/archive/upkeep.ts";
import type { OpenedLake } from "#store/lake/lake.ts";
import type { OfficialLake } from "#store/official-lake/official-lake.ts";

interface FileCommandParts {
  readonly deps: Parameters<typeof openFile>[0] & { readonly archive: Archive };
  readonly archiveAt: Parameters<typeof flushUnowned>[0];
  readonly lake: Pick<OpenedLake, "upkeep">;
  readonly officialLake: Pick<OfficialLake, "upkeep"> | null;
  readonly intradayDays: Config["intradayDays"];
}

export function fileCommands({ deps, archiveAt, lake, officialLake, intradayDays }: FileCommandParts) {
  return {
    /** The bytes that GET /v1/range sends for a query with these names; of the journal only what no server owns. */
    exportFile: async (query: Query, format: ExportFormat, signal: AbortSignal) => {
      const flushed = { ...deps.archive, flush: () => flushUnowned(archiveAt) };
      return openFile({ ...deps, archive: flushed }, readSeries(query), format, signal);
    },
    /** See `compactAll`; the other tables get their checkpoint and lose their old versions, too. */
    compact: async (span: Pick<Span, "from" | "to">, progress: Span["progress"]) => {
      const all = { ...span, now: deps.clock.now(), keptDays: intradayDays, progress };
      const report = await compactAll(deps.archive, archiveAt, all);
      await lake.upkeep();
      await officialLake?.upkeep();
      return report;
    },
  };
}
