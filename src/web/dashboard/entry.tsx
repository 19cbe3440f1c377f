/** /dashboard/sign-in, sign-up, sign-out, the requests for mailed links, and the pages that the links lead to. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { ComponentChildren } from "preact";
import { askLink, confirmReset, confirmVerification } from "#accounts/identity/links.ts";
import { signOut } from "#accounts/identity/sessions.ts";
import { signIn, signUp } from "#accounts/identity/sign-in.ts";
import { EmailRequest, PasswordResetRequest, VerifyEmailRequest } from "#api/auth/links.ts";
import { signedInCookies, visitOf } from "#api/auth/model.ts";
import { SignInRequest, SignUpRequest } from "#api/auth/sign-in.ts";
import { shaped } from "#api/request/body.ts";
import type { Instant } from "#domain/time/day.ts";
import { Field, Password, Submit } from "#web/shared/forms.tsx";
import { narrowPage, type PageProps, type Site } from "#web/shared/page.tsx";
import { Message } from "./frame.tsx";
import type { FirstKeyPage } from "./keys.tsx";
import { type Dashboard, type DashboardDeps, nextPage, type Said, SIGN_IN, type Visit } from "./router.ts";

const HOME = "/dashboard";

const LINK_REQUESTS = [
  {
    path: "/dashboard/password-reset",
    title: "Reset your password",
    purpose: "reset_password",
    lead: "We send you a link to set a new password. It works once, within an hour.",
    withoutMail: "This server does not send e-mail. Ask its operator for a link to set a new password.",
  },
  {
    path: "/dashboard/verify-email",
    title: "Confirm your address",
    purpose: "verify_email",
    lead: "We send you a link to confirm your address. Only the newest link works, for 24 hours.",
    withoutMail:
      "This server does not send e-mail and does not confirm addresses. Sign in with your password.",
  },
] as const;

/** Each page has a button to press: opening a link, as mail scanners do, changes nothing. */
const MAILED_LINKS = [
  {
    path: "/verify-email",
    title: "Confirm your e-mail address",
    lead: "Confirm that this e-mail address is yours, with the password that you chose. If you did not create an account here, close this page.",
    button: "Confirm and sign in",
    another: ["/dashboard/verify-email", "Request another e-mail"],
  },
  {
    path: "/reset-password",
    title: "Set a new password",
    lead: "It takes effect at once and ends every session of the account. Its API key goes on working: if another person may have it, revoke it on the page of keys. Common passwords, your address and the name of this service are refused.",
    button: "Set password",
    another: ["/dashboard/password-reset", "Request another link"],
  },
] as const;

