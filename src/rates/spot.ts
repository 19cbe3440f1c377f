/** The spot table that requests are answered from: kept while nothing changes, made anew the moment anything does. */

import { isDamaged } from "#domain/faults/damage.ts";
import type { Dataset } from "#domain/history/dataset.ts";
import type { Book } from "#domain/live/book.ts";
import { newPastBooks, type PastBooks } from "#domain/live/past-books.ts";
import type { LivePolicy } from "#domain/spot/live-policy.ts";
import { type SpotTable, spotTable } from "#domain/spot/table.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { Clock, HotBook } from "#ports.ts";

export interface SpotDeps {
  readonly dataset: () => Dataset | null;
  readonly clock: Clock;
  readonly hotBook: Pick<HotBook, "read" | "subscribe">;
  readonly policy: LivePolicy;
  readonly simulated: boolean;
  /** Minutes that live rates are held back for callers of whom nothing else is said. */
  readonly delayMinutes: number;
}

/** The table for live rates that are so many minutes late; one object as long as its content holds. */
export type Spot = (delayMinutes?: number) => SpotTable;

/** Longest delay there can be: quotes are remembered for that long. */
export const LONGEST_DELAY_MINUTES = 60;

/** `known` are quotes of the last hour and before, so that delayed rates are there right after a start. */
export function openSpot(deps: SpotDeps): Spot & Pick<PastBooks, "add"> {
  const past = newPastBooks(LONGEST_DELAY_MINUTES * 60_000);
  past.add(deps.hotBook.read().quotes.values(), deps.clock.now());
  deps.hotBook.subscribe((book) => past.add(book.quotes.values(), deps.clock.now()));
  const kept = new Map<number, Kept>();
  const spot: Spot = (delayMinutes = deps.delayMinutes) => {
    const now = deps.clock.now();
    const dataset = deps.dataset();
    const newest = deps.hotBook.read();
    const last = kept.get(delayMinutes);
    if (last !== undefined && last.dataset === dataset && last.newest === newest) {
      if (now >= last.table.now && now < last.holdsUntil) return last.table;
    }
    const made = make(deps, past, { now, dataset, newest, delayMinutes });
    kept.set(delayMinutes, made);
    return made.table;
  };
  return Object.assign(spot, { add: past.add });
}

interface Kept {
  readonly dataset: Dataset | null;
  readonly newest: Book;
  readonly holdsUntil: Instant;
  readonly table: SpotTable;
}

interface Asked {
  readonly now: Instant;
  readonly dataset: Dataset | null;
  readonly newest: Book;
  readonly delayMinutes: number;
}

function make(
  { policy, simulated }: SpotDeps,
  past: PastBooks,
  { now, dataset, newest, delayMinutes }: Asked,
): Kept {
  if (delayMinutes === 0) {
    const table = spotTable({ ...dailyPart(dataset, now), book: newest, policy, now, simulated });
    return { dataset, newest, holdsUntil: table.holdsUntil, table };
  }
  const delay = delayMinutes * 60_000;
  const { book: remembered, nextAt } = past.at(now - delay);
  // What was credible then may be beyond the references of now.
  const { isCredible = () => true } = policy;
  const book = {
    ...remembered,
    quotes: new Map([...remembered.quotes].filter(([, quote]) => isCredible(quote))),
  };
  // A rate that is late on purpose is stale when it would have been without the delay.
  const late: LivePolicy = {
    ...policy,
    staleAfterSeconds: (feed) => policy.staleAfterSeconds(feed) + delay / 1000,
  };
  const table = spotTable({ ...dailyPart(dataset, now), book, policy: late, now, simulated });
  return { dataset, newest, holdsUntil: Math.min(table.holdsUntil, nextAt + delay), table };
}

/** Where the newest figures may be in damaged files, only live quotes are served. */
function dailyPart(dataset: Dataset | null, now: Instant) {
  const today = dayAt(now);
  const isCut = dataset !== null && isDamaged(dataset, "daily", today, today);
  return { dataset: isCut ? null : dataset, isDamaged: isCut };
}
