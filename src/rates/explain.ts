/**
 * Explains a rate (its figures with their documents and revisions, the computation, the lake query that repeats it), and proves
 * it by the signed entry of the version.
 */

import { headOf, type Proof } from "#domain/chain/state.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { type Dataset, isSimulatedRow, type PairRate } from "#domain/dataset/dataset.ts";
import {
  computationOf,
  type DailyFigure,
  type Giver,
  LAKE_PATH,
  type LiveFigure,
  lakeQuery,
  type RateLeg,
} from "#domain/explain/explanation.ts";
import { Failure } from "#domain/faults/errors.ts";
import { halfUnit } from "#domain/history/cross.ts";
import type { Row } from "#domain/history/history.ts";
import { type FeedId, type LiveQuote, nextFlush } from "#domain/live/live-quote.ts";
import { unitsText } from "#domain/number/decimal.ts";
import type { SpotFigure } from "#domain/spot/table.ts";
import { type Day, dayAt, formatDay, yearOf } from "#domain/time/day.ts";
import type { QuoteArchive, SignedHistory } from "#ports.ts";
import { type ConvertQuery, crossOn, knownRate, pairOn, refuseUncertain, spotPair } from "./convert.ts";
import { type DailyDeps, openView, type RatesDeps } from "./query.ts";

export interface FigureDeps {
  /** The publisher of a source's figures, or the provider of a feed's quotes. */
  readonly giver: (name: DailySource | FeedId) => Giver;
}

export interface ExplainDeps extends RatesDeps, FigureDeps {
  /** Origin of the URLs in the lake query. */
  readonly publicUrl: string;
  readonly archive: Pick<QuoteArchive, "isStored"> | null;
}

export type ExplainQuery = Omit<ConvertQuery, "amount" | "dp">;

export type Explanation = ReturnType<typeof explain>;

/** Explains the rate that latest, historical and convert return. Fails as convert. */
export function explain(deps: ExplainDeps, query: ExplainQuery) {
  const { legs, ...rate } = query.day === null ? latestRate(deps, query) : dayRate(deps, query, query.day);
  const { base, quote } = rate;
  const isInLake = legs.every((leg) => leg.kind === "daily" || deps.archive?.isStored(leg) === true);
  return {
    ...rate,
    /** The next flush of quotes into the lake; null when the lake has all figures. */
    inLakeAt: isInLake ? null : nextFlush(deps.clock.now()),
    legs,
    computation: computationOf(legs, rate),
    /** This query returns the rate once the lake has its figures. */
    sql: lakeQuery(legs, { base, quote, rate: rate.rate, lake: `${deps.publicUrl}${LAKE_PATH}` }),
  };
}

interface FoundRate extends Omit<PairRate, "sources" | "effectiveAt"> {
  /** The day that was requested; null for the latest rate. */
  readonly day: Day | null;
  /** Whether a figure of an earlier day is used; null for the latest rate. */
  readonly forwardFilled: boolean | null;
  readonly legs: readonly RateLeg[];
}

function latestRate(deps: ExplainDeps, { from, to, delayMinutes }: ExplainQuery): FoundRate {
  const table = deps.spot(delayMinutes);
  const dataset = deps.dataset();
  const legs = knownRate(table, from, to).legs.map(({ figure, multiplies }) => {
    const { origin } = figure;
    if (origin.kind === "live") return liveLeg(deps, origin.quote, { figure, multiplies });
    if (dataset === null) throw new Error("a daily figure without a dataset");
    const { history } = dataset;
    const [leg] = documentedLegs(deps, dataset, [
      { row: history.row(origin.source, origin.date, figure.currency), multiplies },
    ]);
    if (leg === undefined) throw new Error("a daily figure that is not in its dataset");
    return leg;
  });
  const pair = spotPair(table, { base: from, quote: to, dp: null });
  return { ...pair, day: null, forwardFilled: null, legs };
}

function dayRate(deps: ExplainDeps, { from, to }: ExplainQuery, day: Day): FoundRate {
  const { pair, forwardFilled, cross, dataset } = pairOn(deps, { base: from, quote: to, dp: null }, day);
  return { ...pair, day, forwardFilled, legs: documentedLegs(deps, dataset, cross.legs) };
}

interface RowLeg {
  readonly row: Row;
  readonly multiplies: boolean;
}

