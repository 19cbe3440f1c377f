/** What signing in answers with: a person without anything secret, a session with its token and cookie, a redirect. */

import { SESSION_SECONDS, type SignedIn } from "#accounts/identity/sessions-start.ts";
import type { Identity } from "#domain/account/identity.ts";
import { formatInstant } from "#domain/time/day.ts";
import { COMMON_HEADERS, requestId } from "#http/response/headers.ts";
import { sendOnce } from "#http/response/send-once.ts";
import type { AuthDeps, AuthRoutesDeps } from "./route.ts";

/** A person as they see themselves. */
export function identityView({ id, email, emailVerifiedAt, role, createdAt }: Identity) {
  return {
    id,
    email,
    email_verified: emailVerifiedAt !== null,
    role,
    created_at: formatInstant(createdAt),
  };
}

/** SignedInResponse, with the cookie unless the caller keeps the token itself. Never stored by caches. */
export function sendSignedIn(
  request: Request,
  deps: AuthRoutesDeps,
  auth: AuthDeps,
  { identity, session, token }: SignedIn,
  { status, withCookie }: { readonly status: 200 | 201; readonly withCookie: boolean },
): Response {
  const body = {
    result: "success",
    token,
    session_id: session.id,
    expires_at: formatInstant(session.expiresAt),
    identity: identityView(identity),
  };
  const answer = sendOnce(request, deps, body, status);
  return withCookie ? withCookies(answer, [auth.cookies.session.set(token, SESSION_SECONDS)]) : answer;
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
  const headers = new Headers(COMMON_HEADERS);
  headers.set("Location", location);
  headers.set("Cache-Control", "no-store");
  headers.set("X-Request-Id", requestId(request.headers));
  if (deps.simulated) headers.set("X-Data-Mode", "simulated");
  return withCookies(new Response(null, { status: 302, headers }), cookies);
}
