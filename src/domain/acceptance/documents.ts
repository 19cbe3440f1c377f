/** Judges whole documents: unproven changes, copies of an earlier day, exchanged currencies, and figures that a document lacks. */

import type { Row } from "#domain/history/history.ts";
import type { Provenance } from "#domain/history/observation.ts";
import { exchanges, type Move } from "#domain/number/exchange.ts";
import { firstNot } from "#domain/number/search.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import type { KnownRates, Report, SeriesCase, SeriesExtent, Tally } from "./judgement.ts";
import { currentAt, currentValueOf, statedOf } from "./plausibility.ts";
import { canConfirm, claimOf, isOldCopy, lastStatements, reportsByRoute } from "./proof.ts";
import { kindOfRoute, NOTHING_STATED } from "./statements.ts";

/** The most figures that an authority corrects in one document: of one series, and in all. */
const MOST_OF_A_SERIES = 3;
const MOST_OF_A_DOCUMENT = 20;
/** Where no other kind of route can be asked, a document with at most this many changes is believed. */
const MOST_UNCONFIRMED = 3;

/** A document is vouched for when another kind of route confirms this many of its claims and refutes no claim. */
const SAMPLE = 50;
/** The most changes of a series, the newest, that are noted and held from a distrusted document. */
const MOST_NOTED = 100;
/** First figures of a distrusted document are noted from this many days before its last day. */
const NOTED_DAYS = 140;

/** A whole day is judged only with at least this many first figures. */
const LEAST_FIGURES = 10;
/** In days, how far back a copy, whole or in part, is searched: a real day repeats at most a third of an earlier one's figures (ECB, 1999-07-14). */
const COPIED_DAYS = 14;
/** Most days between a first figure and the known one that it is compared with. */
const NEAR_DAYS = 4;
/** The median move of the ECB's currencies to either of the next two publications was 3.7 % at most (2009-01-06). */
const MOST_MEDIAN_MOVE = 0.05;

interface Changes {
  /** The newest day, the number of its first figures, and by earlier day how many of these equal that day's figure. */
  newest: Day;
  firsts: number;
  readonly repeated: Map<Day, number>;
  /** First figures of the newest day, each with a figure of a few days before. */
  readonly moves: (Move & { readonly series: SeriesCase })[];
  total: number;
  mostOfASeries: number;
  confirmed: number;
  refuted: number;
  readonly days: Map<SeriesCase, Day[]>;
}

/** Counts the known figures that each document changes without confirmation by another kind of route. */
export class DocumentChanges {
  readonly #oldCopies: ReadonlySet<Provenance>;
  readonly #all = new Map<Provenance, Changes>();

  constructor(oldCopies: ReadonlySet<Provenance>) {
    this.#oldCopies = oldCopies;
  }

  /** Whether the document is older than a copy that was read before. */
  isOldCopy(document: Provenance): boolean {
    return this.#oldCopies.has(document);
  }

  /** Counts the changes of one series. Call it for all series before the first is judged. */
  count(rates: KnownRates, series: SeriesCase): void {
    for (const { document, day, outcome } of claimsIn(rates, series, this.#oldCopies)) {
      const changes = this.#of(document);
      if (outcome !== "open") changes[outcome] += 1;
      if (outcome === "confirmed") continue;
      changes.total += 1;
      const days = changes.days.get(series) ?? [];
      days.push(day);
      changes.days.set(series, days);
      changes.mostOfASeries = Math.max(changes.mostOfASeries, days.length);
    }
    for (const extent of series.extents) this.#countFirst(rates, series, extent);
  }

  /** Counts a document's figure for its newest day, where that day has no figure yet, and the earlier days with the same figure. */
  #countFirst({ observations }: KnownRates, series: SeriesCase, { provenance, last }: SeriesExtent): void {
    const { rows, reports } = series;
    const { date, units, scale } = observations;
    if (rows.length === 0 || hasRow(date, rows, last)) return;
    const from = last - COPIED_DAYS;
    const own = reports.slice(firstNot(reports.length, (at) => (reports[at] as Report).key.date < from));
    const before = new Map<Day, number>();
    for (let at = firstAfter(date, rows, from - 1); (date[rows[at] as Row] as Day) < last; at++) {
      const row = rows[at] as Row;
      before.set(date[row] as Day, (units[row] as number) / 10 ** (scale[row] as number));
    }
    const newest = Math.max(...before.keys());
    const lastKnown = last - newest <= NEAR_DAYS ? before.get(newest) : undefined;
    for (const { key, figure, provenance: of } of own)
      if (of === provenance && figure !== null) before.set(key.date, Number(figure.printed));
    const value = before.get(last);
    if (value === undefined || before.size === 1) return;
    const changes = this.#of(provenance);
    changes.newest = Math.max(changes.newest, last);
    changes.firsts += 1;
    if (lastKnown !== undefined) changes.moves.push({ series, value, before: lastKnown });
    for (const [day, earlier] of before)
      if (day < last && earlier === value) changes.repeated.set(day, (changes.repeated.get(day) ?? 0) + 1);
    changes.days.set(series, [...(changes.days.get(series) ?? []), last]);
  }

