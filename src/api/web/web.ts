/** The site: all pages, and the data that they load. */

import type { Route } from "#api/request/route.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { type StreamRouteDeps, streamRoutes } from "#api/stream/stream.ts";
import { resetPasswordPage, verifyEmailPage } from "#web/mailed/page.tsx";
import type { Site } from "#web/shared/page.tsx";
import { type CrawlerDeps, crawlerRoutes } from "./crawlers.ts";
import { accountPages } from "./dashboard/account.ts";
import { entryRoutes } from "./dashboard/entry.ts";
import { keyRoutes } from "./dashboard/keys.ts";
import { planRoutes } from "./dashboard/plan.ts";
import { NO_REFERRER, openDashboard } from "./dashboard/router.ts";
import type { DashboardDeps } from "./dashboard/visit.ts";
import { webhookPages } from "./dashboard/webhooks.ts";
import { guidePages } from "./docs.ts";
import { type Frame, type FrameDeps, openFrame } from "./frame.ts";
import { type LandingDeps, landingRoutes } from "./landing.ts";
import { type OfficialPageDeps, officialPages } from "./official.ts";
import { asPageData, type PageDataDeps, pageMeter } from "./page-data.ts";
import { type PairDeps, pairRoutes } from "./pair.ts";
import { type ProvenanceDeps, provenanceRoutes } from "./provenance.ts";
import { refusalPages } from "./refusals.ts";
import { type StatusPageDeps, statusPageRoutes } from "./status.ts";

export interface WebDeps
  extends Omit<FrameDeps, "identity">,
    LandingDeps,
    PairDeps,
    ProvenanceDeps,
    Omit<StatusPageDeps, "official">,
    OfficialPageDeps,
    Omit<CrawlerDeps, "official">,
    PageDataDeps,
    StreamRouteDeps,
    MaybeDashboardDeps {
  readonly large: LargeBodies;
}

export interface Web {
  readonly routes: readonly Route[];
  /** A refusal as a page; null where it is for a program. */
  readonly refusalPage: ReturnType<typeof refusalPages>;
}

/** `markdown` answers what lies below /docs as text. */
export function openWeb(deps: WebDeps, markdown: Route): Web {
  const frame = openFrame(deps);
  return { routes: webRoutes(deps, frame, markdown), refusalPage: refusalPages(frame) };
}

function webRoutes(deps: WebDeps, frame: Frame, markdown: Route): Route[] {
  const meter = pageMeter(deps);
  return [
    ...landingRoutes(deps, frame, meter),
    ...pairRoutes(deps, frame, meter),
    ...provenanceRoutes(deps, frame, meter),
    ...officialPages(deps, frame, meter),
    ...statusPageRoutes(deps, frame),
    ...crawlerRoutes(deps),
    ...asPageData(streamRoutes({ ...deps, meter })),
    ...guidePages(frame, meter, markdown),
    ...dashboardRoutes(deps, frame),
    ...frame.routes,
  ];
}

/** The members of accounts are null where access is open. */
type MaybeDashboardDeps = Omit<DashboardDeps, "identity" | "account" | "billing" | "webhooks"> & {
  readonly [name in "identity" | "account" | "billing" | "webhooks"]: DashboardDeps[name] | null;
};

function dashboardRoutes(given: MaybeDashboardDeps, frame: Frame): Route[] {
  const { identity, account, billing, webhooks } = given;
  if (identity === null) return [];
  const pages = [
    mailedPage(frame, "/verify-email", verifyEmailPage),
    mailedPage(frame, "/reset-password", resetPasswordPage),
  ];
  if (account === null || billing === null || webhooks === null) return pages;
  const deps = { ...given, identity, account, billing, webhooks };
  const dashboard = openDashboard(deps, frame);
  return [
    ...entryRoutes(deps, dashboard),
    ...keyRoutes(deps, dashboard),
    ...planRoutes(deps, dashboard),
    ...webhookPages(deps, dashboard),
    ...accountPages(deps, dashboard),
    ...pages,
  ];
}

/** A link's token passes through the page: no other site learns of it, and no cache stores it. */
function mailedPage(frame: Frame, path: string, page: (site: Site) => string): Route {
  return {
    method: "GET",
    path,
    isCrossOrigin: false,
    handle: async (request) =>
      frame.page(request, page(await frame.site(request)), {
        isPrivate: true,
        headers: NO_REFERRER,
      }),
  };
}
