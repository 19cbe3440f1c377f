/** The figures of a rate with everything that memory has about them. */

import { currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { DailyFigure, EarlierRevision, Giver, LiveFigure } from "#domain/explain/explanation.ts";
import { halfUnit } from "#domain/history/half-unit.ts";
import type { Row } from "#domain/history/history.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { unitsText } from "#domain/number/decimal.ts";
import type { SpotFigure } from "#domain/spot/figure.ts";
import type { FigureDocuments } from "#ports/documents.ts";

export interface FigureDeps {
  readonly documents: FigureDocuments;
  /** Who publishes the figures of a source or delivers the quotes of a feed. */
  readonly giver: (name: DailySource | FeedId) => Giver;
}

/** A figure whose document is not read yet. */
export type DailyLeg = Omit<DailyFigure, "document">;

/** The observations at these rows of the dataset, in order. */
export function dailyLegs(
  { giver }: Pick<FigureDeps, "giver">,
  { history, revisions }: Dataset,
  legs: readonly { readonly row: Row; readonly multiplies: boolean }[],
): readonly DailyLeg[] {
  const { observations } = history;
  const number = (column: { readonly [row: Row]: number }, row: Row) => column[row] as number;
  return legs.map(({ row, multiplies }) => {
    const source = DAILY_SOURCES[number(observations.source, row)] as DailySource;
    const [units, scale] = [number(observations.units, row), number(observations.scale, row)];
    const name = {
      source,
      date: number(observations.date, row),
      base: currencyCode(number(observations.base, row)),
      quote: currencyCode(number(observations.quote, row)),
    };
    const publishedAt = revisions === undefined ? Number.NaN : number(revisions.publishedAt, row);
    return {
      kind: "daily",
      ...name,
      ...giver(source),
      units,
      scale,
      multiplies,
      printed: unitsText(units, scale),
      error: halfUnit(observations, row),
      observedAt: number(observations.observedAt, row),
      publishedAt: Number.isNaN(publishedAt) ? null : publishedAt,
      retrievedAt: number(observations.retrievedAt, row),
      revision: number(observations.revision, row),
      earlier: earlierOf(revisions?.superseded ?? [], name),
    };
  });
}

function earlierOf(
  superseded: NonNullable<Dataset["revisions"]>["superseded"],
  { source, date, base, quote }: Pick<DailyLeg, "source" | "date" | "base" | "quote">,
): readonly EarlierRevision[] {
  return superseded
    .filter((old) => old.date === date && old.source === source && old.base === base && old.quote === quote)
    .toSorted((a, b) => a.revision - b.revision);
}

/** A live quote in a rate. */
export function liveLeg(
  { giver }: Pick<FigureDeps, "giver">,
  { feed, base, quote, bid, ask, mid, observedAt, retrievedAt }: LiveQuote,
  { figure, multiplies }: { readonly figure: SpotFigure; readonly multiplies: boolean },
): LiveFigure {
  const { units, scale, relativeError } = figure;
  // Without the noise of the division that made it relative.
  const error = Number((relativeError * Number(mid)).toPrecision(12));
  return {
    kind: "live",
    source: "live",
    ...{ feed, base, quote, bid, ask, observedAt, retrievedAt },
    ...giver(feed),
    ...{ units, scale, multiplies, printed: mid, error },
  };
}