  /** Why the document is not believed on its own: many changes, or a copied, exchanged or jumping newest day. Null where it is believed. */
  distrust(document: Provenance): string | null {
    const changes = this.#all.get(document);
    if (changes === undefined || this.isVouchedFor(document)) return null;
    const { total, mostOfASeries, newest, firsts, repeated, moves } = changes;
    if (total > MOST_OF_A_DOCUMENT || mostOfASeries > MOST_OF_A_SERIES)
      return `its document changes ${total} known figures, up to ${mostOfASeries} of one series`;
    const [exchange] = exchanges(moves);
    if (exchange !== undefined) {
      const [one, other] = exchange.map(({ series }) => `${series.base}/${series.quote}`);
      return `its ${one} and ${other} of ${formatDay(newest)} are each what the other was before`;
    }
    const sizes = moves.map(({ value, before }) => Math.abs(value / before - 1)).sort((a, b) => a - b);
    const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
    if (moves.length >= LEAST_FIGURES && median > MOST_MEDIAN_MOVE)
      return `half of its ${moves.length} figures of ${formatDay(newest)} moved by more than ${100 * MOST_MEDIAN_MOVE} %`;
    const [copied, count] = [...repeated].find(([, equal]) => equal > firsts / 2) ?? [];
    if (firsts < LEAST_FIGURES || copied === undefined) return null;
    return `${count} of its ${firsts} figures of ${formatDay(newest)} are those of ${formatDay(copied)}`;
  }

  /** Whether another kind of route confirms a sample of the document's changes. */
  isVouchedFor(document: Provenance): boolean {
    const { confirmed = 0, refuted = 0 } = this.#all.get(document) ?? {};
    return confirmed >= SAMPLE && refuted === 0;
  }

  /** Whether the document's changes are few enough to be believed where no other kind of route can be asked. */
  isSmall(document: Provenance): boolean {
    return (this.#all.get(document)?.total ?? 0) <= MOST_UNCONFIRMED;
  }

  /** Documents that are not believed, each with the days of its claims, ascending. */
  distrusted(): readonly (readonly [Provenance, readonly Day[]])[] {
    return [...this.#all]
      .filter(([document]) => this.distrust(document) !== null)
      .map(([document, { days }]) => [document, [...days.values()].flat().sort((a, b) => a - b)]);
  }

  /** From which day on the document's changes and first figures of a series are noted; null where the document is believed. */
  notedFrom(
    document: Provenance,
    series: SeriesCase,
  ): { readonly changes: Day; readonly firsts: Day } | null {
    if (this.distrust(document) === null) return null;
    const last = series.extents.findLast((extent) => extent.provenance === document)?.last ?? -Infinity;
    const changes = this.#all.get(document)?.days.get(series)?.at(-MOST_NOTED) ?? -Infinity;
    return { changes, firsts: last - NOTED_DAYS };
  }

  #of(document: Provenance): Changes {
    const changes = this.#all.get(document) ?? {
      newest: Number.NEGATIVE_INFINITY,
      firsts: 0,
      repeated: new Map(),
      moves: [],
      total: 0,
      mostOfASeries: 0,
      confirmed: 0,
      refuted: 0,
      days: new Map(),
    };
    this.#all.set(document, changes);
    return changes;
  }
}

