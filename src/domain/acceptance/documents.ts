/** Judges documents as a whole: how many known figures each would change without proof. */

import type { Row } from "#domain/history/history.ts";
import type { Provenance } from "#domain/history/observation.ts";
import type { Day } from "#domain/time/day.ts";
import { currentAt, currentValueOf } from "./current.ts";
import type { DocumentTrust, KnownRates, Report, SeriesCase } from "./judgement.ts";
import { canConfirm, claimOf, isOldCopy, lastStatements, reportsByRoute } from "./proof.ts";

/** An authority corrects no more figures of one series, and no more in all, in one document. */
const MOST_OF_A_SERIES = 3;
const MOST_OF_A_DOCUMENT = 20;
/** So many changes of a document are believed where no other kind of route can be asked. */
const MOST_UNCONFIRMED = 3;

/** So many claims that another kind of route confirms in the same collection, and none refuted, speak for all of a document. */
const SAMPLE = 50;
/** Of a document that is not believed only so many changes of a series, the newest, are noted and held, */
const MOST_NOTED = 100;
/** and first figures of so many days before its last. */
const NOTED_DAYS = 140;

interface Changes {
  total: number;
  mostOfASeries: number;
  confirmed: number;
  refuted: number;
  /** Days of its claims by series, ascending. */
  readonly days: Map<SeriesCase, Day[]>;
}

/** How many known figures each document changes that no other kind of route changes with it. */
export class DocumentChanges implements DocumentTrust {
  readonly #oldCopies: ReadonlySet<Provenance>;
  readonly #all = new Map<Provenance, Changes>();

  constructor(oldCopies: ReadonlySet<Provenance>) {
    this.#oldCopies = oldCopies;
  }

  isOldCopy(document: Provenance): boolean {
    return this.#oldCopies.has(document);
  }

  /** Counts the changes of one series; to be called for all of them before the first is judged. */
  count(known: KnownRates, series: SeriesCase): void {
    for (const { document, day, outcome } of claimsIn(known, series)) {
      if (this.isOldCopy(document)) continue;
      const changes = this.#of(document);
      if (outcome !== "open") changes[outcome] += 1;
      if (outcome === "confirmed") continue;
      changes.total += 1;
      const days = changes.days.get(series) ?? [];
      days.push(day);
      changes.days.set(series, days);
      changes.mostOfASeries = Math.max(changes.mostOfASeries, days.length);
    }
  }

  distrust(document: Provenance): string | null {
    const changes = this.#all.get(document);
    if (changes === undefined || this.isVouchedFor(document)) return null;
    const { total, mostOfASeries } = changes;
    if (total <= MOST_OF_A_DOCUMENT && mostOfASeries <= MOST_OF_A_SERIES) return null;
    return `its document changes ${total} known figures, up to ${mostOfASeries} of one series`;
  }

  isVouchedFor(document: Provenance): boolean {
    const { confirmed = 0, refuted = 0 } = this.#all.get(document) ?? {};
    return confirmed >= SAMPLE && refuted === 0;
  }

  isSmall(document: Provenance): boolean {
    return (this.#all.get(document)?.total ?? 0) <= MOST_UNCONFIRMED;
  }

  /** Days of the claims of each document that is not believed, ascending. */
  distrusted(): readonly (readonly [Provenance, readonly Day[]])[] {
    return [...this.#all]
      .filter(([document]) => this.distrust(document) !== null)
      .map(([document, { days }]) => [document, [...days.values()].flat().sort((a, b) => a - b)]);
  }

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

function* claimsIn(known: KnownRates, series: SeriesCase): Generator<DocumentClaim> {
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
): Generator<DocumentClaim> {
  const current = currentAt(known, row);
  const stated = lastStatements(reports);
  for (const route of reportsByRoute(reports)) {
    if (isOldCopy(route.events, currentValueOf(current))) continue;
    const claim = claimOf(series, route, current.day, currentValueOf(current), stated);
    if (claim === null) continue;
    const isRefuted = [...stated].some(
      ([other, { value }]) => value !== route.stated.value && canConfirm([other], route.route),
    );
    const outcome = claim.proof === "other kind" ? "confirmed" : isRefuted ? "refuted" : "open";
    yield { document: (claim.reports.at(-1) as Report).provenance, day: current.day, outcome };
  }
}
