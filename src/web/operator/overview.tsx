/** The operator's overview: calls and refusals by day, endpoints that events do not reach, and the sources with a button to collect. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { UsageDay } from "#domain/account/organization.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import type { FailingEndpoint } from "#ports/webhooks.ts";
import type { CollectionReport, CollectionReview } from "#ports.ts";
import { dateOf, Others, When } from "#web/shared/figure.tsx";
import { Action } from "#web/shared/forms.tsx";
import { ACTIONS, numbers, Table } from "#web/shared/table.tsx";
import { grouped } from "#web/shared/words.ts";
import type { OperatorTools } from "./accounts.tsx";
import { roomPage, type Said } from "./frame.tsx";
import { pageWithForms, seeOther } from "./respond.ts";

const DAYS = 7;
const MOST_FAILING = 50;
const DONE = { started: "The collection has started. Reload the page to see its result." };

interface Deps {
  readonly tools: OperatorTools;
  readonly collections: CollectionReview;
}

export const overview = (deps: Deps) => {
  const { tools, collections } = deps;
  const { view, form } = pageWithForms((said) => overviewOf(deps, said), DONE);
  const collect = form(async (fields) => {
    const id = fields.get("source") ?? "";
    if (!(await collections.list()).some((report) => report.id === id))
      throw new Failure("not_found", { wording: "there is no source {id}", id });
    if (!collections.start(id))
      throw new Failure("conflict", { reason: "this process does not collect; ask the one that does" });
    await tools.ledger.audit.append(
      { action: "operator.note", subject: `source:${id}`, detail: { decision: "collect" } },
      tools.by(),
    );
    return seeOther("/operator/overview?done=started");
  });
  return new Elysia({ name: "overview", prefix: "/operator/overview" })
    .get("", view)
    .post("/collect", collect);
};

async function overviewOf({ tools, collections }: Deps, said: Said): Promise<string> {
  const { ledger, clock } = tools;
  const today = dayAt(clock.now());
  const [days, endpoints, reports] = await Promise.all([
    ledger.usage.totals(today - DAYS + 1, today),
    ledger.outbox.failing(MOST_FAILING),
    collections.list(),
  ]);
  const failing = await Promise.all(
    endpoints.map(async (endpoint) => ({
      ...endpoint,
      owner: (await ledger.identities.byId(endpoint.ownerId))?.email ?? endpoint.ownerId,
    })),
  );
  return roomPage({
    ...said,
    title: "Overview",
    section: "overview",
    children: (
      <>
        <h1>Overview</h1>
        <Traffic {...{ today, days }} />
        <Failing failing={failing} />
        <Collections reports={reports} />
      </>
    ),
  });
}

const NO_CALLS = { served: 0, rateLimited: 0, quotaExceeded: 0 };

/** `days` are only those with calls. */
function Traffic({ today, days }: { readonly today: Day; readonly days: readonly UsageDay[] }) {
  const rows = Array.from({ length: DAYS }, (_, back) => today - back).map((day) => ({
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

export function Failing({ failing }: { readonly failing: readonly (FailingEndpoint & { owner: string })[] }) {
  return (
    <section>
      <h2>Failing webhooks</h2>
      <Table
        label="Failing webhooks"
        empty="None: every event was delivered."
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
    </section>
  );
}

const OUTCOMES: Readonly<Record<string, string>> = { failed: "failed", never: "not since the start" };

function Collections({ reports }: { readonly reports: readonly CollectionReport[] }) {
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
