/** GET /v1/auth/me and POST /v1/auth/sign-out: who is signed in, and the end of the session. */

import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { signOut } from "#accounts/identity/sessions.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { respondJson } from "#api/response/json.ts";
import { words } from "#api/words.ts";
import * as auth from "./model.ts";
import { withCookies } from "./visit.ts";

const SignedOutResponse = form.named("SignedOutResponse", "The end of a session.", {
  result: field.result,
  signed_out: form.flag(
    "False where there was no session to end: the JWT of an identity provider ends by itself.",
    true,
  ),
});

const MeResponse = form.named("MeResponse", "Who is signed in.", {
  result: field.result,
  identity: auth.identity,
});

function signedOutBody(signedOut: boolean): Static<typeof SignedOutResponse> {
  return { result: "success", signed_out: signedOut };
}

export const me = (deps: auth.AuthRoutesDeps) =>
  new Elysia({ name: "me" })
    .use(auth.people(deps))
    .post(
      "/v1/auth/sign-out",
      async ({ request, accounts, person }) => {
        const answer = respondJson(request, deps, signedOutBody(await signOut(accounts, person)));
        return withCookies(answer, [accounts.cookies.session.clear()]);
      },
      {
        session: true,
        parse: "none",
        detail: words({
          ...auth.PERSONAL,
          id: "signOut",
          summary: "Sign out",
          description: "Ends the session of this request at once, and clears the cookie.",
          ok: {
            description: "Signed out.",
            schema: SignedOutResponse,
            example: { result: "success", signed_out: true },
            headers: [auth.SET_COOKIE],
          },
          errors: auth.SESSION_ERRORS,
        }),
      },
    )
    .get("/v1/auth/me", async ({ person }) => auth.identityBody(person.identity), {
      session: true,
      detail: words({
        ...auth.PERSONAL,
        id: "getMe",
        summary: "Who is signed in",
        description: "The person behind the session. The organization and its key are at `/v1/account`.",
        ok: {
          description: "Who is signed in.",
          schema: MeResponse,
          example: { result: "success", identity: auth.EXAMPLE_IDENTITY },
        },
        errors: auth.SESSION_ERRORS,
      }),
    });