/** As `dailyLegs`, with the documents that the figures were read from. */
function documentedLegs(
  deps: ExplainDeps,
  dataset: Dataset,
  legs: readonly RowLeg[],
): readonly DailyFigure[] {
  const documents = dataset.revisions?.documents;
  return dailyLegs(deps, dataset, legs).map((leg, nth) => {
    const place = documents?.places[legs[nth]?.row ?? -1] ?? -1;
    return { ...leg, document: documents?.list[place] ?? null };
  });
}

/** The observations at these rows of the dataset, in order. */
export function dailyLegs(
  { giver }: Pick<FigureDeps, "giver">,
  dataset: Dataset,
  legs: readonly RowLeg[],
): readonly Omit<DailyFigure, "document">[] {
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
      earlier: (revisions?.superseded ?? [])
        .filter(
          (old) =>
            old.date === name.date &&
            old.source === source &&
            old.base === name.base &&
            old.quote === name.quote,
        )
        .toSorted((a, b) => a.revision - b.revision),
    };
  });
}

function liveLeg(
  { giver }: Pick<FigureDeps, "giver">,
  { feed, base, quote, bid, ask, mid, observedAt, retrievedAt }: LiveQuote,
  { figure, multiplies }: { readonly figure: SpotFigure; readonly multiplies: boolean },
): LiveFigure {
  const { units, scale, relativeError, simulated } = figure;
  // Rounded: the division that made the error relative left floating-point noise.
  const error = Number((relativeError * Number(mid)).toPrecision(12));
  return {
    kind: "live",
    source: "live",
    ...{ feed, base, quote, bid, ask, observedAt, retrievedAt },
    ...giver(feed),
    ...{ units, scale, multiplies, printed: mid, error, simulated },
  };
}

export interface ProofDeps extends DailyDeps, Pick<FigureDeps, "giver"> {
  readonly pinned: (version: string) => Dataset | null;
  /** Loads an older version into `pinned` if the lake still has it. */
  readonly recall?: (version: string) => Promise<void>;
  readonly signedHistory: SignedHistory | null;
}

export interface ProofQuery extends Pick<Proof, "from" | "to" | "day"> {
  /** The version's name in manifests; null for the newest. */
  readonly version: string | null;
}

/**
 * Proves a day's rate by the signed entry of a version, without reading data files. Fails as `historical`; `invalid_request` for a
 * version that is not retained or was never signed; `data_unavailable` when nothing, or not yet the newest version, is signed.
 */
export async function proof(deps: ProofDeps, query: ProofQuery): Promise<Proof> {
  const { from, to, day } = query;
  if (from === to)
    throw new Failure("invalid_request", {
      reason: "a currency against itself has no figure to prove",
    });
  const history = deps.signedHistory;
  const state = history?.state() ?? null;
  if (history === null || state === null)
    throw new Failure("data_unavailable", { reason: "this server has signed nothing yet" });
  const present = openView(deps);
  const dataset =
    query.version === null ? present.dataset : await versionOf(deps, present.dataset, query.version);
  const view = { dataset, now: present.now };
  if (query.version === null) {
    refuseUncertain(view, day, from, to);
  }
  const cross = crossOn(view, day, from, to);
  const proven = history.proven(dataset.history.version);
  if (proven === null) {
    if (query.version !== null) throw unproved(dataset.history.version);
    // A matter of seconds: the entry follows its commit.
    throw new Failure("data_unavailable", { reason: "the newest version is not signed yet" });
  }
  // An old version can only fill days after its commit; a later version may have the figures of these days.
  const committed = dayAt(Date.parse(proven.entry.at));
  if (dataset !== present.dataset && day > committed)
    throw new Failure("no_data_for_date", {
      reason: `version ${proven.version} was committed on ${formatDay(committed)} and proves no rate of a later day`,
    });
  const legs = dailyLegs(deps, dataset, cross.legs).map((leg) => {
    const file = proven.fileOf(leg.source, yearOf(leg.date));
    if (file === null) throw new Error(`no file of ${proven.version} has ${leg.source} of ${leg.date}`);
    return { ...leg, file };
  });
  const { version, files, entry } = proven;
  return {
    from,
    to,
    day,
    version,
    rate: cross.text,
    derived: cross.derived,
    legs,
    files,
    entry,
    head: headOf(state),
  };
}

async function versionOf(deps: ProofDeps, newest: Dataset, version: string): Promise<Dataset> {
  if (newest.history.version === version) return newest;
  if (deps.pinned(version) === null) await deps.recall?.(version);
  const dataset = deps.pinned(version);
  if (dataset === null) throw unproved(version);
  return dataset;
}

export function unproved(version: string): Failure {
  return new Failure("invalid_request", {
    reason: `version ${version} is not retained, is damaged, or is from before the signed history`,
  });
}
