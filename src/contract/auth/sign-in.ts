/** POST /v1/auth/sign-up, sign-in, sign-out and GET /v1/auth/me. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { BY_SESSION, type Operation } from "#contract/operation.ts";
import * as auth from "./fields.ts";

export const SignUpRequest = Type.Object(
  {
    email: auth.newEmail,
    password: auth.password(
      "10 to 200 characters of any kind; those that everybody tries first, the address itself and the name of this service are refused, with digits and punctuation to them too.",
    ),
  },
  { $id: "SignUpDetails", additionalProperties: false, description: "A new account." },
);

export const SignInRequest = Type.Object(
  { email: auth.knownEmail, password: auth.password("The account's password.") },
  { $id: "SignInCredentials", additionalProperties: false, description: "Who signs in." },
);

export const SignedInResponse = Type.Object(
  {
    result: field.result,
    token: Type.String({
      description:
        "The session, for `Authorization: Bearer`. Shown here and nowhere else: only a hash of it is stored.",
      examples: [auth.EXAMPLE_TOKEN],
    }),
    session_id: Type.String({
      description: "Names the session in the list of sessions.",
      examples: [auth.EXAMPLE_SESSION],
    }),
    expires_at: field.instant(
      "When the session ends, UTC: 30 days after the sign-in, however busy it is.",
      "2026-05-13T16:30:00Z",
    ),
    identity: auth.identity,
  },
  { $id: "SignedInResponse", additionalProperties: false, description: "A new session." },
);

const SIGNED_IN = {
  result: "success",
  token: auth.EXAMPLE_TOKEN,
  session_id: auth.EXAMPLE_SESSION,
  expires_at: "2026-05-13T16:30:00Z",
  identity: auth.EXAMPLE_IDENTITY,
};

export const SignUpMailedResponse = Type.Object(
  {
    result: field.result,
    mail: Type.Unsafe<"sent" | "failed">({
      type: "string",
      enum: ["sent", "failed"],
      description:
        "`failed`: the mail server did not take the letter; ask for another at `/v1/auth/verify-email/send`.",
    }),
    message: Type.String({
      description: "What to do next, for people.",
      examples: ["open the link in the letter to ada@example.com, then sign in"],
    }),
  },
  {
    $id: "SignUpMailedResponse",
    additionalProperties: false,
    description: "The mailbox of the address knows the rest.",
  },
);

export const SignedOutResponse = Type.Object(
  {
    result: field.result,
    signed_out: Type.Boolean({
      description: "False where there was no session to end: the JWT of an identity provider ends by itself.",
      examples: [true],
    }),
  },
  { $id: "SignedOutResponse", additionalProperties: false, description: "The end of a session." },
);

export const MeResponse = Type.Object(
  { result: field.result, identity: auth.identity },
  { $id: "MeResponse", additionalProperties: false, description: "Who is signed in." },
);

export const AUTH_SIGN_IN: readonly Operation[] = [
  {
    id: "signUp",
    method: "post",
    path: "/v1/auth/sign-up",
    tag: "Sign-in",
    summary: "Open an account",
    description:
      "Opens an account with an e-mail address and a password. Where the server can send mail, it answers 202 whether or not the address has an account already: the rest is in the mailbox, and signing in works once the address is confirmed. Where it cannot, it answers 201 with a session, or `conflict` for an address that has an account.",
    parameters: [auth.cookieParameter],
    security: [],
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
          description: "A letter to the address says how to go on.",
          schema: SignUpMailedResponse,
          example: {
            result: "success",
            mail: "sent",
            message: "open the link in the letter to ada@example.com, then sign in",
          },
        },
      },
      conditional: false,
    },
    errors: [...auth.AUTH_BODY_ERRORS, "conflict"],
  },
  {
    id: "signIn",
    method: "post",
    path: "/v1/auth/sign-in",
    tag: "Sign-in",
    summary: "Sign in",
    description:
      "Starts a session of 30 days. The token is in the answer, for command lines, and in a cookie, for browsers. A session that the request came with ends. A wrong password and an unknown address are one refusal; attempts are limited per address and per account.",
    parameters: [auth.cookieParameter],
    security: [],
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
      conditional: false,
    },
    errors: [...auth.AUTH_BODY_ERRORS, "invalid_credentials"],
  },
  {
    id: "signOut",
    method: "post",
    path: "/v1/auth/sign-out",
    tag: "Sign-in",
    summary: "Sign out",
    description: "Ends the session of this request at once, and clears the cookie.",
    parameters: [],
    security: BY_SESSION,
    ok: {
      description: "Signed out.",
      schema: SignedOutResponse,
      example: { result: "success", signed_out: true },
      headers: [auth.SET_COOKIE],
      conditional: false,
    },
    errors: [...auth.AUTH_ERRORS, "session_required"],
  },
  {
    id: "getMe",
    method: "get",
    path: "/v1/auth/me",
    tag: "Sign-in",
    summary: "Who is signed in",
    description: "The person behind the session. The organization and its key are at `/v1/account`.",
    parameters: [],
    security: BY_SESSION,
    ok: {
      description: "Who is signed in.",
      schema: MeResponse,
      example: { result: "success", identity: auth.EXAMPLE_IDENTITY },
      conditional: false,
    },
    errors: [...auth.AUTH_ERRORS, "session_required"],
  },
];
