/** What a server remembers of its own state, for its status page. */

import type { Day, Instant } from "#domain/time/day.ts";

/** What was wrong, from when to when, to the minute. */
export interface Incident {
  /** The part and its state: "ecb_daily stale", "database failed". */
  readonly fault: string;
  readonly since: Instant;
  /** When a check first found it over; null while it lasts. */
  readonly until: Instant | null;
}

/** How often a part was checked on a day, and how often it was at fault. */
export interface PartDay {
  readonly part: string;
  readonly day: Day;
  readonly looks: number;
  readonly faults: number;
}

/** What the installation has seen of itself, over all its processes and starts. */
export interface StatusRecord {
  /** The newest first. */
  readonly incidents: readonly Incident[];
  readonly days: readonly PartDay[];
  /** Milliseconds from the publication of each official document to its collection, by table, where the authority states the time. */
  readonly delays: ReadonlyMap<string, readonly number[]>;
}