export const entryPages = (
  deps: DashboardDeps,
  { view, form, ownForm, isSignedIn, hadSession }: Dashboard,
  firstKey: FirstKeyPage,
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
  const entry = (page: (props: EntryProps) => string) => async (visit: Visit) =>
    visit.said.refusal === null && (await isSignedIn(visit.request))
      ? { to: nextOf(visit) ?? HOME }
      : await shown(page)(visit);
  /** The sign-in, with the reason why it is shown instead of the requested page. */
  const signInView = (visit: Visit) => {
    const { said, request } = visit;
    if (said.notice !== null || said.refusal !== null) return entry(signInPage)(visit);
    const next = nextOf(visit);
    const asked = next === null || next === HOME ? null : "sign_in_first";
    // A redirect keeps the address of the form that led to it, and the form has set cookies.
    const from = URL.parse(request.headers.get("referer") ?? "")?.pathname;
    const isBack = next !== null && from === SIGN_IN && request.headers.get("cookie") === null;
    const other = isBack ? "cookie_not_kept" : asked;
    const notice = hadSession(request) ? "session_over" : other;
    return entry(signInPage)({ ...visit, said: { ...said, notice } });
  };
  const signUpView = entry(signUpPage);
  const signInForm = form(signInView, async (fields, { request }) => {
    const credentials = shaped(SignInRequest, credentialsIn(fields));
    const signedIn = await signIn(auth, credentials, visitOf(deps, auth, request));
    return { to: nextPage(fields.get("next")) ?? HOME, cookies: signedInCookies(auth, signedIn) };
  });
  const signUpForm = form(signUpView, async (fields, visit) => {
    const credentials = shaped(SignUpRequest, credentialsIn(fields));
    const signedUp = await signUp(auth, credentials, visitOf(deps, auth, visit.request));
    if (signedUp.kind === "mailed") {
      return signedUp.sent
        ? { to: SIGN_IN, notice: "sign_up_mailed" }
        : { to: "/dashboard/verify-email", notice: "sign_up_mail_failed" };
    }
    const { identity, session } = signedUp.signedIn;
    const cookies = signedInCookies(auth, signedUp.signedIn);
    const next = nextPage(fields.get("next"));
    if (next !== null) return { to: next, cookies };
    const by = (at: Instant) => ({ at, actor: `identity:${identity.id}` as const });
    const own = { ...visit, caller: { identity, session, by }, by: by(deps.clock.now()) };
    // The account exists: if its key cannot be made now, the overview offers to make it.
    const page = await firstKey(own).catch(() => null);
    return page === null ? { to: HOME, cookies } : { ...page, cookies };
  });
  const signOutForm = ownForm({ page: () => HOME, view: signInView }, async (_, { caller }) => {
    await signOut(auth, caller);
    return { to: SIGN_IN, notice: "signed_out", cookies: [auth.cookies.session.clear()] };
  });
  const pages = new Elysia({ name: "entry pages" })
    .get(SIGN_IN, view(signInView))
    .post(SIGN_IN, signInForm)
    .get("/dashboard/sign-up", view(signUpView))
    .post("/dashboard/sign-up", signUpForm)
    .post("/dashboard/sign-out", signOutForm);
  for (const request of LINK_REQUESTS) {
    const requestView = shown((props) => linkRequestPage(props, request));
    const send = form(requestView, async (fields, visit) => {
      const address = shaped(EmailRequest, { email: fields.get("email") ?? "" });
      await askLink(auth, request.purpose, address, { address: deps.callerOf(visit.request) });
      return { to: request.path, notice: "mail_sent" };
    });
    pages.get(request.path, view(requestView)).post(request.path, send);
  }
  for (const link of MAILED_LINKS) {
    const linkView = shown((props) => mailedLinkPage(props, link));
    const confirm = form(linkView, async (fields, { request }) => {
      const from = { address: deps.callerOf(request) };
      // A whole link is accepted, too.
      const token = (fields.get("token") ?? "").replace(/^.*=/, "").trim();
      if (link.path === "/verify-email") {
        const verification = shaped(VerifyEmailRequest, { token, password: fields.get("password") ?? "" });
        const { email } = await confirmVerification(auth, verification, from);
        const own = { email: email ?? "", password: verification.password };
        const signedIn = await signIn(auth, own, visitOf(deps, auth, request));
        return { to: HOME, notice: "email_confirmed", cookies: signedInCookies(auth, signedIn) };
      }
      const reset = shaped(PasswordResetRequest, { token, new: fields.get("new") ?? "" });
      await confirmReset(auth, { token, password: reset.new }, from);
      return { to: SIGN_IN, notice: "password_set" };
    });
    pages.get(link.path, view(linkView)).post(link.path, confirm);
  }
  return pages;
};

function credentialsIn(fields: URLSearchParams) {
  return { email: (fields.get("email") ?? "").trim(), password: fields.get("password") ?? "" };
}

export interface EntryProps {
  readonly site: Site;
  readonly said: Said;
  /** A path of this site to open after signing in; null for the overview. */
  readonly next: string | null;
  readonly hasProvider: boolean;
  readonly sendsMail: boolean;
}

const PASSWORD_HINT = "10 to 200 characters of any kind; a few words will do.";

