/** The operator's overview: calls and refusals by day, endpoints that events do not reach, and the sources with a button to collect. */
/* @jsxImportSource preact */

import type { UsageDay } from "#domain/account/organization.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import type { FailingEndpoint } from "#ports/webhooks.ts";
import type { CollectionReport } from "#ports.ts";
import { dateOf, When } from "#web/shared/figure.tsx";
import { Action } from "#web/shared/forms.tsx";
import { Others } from "#web/shared/others.tsx";
import { ACTIONS, numbers, Table } from "#web/shared/table.tsx";
import { grouped } from "#web/shared/words.ts";
import { roomPage, type Said } from "./frame.tsx";

export interface OverviewProps extends Said {
  readonly today: Day;
  readonly shown: number;
  /** Those that have calls. */
  readonly days: readonly UsageDay[];
  readonly failing: readonly (FailingEndpoint & { readonly owner: string })[];
  readonly reports: readonly CollectionReport[];
}

export function overviewPage(props: OverviewProps): string {
  const { notice, refusal } = props;
  return roomPage({
    title: "Overview",
    section: "overview",
    notice,
    refusal,
    children: (
      <>
        <h1>Overview</h1>
        <Traffic {...props} />
        <Failing {...props} />
        <Collections {...props} />
      </>
    ),
  });
}

const NO_CALLS = { served: 0, rateLimited: 0, quotaExceeded: 0 };

function Traffic({ today, shown, days }: OverviewProps) {
  const rows = Array.from({ length: shown }, (_, back) => today - back).map((day) => ({
    ...NO_CALLS,
    ...days.find((one) => one.day === day),
    day,
  }));
  return (
    <section>
      <h2>Traffic with API keys</h2>
      <Table
        label="Traffic"
        columns={["Day", numbers("Served"), numbers("429 per minute"), numbers("429 quota")]}
        rows={rows.map(({ day, served, rateLimited, quotaExceeded }) => [
          dateOf(formatDay(day)),
          ...[served, rateLimited - quotaExceeded, quotaExceeded].map(grouped),
        ])}
      />
      <p class="hint">Days are UTC. Requests without a key are counted by the metrics alone.</p>
    </section>
  );
}

function Failing({ failing }: OverviewProps) {
  return (
    <section>
      <h2>Failing webhooks</h2>
      {failing.length === 0 ? (
        <p class="dim">None: every event was delivered.</p>
      ) : (
        <Table
          label="Failing webhooks"
          class="stacks"
          columns={["Endpoint", "Owner", "Deliveries", "Last attempt", "Next attempt"]}
          rows={failing.map(({ url, owner, ownerId, deliveries, lastAt, nextAt }) => [
            <Others>{url}</Others>,
            <a href={`/operator/people/${ownerId}`}>{owner}</a>,
            grouped(deliveries),
            <When at={lastAt} />,
            <When at={nextAt} absent="none, gave up" />,
          ])}
        />
      )}
    </section>
  );
}

const OUTCOMES: Readonly<Record<string, string>> = { failed: "failed", never: "not since the start" };

function Collections({ reports }: OverviewProps) {
  if (reports.length === 0) return null;
  return (
    <section>
      <h2>Collections</h2>
      <Table
        label="Collections"
        class="stacks"
        columns={["Source", "Last result", "Last success", "Last attempt", ACTIONS]}
        rows={reports.map(({ id, title, outcome, detail, lastSuccessAt, lastAttemptAt }) => [
          title,
          <>
            <span class={`source ${outcome === "failed" ? "stale" : outcome === "never" ? "" : "live"}`}>
              {OUTCOMES[outcome] ?? "succeeded"}
            </span>
            {outcome === "failed" && detail !== null && (
              <div class="dim">
                <Others>{detail}</Others>
              </div>
            )}
          </>,
          <When at={lastSuccessAt} absent="never" />,
          <When at={lastAttemptAt} absent="never" />,
          <Action
            path="/operator/overview/collect"
            fields={{ source: id }}
            name="Collect now"
            what={title}
          />,
        ])}
      />
    </section>
  );
}
