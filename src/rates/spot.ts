/** The spot table that requests are answered from. It is the same object until anything in it changes. */

import type { Dataset } from "#domain/dataset/dataset.ts";
import { isDamaged } from "#domain/history/damage.ts";
import { type Book, newPastBooks, type PastBooks } from "#domain/live/book.ts";
import { type LivePolicy, type SpotTable, spotTable } from "#domain/spot/table.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { Clock, HotBook } from "#ports.ts";

export interface SpotDeps {
  readonly dataset: () => Dataset | null;
  readonly clock: Clock;
  readonly hotBook: Pick<HotBook, "read" | "subscribe">;
  readonly policy: LivePolicy;
  readonly simulated: boolean;
  readonly delayMinutes: number;
}

/** The table for live rates of this delay; one object as long as its content holds. */
export type Spot = (delayMinutes?: number) => SpotTable;

/** Quotes are remembered for this long. */
export const LONGEST_DELAY_MINUTES = 60;

/** With `known` quotes delayed rates are there right after a start. */
export function openSpot(deps: SpotDeps): Spot & Pick<PastBooks, "add"> {
  const past = newPastBooks(LONGEST_DELAY_MINUTES * 60_000);
  past.add(deps.hotBook.read().quotes.values(), deps.clock.now());
  deps.hotBook.subscribe((book) => past.add(book.quotes.values(), deps.clock.now()));
  const cached = new Map<number, Cached>();
  const spot: Spot = (delayMinutes = deps.delayMinutes) => {
    const now = deps.clock.now();
    const dataset = deps.dataset();
    const newest = deps.hotBook.read();
    const last = cached.get(delayMinutes);
    if (last !== undefined && last.dataset === dataset && last.newest === newest) {
      if (now >= last.table.now && now < last.holdsUntil) return last.table;
    }
    const made = make(deps, past, { now, dataset, newest, delayMinutes });
    cached.set(delayMinutes, made);
    return made.table;
  };
  return Object.assign(spot, { add: past.add });
}

interface Cached {
  readonly dataset: Dataset | null;
  readonly newest: Book;
  readonly holdsUntil: Instant;
  readonly table: SpotTable;
}

interface Wanted {
  readonly now: Instant;
  readonly dataset: Dataset | null;
  readonly newest: Book;
  readonly delayMinutes: number;
}

function make(
  { policy, simulated }: SpotDeps,
  past: PastBooks,
  { now, dataset, newest, delayMinutes }: Wanted,
): Cached {
  if (delayMinutes === 0) {
    const table = spotTable({ ...dailyPart(dataset, now), book: newest, policy, now, simulated });
    return { dataset, newest, holdsUntil: table.holdsUntil, table };
  }
  const delay = delayMinutes * 60_000;
  const { book: remembered, nextAt } = past.at(now - delay);
  // It may be beyond the references of now.
  const { isCredible = () => true } = policy;
  const book = {
    ...remembered,
    quotes: new Map([...remembered.quotes].filter(([, quote]) => isCredible(quote))),
  };
  // A delayed rate is stale when it would have been without the delay.
  const late: LivePolicy = {
    ...policy,
    staleAfterSeconds: (feed) => policy.staleAfterSeconds(feed) + delay / 1000,
  };
  const table = spotTable({ ...dailyPart(dataset, now), book, policy: late, now, simulated });
  return { dataset, newest, holdsUntil: Math.min(table.holdsUntil, nextAt + delay), table };
}

/** With damaged newest figures only live quotes are served. */
function dailyPart(dataset: Dataset | null, now: Instant) {
  const today = dayAt(now);
  const isCut = dataset !== null && isDamaged(dataset, "daily", today, today);
  return { dataset: isCut ? null : dataset, isDamaged: isCut };
}
