/** GET /v1/account/usage/daily: requests served and refused by a limit, a row a day. */

import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import { type AccountDeps, reaching } from "./deps.ts";

export const LEAST_USAGE_DAYS = 1;
export const MOST_USAGE_DAYS = 90;
export const DEFAULT_USAGE_DAYS = 30;

/**
 * The last `days` days (1 to 90) in UTC, today included, oldest first; days without a call are there with zeros, and so is
 * everything before provisioning. What is counted and not yet written is in. Failure `service_unavailable`.
 */
export async function usageDaily(deps: AccountDeps, ownerId: string, days: number) {
  const today = dayAt(deps.clock.now());
  const first = today - days + 1;
  const counts = await reaching(() => countsOf(deps, ownerId, first, today));
  const rows = Array.from({ length: days }, (_, nth) => {
    const { served, rateLimited } = counts.get(first + nth) ?? NOTHING;
    return { date: formatDay(first + nth), served, rate_limited: rateLimited };
  });
  return { result: "success", days, rows };
}

interface Count {
  readonly served: number;
  readonly rateLimited: number;
}

const NOTHING: Count = { served: 0, rateLimited: 0 };

async function countsOf(
  { ledger, pendingUsage }: AccountDeps,
  ownerId: string,
  first: Day,
  last: Day,
): Promise<ReadonlyMap<Day, Count>> {
  const counts = new Map<Day, Count>();
  const organization = await ledger.organizations.byOwner(ownerId);
  if (organization === null) return counts;
  const written = await ledger.usage.days(organization.id, first, last);
  for (const { day, served, rateLimited } of [...written, ...pendingUsage(organization.id)]) {
    const sum = counts.get(day) ?? NOTHING;
    counts.set(day, { served: sum.served + served, rateLimited: sum.rateLimited + rateLimited });
  }
  return counts;
}
