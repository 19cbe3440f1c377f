/** The reference rates standing on a day, each with the day it was published: what every Frankfurter answer is made of. */

import type { Digits } from "#domain/body.ts";
import { type CurrencyCode, type CurrencyIndex, currencyCode, currencyIndex } from "#domain/currency.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { FILL_DAYS } from "#domain/history.ts";
import type { DailySource, Source } from "#domain/source.ts";
import { historical } from "#rates/historical.ts";
import type { DailyDeps } from "#rates/query.ts";
import type { Origin } from "./answer.ts";

export interface DatedRate {
  readonly code: CurrencyCode;
  /** Printed digits. */
  readonly text: string;
  /** Day of the currency's own figure, or of the base's where that is older. */
  readonly day: Day;
  /** The currency's own source. */
  readonly source: Source | null;
}

export interface Snapshot {
  /** In the order asked for. */
  readonly rates: readonly DatedRate[];
  readonly origin: Origin;
}

const NOTHING: Snapshot = { rates: [], origin: { source: null, dataUpdatedAt: null } };

/**
 * What stands on the day; with `only`, what rests on that source alone. A day ahead of today is read as today while a
 * fill would reach that far. Empty before coverage and where nothing stands. Failure `data_unavailable` before the
 * first ingest.
 */
export function snapshot(
  deps: DailyDeps,
  day: Day,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[],
  only: DailySource | null,
): Snapshot {
  const today = dayAt(deps.clock.now());
  if (day < COVERAGE_START || day > today + FILL_DAYS || symbols.length === 0) return NOTHING;
  const asked = { day: Math.min(day, today), base, dp: null };
  const all = standing(deps, { ...asked, symbols });
  if (all === null) return NOTHING;
  const baseSource = all.sources[currencyCode(base)];
  if (only === null) return { rates: datedRates(all), origin: originOf(all) };
  if (baseSource !== undefined && baseSource !== only) return NOTHING;
  const kept = datedRates(all).filter(({ code }) => all.sources[code] === only);
  if (kept.length === 0) return NOTHING;
  // Asked again for these alone, so that the origin is theirs.
  const own = standing(deps, { ...asked, symbols: kept.map(({ code }) => currencyIndex(code)) });
  return own === null ? NOTHING : { rates: datedRates(own), origin: originOf(own) };
}

type Historical = ReturnType<typeof historical>;

function standing(deps: DailyDeps, query: Parameters<typeof historical>[1]): Historical | null {
  try {
    return historical(deps, query);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "no_data_for_date") return null;
    throw thrown;
  }
}

function datedRates({ base, rates, effective_at, sources }: Historical): DatedRate[] {
  const baseDay = dayOf(effective_at[base]);
  return Object.entries(rates as Readonly<Record<string, Digits>>).map(([code, { text }]) => ({
    code: code as CurrencyCode,
    text,
    day: Math.min(baseDay, dayOf(effective_at[code])),
    source: sources[code] ?? null,
  }));
}

/** Both sources publish on the UTC day that their figures are of. */
function dayOf(instant: string | undefined): Day {
  return instant === undefined ? Number.POSITIVE_INFINITY : dayAt(Date.parse(instant));
}

function originOf({ source, data_updated_at }: Historical): Origin {
  return { source, dataUpdatedAt: data_updated_at };
}
