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

/** Returns the table for live rates with this delay; the same object while its content is the same. */
export type Spot = (delayMinutes?: number) => SpotTable;

/** Quotes are remembered for this long. */
export const LONGEST_DELAY_MINUTES = 60;

/** Opens the table. Stored quotes given to `add` at start make delayed rates available at once. */
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
    const delay = delayMinutes * 60_000;
    const { nextAt, ...book } =
      delay === 0 ? { ...newest, nextAt: Number.POSITIVE_INFINITY } : credible(past.at(now - delay));
    // The delay alone does not make a rate stale.
    const policy: LivePolicy = {
      ...deps.policy,
      staleAfterSeconds: (feed) => deps.policy.staleAfterSeconds(feed) + delay / 1000,
    };
    const { simulated } = deps;
    const table = spotTable({ ...dailyPart(dataset, now), book, policy, now, simulated });
    const holdsUntil = Math.min(table.holdsUntil, nextAt + delay);
    cached.set(delayMinutes, { dataset, newest, holdsUntil, table });
    return table;
  };
  /** Drops quotes of a past book that the present references contradict. */
  const credible = ({ quotes, nextAt }: ReturnType<PastBooks["at"]>) => {
    const { isCredible = () => true } = deps.policy;
    return { quotes: new Map([...quotes].filter(([, quote]) => isCredible(quote))), nextAt };
  };
  return Object.assign(spot, { add: past.add });
}

interface Cached {
  readonly dataset: Dataset | null;
  readonly newest: Book;
  readonly holdsUntil: Instant;
  readonly table: SpotTable;
}

/** With damaged newest figures only live quotes are served. */
function dailyPart(dataset: Dataset | null, now: Instant) {
  const today = dayAt(now);
  const isCut = dataset !== null && isDamaged(dataset, "daily", today, today);
  return { dataset: isCut ? null : dataset, isDamaged: isCut };
}
