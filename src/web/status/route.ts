/** GET /status/page: the readiness of the server as a page. */

import { Elysia } from "elysia";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { nextPublication } from "#domain/history/schedule.ts";
import type { Incident, StatusRecord } from "#domain/rates/status.ts";
import { dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { OfficialDeps } from "#official/deps.ts";
import type { StatusLog } from "#ports/ledger.ts";
import { lookOf, publicationDelays } from "#rates/incidents.ts";
import { firstCollection, type ServiceStatus, type StatusDeps, status } from "#rates/status.ts";
import type { PageParts } from "#web/page-data.ts";
import { reloadHeader } from "#web/shared/first-collection.tsx";
import { statusPage } from "./page.tsx";
import { BAR_DAYS } from "./record.tsx";

interface StatusPageDeps extends StatusDeps {
  readonly statusLog: StatusLog;
  readonly startedAt: Instant;
  /** Null where official tables are switched off. */
  readonly official: Pick<OfficialDeps, "tables"> | null;
}

export const statusPages = ({
  frame,
  statusLog,
  startedAt,
  official,
  ...deps
}: StatusPageDeps & PageParts) => {
  const titles = Object.fromEntries(
    (official?.tables ?? []).map(({ table: { id, authority, title } }) => [id, `${authority}: ${title}`]),
  );
  return new Elysia({ name: "status page" }).get("/status/page", async ({ request }) => {
    const now = deps.clock.now();
    const [report, record] = await Promise.all([
      status(deps),
      statusLog.read(dayAt(now) - BAR_DAYS + 1).catch(() => null),
    ]);
    const next = Object.fromEntries(DAILY_SOURCES.map((source) => [source, nextPublication(source, now)]));
    const first = firstCollection(deps);
    const site = await frame.site(request);
    return frame.page(
      request,
      statusPage({
        site,
        report,
        now,
        startedAt,
        next,
        titles,
        first,
        ...recorded(deps, report, record, now),
      }),
      { headers: first === null ? {} : reloadHeader(first) },
    );
  });
};

/** The record with what began since the last look. */
function recorded(
  deps: Pick<StatusDeps, "dataset">,
  report: ServiceStatus,
  record: StatusRecord | null,
  now: Instant,
) {
  if (record === null) return { incidents: null, days: [], delays: new Map<string, readonly number[]>() };
  const { incidents, days, delays } = record;
  const begun = lookOf(report)
    .faults.filter((fault) => !incidents.some((one) => one.fault === fault && one.until === null))
    .map((fault): Incident => ({ fault, since: now, until: null }));
  const since = Math.min(now, ...days.map(({ day }) => day * MILLISECONDS_PER_DAY));
  return {
    incidents: [...begun, ...incidents],
    days,
    delays: new Map([
      ...delays,
      ...DAILY_SOURCES.map((source) => [source, publicationDelays(deps, source, since)] as const),
    ]),
  };
}
