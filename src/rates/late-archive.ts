/** The intraday archive as it is shown to callers whose live rates are late: as if nothing newer had been quoted yet. */

import type { Instant } from "#domain/time/day.ts";
import type { QuoteArchive } from "#ports.ts";

const MINUTE = 60_000;

/** Quotes of this instant and after are not shown yet; null where none are late. A whole minute, so that files can be shared. */
export function shownUntil(now: Instant, delayMinutes: number | undefined): Instant | null {
  if (delayMinutes === undefined || delayMinutes === 0) return null;
  return (Math.floor(now / MINUTE) - delayMinutes) * MINUTE;
}

export function archiveUntil(archive: QuoteArchive, until: Instant): QuoteArchive {
  return {
    ...archive,
    bars: async (query) =>
      query.from >= until ? [] : await archive.bars({ ...query, to: Math.min(query.to, until) }),
    quotes: async (from, to) => (from >= until ? [] : await archive.quotes(from, Math.min(to, until))),
    newest: async (from, to) => (from >= until ? [] : await archive.newest(from, Math.min(to, until))),
  };
}
