/** The plausibility rules for daily figures, each with a name and a reason with the numbers, and the current values that candidates are compared with. */

import { currencyIndex } from "#domain/currency/currency.ts";
import { type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { Row } from "#domain/history/history.ts";
import type { Figure } from "#domain/history/observation.ts";
import { isPublicationDay, scheduledPublication } from "#domain/history/schedule.ts";
import { isDecimalSlip } from "#domain/number/decimal.ts";
import { COVERAGE_START, type Day, formatDay, type Instant, weekdayOf } from "#domain/time/day.ts";
import type { CurrentValue, KnownRates, SeriesCase } from "./judgement.ts";
import { canonicalOf, type Objection, type Printed, readPrinted } from "./printed.ts";
import { NOTHING_STATED, type Stated } from "./statements.ts";

export interface Neighbour {
  readonly day: Day;
  readonly value: number;
}

/** Largest factor between neighbours. Across a gap FAR_FACTOR applies: ISK moved ×2.32 over its gap from 2008 to 2018. */
const NEAR_FACTOR = 1.3;
/** The only larger moves since 1999 (×1.345, ×1.488 and ×1.362): both the ECB's files and its SDMX service state them. */
const REAL_MOVES: ReadonlySet<string> = new Set([
  "ISK 2008-10-08 265",
  "ISK 2008-11-06 205",
  "TRY 2021-12-21 14.7132",
]);
const FAR_FACTOR = 5;
const NEAR_DAYS = 14;

/** Rules about pair and date only; `today` is the UTC day of the retrieval's clock. */
function objectToKey(source: DailySource, figure: Figure, today: Day): Objection | null {
  const { base, quote, date } = figure;
  if (
    base === quote ||
    (base !== PIVOT[source] && quote !== PIVOT[source]) ||
    currencyIndex(base) < 0 ||
    currencyIndex(quote) < 0
  ) {
    return { rule: "wrong_pivot", reason: `${base}/${quote} is not quoted against ${PIVOT[source]}` };
  }
  if (!(date >= COVERAGE_START)) {
    return { rule: "outside_coverage", reason: `${formatDay(date)} is before 1999-01-04` };
  }
  if (date > today) {
    return { rule: "future_date", reason: `${formatDay(date)} is after today, ${formatDay(today)}` };
  }
  const weekday = weekdayOf(date);
  if (weekday === 0 || weekday === 6) {
    return {
      rule: "weekend_date",
      reason: `${formatDay(date)} is a ${weekday === 0 ? "Sunday" : "Saturday"}`,
    };
  }
  if (!isPublicationDay(source, date)) {
    return { rule: "holiday_date", reason: `${formatDay(date)} is a holiday of ${CALENDAR[source]}` };
  }
  return null;
}

const CALENDAR: Readonly<Record<DailySource, string>> = {
  ecb_daily: "TARGET",
  fred_daily: "the Federal Reserve",
};

function objectToMove(candidate: Neighbour, neighbour: Neighbour, as = "the value"): Objection | null {
  const ratio = candidate.value / neighbour.value;
  const factor = ratio >= 1 ? ratio : 1 / ratio;
  if (factor <= NEAR_FACTOR) return null;
  const comparison = `${candidate.value} on ${formatDay(candidate.day)} is ${ratio.toPrecision(4)} times ${as} ${neighbour.value} of ${formatDay(neighbour.day)}`;
  if (isDecimalSlip(ratio)) {
    return { rule: "decimal_slip", reason: `${comparison}: close to a power of ten` };
  }
  const most = isFar(candidate, neighbour) ? FAR_FACTOR : NEAR_FACTOR;
  if (factor <= most) return null;
  return { rule: "implausible_jump", reason: `${comparison}: more than a factor of ${most}` };
}

function isFar(a: Neighbour, b: Neighbour): boolean {
  return Math.abs(a.day - b.day) > NEAR_DAYS;
}

/** A walk over a series by ascending day: what is believed so far, and what has not been reached yet. */
export interface SeriesWalk {
  readonly series: SeriesCase;
  readonly today: Day;
  /** Last believed value before the day being judged. */
  before: Neighbour | null;
  /** Position in `series.reports` of the first report on a later day. */
  reportAt: number;
}

interface ValuesAround {
  readonly replaced: Neighbour | null;
  readonly after: Neighbour | null;
  /** False for a figure that is held already: its document's later figures are not available. */
  readonly mayLookAhead: boolean;
}

/** The objection against a figure, or null where it is believed. Later figures that repeat it are no evidence. */
export function objectTo(
  pass: SeriesWalk,
  figure: Figure,
  printed: Printed | Objection,
  around: ValuesAround,
): Objection | null {
  if ("rule" in printed) return printed;
  const { series, before, today } = pass;
  const { replaced, after } = around;
  const byKey = objectToKey(series.source, figure, today);
  if (byKey !== null) return byKey;
  if (series.reversed) {
    const reason = `${figure.base}/${figure.quote} was always quoted as ${figure.quote}/${figure.base}`;
    return { rule: "direction_changed", reason };
  }
  const candidate = { day: figure.date, value: printed.value };
  const far = before === null || isFar(candidate, before);
  const following = far && around.mayLookAhead && replaced === null ? nextTwo(pass) : NONE;
  // The lake's values may be much later than a history that is read now: then the history's next figures are better neighbours.
  const nothingNear =
    before === null && (after === null || (following.length === 2 && isFar(candidate, after)));
  const neighbour = nothingNear ? replaced : (before ?? after);
  if (neighbour === null) return outvote(candidate, following);
  const as = before !== null ? "the last accepted value" : "the known value";
  const objection = objectToMove(candidate, neighbour, as);
  const move = `${series.quote} ${formatDay(candidate.day)} ${candidate.value}`;
  if (objection !== null && series.source === "ecb_daily" && REAL_MOVES.has(move)) return null;
  if (objection === null && following === NONE) return null;
  if (objection === null) {
    // Over a long gap almost any move can be real, so the first value after it is judged like a first value.
    return outvote(candidate, following);
  }
  if (replaced !== null && objectToMove(candidate, replaced) === null) return null;
  // After a long gap, a known value soon after the candidate is the better neighbour.
  const isNearAfter = far && after !== null && !isFar(candidate, after);
  return isNearAfter && objectToMove(candidate, after) === null ? null : objection;
}

const NONE: readonly Neighbour[] = [];

function nextTwo({ series: { reports }, reportAt }: SeriesWalk): readonly Neighbour[] {
  const following: Neighbour[] = [];
  for (let at = reportAt; at < reports.length && following.length < 2; at++) {
    const figure = reports[at]?.figure ?? null;
    if (figure === null) continue;
    const printed = readPrinted(figure.printed);
    if (!("rule" in printed)) following.push({ day: figure.date, value: printed.value });
  }
  return following;
}

/** A first figure has no near value before it: the next two figures outvote it where they agree with each other. */
function outvote(candidate: Neighbour, [next, second]: readonly Neighbour[]): Objection | null {
  if (next === undefined || second === undefined || objectToMove(next, second) !== null) return null;
  if (objectToMove(candidate, second) === null) return null;
  return objectToMove(candidate, next, "the following value");
}

export interface Current extends Neighbour {
  readonly units: number;
  readonly scale: number;
  /** As the authority's document states it; null where no document does. */
  readonly publishedAt: number | null;
  /** True where the lake's publication instant is that of the first retrieval, not one that a document states. */
  readonly firstSeen: boolean;
  readonly revision: number;
  readonly retrievedAt: Instant;
}

export function currentAt({ observations, publishedAt }: KnownRates, row: Row): Current {
  const units = observations.units[row] as number;
  const scale = observations.scale[row] as number;
  const published = publishedAt[row] as number;
  const firstSeen = published === observations.retrievedAt[row];
  return {
    day: observations.date[row] as Day,
    value: units / 10 ** scale,
    units,
    scale,
    publishedAt: Number.isNaN(published) || firstSeen ? null : published,
    firstSeen,
    revision: observations.revision[row] as number,
    retrievedAt: observations.retrievedAt[row] as Instant,
  };
}

export function currentValueOf({ units, scale, publishedAt, retrievedAt }: Current): CurrentValue {
  return { value: canonicalOf(units, scale), publishedAt, since: retrievedAt };
}

export function statedOf(current: Pick<Current, "units" | "scale"> | null): Stated {
  if (current === null) return NOTHING_STATED;
  const { units, scale } = current;
  return { value: canonicalOf(units, scale), printed: (units / 10 ** scale).toFixed(scale) };
}

/**
 * Whether a new figure without a publication instant came late: the source's documents lacked it after its scheduled publication.
 * Never for a new series.
 */
export function latenessIn({ retrievals }: KnownRates, { source, rows }: SeriesCase): (day: Day) => boolean {
  const own = rows.length === 0 ? [] : retrievals.filter((retrieval) => retrieval.source === source);
  if (own.length === 0) return () => false;
  return (day) => own.some(({ from, at }) => from <= day && at >= scheduledPublication(source, day));
}
