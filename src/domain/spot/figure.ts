/** One figure behind a spot rate: a live quote or a daily observation, in the same terms. */

import { type CurrencyIndex, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, type Source } from "#domain/currency/source.ts";
import type { View } from "#domain/dataset/dataset.ts";
import { isSimulatedRow } from "#domain/dataset/simulated.ts";
import { relativeError } from "#domain/history/cross.ts";
import { currencyOfRow, type Row } from "#domain/history/history.ts";
import { isStale } from "#domain/history/schedule.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { parseDecimal } from "#domain/number/decimal.ts";
import type { Day, Instant } from "#domain/time/day.ts";

export interface SpotFigure {
  /** The printed digits: units / 10^scale, exactly. */
  readonly units: number;
  readonly scale: number;
  readonly source: Source;
  /** The currency that the figure is about: the side that is not the pivot of its giver. */
  readonly currency: CurrencyIndex;
  /** Who gave it. Rounding bounds an error only between figures of one giver and one time. */
  readonly giver: FeedId | DailySource;
  readonly observedAt: Instant;
  /** Half the spread where there is a bid and an ask, else half a unit of the last digit; relative to the figure. */
  readonly relativeError: number;
  readonly stale: boolean;
  readonly simulated: boolean;
  /** The quote, or the observation by the number of its source and its date. */
  readonly origin: FigureOrigin;
}

type FigureOrigin =
  | { readonly kind: "live"; readonly quote: LiveQuote }
  | { readonly kind: "daily"; readonly source: number; readonly date: Day };

/** The figure of a live quote, already judged stale or not; in the demo it is simulated. */
export function liveFigure(delivered: LiveQuote, stale: boolean, simulated: boolean): SpotFigure {
  const { feed, base, quote, mid, bid, ask, observedAt } = delivered;
  const digits = parseDecimal(mid);
  if (digits === null) throw new Error(`a live quote is not a decimal: ${mid}`);
  const half = bid === null || ask === null ? 0.5 * 10 ** -digits.scale : (Number(ask) - Number(bid)) / 2;
  return {
    // At most 15 significant digits: a double holds them exactly.
    units: Number(digits.units),
    scale: digits.scale,
    source: "live",
    currency: currencyIndex(base === "USD" ? quote : base),
    giver: feed,
    observedAt,
    relativeError: half / Number(mid),
    stale,
    simulated,
    origin: { kind: "live", quote: delivered },
  };
}

/** The figure of a daily observation as of the view's now. */
export function dailyFigure({ dataset, now }: View, row: Row): SpotFigure {
  const { observations } = dataset.history;
  const place = observations.source[row] as number;
  const source = DAILY_SOURCES[place] as DailySource;
  const date = observations.date[row] as Day;
  return {
    units: observations.units[row] as number,
    scale: observations.scale[row] as number,
    source,
    currency: currencyOfRow(dataset.history, row),
    giver: source,
    observedAt: observations.observedAt[row] as Instant,
    relativeError: relativeError(dataset.history, row),
    stale: isStale(source, date, dataset.coveredThrough[source] ?? date, now),
    simulated: isSimulatedRow(dataset, row),
    origin: { kind: "daily", source: place, date },
  };
}
