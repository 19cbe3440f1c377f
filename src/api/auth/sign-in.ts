/** Ways to sign in: POST /v1/auth/sign-up and /v1/auth/sign-in by password; GET /v1/auth/oidc/start and /v1/auth/oidc/callback at an identity provider. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { SESSION_SECONDS, type SignedInByPassword } from "#accounts/identity/sessions.ts";
import { beginExternal, finishExternal, signUp, signIn as startSession } from "#accounts/identity/sign-in.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { type Parameter, query } from "#api/parameters.ts";
import { print } from "#api/print.ts";
import { jsonBody } from "#api/request/body.ts";
import { isHead } from "#api/request/inner-request.ts";
import { pathOf } from "#api/response/failures.ts";
import { respondEmpty } from "#api/response/respond.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ExternalSignIn } from "#ports/identity.ts";
import * as auth from "./model.ts";

/** One label of a host name: at most 63 characters, as mail servers require. */
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

export const SignUpRequest = form.named("SignUpDetails", "A new account.", {
  email: form.text("One bare e-mail address. Compared without regard to case.", "ada@example.com", {
    pattern: `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@(?:${LABEL}\\.)+${LABEL}$`,
    maxLength: 254,
  }),
  password: auth.password(
    "10 to 200 characters of any kind; the most common ones, the address itself and the name of this service are refused, with digits and punctuation to them too.",
  ),
});

export const SignInRequest = form.named("SignInCredentials", "Who signs in.", {
  email: auth.knownEmail,
  password: auth.password("The account's password."),
});

export const SignedInResponse = field.answer("SignedInResponse", "A new session.", {
  token: form.text("The session, for `Authorization: Bearer`. Only its hash is stored.", auth.EXAMPLE_TOKEN),
  session_id: form.text("Names the session in the list of sessions.", auth.EXAMPLE_SESSION),
  expires_at: form.instant("When the session ends, UTC: 30 days after the sign-in.", "2026-05-13T16:30:00Z"),
  identity: auth.identity,
});

export const SignUpMailedResponse = field.answer("SignUpMailedResponse", "The rest is in the mailbox.", {
  mail: form.oneOf(
    ["sent", "failed"],
    "`failed`: the mail server did not accept the e-mail; request another at `/v1/auth/verify-email/send`.",
  ),
  message: form.text("What to do next.", "open the link in the e-mail to ada@example.com, then sign in"),
});

const signedInBody = ({ identity, session: { id: sessionId, expiresAt }, token }: SignedInByPassword) =>
  print(SignedInResponse, { token, sessionId, expiresAt, identity: auth.printed(identity) });

function signUpMailedBody(email: string, sent: boolean): Static<typeof SignUpMailedResponse> {
  const message = sent
    ? `open the link in the e-mail to ${email}, then sign in`
    : "the e-mail could not be sent; request another at /v1/auth/verify-email/send in a while";
  return { result: "success", mail: sent ? "sent" : "failed", message };
}

const cookie: Parameter<boolean> = {
  schema: Type.Unsafe<string>({ type: "string", enum: ["0", "1"], default: "1" }),
  description:
    "`0` leaves the cookies out, neither read nor set: for command lines, and for pages of other sites that keep the token themselves.",
  example: "0",
  inSampleCall: false,
  parse: (text) => text !== "0",
};

export const signIn = (deps: auth.AuthRoutesDeps) =>
  new Elysia({ name: "sign-in" })
    .use(auth.people(deps))
    .post(
      "/v1/auth/sign-up",
      async ({ request, accounts, body, query: { cookie }, set }) => {
        const signedUp = await signUp(accounts, body, auth.visitOf(deps, accounts, request, cookie));
        if (signedUp.kind === "mailed") return status(202, signUpMailedBody(body.email, signedUp.sent));
        if (cookie) set.headers["set-cookie"] = auth.signedInCookies(accounts, signedUp.signedIn);
        return status(201, signedInBody(signedUp.signedIn));
      },
      auth.routes.open({
        query: query({ cookie }),
        ...jsonBody(SignUpRequest),
        id: "signUp",
        summary: "Open an account",
        description:
          "Opens an account with an e-mail address and a password. Where the server can send mail, it answers 202 whether or not the address has an account already: the rest is in the mailbox, and signing in works once the address is confirmed. Where it cannot, it answers 201 with a session, or `conflict` for an address that has an account.",
        ok: {
          status: 201,
          description: "The account is open and signed in.",
          schema: SignedInResponse,
          headers: auth.SET_COOKIE,
          alsoAs: {
            202: {
              description: "An e-mail to the address has the next step.",
              schema: SignUpMailedResponse,
            },
          },
        },
        errors: ["rate_limited", "conflict"],
      }),
    )
    .post(
      "/v1/auth/sign-in",
      async ({ request, accounts, body, query: { cookie }, set }) => {
        const signedIn = await startSession(accounts, body, auth.visitOf(deps, accounts, request, cookie));
        if (cookie) set.headers["set-cookie"] = auth.signedInCookies(accounts, signedIn);
        return signedInBody(signedIn);
      },
      auth.routes.open({
        query: query({ cookie }),
        ...jsonBody(SignInRequest),
        id: "signIn",
        summary: "Sign in",
        description:
          "Starts a session of 30 days. The token is in the answer, for command lines, and in a cookie, for browsers. A session that the request came with ends. A wrong password and an unknown address are one refusal; attempts are limited per address and per account.",
        ok: { description: "A new session.", schema: SignedInResponse, headers: auth.SET_COOKIE },
        errors: ["rate_limited", "invalid_credentials"],
      }),
    );

