/** Reads of the ledger that everybody wants: made once in a few seconds, and by nobody twice at the same time. */

import type { PublicationVersion } from "#domain/official/publication.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";

type Found = PublicationVersion | null;

export interface KeptReads {
  /** The publication that `read` finds for a table on a day (null: whatever the day), as it stood at most so long ago. */
  read(table: string, day: Day | null, read: () => Promise<Found>): Promise<Found>;
  /** Something was published: the next read asks the ledger. */
  forget(): void;
}

interface Kept {
  readonly day: Day | null;
  readonly at: Instant;
  readonly found: Promise<Found>;
}

/** One entry a table and kind of question, so that days that have passed do not pile up. A failed read is not kept. */
export function keptReads(clock: Clock, milliseconds: number): KeptReads {
  const kept = new Map<string, Kept>();
  return {
    read: (table, day, read) => {
      const name = day === null ? table : `${table} on a day`;
      const now = clock.now();
      const known = kept.get(name);
      // What began earlier may have missed what was published since: its age counts from there.
      if (known !== undefined && known.day === day && Math.abs(now - known.at) < milliseconds)
        return known.found;
      const entry: Kept = { day, at: now, found: read() };
      kept.set(name, entry);
      entry.found.catch(() => {
        if (kept.get(name) === entry) kept.delete(name);
      });
      return entry.found;
    },
    forget: () => kept.clear(),
  };
}
