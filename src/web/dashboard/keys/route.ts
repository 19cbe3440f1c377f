/** /dashboard and /dashboard/keys: usage, and the API key: issued, shown, rotated and revoked. */

import { Elysia } from "elysia";
import { DEFAULT_USAGE_DAYS, ownKeys, profile, usageDaily } from "#accounts/account/own-account.ts";
import { ownPlan } from "#accounts/account/own-plan.ts";
import { provision } from "#accounts/account/provision.ts";
import { revokeKeys, rotateKey } from "#accounts/keys/replace-keys.ts";
import { overviewPage } from "#web/dashboard/overview.tsx";
import type { Dashboard } from "#web/dashboard/router.ts";
import { type DashboardDeps, type PersonalVisit, personal, requireConfirmed } from "#web/dashboard/visit.ts";
import { keysPage } from "./page.tsx";

const KEYS = "/dashboard/keys";

export const keyPages = (deps: DashboardDeps, { ownView, ownForm }: Dashboard) => {
  const { account, clock } = deps;
  const overview = async (visit: PersonalVisit) => {
    const { identity } = visit.caller;
    const [own, days, plan] = await Promise.all([
      profile(account, identity),
      usageDaily(account, identity.id, DEFAULT_USAGE_DAYS),
      ownPlan(account, identity.id),
    ]);
    const { usage, organization, key } = own;
    const isEmpty = usage === null || organization === null || plan === null;
    return overviewPage({
      ...personal(visit),
      now: clock.now(),
      account: isEmpty
        ? null
        : {
            tier: organization.tier,
            isSuspended: organization.status === "suspended",
            hasKey: key !== null,
            usage,
            days,
            missing: plan.missing,
            minuteLimit: account.plans[organization.tier].minute,
          },
    });
  };
  const render = async (visit: PersonalVisit, shown: { readonly plaintext: string | null } | null) => {
    const keys = await ownKeys(account, visit.caller.identity.id);
    return keysPage({ ...personal(visit), keys, shown, now: clock.now() });
  };
  const view = (visit: PersonalVisit) => render(visit, null);
  const page = { page: () => KEYS, view };
  const by = ({ caller }: PersonalVisit) => caller.by(clock.now());
  // Answered with the key itself: it is for the next page, and no address may have it.
  const first = ownForm(page, async (_, visit) => {
    const facts = { attribution: null, marketingConsent: false };
    const { key } = await provision(account, visit.caller.identity.id, facts, by(visit));
    return { html: await render(visit, key) };
  });
  const reveal = ownForm(page, async (_, visit) => {
    const { key } = await profile(account, visit.caller.identity);
    return { html: await render(visit, key) };
  });
  const rotate = ownForm(page, async (form, visit) => {
    const ownerId = visit.caller.identity.id;
    const keys = await ownKeys(account, ownerId);
    if (keys !== null && keys.inGrace.length > 0) requireConfirmed(form);
    await rotateKey(account, ownerId, by(visit));
    return { to: KEYS, notice: "key_rotated" };
  });
  const revoke = ownForm(page, async (form, visit) => {
    requireConfirmed(form);
    await revokeKeys(account, visit.caller.identity.id, by(visit));
    return { to: KEYS, notice: "keys_revoked" };
  });
  return new Elysia({ name: "key pages" })
    .get("/dashboard", ownView(overview))
    .get(KEYS, ownView(view))
    .post(`${KEYS}/first`, first)
    .post(`${KEYS}/reveal`, reveal)
    .post(`${KEYS}/rotate`, rotate)
    .post(`${KEYS}/revoke`, revoke);
};
