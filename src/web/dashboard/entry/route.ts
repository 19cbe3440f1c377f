/** /dashboard/sign-in, sign-up, sign-out, and the requests for mailed links. */

import { Elysia } from "elysia";
import { askReset, askVerification } from "#accounts/identity/links.ts";
import { signOut } from "#accounts/identity/sessions.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import { signUp } from "#accounts/identity/sign-up.ts";
import { EmailRequest } from "#api/auth/links.ts";
import { signedInCookies, visitOf } from "#api/auth/model.ts";
import { SignInRequest, SignUpRequest } from "#api/auth/sign-in.ts";
import { shaped } from "#api/issues.ts";
import type { Dashboard } from "#web/dashboard/router.ts";
import { type DashboardDeps, nextPage, SIGN_IN, type Visit } from "#web/dashboard/visit.ts";
import { type EntryProps, resetRequestPage, signInPage, signUpPage, verifyRequestPage } from "./page.tsx";

const HOME = "/dashboard";

export const entryPages = (
  deps: DashboardDeps,
  { view, form, ownForm, isSignedIn, hadSession }: Dashboard,
) => {
  const { identity: auth } = deps;
  const nextOf = ({ request, said }: Visit) =>
    nextPage(said.typed("next") || new URL(request.url).searchParams.get("next"));
  const shown = (page: (props: EntryProps) => string) => async (visit: Visit) =>
    page({
      site: visit.site,
      said: visit.said,
      next: nextOf(visit),
      hasProvider: auth.provider !== null,
      sendsMail: auth.mail.configured,
    });
  /** Those who are signed in already go on. */
  const entry = (page: (props: EntryProps) => string) => async (visit: Visit) =>
    visit.said.refusal === null && (await isSignedIn(visit.request))
      ? { to: nextOf(visit) ?? HOME }
      : await shown(page)(visit);
  /** Says why there is a sign-in in place of the page that was asked for. */
  const signInView = (visit: Visit) => {
    const { said, request } = visit;
    if (said.notice !== null || said.refusal !== null) return entry(signInPage)(visit);
    const next = nextOf(visit);
    const asked = next === null || next === HOME ? null : "sign_in_first";
    const notice = hadSession(request) ? "session_over" : asked;
    return entry(signInPage)({ ...visit, said: { ...said, notice } });
  };
  const signUpView = entry(signUpPage);
  const resetView = shown(resetRequestPage);
  const verifyView = shown(verifyRequestPage);
  const from = (request: Request) => ({ address: deps.callerOf(request) });
  const signInForm = form(signInView, async (fields, { request }) => {
    const wanted = shaped(SignInRequest, credentialsIn(fields));
    const signedIn = await signIn(auth, wanted, visitOf(deps, auth, request));
    return { to: nextPage(fields.get("next")) ?? HOME, cookies: signedInCookies(auth, signedIn) };
  });
  const signUpForm = form(signUpView, async (fields, { request }) => {
    const wanted = shaped(SignUpRequest, credentialsIn(fields));
    const signedUp = await signUp(auth, wanted, visitOf(deps, auth, request));
    if (signedUp.kind === "mailed") {
      return signedUp.sent
        ? { to: SIGN_IN, notice: "sign_up_mailed" }
        : { to: "/dashboard/verify-email", notice: "sign_up_mail_failed" };
    }
    const cookies = signedInCookies(auth, signedUp.signedIn);
    return { to: nextPage(fields.get("next")) ?? HOME, cookies };
  });
  const signOutForm = ownForm({ page: () => HOME, view: signInView }, async (_, { caller }) => {
    await signOut(auth, caller);
    return { to: SIGN_IN, notice: "signed_out", cookies: [auth.cookies.session.clear()] };
  });
  const resetForm = form(resetView, async (fields, { request }) => {
    await askReset(auth, shaped(EmailRequest, { email: fields.get("email") ?? "" }), from(request));
    return { to: "/dashboard/password-reset", notice: "mail_sent" };
  });
  const verifyForm = form(verifyView, async (fields, { request }) => {
    await askVerification(auth, shaped(EmailRequest, { email: fields.get("email") ?? "" }), from(request));
    return { to: "/dashboard/verify-email", notice: "mail_sent" };
  });
  return new Elysia({ name: "entry pages" })
    .get(SIGN_IN, view(signInView))
    .post(SIGN_IN, signInForm)
    .get("/dashboard/sign-up", view(signUpView))
    .post("/dashboard/sign-up", signUpForm)
    .post("/dashboard/sign-out", signOutForm)
    .get("/dashboard/password-reset", view(resetView))
    .post("/dashboard/password-reset", resetForm)
    .get("/dashboard/verify-email", view(verifyView))
    .post("/dashboard/verify-email", verifyForm);
};

function credentialsIn(fields: URLSearchParams) {
  return { email: (fields.get("email") ?? "").trim(), password: fields.get("password") ?? "" };
}
