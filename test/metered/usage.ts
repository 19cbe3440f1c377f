/** What the ledger says was used today, of several organizations together. */

import { monthOf } from "#domain/account/usage-day.ts";
import { dayAt } from "#domain/day.ts";
import { firstDayOfMonth } from "#domain/limits/month.ts";
import type { Replica } from "./replica.ts";

export interface Usage {
  readonly served: number;
  readonly rateLimited: number;
  /** Of the month. */
  readonly calls: number;
}

export async function usageInLedger(
  { crossrate }: Replica,
  clock: { now(): number },
  organizationIds: readonly string[],
): Promise<Usage> {
  const usage = crossrate.accounts?.ledger.usage;
  if (usage === undefined) throw new Error("this server has no accounts");
  const today = dayAt(clock.now());
  const months = await usage.monthCalls(monthOf(firstDayOfMonth(today)), organizationIds);
  const days = (await Promise.all(organizationIds.map((id) => usage.days(id, today, today)))).flat();
  return {
    served: days.reduce((sum, { served }) => sum + served, 0),
    rateLimited: days.reduce((sum, { rateLimited }) => sum + rateLimited, 0),
    calls: organizationIds.reduce((sum, id) => sum + (months.get(id) ?? 0), 0),
  };
}
