/** POST /v1/auth/password: a new password for the person who is signed in. */

import { Elysia } from "elysia";
import { changePassword } from "#accounts/identity/password.ts";
import * as form from "#api/forms.ts";
import { jsonBody } from "#api/plugins/body.ts";
import { respondJson } from "#api/response/json.ts";
import { words } from "#api/words.ts";
import * as auth from "./model.ts";
import { deviceCookies, withCookies } from "./visit.ts";

export const PasswordRequest = form.named("PasswordRequest", "A new password.", {
  current: auth.password("The present password."),
  new: auth.password("The new one: 10 to 200 characters of any kind."),
});

export const password = (deps: auth.AuthRoutesDeps) =>
  new Elysia({ name: "password" }).use(auth.people(deps)).post(
    "/v1/auth/password",
    async ({ request, accounts, person, body }) => {
      const from = { address: deps.callerOf(request) };
      const device = await changePassword(accounts, person, body, from);
      const isByCookie = request.headers.get("authorization") === null;
      return withCookies(
        respondJson(request, deps, auth.PASSWORD_SET),
        deviceCookies(accounts, isByCookie ? device : null),
      );
    },
    {
      session: true,
      ...jsonBody(PasswordRequest),
      detail: words({
        ...auth.PERSONAL,
        id: "changePassword",
        summary: "Change the password",
        description: "Sets a new password and ends every other session.",
        body: {
          example: { current: "seven kites above Delft", new: "eleven kites over Gouda" },
          description: "The present password and the new one.",
        },
        ok: {
          description: "The new password counts.",
          schema: auth.PasswordSetResponse,
          example: auth.PASSWORD_SET,
        },
        errors: [...auth.AUTH_BODY_ERRORS, "session_required", "invalid_credentials", "conflict"],
      }),
    },
  );
