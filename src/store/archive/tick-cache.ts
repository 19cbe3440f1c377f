/** Ticks that were read before, by version of the date's file; the longest unused go first when there is no more room. */

import type { Day } from "#domain/day.ts";
import type { Ticks } from "./ticks.ts";

export interface TickCache {
  /** Null when they are not here for this very version of the file. */
  get(date: Day, pair: string, identity: string): Ticks | null;
  put(date: Day, pair: string, identity: string, ticks: Ticks): void;
}

interface Entry {
  readonly identity: string;
  readonly ticks: Ticks;
  readonly bytes: number;
}

/** What an entry costs beside its ticks, roughly. */
const ENTRY_BYTES = 400;

/** Holds up to `bytes` of ticks: a currency of a quarter, once a minute, is about 2 MB. */
export function openTickCache(bytes: number): TickCache {
  const entries = new Map<string, Entry>();
  let held = 0;
  const remove = (key: string, entry: Entry) => {
    entries.delete(key);
    held -= entry.bytes;
  };
  return {
    get: (date, pair, identity) => {
      const key = `${date} ${pair}`;
      const entry = entries.get(key);
      if (entry?.identity !== identity) return null;
      // A Map keeps the order of insertion: the newest use stands last.
      entries.delete(key);
      entries.set(key, entry);
      return entry.ticks;
    },
    put: (date, pair, identity, ticks) => {
      const key = `${date} ${pair}`;
      const known = entries.get(key);
      if (known !== undefined) remove(key, known);
      const entry = { identity, ticks, bytes: ENTRY_BYTES + ticks.mid.length * 17 };
      entries.set(key, entry);
      held += entry.bytes;
      for (const [oldest, unused] of entries) {
        if (held <= bytes) break;
        remove(oldest, unused);
      }
    },
  };
}
