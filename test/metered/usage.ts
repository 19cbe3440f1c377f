/** Today's usage in the ledger, of several organizations together. */

import { monthOf } from "#domain/account/organization.ts";
import { dayAt, firstDayOfMonth } from "#domain/time/day.ts";
import type { Replica } from "./replica.ts";

export async function usageInLedger(
  { crossrate }: Replica,
  clock: { now(): number },
  organizationIds: readonly string[],
) {
  const ledger = crossrate.accounts?.ledger;
  if (ledger === undefined) throw new Error("this server has no accounts");
  const today = dayAt(clock.now());
  const owners = await Promise.all(organizationIds.map((id) => ledger.organizations.byId(id)));
  const month = monthOf(firstDayOfMonth(today));
  const months = await Promise.all(owners.map((org) => ledger.usage.monthCalls(month, org?.ownerId ?? "")));
  const days = (await Promise.all(organizationIds.map((id) => ledger.usage.days(id, today, today)))).flat();
  return {
    served: days.reduce((sum, { served }) => sum + served, 0),
    rateLimited: days.reduce((sum, { rateLimited }) => sum + rateLimited, 0),
    calls: months.reduce((sum, calls) => sum + calls, 0),
  };
}
