/** The rates of one past day, forward-filled over weekends and holidays. */

import { provenanceOf } from "#domain/dataset/dataset.ts";
import { leastFreshRow, rowSource } from "#domain/history/history.ts";
import type { AsOf } from "#domain/history/observation.ts";
import { marketSession } from "#domain/time/calendar.ts";
import { type Day, formatInstant, type Instant } from "#domain/time/day.ts";
import type { LatestQuery } from "./latest.ts";
import { type DailyDeps, everyOther, knownAsOf, missingOf, noRateOn, ratesOn, viewsOfDays } from "./query.ts";

export interface HistoricalQuery extends Pick<LatestQuery, "base" | "symbols" | "dp"> {
  readonly day: Day;
  readonly asOf?: AsOf | null;
}

/** Filled values keep their own observation time. Fails as viewsOfDays, and with `no_data_for_date` without any value. */
export function historical(deps: DailyDeps, query: HistoricalQuery) {
  const { day, base, symbols, dp, asOf = null } = query;
  const { present, view } = viewsOfDays(deps, { base, symbols, start: day, end: day, asOf });
  const rates = ratesOn(view, day, base, symbols);
  if (rates.length === 0) throw noRateOn(present, day, asOf);
  const figures = asOf === null ? [] : rates.flatMap(([, { rows }]) => rows);
  const origin = provenanceOf(view, day, base, rates);
  return {
    base,
    day,
    rates,
    missing: missingOf(
      symbols ?? everyOther(base),
      rates.map(([currency]) => currency),
    ),
    origin,
    dp,
    asOf: knownAsOf(asOf, view.dataset, figures),
    session: marketSession(present.now),
    simulated: origin.simulated,
    /** Source and time of the least fresh figure in the nth rate. */
    leastFresh: (nth: number) => {
      const { history } = view.dataset;
      const row = leastFreshRow(history, rates[nth]?.[1].rows ?? []);
      const observedAt = history.observations.observedAt[row] as Instant;
      return { source: rowSource(history, row), effectiveAt: formatInstant(observedAt) };
    },
  };
}

/** At least one rate; `dp` null: all digits. */
export type HistoricalRates = ReturnType<typeof historical>;
