/** Usage: requests by day for the owner, calls by calendar month for the quota. All in UTC. */

import { type Day, formatDay } from "#domain/time/day.ts";

/** `YYYY-MM`, UTC. */
export type Month = string;

export interface UsageDay {
  readonly day: Day;
  readonly served: number;
  /** Refused by a limit of the plan. */
  readonly rateLimited: number;
  /** Those of them that the month's quota refused. */
  readonly quotaExceeded: number;
}

/** What one flush adds for one organization and day. `calls` count against the quota: a batch of N counts N. */
export interface UsageIncrement extends UsageDay {
  readonly organizationId: string;
  /** The identity that owns it: the quota is theirs, also when the organization is deleted. */
  readonly ownerId: string;
  readonly calls: number;
}

export function monthOf(day: Day): Month {
  return formatDay(day).slice(0, 7);
}

/** One increment an organization and day, in order of both; sums are what matters, so those with equal keys are added up. */
export function sumIncrements(increments: readonly UsageIncrement[]): readonly UsageIncrement[] {
  const sums = new Map<string, UsageIncrement>();
  for (const one of increments) {
    const key = `${one.organizationId} ${one.day}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? one : added(sum, one));
  }
  return [...sums.values()].sort(byOrganizationAndDay);
}

function added(a: UsageIncrement, b: UsageIncrement): UsageIncrement {
  const { organizationId, ownerId, day } = a;
  return {
    organizationId,
    ownerId,
    day,
    served: a.served + b.served,
    rateLimited: a.rateLimited + b.rateLimited,
    quotaExceeded: a.quotaExceeded + b.quotaExceeded,
    calls: a.calls + b.calls,
  };
}

function byOrganizationAndDay(a: UsageIncrement, b: UsageIncrement): number {
  if (a.organizationId !== b.organizationId) return a.organizationId < b.organizationId ? -1 : 1;
  return a.day - b.day;
}
