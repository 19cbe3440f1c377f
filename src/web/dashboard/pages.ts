/** The pages of the dashboard and of mailed links, where the installation has accounts. */

import { type AnyElysia, Elysia } from "elysia";
import type { PageParts } from "#web/page-data.ts";
import { pricing } from "#web/pricing/pricing.tsx";
import { accountPages } from "./account.tsx";
import { entryPages } from "./entry.tsx";
import { keyPages } from "./keys.tsx";
import { overviewPages } from "./overview.tsx";
import { planPages } from "./plan.tsx";
import { type DashboardDeps, openDashboard } from "./router.ts";
import { webhookPages } from "./webhooks.tsx";

type Accounts = "identity" | "account" | "billing" | "webhooks";

/** Those of accounts are null where access is open. */
type MaybeDashboardDeps = Omit<DashboardDeps, Accounts> & {
  readonly [name in Accounts]: DashboardDeps[name] | null;
};

export const dashboardPages = (given: MaybeDashboardDeps & PageParts): AnyElysia => {
  const { identity, account, billing, webhooks, frame } = given;
  const pages = new Elysia({ name: "dashboard pages" });
  if (identity === null || account === null || billing === null || webhooks === null) return pages;
  const deps = { ...given, identity, account, billing, webhooks };
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
};
