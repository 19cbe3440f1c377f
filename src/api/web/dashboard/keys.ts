/** /dashboard and /dashboard/keys: usage, and the API key: issued, shown, rotated and revoked. */

import { DEFAULT_USAGE_DAYS, ownKeys, profile, usageDaily } from "#accounts/account/own-account.ts";
import { ownPlan } from "#accounts/account/own-plan.ts";
import { provision } from "#accounts/account/provision.ts";
import { revokeKeys, rotateKey } from "#accounts/keys/replace-keys.ts";
import type { Route } from "#api/request/route.ts";
import { keysPage } from "#web/dashboard/keys.tsx";
import { overviewPage } from "#web/dashboard/overview.tsx";
import type { Dashboard } from "./router.ts";
import { type DashboardDeps, type PersonalVisit, personal, requireConfirmed } from "./visit.ts";

const KEYS = "/dashboard/keys";

export function keyRoutes(deps: DashboardDeps, { ownView, ownForm }: Dashboard): Route[] {
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
  return [
    ownView("/dashboard", overview),
    ownView(KEYS, view),
    // Answered with the key itself: it is for the next page, and no address may have it.
    ownForm(`${KEYS}/first`, page, async (_, visit) => {
      const facts = { attribution: null, marketingConsent: false };
      const { key } = await provision(account, visit.caller.identity.id, facts, by(visit));
      return { html: await render(visit, key) };
    }),
    ownForm(`${KEYS}/reveal`, page, async (_, visit) => {
      const { key } = await profile(account, visit.caller.identity);
      return { html: await render(visit, key) };
    }),
    ownForm(`${KEYS}/rotate`, page, async (form, visit) => {
      const ownerId = visit.caller.identity.id;
      const keys = await ownKeys(account, ownerId);
      if (keys !== null && keys.inGrace.length > 0) requireConfirmed(form);
      await rotateKey(account, ownerId, by(visit));
      return { to: KEYS, notice: "key_rotated" };
    }),
    ownForm(`${KEYS}/revoke`, page, async (form, visit) => {
      requireConfirmed(form);
      await revokeKeys(account, visit.caller.identity.id, by(visit));
      return { to: KEYS, notice: "keys_revoked" };
    }),
  ];
}
