/** /dashboard/account: sessions, password, accepted policies, and deletion of the account. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { closeAccount } from "#accounts/account/organization.ts";
import { acceptedPolicies, acceptPolicy, type OwnPlan, ownPlan } from "#accounts/account/own-account.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { endOtherSessions, endSession, listSessions } from "#accounts/identity/sessions.ts";
import { ConsentRequest } from "#api/account/account.ts";
import { deviceCookies } from "#api/auth/model.ts";
import { PasswordRequest } from "#api/auth/sessions.ts";
import { shaped } from "#api/request/body.ts";
import type { Consent, Identity, Policy, Session } from "#domain/account/identity.ts";
import { Others, When } from "#web/shared/figure.tsx";
import { Action, Careful, Facts, Field, Password, Submit } from "#web/shared/forms.tsx";
import { counted } from "#web/shared/words.ts";
import { listEndpoints } from "#webhooks/endpoints.ts";
import { dashboardPage } from "./frame.tsx";
import {
  type Dashboard,
  type DashboardDeps,
  notConfirmed,
  type PersonalVisit,
  type Said,
  SIGN_IN,
} from "./router.ts";

const ACCOUNT = "/dashboard/account";

export const accountPages = (deps: DashboardDeps, { ownView, ownForm }: Dashboard) => {
  const { account, identity: auth, webhooks } = deps;
  const view = async (visit: PersonalVisit) => {
    const { caller } = visit;
    const { identity, session } = caller;
    const { refusal } = visit.said;
    const [sessions, consents, plan] = await Promise.all([
      listSessions(auth, caller),
      acceptedPolicies(account, identity.id),
      ownPlan(account, identity.id),
    ]);
    const endpoints = plan === null ? 0 : (await listEndpoints(webhooks, identity.id)).endpoints.length;
    const isNewPasswordWrong =
      refusal?.code === "invalid_credentials" ||
      refusal?.issues.some(({ path }) => path === "/new" || path === "/current") === true;
    return dashboardPage(
      visit,
      ACCOUNT,
      "Account",
      <>
        <Facts
          facts={{
            "E-mail address": <span class="breaks">{identity.email ?? "unknown"}</span>,
            Confirmed: <When at={identity.emailVerifiedAt} absent="no" />,
            Opened: <When at={identity.createdAt} />,
          }}
        />
        <Sessions sessions={sessions} current={session?.id} />
        <section aria-labelledby="password">
          <h2 id="password">Password</h2>
          {identity.passwordHash === null ? (
            <p class="dim">This account signs in at its identity provider and has no password here.</p>
          ) : (
            <Careful summary="Change the password" isOpen={isNewPasswordWrong}>
              <form class="form" method="post" action={`${ACCOUNT}/password`}>
                <Password name="current" label="Current password" refusal={refusal} />
                <Password
                  name="new"
                  label="New password"
                  isNew
                  hint="10 to 200 characters of any kind. All other sessions end."
                  refusal={refusal}
                />
                <Submit kind="">Change</Submit>
              </form>
            </Careful>
          )}
        </section>
        <Policies consents={consents} policy={account.policy} />
        <section aria-labelledby="delete">
          <h2 id="delete">Delete</h2>
          {plan === null ? (
            <p class="dim">You have no organization, so there is nothing to delete.</p>
          ) : plan.status === "suspended" ? (
            <p>Your organization is suspended. Only the operator of this server can delete it.</p>
          ) : (
            <Deletion {...plan} endpoints={endpoints} word={confirmationOf(identity)} refusal={refusal} />
          )}
          <p class="hint">Your sign-in stays. The operator of this server erases it if you ask.</p>
        </section>
      </>,
    );
  };
  const page = { page: () => ACCOUNT, view };
  const endOneSession = ownForm(page, async (form, { caller }) => {
    await endSession(auth, caller, form.get("session") ?? "");
    return { to: ACCOUNT, notice: "session_ended" };
  });
  const endOtherOnes = ownForm(page, async (_, { caller }) => {
    await endOtherSessions(auth, caller);
    return { to: ACCOUNT, notice: "sessions_ended" };
  });
  const setPassword = ownForm(page, async (form, { caller, request }) => {
    const change = shaped(PasswordRequest, {
      current: form.get("current") ?? "",
      new: form.get("new") ?? "",
    });
    const device = await changePassword(auth, caller, change, { address: deps.callerOf(request) });
    return { to: ACCOUNT, notice: "password_changed", cookies: deviceCookies(auth, device) };
  });
  const accept = ownForm(page, async (form, visit) => {
    const { policy_version } = shaped(ConsentRequest, { policy_version: form.get("policy_version") ?? "" });
    await acceptPolicy(account, visit.caller.identity.id, policy_version, visit.by);
    return { to: ACCOUNT, notice: "policy_accepted" };
  });
  const close = ownForm(page, async (form, visit) => {
    const { identity } = visit.caller;
    const word = confirmationOf(identity);
    if (form.get("confirm")?.trim().toLowerCase() !== word.toLowerCase())
      throw notConfirmed(`type ${word} to confirm`);
    await closeAccount(account, identity.id, visit.by);
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

/** The text that a person types to confirm the deletion. */
function confirmationOf({ email }: Identity): string {
  return email ?? "delete";
}

