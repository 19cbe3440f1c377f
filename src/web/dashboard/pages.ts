/** The pages of the dashboard and of mailed links, where the installation has accounts. */

import { type AnyElysia, Elysia } from "elysia";
import { mailed } from "#web/mailed/route.ts";
import type { PageParts } from "#web/page-data.ts";
import { pricing } from "#web/pricing/pricing.tsx";
import { accountPages } from "./account/route.ts";
import { entryPages } from "./entry/route.ts";
import { keyPages } from "./keys/route.ts";
import { planPages } from "./plan/route.ts";
import { openDashboard } from "./router.ts";
import type { DashboardDeps } from "./visit.ts";
import { webhookPages } from "./webhooks/route.ts";

type Accounts = "identity" | "account" | "billing" | "webhooks";

/** Those of accounts are null where access is open. */
type MaybeDashboardDeps = Omit<DashboardDeps, Accounts> & {
  readonly [name in Accounts]: DashboardDeps[name] | null;
};

export const dashboardPages = (given: MaybeDashboardDeps & PageParts): AnyElysia => {
  const { identity, account, billing, webhooks, frame } = given;
  const pages = new Elysia({ name: "dashboard pages" });
  if (identity === null) return pages;
  pages.use(mailed(frame));
  if (account === null || billing === null || webhooks === null) return pages;
  const deps = { ...given, identity, account, billing, webhooks };
  const dashboard = openDashboard(deps, frame);
  return pages
    .use(pricing(deps))
    .use(entryPages(deps, dashboard))
    .use(keyPages(deps, dashboard))
    .use(planPages(deps, dashboard))
    .use(webhookPages(deps, dashboard))
    .use(accountPages(deps, dashboard));
};
