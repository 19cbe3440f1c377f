/** Mails at 80 and 100 % of a month's quota, once each a month and quota, to owners with a confirmed address. */

import type { IdentityDeps } from "#accounts/identity/deps.ts";
import { sendMail } from "#accounts/identity/links.ts";
import type { AccountDeps } from "#accounts/keys/keys.ts";
import { quotaMail } from "#domain/account/identity.ts";
import { monthOf, tierInForce } from "#domain/account/organization.ts";
import { largestLimit } from "#domain/billing/plan.ts";
import { monthAt } from "#domain/limits/counts.ts";
import { dayAt } from "#domain/time/day.ts";
import type { Ledger } from "#ports/ledger.ts";

export interface QuotaMailDeps
  extends Pick<AccountDeps, "plans" | "monthUsed">,
    Pick<IdentityDeps, "mail" | "publicUrl" | "clock" | "emit" | "count"> {
  readonly ledger: Pick<Ledger, "usage" | "organizations" | "identities">;
}

const SHARES = [100, 80] as const;
const AT_ONCE = 100;

/**
 * Sends what is due; one process calls it every few minutes. The next call repeats a mail that the server could not take yet, but
 * none that was refused for good or may have arrived. Of two shares reached at once only the larger is mailed. Rejects with
 * LedgerUnavailable.
 */
export async function mailQuotas(deps: QuotaMailDeps): Promise<void> {
  const { ledger, mail, plans, clock } = deps;
  if (!mail.configured) return;
  const { start } = monthAt(clock.now());
  const month = monthOf(dayAt(start));
  const least = Math.min(plans.free.month, plans.basic.month, plans.plus.month, plans.pro.month) * 0.8;
  let page: Awaited<ReturnType<typeof ledger.usage.reached>> = [];
  do {
    page = await ledger.usage.reached(month, Math.floor(least), page.at(-1)?.organizationId ?? null, AT_ONCE);
    for (const { ownerId } of page) await mailOwner(deps, ownerId, month);
  } while (page.length === AT_ONCE);
}

async function mailOwner(deps: QuotaMailDeps, ownerId: string, month: string): Promise<void> {
  const { ledger, plans, publicUrl, clock } = deps;
  const [owner, organization] = await Promise.all([
    ledger.identities.byId(ownerId),
    ledger.organizations.byOwner(ownerId),
  ]);
  if (owner === null || owner.email === null || owner.emailVerifiedAt === null) return;
  if (organization === null || organization.status === "suspended" || owner.suspendedAt !== null) return;
  const now = clock.now();
  const { start, end } = monthAt(now);
  const quota = plans[tierInForce(organization, now)].month;
  const calls = await deps.monthUsed(ownerId, dayAt(start));
  const share = SHARES.find((percent) => calls * 100 >= quota * percent);
  // Those of a smaller plan, before an upgrade, say nothing of the quota in force.
  for (const percent of SHARES)
    if (percent > (share ?? 0)) await ledger.usage.releaseMail(ownerId, month, percent);
  if (share === undefined || !(await ledger.usage.claimMail(ownerId, month, share))) return;
  const facts = { site: publicUrl, percent: share, calls, quota, resetsOn: dayAt(end) };
  const text = quotaMail({ ...facts, isLargest: quota >= largestLimit(plans, "month") });
  const outcome = await sendMail(deps, owner.email, text);
  // A permanent refusal (RFC 5321, 4.2.1) is final. A mail that may have arrived is not sent again: it could arrive each time.
  if (!outcome.sent && outcome.fault === "unavailable" && !outcome.mayHaveCome)
    await ledger.usage.releaseMail(ownerId, month, share);
  // An owner with a mail about 100 % needs no mail about 80 %.
  else if (share === 100) await ledger.usage.claimMail(ownerId, month, 80);
}
