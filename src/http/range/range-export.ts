/** A whole window as a file, daily rates, quotes or bars: planned from a query, whether a request or the command line brings it. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type ExportFormat, LAYOUTS } from "#domain/history/export-plan.ts";
import { type Day, formatDay, formatInstant } from "#domain/time/day.ts";
import { choiceOf, type Query } from "#http/request/query.ts";
import type { BarsDeps } from "#rates/bars.ts";
import { planExport } from "#rates/export.ts";
import { planArchiveExport } from "#rates/export-archive.ts";
import type { DailyDeps } from "#rates/query.ts";
import { estimateExport } from "./estimate.ts";
import type { ExportDeps } from "./export.ts";
import type { ExportOrder } from "./order.ts";
import {
  type ArchiveInterval,
  archiveQuery,
  intervalOf,
  isPeriod,
  type Period,
  rangeQuery,
} from "./query.ts";

type PlannedFile = Omit<ExportOrder, "format" | "estimate">;

/** Failures as for the JSON pages, of planExport and of planArchiveExport. */
export async function planFile(deps: DailyDeps & BarsDeps, query: Query): Promise<PlannedFile> {
  const interval = intervalOf(query);
  return interval !== null && !isPeriod(interval)
    ? await planQuotes(deps, query, interval)
    : planRates(deps, query, interval);
}

/** An export without a request: its bytes as they are made, and how much is to be expected. */
export interface OpenedExport {
  readonly bytes: ReadableStream<Uint8Array>;
  /** Null where only an upper bound is known. */
  readonly rows: number | null;
  readonly expectedBytes: number;
}

/** The bytes that the same query gets over HTTP. Failures as of planFile; cancelling the stream or the signal ends the work. */
export async function openFile(
  deps: DailyDeps & BarsDeps & Pick<ExportDeps, "exports">,
  query: Query,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<OpenedExport> {
  const file = await planFile(deps, query);
  const { plan, identity } = file;
  const bytes = await deps.exports.open(
    { identity: `${identity} ${format}`, plan, format, caller: "" },
    signal,
  );
  const estimate = await estimateExport({ ...file, format }, null);
  return { bytes, rows: plan.kind === "rates" ? estimate.rows : null, expectedBytes: estimate.bytes };
}

function planRates(deps: DailyDeps, query: Query, period: Period | null): PlannedFile {
  const layout = choiceOf(query, "layout", LAYOUTS);
  const asked = { ...rangeQuery(query, period), layout };
  const { asOf, syncFrom, plan, identity } = planExport(deps, asked);
  const headers = {
    ...(asOf === null ? {} : { "X-As-Of": `${formatInstant(asOf.instant)}; basis=${asOf.basis}` }),
    ...(syncFrom === null ? {} : { "X-Sync-From": formatInstant(syncFrom) }),
    // Where a source was never collected, the next file of the same address may have more.
    ...(deps.dataset()?.awaited === undefined ? {} : { "Cache-Control": "no-cache, no-transform" }),
  };
  const suffix = [...(period === null ? [] : [period]), ...(asked.updatedAfter ? ["changes"] : [])];
  return { plan, identity, headers, fileName: fileName(asked, suffix) };
}

async function planQuotes(deps: BarsDeps, query: Query, interval: ArchiveInterval): Promise<PlannedFile> {
  const window = archiveQuery(query, interval);
  if (window.cursor !== null) {
    throw new Failure("invalid_request", {
      reason: "a file holds the whole window: send no cursor with a file format",
    });
  }
  const all = query("symbols") === "*";
  const { plan, identity, quotes } = await planArchiveExport(deps, { ...window, all, interval });
  return { plan, identity, quotes, fileName: fileName(window, [interval]) };
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