/** A document's claim against a current value; `refuted`: another kind of route states something else in this collection. */
interface DocumentClaim {
  readonly document: Provenance;
  readonly day: Day;
  readonly outcome: "confirmed" | "refuted" | "open";
}

function* claimsIn(
  rates: KnownRates,
  series: SeriesCase,
  oldCopies: ReadonlySet<Provenance>,
): Generator<DocumentClaim> {
  const { rows, reports } = series;
  const { date, units, scale } = rates.observations;
  let at = 0;
  for (const row of rows) {
    const day = date[row] as Day;
    while (at < reports.length && (reports[at] as Report).key.date < day) at++;
    const first = at;
    const value = (units[row] as number) / 10 ** (scale[row] as number);
    let isRepeated = true;
    for (; reports[at]?.key.date === day; at++) {
      const { figure } = reports[at] as Report;
      // Where the digits are equal, both are the double nearest to the same decimal.
      isRepeated &&= figure !== null && Number(figure.printed) === value;
    }
    if (!isRepeated) yield* claimsAgainst(rates, series, row, reports.slice(first, at), oldCopies);
  }
}

function* claimsAgainst(
  rates: KnownRates,
  series: SeriesCase,
  row: Row,
  reports: readonly Report[],
  oldCopies: ReadonlySet<Provenance>,
): Generator<DocumentClaim> {
  const current = currentAt(rates, row);
  // Old copies neither claim, confirm nor refute.
  const routes = reportsByRoute(reports).filter(
    ({ reports: own }) =>
      !isOldCopy(own, currentValueOf(current)) && !oldCopies.has((own.at(-1) as Report).provenance),
  );
  const stated = lastStatements(routes.flatMap((route) => route.reports));
  for (const route of routes) {
    const claim = claimOf(series, route, current.day, currentValueOf(current), stated);
    if (claim === null) continue;
    const isRefuted = [...stated].some(
      ([other, { value }]) => value !== route.stated.value && canConfirm([other], route.route),
    );
    const outcome = claim.proof === "other kind" ? "confirmed" : isRefuted ? "refuted" : "open";
    yield { document: (claim.reports.at(-1) as Report).provenance, day: current.day, outcome };
  }
}

/** A document that lost more figures of a series than this is torn. */
const MOST_LOSSES = 3;

/**
 * Adds a withdrawal for each figure that a document lacks strictly between the first and last of its series. A withdrawal needs proof
 * like any change. A document that lost more than MOST_LOSSES figures without confirmation by another kind of route is reported as
 * torn: it withdraws only the confirmed ones.
 */
export function addLosses(
  rates: KnownRates,
  series: SeriesCase,
  documents: DocumentExtents,
  tally: Tally,
): void {
  const { memory, reports, extents, base, quote } = series;
  const claimed: Report[] = [];
  for (const extent of extents) {
    const { route, provenance, first, last } = extent;
    const { lost, unstated } = missingIn(rates, series, extent);
    unstated.push(...missingFirsts(rates, series, extent));
    const isConfirmed = (day: Day) => canConfirm(memory.routesStating(day, null), route);
    const aloneIn = (days: readonly Day[]) => days.length - days.filter(isConfirmed).length;
    const missing = aloneIn(lost);
    const isTorn = missing > MOST_LOSSES;
    const isSparse = aloneIn(unstated) > MOST_LOSSES;
    extent.isComplete = !isTorn && !isSparse;
    if (isTorn) tally.torn.push({ base, quote, route, document: provenance.document, missing, first, last });
    const believedLost = isTorn ? lost.filter(isConfirmed) : lost;
    const believedUnstated = isSparse ? unstated.filter(isConfirmed) : unstated;
    const retracted = retractedIn(rates, series, { ...extent, ...documents.get(provenance) });
    for (const date of [...believedLost, ...believedUnstated, ...retracted])
      claimed.push({ route, key: { date, base, quote, publishedAt: null }, figure: null, provenance });
  }
  if (claimed.length === 0) return;
  reports.push(...claimed);
  reports.sort((a, b) => a.key.date - b.key.date);
}

