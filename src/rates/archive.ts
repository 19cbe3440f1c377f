/** The intraday archive as a caller's plan shows it, and the windows that bars and quotes are read for. */

import { currencyCode } from "#domain/currency/currency.ts";
import { Failure, refuseReversed } from "#domain/faults/errors.ts";
import { formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { Clock, QuoteArchive } from "#ports.ts";
import type { RatesWindow } from "./query.ts";

export interface ArchiveDeps {
  readonly archive: QuoteArchive | null;
  readonly clock: Clock;
  /** Quotes of this instant and after are not served; null or absent: all are. */
  readonly publishedUntil?: Instant | null;
}

/** The archive; Failure `invalid_request` on a server without one. */
export function archiveOf({ archive, clock, publishedUntil = null }: ArchiveDeps): QuoteArchive {
  if (archive !== null)
    return publishedUntil === null ? archive : archiveUntil(archive, publishedUntil, clock.now());
  throw new Failure("invalid_request", {
    reason: "this server keeps no intraday quotes; leave interval out for daily rates",
  });
}

/** Whole UTC days; `to` is exclusive. Failure `invalid_request` for a reversed window, or a symbol that is the base. */
export function windowOf({ base, symbols, start, end }: RatesWindow): { from: Instant; to: Instant } {
  if (symbols.includes(base)) {
    throw new Failure("invalid_request", {
      reason: `${currencyCode(base)} is the base: quotes and bars are of two currencies`,
    });
  }
  refuseReversed({ start, end });
  return { from: start * MILLISECONDS_PER_DAY, to: (end + 1) * MILLISECONDS_PER_DAY };
}

export function noQuotesIn({ start, end }: Pick<RatesWindow, "start" | "end">): Failure {
  return new Failure("no_data_for_date", {
    wording:
      "the intraday archive has no such quote from {first} to {last}; leave interval out for daily rates",
    first: formatDay(start),
    last: formatDay(end),
  });
}

const MINUTE = 60_000;

/** Instant from which quotes are withheld, or null without a delay. It is a whole minute: requests of one minute share files. */
export function publishedUntil(now: Instant, delayMinutes: number | undefined): Instant | null {
  if (delayMinutes === undefined || delayMinutes === 0) return null;
  return (Math.floor(now / MINUTE) - delayMinutes) * MINUTE;
}

function archiveUntil(archive: QuoteArchive, until: Instant, now: Instant): QuoteArchive {
  return {
    ...archive,
    bars: async (query) => {
      const width = query.widthSeconds * 1000;
      const start = Math.floor(until / width) * width;
      // A bar that has ended is left out while its last quotes are withheld: it would look complete. A running bar is shown.
      const end = start + width <= now ? start : until;
      return query.from >= end ? [] : await archive.bars({ ...query, to: Math.min(query.to, end) });
    },
    quotes: async (from, to) => (from >= until ? [] : await archive.quotes(from, Math.min(to, until))),
    newest: async (from, to) => (from >= until ? [] : await archive.newest(from, Math.min(to, until))),
  };
}