interface SessionsProps {
  readonly sessions: readonly Session[];
  readonly current: string | undefined;
}

function Sessions({ sessions, current }: SessionsProps) {
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <ul class="plain-list lines">
        {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt, expiresAt }) => (
          <li key={id} class="row spread">
            <div>
              <b>{userAgent === null ? "Unknown program" : <Others>{userAgent}</Others>}</b>{" "}
              {id === current && <span class="source live">this session</span>}
              <p class="hint">
                {address !== null && (
                  <>
                    From <Others>{address}</Others>.{" "}
                  </>
                )}
                Signed in <When at={createdAt} />, last seen <When at={lastSeenAt} />, ends{" "}
                <When at={expiresAt} />.
              </p>
            </div>
            {id !== current && (
              <Action
                path={`${ACCOUNT}/sessions/end`}
                fields={{ session: id }}
                name="End"
                what={`the session ${id}`}
              />
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Action path={`${ACCOUNT}/sessions/end-others`} name="End all other sessions" />
      )}
    </section>
  );
}

interface PoliciesProps {
  readonly consents: readonly Consent[];
  readonly policy: Policy | null;
}

function Policies({ consents, policy }: PoliciesProps) {
  if (policy === null && consents.length === 0) return null;
  const isAccepted = consents.some(({ policyVersion }) => policyVersion === policy?.version);
  return (
    <section aria-labelledby="policies">
      <h2 id="policies">Policies</h2>
      {policy !== null && (
        <p>
          Current: <a href={policy.url}>version {policy.version}</a>
          {isAccepted ? "." : ", not accepted yet."}
        </p>
      )}
      {consents.length > 0 && (
        <ul class="plain-list">
          {consents.map(({ policyVersion, acceptedAt }) => (
            <li key={policyVersion}>
              Version {policyVersion}, accepted <When at={acceptedAt} />
            </li>
          ))}
        </ul>
      )}
      {policy !== null && !isAccepted && (
        <Action
          path={`${ACCOUNT}/policy`}
          fields={{ policy_version: policy.version }}
          name={`Accept version ${policy.version}`}
        />
      )}
    </section>
  );
}

interface DeletionProps extends Pick<OwnPlan, "hasSubscription">, Pick<Said, "refusal"> {
  readonly endpoints: number;
  readonly word: string;
}

function Deletion({ endpoints, hasSubscription, word, refusal }: DeletionProps) {
  return (
    <Careful
      summary="Delete the organization and everything in it"
      isOpen={refusal?.issues.some(({ path }) => path === "/confirm") === true}
    >
      <p>This happens at once and cannot be undone:</p>
      <ul>
        {hasSubscription && <li>The subscription is cancelled, without a refund.</li>}
        <li>Every API key is revoked. Programs that use them are refused.</li>
        {endpoints > 0 && (
          <li>{counted(endpoints, "webhook endpoint")} and all queued events are deleted.</li>
        )}
        <li>The usage of past days is deleted.</li>
        <li>Every session ends, including this one.</li>
      </ul>
      <p>
        Kept: your sign-in with its accepted policies, the audit log, and the number of calls of this month.
        You can sign in again and start over.
      </p>
      <form class="form" method="post" action="/dashboard/account/delete">
        <Field
          name="confirm"
          label={
            <>
              Type <Others>{word}</Others> to confirm
            </>
          }
          refusal={refusal}
        />
        <Submit kind="danger">Delete everything</Submit>
      </form>
    </Careful>
  );
}
