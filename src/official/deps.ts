/** The dependencies of reading official publications: the offered tables, the ledger, and reads of it that are cached for seconds. */

import type { OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { PublicationHours, Publications } from "#ports/official.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";

/** A table that is offered. */
export interface OfferedTable {
  readonly table: OfficialTable;
  /** What the operator has to do to have it collected, such as "set BANXICO_TOKEN"; null where it is collected. */
  readonly missing: string | null;
  /** Absent where the authority has no hour, or none is known. */
  readonly hours?: PublicationHours | null;
}

export interface OfficialPorts {
  /** In the order in which they are listed. */
  readonly tables: readonly OfferedTable[];
  readonly publications: Omit<Publications, "newestRetrieval">;
  readonly outbox: Pick<Outbox, "changes" | "newestChanges">;
  readonly clock: Clock;
  /** Signs cursors. */
  readonly cursorSecret: string;
  /** The demo: rates are made up, and every answer states it. */
  readonly simulated: boolean;
}

export interface OfficialDeps extends OfficialPorts {
  /** Frequent reads, made every few seconds at most. */
  readonly cached: ReturnType<typeof cachedReads>;
}

/** How long a publication may be new without being seen in the list of tables and in the slugs. */
const CACHED_MILLISECONDS = 3000;

/** Tables in the order given; nothing is read yet. */
export function openOfficial(ports: OfficialPorts): OfficialDeps {
  return { ...ports, cached: cachedReads(ports.clock, CACHED_MILLISECONDS) };
}

type Found = PublicationVersion | null;

interface Cached {
  readonly day: Day | null;
  readonly at: Instant;
  readonly found: Promise<Found>;
}

/** One entry a table and kind of read, so that days that have passed do not pile up. A failed read is not cached. */
export function cachedReads(clock: Clock, milliseconds: number) {
  const cached = new Map<string, Cached>();
  return {
    /** The publication that `read` finds for a table on a day (null for the newest), cached for a few seconds. */
    read: (table: string, day: Day | null, read: () => Promise<Found>): Promise<Found> => {
      const name = day === null ? table : `${table} on a day`;
      const now = clock.now();
      const known = cached.get(name);
      // What began earlier may have missed what was published since: its age counts from there.
      if (known !== undefined && known.day === day && Math.abs(now - known.at) < milliseconds)
        return known.found;
      const entry: Cached = { day, at: now, found: read() };
      cached.set(name, entry);
      entry.found.catch(() => {
        if (cached.get(name) === entry) cached.delete(name);
      });
      return entry.found;
    },
    /** Something was published: the next read goes to the ledger. */
    forget: () => cached.clear(),
  };
}
