/** Explains a rate: its figures with their documents and revisions, the exact computation, and the lake query that repeats it. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { isSimulatedRow } from "#domain/dataset/simulated.ts";
import {
  computationOf,
  type DailyFigure,
  type EarlierRevision,
  type Explanation,
  type Giver,
  type LiveFigure,
  type RateLeg,
} from "#domain/explain/explanation.ts";
import { LAKE_PATH, lakeQuery } from "#domain/explain/lake-query.ts";
import { halfUnit } from "#domain/history/cross.ts";
import type { Row } from "#domain/history/history.ts";
import { type FeedId, type LiveQuote, nextFlush } from "#domain/live/live-quote.ts";
import { unitsText } from "#domain/number/decimal.ts";
import type { SpotFigure } from "#domain/spot/daily.ts";
import type { Day } from "#domain/time/day.ts";
import type { FigureDocuments, QuoteArchive } from "#ports.ts";
import type { RatesDeps } from "./query.ts";
import { knownRate, pairOn, spotPair } from "./quote.ts";

export interface FigureDeps {
  readonly documents: FigureDocuments;
  /** Who publishes the figures of a source or delivers the quotes of a feed. */
  readonly giver: (name: DailySource | FeedId) => Giver;
}

export interface ExplainDeps extends RatesDeps, FigureDeps {
  /** Origin under which people reach the server: the lake query names it. */
  readonly publicUrl: string;
  readonly archive: Pick<QuoteArchive, "isStored"> | null;
}

export interface ExplainQuery {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  /** null: the latest rate. */
  readonly day: Day | null;
  /** Minutes that live rates are held back; absent: what holds for the server. */
  readonly delayMinutes?: number | undefined;
}

/** The rate is the one that latest, historical and convert answer with. Failures as of convert. */
export async function explain(deps: ExplainDeps, query: ExplainQuery): Promise<Explanation> {
  const { dataset, legs, ...rate } =
    query.day === null ? latestRate(deps, query) : dayRate(deps, query, query.day);
  const documented = await documentedLegs(deps, dataset, legs);
  const { base, quote } = rate;
  const isInLake = documented.every((leg) => leg.kind === "daily" || deps.archive?.isStored(leg) === true);
  return {
    ...rate,
    inLakeAt: isInLake ? null : nextFlush(deps.clock.now()),
    legs: documented,
    computation: computationOf(documented, rate),
    sql: lakeQuery(documented, { base, quote, rate: rate.rate, lake: `${deps.publicUrl}${LAKE_PATH}` }),
  };
}

/** A rate before its documents are read. */
interface FoundRate extends Omit<Explanation, "legs" | "computation" | "sql" | "inLakeAt"> {
  /** What the daily figures are of; null where only quotes contribute. */
  readonly dataset: Dataset | null;
  readonly legs: readonly (RateLeg | DailyLeg)[];
}

function latestRate(deps: ExplainDeps, { from, to, delayMinutes }: ExplainQuery): FoundRate {
  const table = deps.spot(delayMinutes);
  const dataset = deps.dataset();
  const legs = knownRate(table, from, to).legs.map(({ figure, multiplies }) => {
    const { origin } = figure;
    if (origin.kind === "live") return liveLeg(deps, origin.quote, { figure, multiplies });
    if (dataset === null) throw new Error("a daily figure without a dataset");
    const { history } = dataset;
    const [leg] = dailyLegs(deps, dataset, [
      { row: history.row(origin.source, origin.date, figure.currency), multiplies },
    ]);
    if (leg === undefined) throw new Error("a daily figure that is not in its dataset");
    return leg;
  });
  const pair = spotPair(table, { base: from, quote: to, dp: null });
  return { ...pair, day: null, forwardFilled: null, dataset, legs };
}

function dayRate(deps: ExplainDeps, { from, to }: ExplainQuery, day: Day): FoundRate {
  const { pair, forwardFilled, cross, dataset } = pairOn(deps, { base: from, quote: to, dp: null }, day);
  return { ...pair, day, forwardFilled, dataset, legs: dailyLegs(deps, dataset, cross.legs) };
}

async function documentedLegs(
  { documents }: Pick<ExplainDeps, "documents">,
  dataset: Dataset | null,
  legs: FoundRate["legs"],
): Promise<readonly RateLeg[]> {
  const daily = legs.filter((leg) => leg.kind === "daily");
  if (dataset === null || daily.length === 0) return legs.map((leg) => ({ document: null, ...leg }));
  const found = await documents.of(dataset.history.version, daily);
  return legs.map((leg) =>
    leg.kind === "daily" ? { ...leg, document: found[daily.indexOf(leg)] ?? null } : leg,
  );
}

/** A figure whose document is not read yet. */
export type DailyLeg = Omit<DailyFigure, "document">;

/** The observations at these rows of the dataset, in order. */
export function dailyLegs(
  { giver }: Pick<FigureDeps, "giver">,
  dataset: Dataset,
  legs: readonly { readonly row: Row; readonly multiplies: boolean }[],
): readonly DailyLeg[] {
  const { history, revisions } = dataset;
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
      simulated: isSimulatedRow(dataset, row),
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
function liveLeg(
  { giver }: Pick<FigureDeps, "giver">,
  { feed, base, quote, bid, ask, mid, observedAt, retrievedAt }: LiveQuote,
  { figure, multiplies }: { readonly figure: SpotFigure; readonly multiplies: boolean },
): LiveFigure {
  const { units, scale, relativeError, simulated } = figure;
  // Without the noise of the division that made it relative.
  const error = Number((relativeError * Number(mid)).toPrecision(12));
  return {
    kind: "live",
    source: "live",
    ...{ feed, base, quote, bid, ask, observedAt, retrievedAt },
    ...giver(feed),
    ...{ units, scale, multiplies, printed: mid, error, simulated },
  };
}
