/** The site: pages for people, and what they ask for. */

import { explainRoutes } from "#http/rates/explain.ts";
import type { Route } from "#http/request/route.ts";
import type { LargeBodies } from "#http/response/large-bodies.ts";
import { type StreamRouteDeps, streamRoutes } from "#http/stream/stream.ts";
import { type CrawlerDeps, crawlerRoutes } from "./crawlers.ts";
import { dashboardRoutes, type MaybeDashboardDeps } from "./dashboard/dashboard.ts";
import { guidePages } from "./docs.ts";
import { type Frame, type FrameDeps, openFrame } from "./frame.ts";
import { type LandingDeps, landingRoutes } from "./landing.ts";
import { type OfficialPageDeps, officialPages } from "./official.ts";
import { asPageData, type PageDataDeps, pageMeter } from "./page-data.ts";
import { type PairDeps, pairRoutes } from "./pair.ts";
import { type PreviewDeps, previewRoutes } from "./previews.ts";
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
    PreviewDeps,
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
    ...previewRoutes(deps, meter),
    ...crawlerRoutes(deps),
    ...asPageData([...streamRoutes({ ...deps, meter }), ...explainRoutes({ ...deps, meter })]),
    ...guidePages(frame, meter, markdown),
    ...dashboardRoutes(deps, frame),
    ...frame.routes,
  ];
}
