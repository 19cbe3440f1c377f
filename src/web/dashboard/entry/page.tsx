/** The pages before a session: signing in, signing up, and requests for mailed links. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { Field, Next } from "#web/dashboard/fields.tsx";
import { Message, type Said } from "#web/dashboard/frame.tsx";
import { renderPage, type Site } from "#web/shared/page.tsx";

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

export function signInPage(props: EntryProps): string {
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

export function signUpPage(props: EntryProps): string {
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

export function resetRequestPage(props: EntryProps): string {
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

export function verifyRequestPage(props: EntryProps): string {
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
