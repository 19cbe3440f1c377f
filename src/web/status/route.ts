/** GET /status/page: the readiness of the server as a page. */

import { Elysia } from "elysia";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { nextPublication } from "#domain/history/schedule.ts";
import type { Instant } from "#domain/time/day.ts";
import type { OfficialDeps } from "#official/deps.ts";
import type { Incidents } from "#rates/incidents.ts";
import { type StatusDeps, status } from "#rates/status.ts";
import type { PageParts } from "#web/page-data.ts";
import { statusPage } from "./page.tsx";

interface StatusPageDeps extends StatusDeps {
  readonly incidents: Incidents;
  readonly startedAt: Instant;
  /** Null where official tables are switched off. */
  readonly official: Pick<OfficialDeps, "tables"> | null;
}

export const statusPages = ({
  frame,
  incidents,
  startedAt,
  official,
  ...deps
}: StatusPageDeps & PageParts) => {
  const titles = Object.fromEntries(
    (official?.tables ?? []).map(({ table: { id, authority, title } }) => [id, `${authority}: ${title}`]),
  );
  return new Elysia({ name: "status page" }).get("/status/page", async ({ request }) => {
    const now = deps.clock.now();
    const report = await status(deps);
    incidents.note(report, now);
    const next = Object.fromEntries(DAILY_SOURCES.map((source) => [source, nextPublication(source, now)]));
    const site = await frame.site(request);
    return frame.page(
      request,
      statusPage({ site, report, now, startedAt, next, titles, incidents: incidents.list() }),
    );
  });
};
