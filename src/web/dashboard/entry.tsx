/** /dashboard/sign-in, sign-up, sign-out, and the requests for mailed links. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { ComponentChildren } from "preact";
import { askReset, askVerification } from "#accounts/identity/links.ts";
import { signOut } from "#accounts/identity/sessions.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import { signUp } from "#accounts/identity/sign-up.ts";
import { EmailRequest } from "#api/auth/links.ts";
import { signedInCookies, visitOf } from "#api/auth/model.ts";
import { SignInRequest, SignUpRequest } from "#api/auth/sign-in.ts";
import { shaped } from "#api/issues.ts";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { Field, Message, Next, type Said } from "./frame.tsx";
import { type Dashboard, type DashboardDeps, nextPage, SIGN_IN, type Visit } from "./router.ts";

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

export interface EntryProps {
  readonly site: Site;
  readonly said: Said;
  /** The page of this site to go on to. */
  readonly next: string | null;
  /** There is an identity provider to sign in at. */
  readonly hasProvider: boolean;
  readonly sendsMail: boolean;
}

const PASSWORD_HINT = "10 to 200 characters of any kind; a few words will do.";

function signInPage(props: EntryProps): string {
  const { said, next } = props;
  return entryPage(
    props,
    { path: "/dashboard/sign-in", title: "Sign in" },
    <>
      <form class="form" method="post" action="/dashboard/sign-in">
        <Next next={next} />
        <Email said={said} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          refusal={said.refusal}
        />
        <Submit>Sign in</Submit>
      </form>
      <Provider {...props} />
      <ul class="plain-list entry-links">
        <li>
          <a href="/dashboard/sign-up">Create an account</a>
        </li>
        <li>
          <a href="/dashboard/password-reset">Forgot your password?</a>
        </li>
        {props.sendsMail && (
          <li>
            <a href="/dashboard/verify-email">Resend the confirmation e-mail</a>
          </li>
        )}
      </ul>
    </>,
  );
}

function signUpPage(props: EntryProps): string {
  const { said, next } = props;
  return entryPage(
    props,
    { path: "/dashboard/sign-up", title: "Create an account" },
    <>
      <p class="lead">An account has one API key. It starts on the free plan.</p>
      <form class="form" method="post" action="/dashboard/sign-up">
        <Next next={next} />
        <Email said={said} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint={PASSWORD_HINT}
          refusal={said.refusal}
        />
        <Submit>Create the account</Submit>
      </form>
      <Provider {...props} />
      <ul class="plain-list entry-links">
        <li>
          <a href="/dashboard/sign-in">Sign in instead</a>
        </li>
      </ul>
    </>,
  );
}

function resetRequestPage(props: EntryProps): string {
  return entryPage(
    props,
    { path: "/dashboard/password-reset", title: "Reset your password" },
    props.sendsMail ? (
      <MailForm {...props} action="/dashboard/password-reset">
        We send you a link to set a new password. It works once, within an hour.
      </MailForm>
    ) : (
      <p class="lead">This server does not send e-mail. Ask its operator for a link to set a new password.</p>
    ),
  );
}

function verifyRequestPage(props: EntryProps): string {
  return entryPage(
    props,
    { path: "/dashboard/verify-email", title: "Confirm your address" },
    props.sendsMail ? (
      <MailForm {...props} action="/dashboard/verify-email">
        We send you a link to confirm your address. Only the newest link works, for 24 hours.
      </MailForm>
    ) : (
      <p class="lead">
        This server does not send e-mail and does not confirm addresses. Sign in with your password.
      </p>
    ),
  );
}

function Email({ said }: Pick<EntryProps, "said">) {
  return (
    <Field
      name="email"
      label="E-mail address"
      type="email"
      value={said.typed("email")}
      autocomplete="username"
      refusal={said.refusal}
    />
  );
}

function Submit({ children }: { readonly children: string }) {
  return (
    <button class="button primary" type="submit">
      {children}
    </button>
  );
}

function MailForm({
  said,
  action,
  children,
}: EntryProps & { readonly action: string; readonly children: ComponentChildren }) {
  return (
    <>
      <p class="lead">{children}</p>
      <form class="form" method="post" action={action}>
        <Email said={said} />
        <Submit>Send the e-mail</Submit>
      </form>
      <ul class="plain-list entry-links">
        <li>
          <a href="/dashboard/sign-in">Sign in</a>
        </li>
      </ul>
    </>
  );
}

function Provider({ hasProvider, next }: EntryProps) {
  if (!hasProvider) return null;
  return (
    <p class="provider">
      <span class="dim">or</span>{" "}
      <a class="button" href={`/v1/auth/oidc/start?return_to=${encodeURIComponent(next ?? "/dashboard")}`}>
        Continue with the identity provider
      </a>
    </p>
  );
}

function entryPage(
  { site, said }: EntryProps,
  { path, title }: { readonly path: string; readonly title: string },
  children: ComponentChildren,
): string {
  return renderPage({
    site,
    title: `${title} · Crossrate`,
    description: "Accounts of this server.",
    path,
    isPrivate: true,
    children: (
      <div class="narrow">
        <h1>{title}</h1>
        <Message said={said} />
        {children}
      </div>
    ),
  });
}
