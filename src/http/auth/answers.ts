/** Responses of signing in: a session with its token and cookie, cookies, a redirect. */

import { SESSION_SECONDS, type SignedIn } from "#accounts/identity/sessions-start.ts";
import { signedInBody } from "#contract/auth/bodies.ts";
import { respondJson } from "#http/response/json.ts";
import { respondEmpty } from "#http/response/respond.ts";
import type { AuthDeps, AuthRoutesDeps } from "./route.ts";

/** SignedInResponse, with the cookie unless the caller stores the token itself. Caches never store it. */
export function sendSignedIn(
  request: Request,
  deps: AuthRoutesDeps,
  auth: AuthDeps,
  signedIn: SignedIn,
  { status, withCookie }: { readonly status: 200 | 201; readonly withCookie: boolean },
): Response {
  const answer = respondJson(request, deps, signedInBody(signedIn), status);
  return withCookie
    ? withCookies(answer, [auth.cookies.session.set(signedIn.token, SESSION_SECONDS)])
    : answer;
}

export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("Set-Cookie", cookie);
  return answer;
}

/** 302, never stored. */
export function redirect(
  request: Request,
  deps: Pick<AuthRoutesDeps, "simulated">,
  location: string,
  cookies: readonly string[],
): Response {
  const fields = { status: 302, cacheControl: "no-store", headers: { Location: location } };
  return withCookies(respondEmpty(request, deps, fields), cookies);
}
