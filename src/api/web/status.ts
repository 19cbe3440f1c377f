/** GET /status/page: the readiness of the server as a page. */

import type { Route } from "#api/request/route.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { nextPublication } from "#domain/history/schedule.ts";
import type { Instant } from "#domain/time/day.ts";
import type { OfficialDeps } from "#official/deps.ts";
import type { Incidents } from "#rates/status/incidents.ts";
import { type StatusDeps, status } from "#rates/status/status.ts";
import { statusPage } from "#web/status/page.tsx";
import type { Frame } from "./frame.ts";

export interface StatusPageDeps extends StatusDeps {
  readonly incidents: Incidents;
  readonly startedAt: Instant;
  /** Null where official tables are switched off. */
  readonly official: Pick<OfficialDeps, "tables"> | null;
}

export function statusPageRoutes(deps: StatusPageDeps, frame: Frame): Route[] {
  const { incidents, startedAt, official } = deps;
  const titles = Object.fromEntries(
    (official?.tables ?? []).map(({ table: { id, authority, title } }) => [id, `${authority}: ${title}`]),
  );
  const handle = async (request: Request) => {
    const now = deps.clock.now();
    const report = await status(deps);
    incidents.note(report, now);
    const next = Object.fromEntries(DAILY_SOURCES.map((source) => [source, nextPublication(source, now)]));
    const site = await frame.site(request);
    return frame.page(
      request,
      statusPage({ site, report, now, startedAt, next, titles, incidents: incidents.list() }),
    );
  };
  return [{ method: "GET", path: "/status/page", handle }];
}
