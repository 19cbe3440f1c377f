/** Contradictions between the routes of a source that are not settled: counted and shown wherever the state of the service is. */

import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { History, Row } from "#domain/history/history.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { unitsText } from "#domain/number/decimal.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import type { Statement } from "./statements.ts";

export interface Contradictions {
  readonly source: DailySource;
  /** How many figures routes state differently from what is served. */
  readonly count: number;
  /** Retrieval of the oldest of them. */
  readonly since: Instant;
  /** One sentence about the newest figure among them. */
  readonly example: string;
}

/**
 * By source, where there are any: what routes stated since the served value last changed, and differently. A figure that is held because
 * nothing is served for its day is not among them; it is in the list of held figures.
 */
export function contradictionsOf(
  statements: readonly Statement[],
  held: readonly HeldFigure[],
  history: History | null,
): readonly Contradictions[] {
  const keyOf = ({ source, base, quote }: Statement | HeldFigure, day: number) =>
    `${source} ${base} ${quote} ${day}`;
  const heldKeys = new Set(held.map((figure) => keyOf(figure, figure.date)));
  return DAILY_SOURCES.flatMap((source) => {
    let count = 0;
    let since = Number.POSITIVE_INFINITY;
    let newest: Statement | null = null;
    for (const statement of statements) {
      if (statement.source !== source || statement.since === null) continue;
      if (rowOf(statement, history) < 0 && heldKeys.has(keyOf(statement, statement.first))) continue;
      count += 1;
      since = Math.min(since, statement.since);
      if (newest === null || statement.first > newest.first) newest = statement;
    }
    return newest === null ? [] : [{ source, count, since, example: sentenceOf(newest, history) }];
  });
}

function sentenceOf(statement: Statement, history: History | null): string {
  const { route, base, quote, first, printed } = statement;
  const row = rowOf(statement, history);
  const stated = printed === null ? `has no ${base}/${quote}` : `states ${base}/${quote} ${printed}`;
  const servedValue = row < 0 ? "nothing is served" : `${printedAt(row, history as History)} is served`;
  return `${route} ${stated} for ${formatDay(first)}; ${servedValue}`;
}

function rowOf({ source, base, quote, first }: Statement, history: History | null): Row {
  const currency = currencyIndex(base === PIVOT[source] ? quote : base);
  return history?.row(DAILY_SOURCES.indexOf(source), first, currency) ?? -1;
}

function printedAt(row: Row, { observations: { units, scale } }: History): string {
  return unitsText(units[row] as number, scale[row] as number);
}
