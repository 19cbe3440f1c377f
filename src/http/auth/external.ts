/** GET /v1/auth/oidc/start and /callback: to the identity provider and back, for browsers. */

import { beginExternal, finishExternal } from "#accounts/identity/external.ts";
import { SESSION_SECONDS } from "#accounts/identity/sessions-start.ts";
import { Failure } from "#domain/faults/errors.ts";
import { queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import { pathOf } from "#http/response/failures.ts";
import type { ExternalSignIn } from "#ports/identity.ts";
import { redirect } from "./answers.ts";
import { type AuthDeps, type AuthRoutesDeps, authRoute, visitOf } from "./route.ts";

export function authExternalRoutes(deps: AuthRoutesDeps): Route[] {
  return [
    authRoute(deps, "GET", "/v1/auth/oidc/start", async (auth, request) => {
      const begun = await beginExternal(
        auth,
        providerOf(auth, request),
        queryOf(request)("return_to") ?? "/",
      );
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
  if (request.method !== "GET") {
    throw new Failure("method_not_allowed", { method: request.method, allow: "GET, OPTIONS" });
  }
  return provider;
}
