/** /dashboard: the plan, the calls of the month against the quota, the calls of each day as bars and as a table. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import {
  DEFAULT_USAGE_DAYS,
  type MonthlyUsage,
  type OwnPlan,
  ownPlan,
  profile,
  usageDaily,
} from "#accounts/account/own-account.ts";
import type { UsageDay } from "#domain/account/organization.ts";
import { formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { dateOf, dayOf, When } from "#web/shared/figure.tsx";
import { Action } from "#web/shared/forms.tsx";
import { numbers, Table } from "#web/shared/table.tsx";
import { counted, grouped, TIER_NAMES } from "#web/shared/words.ts";
import { dashboardPage } from "./frame.tsx";
import { FirstKey } from "./keys.tsx";
import type { Dashboard, DashboardDeps } from "./router.ts";

export const overviewPages = ({ account, clock }: DashboardDeps, { ownView }: Dashboard) =>
  new Elysia({ name: "overview page" }).get(
    "/dashboard",
    ownView(async (visit) => {
      const { identity } = visit.caller;
      const [{ usage, key }, days, plan] = await Promise.all([
        profile(account, identity),
        usageDaily(account, identity.id, DEFAULT_USAGE_DAYS),
        ownPlan(account, identity.id),
      ]);
      return dashboardPage(
        visit,
        "/dashboard",
        "Overview",
        usage === null || plan === null ? (
          <FirstKey />
        ) : (
          <Used {...plan} {...{ usage, days }} hasKey={key !== null} now={clock.now()} />
        ),
      );
    }),
  );

interface UsedProps extends OwnPlan {
  readonly hasKey: boolean;
  readonly usage: MonthlyUsage;
  readonly days: readonly UsageDay[];
  readonly now: Instant;
}

function Used({ tier, status, missing, hasKey, usage, days, now }: UsedProps) {
  const { calls, limit, resetsOn } = usage;
  const refused = days.reduce((sum, { rateLimited }) => sum + rateLimited, 0);
  const overQuota = days.reduce((sum, { quotaExceeded }) => sum + quotaExceeded, 0);
  return (
    <>
      {status === "suspended" && (
        <p class="message refusal" role="alert">
          Your organization is suspended and its keys are refused. Contact the operator of this server.
        </p>
      )}
      {missing !== null && <MissingPayment {...missing} tier={tier} now={now} />}
      <section class="month" aria-labelledby="month">
        <h2 id="month">This month</h2>
        <p class="big month-figure">
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
        <UsageChart {...{ days, refused }} />
      </section>
      <section aria-labelledby="refused">
        <h2 id="refused">Rate-limited requests</h2>
        <Table
          empty={`None in the last ${days.length} days.`}
          columns={["Reason", numbers(`Requests in ${days.length} days`)]}
          rows={
            refused === 0
              ? []
              : [
                  [
                    <>
                      Over the calls a minute of the plan <code>rate_limited</code>
                    </>,
                    grouped(refused - overQuota),
                  ],
                  [
                    <>
                      Over the monthly quota <code>quota_exceeded</code>
                    </>,
                    grouped(overQuota),
                  ],
                ]
          }
        />
      </section>
    </>
  );
}

type MissingPaymentProps = NonNullable<OwnPlan["missing"]> &
  Pick<OwnPlan, "tier"> & { readonly now: Instant };

export function MissingPayment({ since, graceEndsAt, tier, now }: MissingPaymentProps) {
  const left = Math.ceil((graceEndsAt - now) / MILLISECONDS_PER_DAY);
  return (
    <div class="message refusal" role="status">
      <p>
        <strong>A payment is missing</strong> since <When at={since} />.{" "}
        {left > 0 && tier !== "free" ? (
          <>
            Your plan stays active for {counted(left, "more day")}, until <When at={graceEndsAt} />. After
            that the limits of the free plan apply until you pay.
          </>
        ) : (
          <>Your plan has ended: the limits of the free plan apply until you pay.</>
        )}
      </p>
      <Action path="/dashboard/plan/portal" name="Pay or change the card" />
    </div>
  );
}

const STEP = 10;
const WIDTH = 7;
const HEIGHT = 100;
/** Keeps a day with few requests visible. */
const LEAST_HEIGHT = 1;

function UsageChart({ days, refused }: Pick<UsedProps, "days"> & { readonly refused: number }) {
  const most = Math.max(1, ...days.map(({ served, rateLimited }) => served + rateLimited));
  const total = days.reduce((sum, { served }) => sum + served, 0);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <figure>
      <figcaption class="dim">
        {counted(total, "request")} served and {grouped(refused)} refused in the last {days.length} days. Days
        are UTC.
      </figcaption>
      <div class="usage-scale dim tiny" aria-hidden="true">
        {grouped(most)}
      </div>
      <svg
        class="usage-bars"
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Bars of ${days.length} days, at most ${counted(most, "request")} a day. The table below has the figures.`}
      >
        {days.map((day, index) => (
          <Bar key={day.day} day={day} x={index * STEP} most={most} />
        ))}
      </svg>
      <div class="row spread dim tiny" aria-hidden="true">
        <span>{dayOf(formatDay(first.day))}</span>
        <span>{dayOf(formatDay(last.day))}</span>
      </div>
      <details>
        <summary class="small">Show as a table</summary>
        <Table
          columns={["Day", numbers("Served"), numbers("Refused")]}
          rows={days
            .toReversed()
            .map(({ day, served, rateLimited }) => [
              dateOf(formatDay(day)),
              grouped(served),
              grouped(rateLimited),
            ])}
        />
      </details>
    </figure>
  );
}

function Bar({ day, x, most }: { readonly day: UsageDay; readonly x: number; readonly most: number }) {
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(LEAST_HEIGHT, (count / most) * HEIGHT));
  const [served, refused] = [heightOf(day.served), heightOf(day.rateLimited)];
  return (
    <g>
      <title>
        {`${dateOf(formatDay(day.day))}: ${grouped(day.served)} served, ${grouped(day.rateLimited)} refused`}
      </title>
      <rect class="hit" x={x} y={0} width={STEP} height={HEIGHT} />
      <rect x={x} y={HEIGHT - served} width={WIDTH} height={served} />
      <rect class="refused" x={x} y={Math.max(0, HEIGHT - served - refused)} width={WIDTH} height={refused} />
    </g>
  );
}
