/** GET and DELETE /v1/auth/sessions, DELETE /v1/auth/sessions/{id}, POST /v1/auth/password */

import { changePassword } from "#accounts/identity/password.ts";
import { endOtherSessions, endSession, listSessions } from "#accounts/identity/sessions.ts";
import { PasswordRequest } from "#contract/auth/sessions.ts";
import type { Route } from "#http/request/route.ts";
import { sendOnce } from "#http/response/send-once.ts";
import { withCookies } from "./answers.ts";
import { type AuthRoutesDeps, bodyOf, sessionRoute } from "./route.ts";

export function authSessionRoutes(deps: AuthRoutesDeps): Route[] {
  return [
    sessionRoute(deps, "GET", "/v1/auth/sessions", async (auth, caller, request) =>
      sendOnce(request, deps, { result: "success", sessions: await listSessions(auth, caller) }),
    ),
    sessionRoute(deps, "DELETE", "/v1/auth/sessions", async (auth, caller, request) =>
      sendOnce(request, deps, { result: "success", ended: await endOtherSessions(auth, caller) }),
    ),
    sessionRoute(deps, "DELETE", "/v1/auth/sessions/:id", async (auth, caller, request, params) => {
      const id = params["id"] ?? "";
      await endSession(auth, caller, id);
      const answer = sendOnce(request, deps, { result: "success", ended: 1 });
      return id === caller.session?.id ? withCookies(answer, [auth.cookies.session.clear()]) : answer;
    }),
    sessionRoute(deps, "POST", "/v1/auth/password", async (auth, caller, request) => {
      await changePassword(auth, caller, await bodyOf(request, PasswordRequest), {
        address: deps.callerOf(request),
      });
      return sendOnce(request, deps, { result: "success", password_set: true });
    }),
  ];
}