/** A series that a route stated within so many days belongs in the route's next document. */
const RECENT_DAYS = 14;

/**
 * Notes that a document's newest day lacks this series, where its route stated the series shortly before and the day has a current
 * figure. Nothing is withdrawn: the document may only lag.
 */
export function noteAbsence(rates: KnownRates, series: SeriesCase, documents: DocumentExtents): void {
  const { memory, rows, reports } = series;
  for (const [provenance, { route, last: day, count }] of documents) {
    const stated = memory.lastOf(route);
    if (count < 2 || stated === null || stated >= day || day - stated > RECENT_DAYS) continue;
    if (!hasRow(rates.observations.date, rows, day)) continue;
    const isReported = reports.some((report) => report.provenance === provenance && report.key.date === day);
    if (!isReported) memory.note(day, route, { ...NOTHING_STATED, since: provenance.retrievedAt });
  }
}

/** By document: its route, its first and last day, and its number of series on the last day. */
export type DocumentExtents = ReadonlyMap<
  Provenance,
  { readonly route: string; readonly first: Day; readonly last: Day; readonly count: number }
>;

/** Days with a current figure that the document lacks: `lost` are those that the route stated before. */
function missingIn(
  { observations }: KnownRates,
  { memory, reports, rows }: SeriesCase,
  { route, provenance, first, last }: SeriesExtent,
) {
  const lost: Day[] = [];
  const unstated: Day[] = [];
  const isReported = inOrder(reports, provenance);
  const [from, to] = [
    firstAfter(observations.date, rows, first),
    firstAfter(observations.date, rows, last - 1),
  ];
  for (let index = from; index < to; index++) {
    const row = rows[index] as Row;
    const day = observations.date[row] as Day;
    if (isReported(day)) continue;
    const current = { units: observations.units[row] as number, scale: observations.scale[row] as number };
    const before = memory.before(route, day, statedOf(current));
    if (before !== undefined && before.value !== null) lost.push(day);
    else unstated.push(day);
  }
  return { lost, unstated };
}

/** Days without a current figure, where the document lacks one and a route of another kind has one in this collection. */
function missingFirsts(
  { observations: { date } }: KnownRates,
  { reports, rows }: SeriesCase,
  { route, provenance, first, last }: SeriesExtent,
): readonly Day[] {
  const isReported = inOrder(reports, provenance);
  const isOfAnother = (report: Report) =>
    report.figure !== null && kindOfRoute(report.route) !== kindOfRoute(route);
  const inside = reports.filter(({ key }) => first < key.date && key.date < last);
  const days = new Set(inside.filter(isOfAnother).map(({ key }) => key.date));
  return [...days].filter((day) => !isReported(day) && !hasRow(date, rows, day));
}

/** Days without a current figure, where a route of the same kind stated one and this document lacks it: the value is retracted. */
function retractedIn(
  { observations: { date } }: KnownRates,
  { memory, reports, rows }: SeriesCase,
  { route, provenance, first, last }: Omit<SeriesExtent, "isComplete">,
): readonly Day[] {
  const isReported = inOrder(reports, provenance);
  return memory.daysStated(route, first, last).filter((day) => !isReported(day) && !hasRow(date, rows, day));
}

/** Whether the document reports on a day. Call it by ascending day. */
function inOrder(reports: readonly Report[], provenance: Report["provenance"]): (day: Day) => boolean {
  let at = 0;
  return (day) => {
    while (at < reports.length && (reports[at] as Report).key.date < day) at++;
    for (let near = at; reports[near]?.key.date === day; near++) {
      if (reports[near]?.provenance === provenance) return true;
    }
    return false;
  };
}

function hasRow(date: Int32Array, rows: readonly Row[], day: Day): boolean {
  const row = rows[firstAfter(date, rows, day - 1)];
  return row !== undefined && date[row] === day;
}

function firstAfter(date: Int32Array, rows: readonly Row[], day: Day): number {
  return firstNot(rows.length, (at) => (date[rows[at] as Row] as Day) <= day);
}
