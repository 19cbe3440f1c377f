/** The evidence about a held figure: the value in force, and what each route of its source states. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, PIVOT } from "#domain/currency/source.ts";
import type { History, Row } from "#domain/history/history.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { unitsText } from "#domain/number/decimal.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { Statement } from "./statements.ts";

export interface HeldEvidence {
  readonly held: HeldFigure;
  /** Of the base and quote the one that is not the source's pivot. */
  readonly currency: CurrencyCode;
  /** The newest believed value of the same figure up to its date, as printed; null where there is none within 60 days. */
  readonly believed: { readonly date: Day; readonly printed: string; readonly retrievedAt: Instant } | null;
  /** What the source's routes state of this very day, where it differs from the believed figures. */
  readonly statements: readonly Statement[];
}

const LONGEST_LOOK = 60;

/** `history` is null before the first collection. */
export function evidenceOf(
  held: HeldFigure,
  history: History | null,
  statements: readonly Statement[],
): HeldEvidence {
  const { source, date, base, quote } = held;
  const currency = currencyOfHeld(held);
  return {
    held,
    currency,
    believed: history === null ? null : believedBefore(held, currency, history),
    statements: statements.filter(
      (said) =>
        said.source === source &&
        said.base === base &&
        said.quote === quote &&
        said.first <= date &&
        date <= said.last,
    ),
  };
}

/** Of the base and quote the one that is not the source's pivot. */
export function currencyOfHeld({ source, base, quote }: HeldFigure): CurrencyCode {
  return base === PIVOT[source] ? quote : base;
}

function believedBefore(
  { source, date }: HeldFigure,
  currency: CurrencyCode,
  history: History,
): HeldEvidence["believed"] {
  const sourceIndex = DAILY_SOURCES.indexOf(source);
  for (let day = date; day > date - LONGEST_LOOK; day--) {
    const row = history.row(sourceIndex, day, currencyIndex(currency));
    if (row >= 0) return valueAt(history, row);
  }
  return null;
}

function valueAt({ observations }: History, row: Row) {
  const { units, scale, date, retrievedAt } = observations;
  return {
    date: date[row] as number,
    printed: unitsText(units[row] as number, scale[row] as number),
    retrievedAt: retrievedAt[row] as number,
  };
}
