/** Explains a rate: its figures with their documents and revisions, the exact computation, and the lake query that repeats it. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { provenanceOf } from "#domain/dataset/provenance.ts";
import { computationOf } from "#domain/explain/computation.ts";
import type { Explanation, RateLeg } from "#domain/explain/explanation.ts";
import { LAKE_PATH, lakeQuery } from "#domain/explain/lake-query.ts";
import { crossRate, derivationBound } from "#domain/history/cross.ts";
import { refuseDamaged } from "#domain/history/damage.ts";
import { nextFlush } from "#domain/live/flush.ts";
import { spotBound, spotOrigin } from "#domain/spot/rates.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import type { QuoteArchive } from "#ports.ts";
import { noRateOn } from "#rates/no-rate.ts";
import { refusePendingDays } from "#rates/pending.ts";
import { openView, type RatesDeps } from "#rates/query.ts";
import { knownRate } from "#rates/quote.ts";
import { type DailyLeg, dailyLegs, type FigureDeps, liveLeg } from "./figures.ts";

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
  const rate = knownRate(table, from, to);
  const { source, dataUpdatedAt, stale, isReference } = spotOrigin(from, [rate]);
  const legs = rate.legs.map(({ figure, multiplies }) => {
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
  return {
    base: from,
    quote: to,
    day: null,
    rate: rate.text,
    derived: rate.derived,
    boundBps: spotBound(rate),
    source,
    dataUpdatedAt,
    stale: stale[currencyCode(to)] === true,
    forwardFilled: null,
    isReference,
    session: table.session,
    simulated: table.simulated,
    dataset,
    legs,
  };
}

function dayRate(deps: ExplainDeps, { from, to }: ExplainQuery, day: Day): FoundRate {
  const view = openView(deps);
  const { dataset } = view;
  refuseDamaged(dataset, day, day);
  refusePendingDays(view, { base: from, symbols: [to], start: day, end: day });
  const isCovered = day >= COVERAGE_START && day <= dayAt(view.now);
  const cross = isCovered ? crossRate(dataset.history, day, from, to) : null;
  if (cross === null) throw noRateOn(view, day);
  const { source, dataUpdatedAt, stale, forwardFilled } = provenanceOf(view, day, from, [[to, cross]]);
  return {
    base: from,
    quote: to,
    day,
    rate: cross.text,
    derived: cross.derived,
    boundBps: derivationBound(dataset.history, cross),
    source,
    dataUpdatedAt,
    stale: stale[currencyCode(to)] === true,
    forwardFilled,
    isReference: true,
    session: marketSession(view.now),
    simulated: dataset.simulated,
    dataset,
    legs: dailyLegs(deps, dataset, cross.legs),
  };
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
