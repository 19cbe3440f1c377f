/** /dashboard/account: sessions, password, policies, and deletion of the account. */

import { closeAccount } from "#accounts/account/close.ts";
import { acceptedPolicies, acceptPolicy } from "#accounts/account/own-account.ts";
import { ownPlan } from "#accounts/account/own-plan.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { endOtherSessions, endSession, listSessions } from "#accounts/identity/sessions.ts";
import { ConsentRequest } from "#api/account/consent.ts";
import { deviceCookies } from "#api/auth/route.ts";
import type { Route } from "#api/request/route.ts";
import { PasswordRequest } from "#contract/auth/sessions.ts";
import { shaped } from "#contract/issues.ts";
import { accountPage, DELETE_WORD } from "#web/dashboard/account.tsx";
import { listEndpoints } from "#webhooks/endpoints.ts";
import type { Dashboard } from "./router.ts";
import { type DashboardDeps, notConfirmed, type PersonalVisit, personal, SIGN_IN } from "./visit.ts";

const ACCOUNT = "/dashboard/account";

export function accountPages(deps: DashboardDeps, { ownView, ownForm }: Dashboard): Route[] {
  const { account, identity: auth, webhooks, clock } = deps;
  const view = async (visit: PersonalVisit) => {
    const { caller } = visit;
    const [sessions, consents, plan] = await Promise.all([
      listSessions(auth, caller),
      acceptedPolicies(account, caller.identity.id),
      ownPlan(account, caller.identity.id),
    ]);
    const organization =
      plan === null
        ? null
        : {
            endpoints: (await listEndpoints(webhooks, caller.identity.id)).endpoints.length,
            hasSubscription: plan.hasSubscription,
            isSuspended: plan.status === "suspended",
          };
    return accountPage({
      ...personal(visit),
      identity: caller.identity,
      sessions,
      current: caller.session?.id ?? null,
      consents,
      policy: account.policy,
      organization,
    });
  };
  const page = { page: () => ACCOUNT, view };
  const by = ({ caller }: PersonalVisit) => caller.by(clock.now());
  return [
    ownView(ACCOUNT, view),
    ownForm(`${ACCOUNT}/sessions/end`, page, async (form, { caller }) => {
      await endSession(auth, caller, form.get("session") ?? "");
      return { to: ACCOUNT, notice: "session_ended" };
    }),
    ownForm(`${ACCOUNT}/sessions/end-others`, page, async (_, { caller }) => {
      await endOtherSessions(auth, caller);
      return { to: ACCOUNT, notice: "sessions_ended" };
    }),
    ownForm(`${ACCOUNT}/password`, page, async (form, { caller, request }) => {
      const wanted = shaped(PasswordRequest, {
        current: form.get("current") ?? "",
        new: form.get("new") ?? "",
      });
      const device = await changePassword(auth, caller, wanted, { address: deps.callerOf(request) });
      return { to: ACCOUNT, notice: "password_changed", cookies: deviceCookies(auth, device) };
    }),
    ownForm(`${ACCOUNT}/policy`, page, async (form, visit) => {
      const { policy_version } = shaped(ConsentRequest, { policy_version: form.get("policy_version") ?? "" });
      await acceptPolicy(account, visit.caller.identity.id, policy_version, by(visit));
      return { to: ACCOUNT, notice: "policy_accepted" };
    }),
    ownForm(`${ACCOUNT}/delete`, page, async (form, visit) => {
      const { identity } = visit.caller;
      const word = identity.email ?? DELETE_WORD;
      if (form.get("confirm")?.trim().toLowerCase() !== word.toLowerCase())
        throw notConfirmed(`type ${word} to confirm`);
      await closeAccount(account, identity.id, by(visit));
      return { to: SIGN_IN, notice: "account_deleted", cookies: [auth.cookies.session.clear()] };
    }),
  ];
}
