/** Everything below /v1/auth except sign-in at an identity provider: sign-up, sign-in, sign-out, me, sessions, password, mailed links. */

import { askReset, askVerification, confirmReset, confirmVerification } from "#accounts/identity/links.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { endOtherSessions, endSession, listSessions, signOut } from "#accounts/identity/sessions.ts";
import { SESSION_SECONDS, type SignedInByPassword } from "#accounts/identity/sessions-start.ts";
import { beginExternal, finishExternal, signIn } from "#accounts/identity/sign-in.ts";
import { signUp } from "#accounts/identity/sign-up.ts";
import { isHead } from "#api/request/inner-request.ts";
import { formOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import { pathOf } from "#api/response/failures.ts";
import { respondJson } from "#api/response/json.ts";
import { respondEmpty } from "#api/response/respond.ts";
import {
  identityBody,
  letterBody,
  passwordSetBody,
  sessionsBody,
  sessionsEndedBody,
  signedInBody,
  signedOutBody,
  signUpMailedBody,
} from "#contract/auth/bodies.ts";
import { EmailRequest, PasswordResetRequest, VerifyEmailRequest } from "#contract/auth/links.ts";
import { PasswordRequest } from "#contract/auth/sessions.ts";
import { SignInRequest, SignUpRequest } from "#contract/auth/sign-in.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ExternalSignIn } from "#ports/identity.ts";
import {
  type AuthDeps,
  type AuthRoutesDeps,
  authRoute,
  bodyOf,
  deviceCookies,
  sessionRoute,
  signedInCookies,
  visitOf,
  wantsCookie,
  withCookies,
} from "./route.ts";

export function authRoutes(deps: AuthRoutesDeps): Route[] {
  return [
    ...authSignInRoutes(deps),
    ...authSessionRoutes(deps),
    ...authLinkRoutes(deps),
    ...authExternalRoutes(deps),
  ];
}

function authSignInRoutes(deps: AuthRoutesDeps): Route[] {
  return [
    authRoute(deps, "POST", "/v1/auth/sign-up", async (auth, request) => {
      const wanted = await bodyOf(request, SignUpRequest);
      const signedUp = await signUp(auth, wanted, visitOf(deps, auth, request));
      if (signedUp.kind === "mailed") {
        return respondJson(request, deps, signUpMailedBody(wanted.email, signedUp.sent), 202);
      }
      return sendSignedIn(request, deps, auth, signedUp.signedIn, {
        status: 201,
        withCookie: wantsCookie(request),
      });
    }),
    authRoute(deps, "POST", "/v1/auth/sign-in", async (auth, request) => {
      const wanted = await bodyOf(request, SignInRequest);
      const signedIn = await signIn(auth, wanted, visitOf(deps, auth, request));
      return sendSignedIn(request, deps, auth, signedIn, {
        status: 200,
        withCookie: wantsCookie(request),
      });
    }),
    sessionRoute(deps, "POST", "/v1/auth/sign-out", async (auth, caller, request) => {
      const body = signedOutBody(await signOut(auth, caller));
      return withCookies(respondJson(request, deps, body), [auth.cookies.session.clear()]);
    }),
    sessionRoute(deps, "GET", "/v1/auth/me", async (_, { identity }, request) =>
      respondJson(request, deps, identityBody(identity)),
    ),
  ];
}

function authSessionRoutes(deps: AuthRoutesDeps): Route[] {
  return [
    sessionRoute(deps, "GET", "/v1/auth/sessions", async (auth, caller, request) =>
      respondJson(request, deps, sessionsBody(await listSessions(auth, caller), caller.session?.id ?? null)),
    ),
    sessionRoute(deps, "DELETE", "/v1/auth/sessions", async (auth, caller, request) =>
      respondJson(request, deps, sessionsEndedBody(await endOtherSessions(auth, caller))),
    ),
    sessionRoute(deps, "DELETE", "/v1/auth/sessions/:id", async (auth, caller, request, params) => {
      const id = params["id"] ?? "";
      await endSession(auth, caller, id);
      const answer = respondJson(request, deps, sessionsEndedBody(1));
      return id === caller.session?.id ? withCookies(answer, [auth.cookies.session.clear()]) : answer;
    }),
    sessionRoute(deps, "POST", "/v1/auth/password", async (auth, caller, request) => {
      const device = await changePassword(auth, caller, await bodyOf(request, PasswordRequest), {
        address: deps.callerOf(request),
      });
      const isByCookie = request.headers.get("authorization") === null;
      return withCookies(
        respondJson(request, deps, passwordSetBody()),
        deviceCookies(auth, isByCookie ? device : null),
      );
    }),
  ];
}

function authLinkRoutes(deps: AuthRoutesDeps): Route[] {
  const from = (request: Request) => ({ address: deps.callerOf(request) });
  return [
    authRoute(deps, "POST", "/v1/auth/password-reset", async (auth, request) => {
      await askReset(auth, await bodyOf(request, EmailRequest), from(request));
      return respondJson(request, deps, letterBody(auth.mail.configured), 202);
    }),
    authRoute(deps, "POST", "/v1/auth/password-reset/confirm", async (auth, request) => {
      const { token, new: password } = await bodyOf(request, PasswordResetRequest);
      await confirmReset(auth, { token, password }, from(request));
      return respondJson(request, deps, passwordSetBody());
    }),
    authRoute(deps, "POST", "/v1/auth/verify-email", async (auth, request) => {
      const wanted = await bodyOf(request, VerifyEmailRequest);
      const identity = await confirmVerification(auth, wanted, from(request));
      return respondJson(request, deps, identityBody(identity));
    }),
    authRoute(deps, "POST", "/v1/auth/verify-email/send", async (auth, request) => {
      await askVerification(auth, await bodyOf(request, EmailRequest), from(request));
      return respondJson(request, deps, letterBody(auth.mail.configured), 202);
    }),
  ];
}

function authExternalRoutes(deps: AuthRoutesDeps): Route[] {
  return [
    authRoute(deps, "GET", "/v1/auth/oidc/start", async (auth, request) => {
      const begun = await beginExternal(auth, providerOf(auth, request), formOf(request)("return_to") ?? "/");
      return redirect(request, deps, begun.url, [auth.cookies.signIn.set(begun.cookie, begun.maxAgeSeconds)]);
    }),
    // The one GET that changes something. What makes it safe is in the request: a state that only this browser's sealed
    // cookie knows, and a code that works once.
    authRoute(deps, "GET", "/v1/auth/oidc/callback", async (auth, request) => {
      const provider = providerOf(auth, request);
      const { signIn, session } = auth.cookies;
      const brought = request.headers.get("cookie");
      const visit = { ...visitOf(deps, auth, request), presented: session.read(brought) };
      const arrived = { search: new URL(request.url).search, cookie: signIn.read(brought) };
      const { token, returnTo } = await finishExternal(auth, provider, arrived, visit);
      return redirect(request, deps, returnTo, [session.set(token, SESSION_SECONDS), signIn.clear()]);
    }),
  ];
}

/** Failure `not_found` where there is none; `method_not_allowed` for HEAD, which must not begin or finish anything. */
function providerOf({ provider }: AuthDeps, request: Request): ExternalSignIn {
  if (provider === null) throw new Failure("not_found", { path: pathOf(request.url) });
  if (isHead(request)) {
    throw new Failure("method_not_allowed", { method: "HEAD", allow: "GET, OPTIONS" });
  }
  return provider;
}

/** SignedInResponse, with the cookie unless the caller stores the token itself. Caches never store it. */
function sendSignedIn(
  request: Request,
  deps: AuthRoutesDeps,
  auth: AuthDeps,
  signedIn: SignedInByPassword,
  { status, withCookie }: { readonly status: 200 | 201; readonly withCookie: boolean },
): Response {
  const answer = respondJson(request, deps, signedInBody(signedIn), status);
  return withCookie ? withCookies(answer, signedInCookies(auth, signedIn)) : answer;
}

/** 302, never stored. */
function redirect(
  request: Request,
  deps: Pick<AuthRoutesDeps, "simulated">,
  location: string,
  cookies: readonly string[],
): Response {
  const fields = { status: 302, cacheControl: "no-store", headers: { Location: location } };
  return withCookies(respondEmpty(request, deps, fields), cookies);
}
