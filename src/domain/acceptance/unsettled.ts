/** What of a source's figures is not settled: held figures, contradictions between its routes, currencies without a newest figure. */

import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { History } from "#domain/history/history.ts";
import { type CurrencyBehind, currenciesBehind } from "#domain/history/suspended.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { type Contradictions, contradictionsOf } from "./contradictions.ts";
import type { Statement } from "./statements.ts";

export interface Unsettled {
  readonly heldCount: number;
  /** The newest of them by date, the newest first; at most 50. */
  readonly held: readonly HeldFigure[];
  readonly heldByRule: ReadonlyMap<string, number>;
  /** Null where no route contradicts what is served. */
  readonly contradictions: Contradictions | null;
  /** Currencies with an older newest figure than the source. */
  readonly behind: readonly CurrencyBehind[];
}

/** A wrong whole history is tens of thousands of held figures. */
const MOST_HELD_LISTED = 50;

export const NOTHING_UNSETTLED: Unsettled = {
  heldCount: 0,
  held: [],
  heldByRule: new Map(),
  contradictions: null,
  behind: [],
};

/** By source. It takes milliseconds for tens of thousands of statements: once a change of them, not once a request. */
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
        contradictions: contradictions.find((found) => found.source === source) ?? null,
        behind: history === null ? [] : currenciesBehind(history, source),
      },
    ];
  });
  return Object.fromEntries(entries) as Record<DailySource, Unsettled>;
}

/** The newest date first; of one date in the order of the list. */
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
