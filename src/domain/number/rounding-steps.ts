/** Periods in which an authority rounded a series to a step that is no power of ten. A dated table, from the printed figures. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { type Day, parseDay } from "#domain/time/day.ts";

/** Figures of the period that are multiples of mantissa × 10^exponent are rounded to it; the others are printed finer. */
export interface CoarseStep {
  readonly source: DailySource;
  /** The side that is not the pivot of the source. */
  readonly currency: CurrencyCode;
  /** Both days inclusive; `to` is null where the step was still in use when the table was made. */
  readonly from: Day;
  readonly to: Day | null;
  readonly mantissa: 2 | 5;
  readonly exponent: number;
}

/**
 * Ordered by source, currency and date. A period is listed when at least five of six of its figures (19 of 20 for a step
 * of 2) are multiples of the step, its first and last figures are, and of at least 18 figures whose digit at that place is
 * not zero two thirds fit the step, where chance gives one of nine (four of nine for a step of 2). Read out of the ECB's
 * whole history to 2026-04-13 and the H.10 series of TWD to 2020-10-09. Shorter runs cannot be told from chance.
 */
export const COARSE_STEPS: readonly CoarseStep[] = [
  step("ecb_daily", "GBP", "2001-01-02", "2016-01-15", 5, -5),
  step("ecb_daily", "INR", "2016-04-04", "2016-06-28", 5, -4),
  step("ecb_daily", "INR", "2016-08-19", "2021-06-14", 5, -4),
  step("ecb_daily", "INR", "2021-06-28", "2022-11-09", 5, -4),
  step("ecb_daily", "INR", "2022-12-06", "2025-03-03", 5, -4),
  step("ecb_daily", "INR", "2025-05-05", null, 5, -4),
  step("ecb_daily", "ISK", "2008-10-08", "2008-12-09", 5, 0),
  step("ecb_daily", "ISK", "2018-06-19", "2018-08-27", 2, -1),
  step("ecb_daily", "ISK", "2021-07-21", "2021-09-20", 2, -1),
  step("ecb_daily", "ISK", "2021-10-05", "2022-03-07", 2, -1),
  step("ecb_daily", "ISK", "2025-05-21", "2026-02-17", 2, -1),
  step("ecb_daily", "NOK", "1999-01-04", "2016-01-25", 5, -4),
  step("ecb_daily", "NOK", "2023-02-22", null, 5, -4),
  step("ecb_daily", "PLN", "2009-01-05", "2009-03-19", 5, -4),
  step("ecb_daily", "SEK", "1999-01-05", "2000-10-20", 5, -4),
  step("ecb_daily", "SEK", "2008-12-02", "2009-02-17", 5, -4),
  step("ecb_daily", "SEK", "2023-02-24", "2023-05-09", 5, -4),
  step("ecb_daily", "SEK", "2023-06-20", "2024-02-29", 5, -4),
  step("ecb_daily", "SEK", "2024-05-17", null, 5, -4),
  step("ecb_daily", "TRY", "2006-04-07", "2006-06-19", 5, -4),
  step("fred_daily", "TWD", "2004-08-31", "2005-04-19", 5, -3),
];

function step(
  source: DailySource,
  currency: CurrencyCode,
  from: string,
  to: string | null,
  mantissa: CoarseStep["mantissa"],
  exponent: number,
): CoarseStep {
  return {
    source,
    currency,
    from: parseDay(from) as Day,
    to: to === null ? null : parseDay(to),
    mantissa,
    exponent,
  };
}
