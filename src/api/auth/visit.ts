/** The origin of a sign-in, and the cookies that it sets: for routes and pages alike. */

import type { IdentityDeps, Visit } from "#accounts/identity/deps.ts";
import { DEVICE_SECONDS } from "#accounts/identity/devices.ts";
import { foreignOrigin, presentedToken } from "#accounts/identity/session-caller.ts";
import { SESSION_SECONDS, type SignedInByPassword } from "#accounts/identity/sessions-start.ts";
import { credentialsOf } from "#api/request/credentials.ts";
import { queryOf } from "#api/request/query.ts";
import type { ExternalSignIn } from "#ports/identity.ts";

export interface AuthDeps extends IdentityDeps {
  /** Null without an identity provider. */
  readonly provider: ExternalSignIn | null;
}

export interface CallerDeps {
  /** Identifies the sender as limits count callers. */
  readonly callerOf: (request: Request) => string;
}

/** `?cookie=0`: the caller stores the token itself. */
function wantsCookie(request: Request): boolean {
  return queryOf(request)("cookie") !== "0";
}

/**
 * Returns the origin of a sign-in. Pages of other sites neither get nor send a cookie: they could sign their visitors in
 * as another person. Fails with `forbidden`.
 */
export function visitOf({ callerOf }: CallerDeps, auth: AuthDeps, request: Request): Visit {
  const { authorization, cookie, origin } = credentialsOf(request);
  const isOwn = auth.cookies.isOwnOrigin(origin);
  if (origin !== null && !isOwn && wantsCookie(request)) throw foreignOrigin();
  return {
    address: callerOf(request),
    userAgent: request.headers.get("user-agent"),
    device: wantsCookie(request) ? (auth.devices?.cookie.read(cookie) ?? null) : null,
    presented: presentedToken(auth, {
      authorization,
      cookie: isOwn && wantsCookie(request) ? cookie : null,
    }),
  };
}

export function signedInCookies(
  auth: Pick<AuthDeps, "cookies" | "devices">,
  { token, device }: Pick<SignedInByPassword, "token" | "device">,
): readonly string[] {
  return [auth.cookies.session.set(token, SESSION_SECONDS), ...deviceCookies(auth, device)];
}

export function deviceCookies(
  { devices }: Pick<AuthDeps, "devices">,
  device: string | null,
): readonly string[] {
  return device === null || devices === undefined ? [] : [devices.cookie.set(device, DEVICE_SECONDS)];
}

export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("Set-Cookie", cookie);
  return answer;
}
