/** GET /v1/auth/oidc/start and /v1/auth/oidc/callback: sign-in at an identity provider. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { SESSION_SECONDS } from "#accounts/identity/sessions.ts";
import { beginExternal, finishExternal } from "#accounts/identity/sign-in.ts";
import { type Parameter, query } from "#api/parameters.ts";
import { isHead } from "#api/request/inner-request.ts";
import { pathOf } from "#api/response/failures.ts";
import { respondEmpty } from "#api/response/respond.ts";
import { words } from "#api/words.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ExternalSignIn } from "#ports/identity.ts";
import * as auth from "./model.ts";
import { type AuthDeps, visitOf, withCookies } from "./model.ts";

const NOTHING = Type.Null({ description: "No body." });

const returnTo: Parameter<string> = {
  schema: Type.String({ maxLength: 500, default: "/" }),
  description: "The path of this site to come back to; anything else becomes `/`.",
  example: "/",
  inSampleCall: false,
  parse: (text) => text || "/",
};

/** Describes a parameter that the provider adds. The address is checked as a whole. */
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
function providerOf({ provider }: AuthDeps, request: Request): ExternalSignIn {
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
    return withCookies(respondEmpty(request, deps, fields), cookies);
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
        {
          accounts: true,
          query: query({ return_to: returnTo }),
          detail: words({
            ...auth.TAG,
            id: "startExternalSignIn",
            summary: "Sign in at the identity provider",
            description:
              "Sends the browser to the identity provider (OpenID Connect, authorization code with PKCE). `not_found` where none is configured. Answers no `HEAD`.",
            ok: {
              status: 302,
              description: "To the identity provider.",
              schema: NOTHING,
              headers: [
                {
                  name: "Location",
                  description: "The provider's address.",
                  example: "https://id.example.com/…",
                },
                {
                  name: "Set-Cookie",
                  description: "What the callback needs, sealed, for ten minutes.",
                  example: "__Host-crossrate_signin=…; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure",
                },
              ],
            },
            errors: ["not_found"],
          }),
        },
      )
      // The one GET that changes something. It is safe because it needs a state that only this browser's sealed
      // cookie has, and a code that works once.
      .get(
        "/v1/auth/oidc/callback",
        async ({ request, accounts }) => {
          const provider = providerOf(accounts, request);
          const { signIn, session } = accounts.cookies;
          const brought = request.headers.get("cookie");
          const visit = { ...visitOf(deps, accounts, request), presented: session.read(brought) };
          const arrived = { search: new URL(request.url).search, cookie: signIn.read(brought) };
          const { token, returnTo } = await finishExternal(accounts, provider, arrived, visit);
          return redirect(request, returnTo, [session.set(token, SESSION_SECONDS), signIn.clear()]);
        },
        {
          accounts: true,
          query: query({ code: provided("code"), state: provided("state") }),
          detail: words({
            ...auth.TAG,
            id: "finishExternalSignIn",
            summary: "Back from the identity provider",
            description:
              "Where the provider sends the browser to. Starts a session for the person that the provider vouches for, found by issuer and subject, never by e-mail address. Only in the browser that began, and once. Answers no `HEAD`.",
            ok: {
              status: 302,
              description: "Signed in, and back to `return_to`.",
              schema: NOTHING,
              headers: [
                { name: "Location", description: "A path of this site.", example: "/" },
                auth.SET_COOKIE,
              ],
            },
            errors: ["not_found", "rate_limited"],
          }),
        },
      )
  );
};