function signInPage(props: EntryProps): string {
  return entryPage(
    props,
    { path: SIGN_IN, title: "Sign in" },
    <>
      <CredentialForm {...props} action={SIGN_IN} button="Sign in" />
      <Links
        links={[
          ["/dashboard/sign-up", "Create an account"],
          ["/dashboard/password-reset", "Forgot your password?"],
          ...(props.sendsMail
            ? ([["/dashboard/verify-email", "Resend the confirmation e-mail"]] as const)
            : []),
        ]}
      />
    </>,
  );
}

function signUpPage(props: EntryProps): string {
  return entryPage(
    props,
    { path: "/dashboard/sign-up", title: "Create an account" },
    <>
      <p class="lead">An account has one API key. It starts on the free plan.</p>
      <CredentialForm {...props} action="/dashboard/sign-up" button="Create the account" isNew />
      <Links links={[[SIGN_IN, "Sign in instead"]]} />
    </>,
  );
}

function linkRequestPage(props: EntryProps, request: (typeof LINK_REQUESTS)[number]): string {
  return entryPage(
    props,
    request,
    props.sendsMail ? (
      <>
        <p class="lead">{request.lead}</p>
        <form class="form" method="post" action={request.path}>
          <Email {...props} />
          <Submit>Send the e-mail</Submit>
        </form>
        <Links links={[[SIGN_IN, "Sign in"]]} />
      </>
    ) : (
      <p class="lead">{request.withoutMail}</p>
    ),
  );
}

/** The script moves the token after the `#` of the address into the field. Without a script, people paste the link there. */
function mailedLinkPage(props: EntryProps, link: (typeof MAILED_LINKS)[number]): string {
  const { refusal, typed } = props.said;
  const isDead = refusal?.issues.some(({ path }) => path === "/token") === true;
  return entryPage(
    props,
    { ...link, script: "dashboard.js" },
    <>
      <p class="lead">{link.lead}</p>
      <form class="form" method="post" action={link.path}>
        <Field
          name="token"
          label="Link"
          value={isDead ? "" : typed("token")}
          hint="The whole link of the e-mail. If you reloaded this page, open the link again or paste it here."
          refusal={refusal}
        />
        {link.path === "/verify-email" ? (
          <Password name="password" label="Password" refusal={refusal} />
        ) : (
          <Password name="new" label="New password" isNew hint={PASSWORD_HINT} refusal={refusal} />
        )}
        <Submit>{link.button}</Submit>
      </form>
      <Links links={[link.another, [SIGN_IN, "Sign in"]]} />
    </>,
  );
}

interface CredentialFormProps extends EntryProps {
  readonly action: string;
  readonly button: string;
  readonly isNew?: boolean;
}

function CredentialForm({ action, button, isNew = false, ...props }: CredentialFormProps) {
  return (
    <>
      <form class="form" method="post" action={action}>
        {props.next !== null && <input type="hidden" name="next" value={props.next} />}
        <Email {...props} />
        <Password
          {...{ name: "password", label: "Password", isNew, refusal: props.said.refusal }}
          {...(isNew && { hint: PASSWORD_HINT })}
        />
        <Submit>{button}</Submit>
      </form>
      {props.hasProvider && (
        <p class="actions">
          <span class="dim">or</span>{" "}
          <a
            class="button"
            href={`/v1/auth/oidc/start?return_to=${encodeURIComponent(props.next ?? "/dashboard")}`}
          >
            Continue with the identity provider
          </a>
        </p>
      )}
    </>
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

function Links({ links }: { readonly links: readonly (readonly [path: string, text: string])[] }) {
  return (
    <ul class="plain-list entry-links small">
      {links.map(([path, text]) => (
        <li key={path}>
          <a href={path}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

function entryPage(
  { site, said }: EntryProps,
  { path, title, script }: Pick<PageProps, "path" | "title" | "script">,
  children: ComponentChildren,
): string {
  return narrowPage({
    ...{ site, path, title, script, description: "Accounts of this server." },
    children: [<Message key="message" said={said} />, children],
  });
}
