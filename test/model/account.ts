/** Steps of a run with the account: its state, its use, consent, its end. */

import {
  audited,
  Disagreement,
  demand,
  expectBody,
  mayTry,
  pick,
  type RunContext,
  refused,
} from "./context.ts";
import { keyOf } from "./keys.ts";
import { accountStatus, currentKey, DAY, instantText, type Person } from "./model.ts";
import { ended, requestAs } from "./people.ts";
import { runningOf } from "./subscriptions.ts";
import { dayOf, HOUR, monthAfter } from "./windows.ts";

export async function account(context: RunContext, person: Person): Promise<string> {
  const answer = await requestAs(context, person, "GET", "/v1/account");
  if (answer === null) return "401";
  const { now } = context;
  const { org, email } = person;
  if (org === null) {
    expectBody(answer, { email, org: null, key: null, usage: null });
    return "nothing yet";
  }
  const { tier, status } = accountStatus(org, now);
  expectBody(answer, {
    email,
    org: { id: org.id, tier, status },
    key: currentKey(org) === null ? null : keyOf(context, org, answer),
    usage: {
      calls_this_month: org.windows.monthCalls(now),
      limit: context.plans[tier].month,
      resets_on: dayOf(monthAfter(now)),
    },
  });
  return `${tier} ${status}`;
}

export async function usageDaily(
  context: RunContext,
  person: Person,
  days = pick(context, [1, 7, 30, 90, 0, 91]),
): Promise<string> {
  const isMalformed = days < 1 || days > 90;
  const path = `/v1/account/usage/daily?days=${days}`;
  const answer = await requestAs(context, person, "GET", path, undefined, isMalformed);
  if (answer === null) return "refused";
  const rows = Array.from({ length: days }, (_, nth) => {
    const date = dayOf(context.now - (days - 1 - nth) * DAY);
    const { served = 0, limited = 0 } = person.org?.days.get(date) ?? {};
    return { date, served, rate_limited: limited };
  });
  expectBody(answer, { days, rows });
  return `${days} days`;
}

export async function consent(context: RunContext, person: Person): Promise<string> {
  if (!mayTry(context, `consent ${person.email}`, 30, HOUR)) return "skipped";
  const version = pick(context, ["2026-01", "2026-02", "2026-03", ""]);
  const sent = { policy_version: version };
  const answer = await requestAs(context, person, "POST", "/v1/consent", sent, version === "");
  if (answer === null) return "refused";
  const first = person.consents.get(version) ?? context.now;
  if (!person.consents.has(version)) audited(context, "consent.accepted");
  person.consents.set(version, first);
  expectBody(answer, { policy_version: version, accepted_at: instantText(first) });
  return version;
}

/** While the provider is out of order, too: then nothing is deleted. */
export async function closeAccount(
  context: RunContext,
  person: Person,
  isProviderAway: boolean,
): Promise<string> {
  const { stripe } = context.world;
  const running = runningOf(stripe.account, person.org?.customer ?? null);
  const answer = await requestAs(context, person, "DELETE", "/v1/account");
  if (answer === null) return "401";
  const { org } = person;
  if (org?.suspended === true) {
    refused(answer, 403, "forbidden");
    return "403";
  }
  if (isProviderAway && org?.customer !== null && org !== null) {
    refused(answer, 502, "billing_cancellation_failed");
    return "502";
  }
  // One that is gone already, that no notice has reported, counts as cancelled.
  const isThoughtRunning = org?.bought != null && org.bought.status !== "canceled";
  const cancelled = running.length > 0 || isThoughtRunning;
  expectBody(answer, { deleted: org !== null, org_id: org?.id ?? null, subscription_cancelled: cancelled });
  demand("still running", runningOf(stripe.account, org?.customer ?? null).length, 0);
  if (org === null) return "nothing to delete";
  audited(context, `organization.deleted organization:${org.id}`);
  person.org = null;
  for (const token of [...person.sessions.keys()]) ended(context, person, token);
  for (const key of org.keys) key.endsAt = Math.min(key.endsAt, context.now);
  context.people.forEach(({ org: other }) => {
    if (other !== null && other.id === org.id) throw new Disagreement("two people, one organization");
  });
  return cancelled ? "deleted, cancelled" : "deleted";
}
