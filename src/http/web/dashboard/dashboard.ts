/** The dashboard's pages, and those of mailed links. Where access is open there are no accounts, and none of these pages exists. */

import type { Route } from "#http/request/route.ts";
import type { Frame } from "#http/web/frame.ts";
import { resetPasswordPage, verifyEmailPage } from "#web/mailed/page.tsx";
import type { Site } from "#web/shared/page.tsx";
import { accountPages } from "./account.ts";
import { entryRoutes } from "./entry.ts";
import { keyRoutes } from "./keys.ts";
import { planRoutes } from "./plan.ts";
import { NO_REFERRER, openDashboard } from "./router.ts";
import type { DashboardDeps } from "./visit.ts";
import { webhookPages } from "./webhooks.ts";

/** The members of accounts are null where access is open. */
export type MaybeDashboardDeps = Omit<DashboardDeps, "identity" | "account" | "billing" | "webhooks"> & {
  readonly [name in "identity" | "account" | "billing" | "webhooks"]: DashboardDeps[name] | null;
};

export function dashboardRoutes(given: MaybeDashboardDeps, frame: Frame): Route[] {
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
      frame.page(request, page(await frame.site()), {
        isPrivate: true,
        headers: NO_REFERRER,
      }),
  };
}
