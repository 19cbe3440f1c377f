/** Parts of all sign-in endpoints: the check that accounts exist, the origin of a request, and the 503 answer. */

import type { Static, TSchema } from "@sinclair/typebox";
import type { IdentityDeps, Visit } from "#accounts/identity/deps.ts";
import { DEVICE_SECONDS } from "#accounts/identity/devices.ts";
import {
  foreignOrigin,
  presentedToken,
  publicFault,
  type SessionCaller,
  sessionCaller,
} from "#accounts/identity/session-caller.ts";
import { SESSION_SECONDS, type SignedInByPassword } from "#accounts/identity/sessions-start.ts";
import { present } from "#api/plugins/session.ts";
import { readJson } from "#api/request/body.ts";
import { credentialsOf } from "#api/request/credentials.ts";
import { queryOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import { shaped } from "#contract/issues.ts";
import type { ExternalSignIn } from "#ports/identity.ts";
import type { Clock } from "#ports.ts";

export interface AuthDeps extends IdentityDeps {
  /** null where no identity provider is configured. */
  readonly provider: ExternalSignIn | null;
}

export interface AuthRoutesDeps {
  /** Null where the installation is open: without accounts. */
  readonly identity: AuthDeps | null;
  /** Who sends a request, as limits count callers. */
  readonly callerOf: (request: Request) => string;
  readonly clock: Clock;
  readonly simulated: boolean;
}

type Handle = (auth: AuthDeps, request: Request, params: Params) => Promise<Response>;

/** A route that needs no session. */
export function authRoute(
  deps: AuthRoutesDeps,
  method: Route["method"],
  path: string,
  handle: Handle,
): Route {
  return {
    method,
    path,
    handle: async (request, params) => {
      try {
        return await handle(present(deps.identity), request, params);
      } catch (fault) {
        throw publicFault(fault);
      }
    },
  };
}

/** A route for a person who is signed in. */
export function sessionRoute(
  deps: AuthRoutesDeps,
  method: Route["method"],
  path: string,
  handle: (auth: AuthDeps, caller: SessionCaller, request: Request, params: Params) => Promise<Response>,
): Route {
  return authRoute(deps, method, path, async (auth, request, params) =>
    handle(auth, await sessionCaller(auth, credentialsOf(request)), request, params),
  );
}

/** The JSON body in its documented shape. */
export async function bodyOf<M extends TSchema>(request: Request, model: M): Promise<Static<M>> {
  return shaped(model, await readJson(request));
}

/** `?cookie=0`: the caller stores the token itself. */
export function wantsCookie(request: Request): boolean {
  return queryOf(request)("cookie") !== "0";
}

/**
 * Where a sign-in comes from. A cookie is neither sent to nor accepted from another site's page: that page could sign its
 * visitors in as another person. Failure `forbidden`.
 */
export function visitOf(deps: AuthRoutesDeps, auth: AuthDeps, request: Request): Visit {
  const { authorization, cookie, origin } = credentialsOf(request);
  const isOwn = auth.cookies.isOwnOrigin(origin);
  if (origin !== null && !isOwn && wantsCookie(request)) throw foreignOrigin();
  return {
    address: deps.callerOf(request),
    userAgent: request.headers.get("user-agent"),
    device: wantsCookie(request) ? (auth.devices?.cookie.read(cookie) ?? null) : null,
    presented: presentedToken(auth, {
      authorization,
      cookie: isOwn && wantsCookie(request) ? cookie : null,
    }),
  };
}

/** The cookies of a sign-in by password. */
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