const NOTHING = Type.Null({ description: "No body." });

const returnTo: Parameter<string> = {
  schema: Type.String({ maxLength: 500, default: "/" }),
  description: "The path of this site to come back to; anything else becomes `/`.",
  example: "/",
  inSampleCall: false,
  parse: (text) => text || "/",
};

/** Describes a parameter that the provider adds. `finishExternal` checks the whole query. */
function provided(name: string): Parameter<void> {
  return {
    // Visible ASCII, RFC 6749 appendix A.
    schema: Type.String({ maxLength: 1024, pattern: "^[ -~]*$" }),
    description: `The provider's \`${name}\`.`,
    example: "example",
    parse: () => undefined,
  };
}

/** Fails with `not_found` without a provider; with `method_not_allowed` for HEAD, which must not begin or finish anything. */
function providerOf({ provider }: auth.AuthDeps, request: Request): ExternalSignIn {
  if (provider === null) throw new Failure("not_found", { path: pathOf(request.url) });
  if (isHead(request)) {
    throw new Failure("method_not_allowed", { method: "HEAD", allow: "GET, OPTIONS" });
  }
  return provider;
}

export const oidc = (deps: auth.AuthRoutesDeps) => {
  /** Redirects with 302, never stored. */
  const redirect = (request: Request, location: string, cookies: readonly string[]): Response => {
    const fields = { status: 302, cacheControl: "no-store", headers: { Location: location } };
    return auth.withCookies(respondEmpty(request, deps, fields), cookies);
  };
  return (
    new Elysia({ name: "oidc" })
      .use(auth.people(deps))
      .get(
        "/v1/auth/oidc/start",
        async ({ request, accounts, query: { return_to } }) => {
          const begun = await beginExternal(accounts, providerOf(accounts, request), return_to);
          return redirect(request, begun.url, [
            accounts.cookies.signIn.set(begun.cookie, begun.maxAgeSeconds),
          ]);
        },
        auth.routes.open({
          query: query({ return_to: returnTo }),
          id: "startExternalSignIn",
          summary: "Sign in at the identity provider",
          description:
            "Sends the browser to the identity provider (OpenID Connect, authorization code with PKCE). `not_found` where none is configured. Answers no `HEAD`.",
          ok: {
            status: 302,
            description: "To the identity provider.",
            schema: NOTHING,
            headers: {
              Location: ["The provider's address.", "https://id.example.com/…"],
              "Set-Cookie": [
                "What the callback needs, sealed, for ten minutes.",
                "__Host-crossrate_signin=…; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure",
              ],
            },
          },
          errors: ["not_found"],
        }),
      )
      // The one GET that changes something. It is safe because it needs a state that only this browser's sealed
      // cookie has, and a code that works once.
      .get(
        "/v1/auth/oidc/callback",
        async ({ request, accounts }) => {
          const provider = providerOf(accounts, request);
          const { signIn, session } = accounts.cookies;
          const brought = request.headers.get("cookie");
          const visit = { ...auth.visitOf(deps, accounts, request), presented: session.read(brought) };
          const arrived = { search: new URL(request.url).search, cookie: signIn.read(brought) };
          const { token, returnTo } = await finishExternal(accounts, provider, arrived, visit);
          return redirect(request, returnTo, [session.set(token, SESSION_SECONDS), signIn.clear()]);
        },
        auth.routes.open({
          query: query({ code: provided("code"), state: provided("state") }),
          id: "finishExternalSignIn",
          summary: "Back from the identity provider",
          description:
            "Where the provider sends the browser to. Starts a session for the person that the provider vouches for, found by issuer and subject, never by e-mail address. Only in the browser that began, and once. Answers no `HEAD`.",
          ok: {
            status: 302,
            description: "Signed in, and back to `return_to`.",
            schema: NOTHING,
            headers: {
              Location: ["A path of this site.", "/"],
              ...auth.SET_COOKIE,
            },
          },
          errors: ["not_found", "rate_limited"],
        }),
      )
  );
};
