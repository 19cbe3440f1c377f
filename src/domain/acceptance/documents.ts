/** Judges documents as a whole: how many known figures each would change without proof. */

import type { Row } from "#domain/history/history.ts";
import type { Provenance } from "#domain/history/observation.ts";
import type { Day } from "#domain/time/day.ts";
import { currentAt, currentValueOf } from "./current.ts";
import type { DocumentTrust, KnownRates, Report, SeriesCase } from "./judgement.ts";
import { claimOf, isOldCopy, lastStatements, reportsByRoute } from "./proof.ts";

/** An authority corrects no more figures of one series, and no more in all, in one document. */
const MOST_OF_A_SERIES = 3;
const MOST_OF_A_DOCUMENT = 20;
/** So many changes of a document are believed where no other kind of route can be asked. */
const MOST_UNCONFIRMED = 3;

/** How many known figures a document changes that no other kind of route changes with it. */
export class DocumentChanges implements DocumentTrust {
  readonly #oldCopies: ReadonlySet<Provenance>;
  readonly #all = new Map<Provenance, { total: number; mostOfASeries: number }>();

  constructor(oldCopies: ReadonlySet<Provenance>) {
    this.#oldCopies = oldCopies;
  }

  isOldCopy(document: Provenance): boolean {
    return this.#oldCopies.has(document);
  }

  /** Counts the changes of one series; to be called for all of them before the first is judged. */
  count(known: KnownRates, series: SeriesCase): void {
    const ofSeries = new Map<Provenance, number>();
    for (const changed of changesIn(known, series))
      if (!this.isOldCopy(changed)) ofSeries.set(changed, (ofSeries.get(changed) ?? 0) + 1);
    for (const [document, count] of ofSeries) {
      const { total, mostOfASeries } = this.#all.get(document) ?? { total: 0, mostOfASeries: 0 };
      this.#all.set(document, {
        total: total + count,
        mostOfASeries: Math.max(mostOfASeries, count),
      });
    }
  }

  distrust(document: Provenance): string | null {
    const changes = this.#all.get(document);
    if (changes === undefined) return null;
    const { total, mostOfASeries } = changes;
    if (total <= MOST_OF_A_DOCUMENT && mostOfASeries <= MOST_OF_A_SERIES) return null;
    return `its document changes ${total} known figures, up to ${mostOfASeries} of one series`;
  }

  isSmall(document: Provenance): boolean {
    return (this.#all.get(document)?.total ?? 0) <= MOST_UNCONFIRMED;
  }
}

/** The document of each claim against a current value that no other kind of route confirms. */
function* changesIn(known: KnownRates, series: SeriesCase): Generator<Provenance> {
  const { rows, reports } = series;
  const { date, units, scale } = known.observations;
  let at = 0;
  for (const row of rows) {
    const day = date[row] as Day;
    while (at < reports.length && (reports[at] as Report).key.date < day) at++;
    const first = at;
    const value = (units[row] as number) / 10 ** (scale[row] as number);
    let isRepeated = true;
    for (; reports[at]?.key.date === day; at++) {
      const { figure } = reports[at] as Report;
      // Both are the double nearest to the same decimal where the digits are equal.
      isRepeated &&= figure !== null && Number(figure.printed) === value;
    }
    if (!isRepeated) yield* claimsAgainst(known, series, row, reports.slice(first, at));
  }
}

function* claimsAgainst(
  known: KnownRates,
  series: SeriesCase,
  row: Row,
  reports: readonly Report[],
): Generator<Provenance> {
  const current = currentAt(known, row);
  const stated = lastStatements(reports);
  for (const route of reportsByRoute(reports)) {
    if (isOldCopy(route.events, currentValueOf(current))) continue;
    const claim = claimOf(series, route, current.day, currentValueOf(current), stated);
    if (claim !== null && claim.proof !== "other kind") yield (claim.reports.at(-1) as Report).provenance;
  }
}
