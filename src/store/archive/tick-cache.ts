/** Ticks that were read before, by version of the date's file; the longest unused go first when there is no more room. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Day } from "#domain/time/day.ts";
import type { Ticks } from "./ticks.ts";

export interface TickCache {
  /** Null when they are not here for this very version of the file. */
  get(date: Day, pair: string, identity: string): Ticks | null;
  put(date: Day, pair: string, identity: string, ticks: Ticks): void;
}

interface Entry {
  readonly identity: string;
  readonly ticks: Ticks;
}

/** Of the cache budget: a currency of a quarter, once a minute, is about 2 MB. */
const SHARE = 0.6;
const TICK_BYTES = 17;

export function openTickCache(caches: CacheBudget): TickCache {
  const entries = caches.cache<string, Entry>("ticks", { share: SHARE });
  return {
    get: (date, pair, identity) => {
      const entry = entries.get(`${date} ${pair}`);
      return entry?.identity === identity ? entry.ticks : null;
    },
    put: (date, pair, identity, ticks) => {
      entries.set(`${date} ${pair}`, { identity, ticks }, ticks.mid.length * TICK_BYTES);
    },
  };
}
