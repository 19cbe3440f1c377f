/** /dashboard/account: sessions, password, policies, and deletion of the account. */

import { Elysia } from "elysia";
import { closeAccount } from "#accounts/account/close.ts";
import { acceptedPolicies, acceptPolicy } from "#accounts/account/own-account.ts";
import { ownPlan } from "#accounts/account/own-plan.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { endOtherSessions, endSession, listSessions } from "#accounts/identity/sessions.ts";
import { ConsentRequest } from "#api/account/account.ts";
import { deviceCookies } from "#api/auth/model.ts";
import { PasswordRequest } from "#api/auth/sessions.ts";
import { shaped } from "#api/issues.ts";
import type { Dashboard } from "#web/dashboard/router.ts";
import {
  type DashboardDeps,
  notConfirmed,
  type PersonalVisit,
  personal,
  SIGN_IN,
} from "#web/dashboard/visit.ts";
import { listEndpoints } from "#webhooks/endpoints.ts";
import { accountPage, DELETE_WORD } from "./page.tsx";

const ACCOUNT = "/dashboard/account";

export const accountPages = (deps: DashboardDeps, { ownView, ownForm }: Dashboard) => {
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
  const endOneSession = ownForm(page, async (form, { caller }) => {
    await endSession(auth, caller, form.get("session") ?? "");
    return { to: ACCOUNT, notice: "session_ended" };
  });
  const endOtherOnes = ownForm(page, async (_, { caller }) => {
    await endOtherSessions(auth, caller);
    return { to: ACCOUNT, notice: "sessions_ended" };
  });
  const setPassword = ownForm(page, async (form, { caller, request }) => {
    const wanted = shaped(PasswordRequest, {
      current: form.get("current") ?? "",
      new: form.get("new") ?? "",
    });
    const device = await changePassword(auth, caller, wanted, { address: deps.callerOf(request) });
    return { to: ACCOUNT, notice: "password_changed", cookies: deviceCookies(auth, device) };
  });
  const accept = ownForm(page, async (form, visit) => {
    const { policy_version } = shaped(ConsentRequest, { policy_version: form.get("policy_version") ?? "" });
    await acceptPolicy(account, visit.caller.identity.id, policy_version, by(visit));
    return { to: ACCOUNT, notice: "policy_accepted" };
  });
  const close = ownForm(page, async (form, visit) => {
    const { identity } = visit.caller;
    const word = identity.email ?? DELETE_WORD;
    if (form.get("confirm")?.trim().toLowerCase() !== word.toLowerCase())
      throw notConfirmed(`type ${word} to confirm`);
    await closeAccount(account, identity.id, by(visit));
    return { to: SIGN_IN, notice: "account_deleted", cookies: [auth.cookies.session.clear()] };
  });
  return new Elysia({ name: "account pages" })
    .get(ACCOUNT, ownView(view))
    .post(`${ACCOUNT}/sessions/end`, endOneSession)
    .post(`${ACCOUNT}/sessions/end-others`, endOtherOnes)
    .post(`${ACCOUNT}/password`, setPassword)
    .post(`${ACCOUNT}/policy`, accept)
    .post(`${ACCOUNT}/delete`, close);
};
