/** The site: the list of its pages, with the data that they load. */

import { type AnyElysia, Elysia } from "elysia";
import { openStreams, type StreamDeps, streamQuery } from "#api/stream/stream.ts";
import { firstCollection } from "#rates/status.ts";
import { crawlers } from "./crawlers.ts";
import { accountPages } from "./dashboard/account.tsx";
import { entryPages } from "./dashboard/entry.tsx";
import { keyPages } from "./dashboard/keys.tsx";
import { overviewPages } from "./dashboard/overview.tsx";
import { planPages } from "./dashboard/plan.tsx";
import { type DashboardDeps, openDashboard } from "./dashboard/router.ts";
import { webhookPages } from "./dashboard/webhooks.tsx";
import { guidePages } from "./docs/route.ts";
import { llmsTexts } from "./docs/texts.ts";
import { type FrameDeps, openFrame } from "./frame.ts";
import { landing } from "./landing/page.tsx";
import { officialPages } from "./official/route.ts";
import { OWN_PAGES, openVisitors, type PageDataDeps, type PageParts } from "./page-data.ts";
import { pair } from "./pair/route.ts";
import { pricing } from "./pricing/pricing.tsx";
import { provenance } from "./provenance/provenance.tsx";
import { refusalPages } from "./refusals.tsx";
import { searchPages } from "./search/page.tsx";
import { statusPages } from "./status/page.tsx";

type Site = Parameters<typeof landing>[0] &
  Parameters<typeof pair>[0] &
  Parameters<typeof officialPages>[0] &
  Parameters<typeof statusPages>[0] &
  Parameters<typeof crawlers>[0] &
  Parameters<typeof guidePages>[0] &
  Parameters<typeof searchPages>[0] &
  MaybeDashboardDeps;

type Accounts = "identity" | "account" | "billing" | "webhooks";
/** The parts of accounts are null when access is open. */
type MaybeDashboardDeps = Omit<DashboardDeps, Accounts> & {
  readonly [name in Accounts]: DashboardDeps[name] | null;
};

export type SiteDeps = Omit<Site, "frame" | "admit"> & FrameDeps & PageDataDeps & StreamDeps;

/** Opens the site over the parts of the application. `refusalPage` returns null when the refusal is for a program. */
export function openSite(parts: SiteDeps): {
  readonly pages: AnyElysia;
  readonly refusalPage: ReturnType<typeof refusalPages>;
} {
  const frame = openFrame(parts);
  const admit = openVisitors(parts);
  const deps = { ...parts, frame, admit };
  const streams = openStreams(parts);
  /** Live rates are as late as for callers without a key. */
  const reader = { caller: null, delayMinutes: parts.pageDelayMinutes, holds: () => true };
  const pages = new Elysia({ name: "pages" })
    .use(parts.house)
    .use(landing(deps))
    .use(pair(deps))
    .use(provenance(deps))
    .use(officialPages(deps))
    .use(statusPages(deps))
    .use(crawlers(deps))
    .use(guidePages(deps))
    .use(searchPages(deps))
    .use(llmsTexts(deps))
    .guard(OWN_PAGES, (own) => own.use(dashboardPages(deps)))
    .get(
      "/site/stream",
      async ({ request, query }) => {
        admit(request);
        return streams(request, query, reader);
      },
      { wire: { isEndless: true, isCrossOrigin: false }, query: streamQuery },
    )
    .get("/site/:file", async ({ request, params: { file } }) => await frame.asset(request, file));
  return { pages, refusalPage: refusalPages(frame, () => firstCollection(parts)) };
}

function dashboardPages(parts: MaybeDashboardDeps & PageParts): AnyElysia {
  const { identity, account, billing, webhooks, frame } = parts;
  const pages = new Elysia({ name: "dashboard pages" });
  if (identity === null || account === null || billing === null || webhooks === null) return pages;
  const deps = { ...parts, identity, account, billing, webhooks };
  const dashboard = openDashboard(deps, frame);
  const keys = keyPages(deps, dashboard);
  return pages
    .use(pricing(deps))
    .use(entryPages(deps, dashboard, keys.firstKey))
    .use(overviewPages(deps, dashboard))
    .use(keys.pages)
    .use(planPages(deps, dashboard))
    .use(webhookPages(deps, dashboard))
    .use(accountPages(deps, dashboard));
}
