/** POST /v1/auth/sign-up, sign-in, sign-out, GET me; and the list of everything below /v1/auth. */

import { signIn } from "#accounts/identity/sign-in.ts";
import { signOut } from "#accounts/identity/sign-out.ts";
import { signUp } from "#accounts/identity/sign-up.ts";
import { SignInRequest, SignUpRequest } from "#contract/auth/sign-in.ts";
import type { Route } from "#http/request/route.ts";
import { sendOnce } from "#http/response/send-once.ts";
import { identityView, sendSignedIn, withCookies } from "./answers.ts";
import { authExternalRoutes } from "./external.ts";
import { authLinkRoutes } from "./links.ts";
import { type AuthRoutesDeps, authRoute, bodyOf, sessionRoute, visitOf, wantsCookie } from "./route.ts";
import { authSessionRoutes } from "./sessions.ts";

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
        return sendOnce(request, deps, mailedBody(wanted.email, signedUp.sent), 202);
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
      const body = { result: "success", signed_out: await signOut(auth, caller) };
      return withCookies(sendOnce(request, deps, body), [auth.cookies.session.clear()]);
    }),
    sessionRoute(deps, "GET", "/v1/auth/me", async (_, { identity }, request) =>
      sendOnce(request, deps, { result: "success", identity: identityView(identity) }),
    ),
  ];
}

function mailedBody(email: string, sent: boolean) {
  const message = sent
    ? `open the link in the letter to ${email}, then sign in`
    : "the letter could not be sent; ask for another at /v1/auth/verify-email/send in a while";
  return { result: "success", mail: sent ? "sent" : "failed", message };
}
