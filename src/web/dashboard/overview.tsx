/** /dashboard: the plan, the calls of the month against the quota, the calls of each day. */
/* @jsxImportSource preact */

import type { Tier } from "#domain/account/organization.ts";
import type { MonthlyUsage } from "#domain/account/own-account.ts";
import type { UsageDay } from "#domain/account/usage-day.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import { dateOf } from "#web/shared/figure.tsx";
import { numbers, Table } from "#web/shared/table.tsx";
import { grouped, TIER_NAMES } from "#web/shared/words.ts";
import { dashboardPage, type Personal } from "./frame.tsx";
import { MissingPayment } from "./missing-payment.tsx";
import { UsageChart } from "./usage-chart.tsx";

export interface OverviewProps extends Personal {
  /** Null before the first key. */
  readonly account: {
    readonly tier: Tier;
    readonly isSuspended: boolean;
    readonly hasKey: boolean;
    readonly usage: MonthlyUsage;
    readonly days: readonly UsageDay[];
    readonly missing: { readonly since: Instant; readonly graceEndsAt: Instant } | null;
    readonly minuteLimit: number;
  } | null;
  readonly now: Instant;
}

export function overviewPage({ account, now, ...personal }: OverviewProps): string {
  return dashboardPage(personal, {
    path: "/dashboard",
    title: "Overview",
    children: (
      <>
        <h1>Overview</h1>
        {account === null ? <FirstKey /> : <Used {...account} now={now} />}
      </>
    ),
  });
}

/** One click to the first key. */
export function FirstKey() {
  return (
    <section class="first-key">
      <h2>Create your first API key</h2>
      <p>
        A key raises your limits. It starts on the free plan. Use it on your servers, never in pages or apps
        that others can read.
      </p>
      <form method="post" action="/dashboard/keys/first">
        <button class="button primary" type="submit">
          Create the key
        </button>
      </form>
    </section>
  );
}

function Used({
  tier,
  isSuspended,
  hasKey,
  usage,
  days,
  missing,
  minuteLimit,
  now,
}: NonNullable<OverviewProps["account"]> & { readonly now: Instant }) {
  const { calls, limit, resetsOn } = usage;
  const refused = days.reduce((sum, { rateLimited }) => sum + rateLimited, 0);
  const overQuota = days.reduce((sum, { quotaExceeded }) => sum + quotaExceeded, 0);
  return (
    <>
      {isSuspended && (
        <p class="message refusal" role="alert">
          Your organization is suspended and its keys are refused. Contact the operator of this server.
        </p>
      )}
      {missing !== null && <MissingPayment {...missing} now={now} />}
      <section class="month" aria-labelledby="month">
        <h2 id="month">This month</h2>
        <p class="month-figure">
          <strong>{grouped(calls)}</strong> of {grouped(limit)} calls
        </p>
        <progress
          class={calls >= limit ? "quota full" : "quota"}
          max={limit}
          value={Math.min(calls, limit)}
          aria-label="Calls of this month"
        />
        <p class="dim">
          {calls >= limit
            ? "The quota is used up: calls are refused until it resets."
            : `${grouped(limit - calls)} left.`}{" "}
          Resets {dateOf(formatDay(resetsOn))}, 00:00 UTC. Plan:{" "}
          <a href="/dashboard/plan">{TIER_NAMES[tier]}</a>.
        </p>
        {!hasKey && (
          <p>
            You have no active key. <a href="/dashboard/keys">Create one</a>.
          </p>
        )}
      </section>
      <section aria-labelledby="days">
        <h2 id="days">Requests by day</h2>
        <UsageChart days={days} />
      </section>
      <section aria-labelledby="refused">
        <h2 id="refused">Rate-limited requests</h2>
        {refused === 0 ? (
          <p class="dim">None in the last {days.length} days.</p>
        ) : (
          <Table class="reasons" columns={["Reason", numbers(`Requests in ${days.length} days`)]}>
            <tr>
              <th scope="row">
                Over {grouped(minuteLimit)} calls a minute <code>rate_limited</code>
              </th>
              <td class="number">{grouped(refused - overQuota)}</td>
            </tr>
            <tr>
              <th scope="row">
                Over the monthly quota <code>quota_exceeded</code>
              </th>
              <td class="number">{grouped(overQuota)}</td>
            </tr>
          </Table>
        )}
      </section>
    </>
  );
}
