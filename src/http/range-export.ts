/** GET /v1/range as a file: daily rates, quotes or bars, with what the answer says about itself. */

import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import { type Day, formatDay, formatInstant } from "#domain/day.ts";
import type { ExportFormat } from "#domain/export-plan.ts";
import type { BarsDeps } from "#rates/bars.ts";
import { type ExportRange, planExport } from "#rates/export.ts";
import { type ArchiveExport, planArchiveExport } from "#rates/export-archive.ts";
import type { RangeDeps } from "#rates/range.ts";
import { type ExportDeps, sendExport } from "./export.ts";

interface Form {
  readonly format: ExportFormat;
  readonly estimate: boolean;
}

/** Failures as for the JSON pages, and those of sendExport. */
export async function exportRates(
  deps: RangeDeps & ExportDeps,
  request: Request,
  query: ExportRange & Form,
): Promise<Response> {
  const { asOf, syncFrom, plan, identity } = planExport(deps, query);
  const headers = {
    ...(asOf === null ? {} : { "X-As-Of": `${formatInstant(asOf.instant)}; basis=${asOf.basis}` }),
    ...(syncFrom === null ? {} : { "X-Sync-From": formatInstant(syncFrom) }),
  };
  const { interval = "1d", format, estimate } = query;
  const suffix = [...(interval === "1d" ? [] : [interval]), ...(query.updatedAfter ? ["changes"] : [])];
  return await sendExport(deps, request, {
    ...{ plan, identity, format, estimate, headers },
    fileName: fileName(query, suffix),
  });
}

/** Quotes or bars. Failures as for the JSON pages, and those of sendExport. */
export async function exportArchive(
  deps: BarsDeps & ExportDeps,
  request: Request,
  query: ArchiveExport & Form,
): Promise<Response> {
  const { plan, identity, quotes } = await planArchiveExport(deps, query);
  const { format, estimate, interval } = query;
  return await sendExport(deps, request, {
    ...{ plan, identity, format, estimate, quotes },
    fileName: fileName(query, [interval]),
  });
}

interface Named {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
}

function fileName({ base, symbols, start, end }: Named, suffix: readonly string[]): string {
  const names = symbols.length > 3 ? `${symbols.length}-symbols` : symbols.map(currencyCode).join("-");
  return ["crossrate", currencyCode(base), names, formatDay(start), formatDay(end), ...suffix].join("_");
}
