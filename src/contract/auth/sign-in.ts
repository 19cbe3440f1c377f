/** POST /v1/auth/sign-up, sign-in, sign-out and GET /v1/auth/me. */

import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import * as auth from "./fields.ts";

export const SignUpRequest = form.named("SignUpDetails", "A new account.", {
  email: auth.newEmail,
  password: auth.password(
    "10 to 200 characters of any kind; the most common ones, the address itself and the name of this service are refused, with digits and punctuation to them too.",
  ),
});

export const SignInRequest = form.named("SignInCredentials", "Who signs in.", {
  email: auth.knownEmail,
  password: auth.password("The account's password."),
});

export const SignedInResponse = form.named("SignedInResponse", "A new session.", {
  result: field.result,
  token: form.text(
    "The session, for `Authorization: Bearer`. Shown here and nowhere else: only a hash of it is stored.",
    auth.EXAMPLE_TOKEN,
  ),
  session_id: form.text("Names the session in the list of sessions.", auth.EXAMPLE_SESSION),
  expires_at: form.instant(
    "When the session ends, UTC: 30 days after the sign-in, however busy it is.",
    "2026-05-13T16:30:00Z",
  ),
  identity: auth.identity,
});

const SIGNED_IN = {
  result: "success",
  token: auth.EXAMPLE_TOKEN,
  session_id: auth.EXAMPLE_SESSION,
  expires_at: "2026-05-13T16:30:00Z",
  identity: auth.EXAMPLE_IDENTITY,
};

export const SignUpMailedResponse = form.named(
  "SignUpMailedResponse",
  "The mailbox of the address knows the rest.",
  {
    result: field.result,
    mail: form.oneOf(
      ["sent", "failed"],
      "`failed`: the mail server did not accept the e-mail; request another at `/v1/auth/verify-email/send`.",
    ),
    message: form.text(
      "What to do next, for people.",
      "open the link in the e-mail to ada@example.com, then sign in",
    ),
  },
);

export const SignedOutResponse = form.named("SignedOutResponse", "The end of a session.", {
  result: field.result,
  signed_out: form.flag(
    "False where there was no session to end: the JWT of an identity provider ends by itself.",
    true,
  ),
});

export const MeResponse = form.named("MeResponse", "Who is signed in.", {
  result: field.result,
  identity: auth.identity,
});

export const AUTH_SIGN_IN: readonly Operation[] = [
  {
    ...auth.PUBLIC,
    id: "signUp",
    method: "post",
    path: "/v1/auth/sign-up",
    summary: "Open an account",
    description:
      "Opens an account with an e-mail address and a password. Where the server can send mail, it answers 202 whether or not the address has an account already: the rest is in the mailbox, and signing in works once the address is confirmed. Where it cannot, it answers 201 with a session, or `conflict` for an address that has an account.",
    parameters: [auth.cookieParameter],
    body: {
      schema: SignUpRequest,
      example: { email: "ada@example.com", password: "seven kites above Delft" },
      description: "The address and the password.",
    },
    ok: {
      status: 201,
      description: "The account is open and signed in.",
      schema: SignedInResponse,
      example: { ...SIGNED_IN, identity: { ...auth.EXAMPLE_IDENTITY, email_verified: false } },
      headers: [auth.SET_COOKIE],
      alsoAs: {
        202: {
          description: "An e-mail to the address has the next step.",
          schema: SignUpMailedResponse,
          example: {
            result: "success",
            mail: "sent",
            message: "open the link in the e-mail to ada@example.com, then sign in",
          },
        },
      },
    },
    errors: [...auth.AUTH_BODY_ERRORS, "conflict"],
  },
  {
    ...auth.PUBLIC,
    id: "signIn",
    method: "post",
    path: "/v1/auth/sign-in",
    summary: "Sign in",
    description:
      "Starts a session of 30 days. The token is in the answer, for command lines, and in a cookie, for browsers. A session that the request came with ends. A wrong password and an unknown address are one refusal; attempts are limited per address and per account.",
    parameters: [auth.cookieParameter],
    body: {
      schema: SignInRequest,
      example: { email: "ada@example.com", password: "seven kites above Delft" },
      description: "The address and the password.",
    },
    ok: {
      description: "A new session.",
      schema: SignedInResponse,
      example: SIGNED_IN,
      headers: [auth.SET_COOKIE],
    },
    errors: [...auth.AUTH_BODY_ERRORS, "invalid_credentials"],
  },
  {
    ...auth.PERSONAL,
    id: "signOut",
    method: "post",
    path: "/v1/auth/sign-out",
    summary: "Sign out",
    description: "Ends the session of this request at once, and clears the cookie.",
    ok: {
      description: "Signed out.",
      schema: SignedOutResponse,
      example: { result: "success", signed_out: true },
      headers: [auth.SET_COOKIE],
    },
    errors: auth.SESSION_ERRORS,
  },
  {
    ...auth.PERSONAL,
    id: "getMe",
    method: "get",
    path: "/v1/auth/me",
    summary: "Who is signed in",
    description: "The person behind the session. The organization and its key are at `/v1/account`.",
    ok: {
      description: "Who is signed in.",
      schema: MeResponse,
      example: { result: "success", identity: auth.EXAMPLE_IDENTITY },
    },
    errors: auth.SESSION_ERRORS,
  },
];
