/** What is not settled of a source's figures: held figures, contradictions between its routes, currencies without a newest figure. */

import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { History, Row } from "#domain/history/history.ts";
import { type CurrencyBehind, currenciesBehind } from "#domain/history/schedule.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { formatDay } from "#domain/time/day.ts";
import { currencyOf, printedAt, type Statement } from "./statements.ts";

export interface Unsettled {
  readonly heldCount: number;
  /** The newest first; at most 50. */
  readonly held: readonly HeldFigure[];
  readonly heldByRule: ReadonlyMap<string, number>;
  /** Null where no route contradicts what is served. */
  readonly contradictions: Contradictions | null;
  readonly behind: readonly CurrencyBehind[];
}

/** A wrong history can leave tens of thousands of held figures. */
const MOST_HELD_LISTED = 50;

export const NOTHING_UNSETTLED: Unsettled = {
  heldCount: 0,
  held: [],
  heldByRule: new Map(),
  contradictions: null,
  behind: [],
};

/** By source. Takes milliseconds for tens of thousands of statements: call it when they change, not for each request. */
export function unsettledOf(
  statements: readonly Statement[],
  held: readonly HeldFigure[],
  history: History | null,
): Readonly<Record<DailySource, Unsettled>> {
  const contradictions = contradictionsOf(statements, held, history);
  const entries = DAILY_SOURCES.map((source): [DailySource, Unsettled] => {
    const ofSource = newestFirst(held.filter((figure) => figure.source === source));
    return [
      source,
      {
        heldCount: ofSource.length,
        held: ofSource.slice(0, MOST_HELD_LISTED),
        heldByRule: countBy(ofSource, ({ rule }) => rule),
        contradictions: contradictions.find((one) => one.source === source) ?? null,
        behind: history === null ? [] : currenciesBehind(history, source),
      },
    ];
  });
  return Object.fromEntries(entries) as Record<DailySource, Unsettled>;
}

/** Figures of one date keep their order. */
export function newestFirst(held: readonly HeldFigure[]): readonly HeldFigure[] {
  return held.toSorted((a, b) => b.date - a.date);
}

/** How many of the figures have each key, the most frequent first. */
export function countBy(
  figures: readonly HeldFigure[],
  keyOf: (figure: HeldFigure) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const figure of figures) counts.set(keyOf(figure), (counts.get(keyOf(figure)) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

export type Contradictions = ReturnType<typeof contradictionsOf>[number];

/**
 * By source: the statements that contradict the served value, made since that value last changed; `example` is a sentence about the newest
 * figure among them. A held figure for a day without a served value is not repeated here: it is in the list of held figures.
 */
export function contradictionsOf(
  statements: readonly Statement[],
  held: readonly HeldFigure[],
  history: History | null,
) {
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
  const servedValue = row < 0 ? "nothing is served" : `${printedAt(history as History, row)} is served`;
  return `${route} ${stated} for ${formatDay(first)}; ${servedValue}`;
}

function rowOf(statement: Statement, history: History | null): Row {
  const source = DAILY_SOURCES.indexOf(statement.source);
  return history?.row(source, statement.first, currencyIndex(currencyOf(statement))) ?? -1;
}
