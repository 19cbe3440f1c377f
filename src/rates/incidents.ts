/** Incidents since the process started: each fault with its beginning and end, from the reports of readiness. */

import type { ServiceStatus } from "#domain/rates/status.ts";
import type { Instant } from "#domain/time/day.ts";

export interface Incident {
  /** The part and its state: "ecb_daily stale", "database failed". */
  readonly fault: string;
  /** When it was first seen; it can be up to the interval of looks older. */
  readonly since: Instant;
  /** When it was first seen to be over; null while it lasts. */
  readonly until: Instant | null;
}

export interface Incidents {
  /** Takes a report into account. */
  note(report: ServiceStatus, now: Instant): void;
  /** The newest first. */
  list(): readonly Incident[];
}

/** Ended incidents that are remembered. */
const MOST_ENDED = 50;

export function newIncidents(): Incidents {
  const open = new Map<string, Instant>();
  let ended: readonly Incident[] = [];
  return {
    note: (report, now) => {
      const faults = new Set(faultsOf(report));
      for (const [fault, since] of open) {
        if (faults.has(fault)) continue;
        open.delete(fault);
        ended = [{ fault, since, until: now }, ...ended].slice(0, MOST_ENDED);
      }
      for (const fault of faults) if (!open.has(fault)) open.set(fault, now);
    },
    list: () =>
      [...[...open].map(([fault, since]) => ({ fault, since, until: null })), ...ended].sort(
        (a, b) => b.since - a.since,
      ),
  };
}

function faultsOf({ database, limits, cache, lake, live, daily, official }: ServiceStatus): string[] {
  const parts: [string, string][] = [
    ["database", database.status],
    ["limits", limits.status],
    ["cache", cache.status],
    ["lake", lake.status],
    ["lake", lake.damaged.length > 0 ? "damaged" : "ok"],
    ["live", live.status],
    ...Object.entries(daily).map(([source, { status }]): [string, string] => [source, status]),
    ...official.map(({ table, status }): [string, string] => [table, status]),
  ];
  return parts.filter(([, state]) => !FINE.has(state)).map((part) => part.join(" "));
}

/** `waiting`: the first quotes are not due yet. */
const FINE: ReadonlySet<string> = new Set(["ok", "unused", "off", "waiting"]);
