/** Routes of the signed-in person: GET /v1/auth/me, POST /v1/auth/sign-out and /v1/auth/password, /v1/auth/sessions[/{id}]. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { changePassword } from "#accounts/identity/password.ts";
import { endOtherSessions, endSession, listSessions, signOut } from "#accounts/identity/sessions.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { path, segment } from "#api/parameters.ts";
import { print } from "#api/print.ts";
import { jsonBody } from "#api/request/body.ts";
import type { Session } from "#domain/account/identity.ts";
import * as auth from "./model.ts";

const SignedOutResponse = field.answer("SignedOutResponse", "The end of a session.", {
  signed_out: form.flag("False where no session was to end: a provider's JWT ends by itself.", true),
});

const SessionModel = form.named("Session", "A living session.", {
  id: form.text("Names the session; it opens nothing.", auth.EXAMPLE_SESSION),
  current: form.flag("True for the session of this request.", true),
  created_at: form.instant("When it began, UTC.", "2026-04-13T16:30:00Z"),
  expires_at: form.instant("When it ends, UTC.", "2026-05-13T16:30:00Z"),
  last_seen_at: form.instant("When it was last used, UTC, up to a minute behind.", "2026-04-13T16:30:00Z"),
  client: form.textOrNull("The program, by its own name at the sign-in; null without.", "Firefox on Linux"),
  network: form.textOrNull("The network that the sign-in came from: /24, or /48 of IPv6.", "192.0.2.0/24"),
});

const SessionsResponse = field.answer("SessionsResponse", "One's own sessions.", {
  sessions: form.list(SessionModel, "Those that are alive, newest first."),
});

const SessionsEndedResponse = field.answer("SessionsEndedResponse", "The end of sessions.", {
  ended: form.count("How many sessions ended.", 1),
});

export const PasswordRequest = form.named("PasswordRequest", "A new password.", {
  current: auth.password("The present password."),
  new: auth.password("The new one: 10 to 200 characters of any kind.", "eleven kites over Gouda"),
});

/** `own` is the id of the request's own session. */
const sessionsBody = (sessions: readonly Session[], own: string | null) =>
  print(SessionsResponse, {
    sessions: sessions.map(({ userAgent: client, address: network, ...session }) => ({
      ...{ ...session, client, network, current: session.id === own },
    })),
  });

const id = segment({
  schema: Type.String({ maxLength: 64, examples: [auth.EXAMPLE_SESSION] }),
  description: "`id` of the session in the list.",
  example: auth.EXAMPLE_SESSION,
});

export const sessions = (deps: auth.AuthRoutesDeps) =>
  new Elysia({ name: "sessions" })
    .use(auth.people(deps))
    .post(
      "/v1/auth/sign-out",
      async ({ accounts, person, set }) => {
        const signedOut = await signOut(accounts, person);
        set.headers["set-cookie"] = accounts.cookies.session.clear();
        return print(SignedOutResponse, { signedOut });
      },
      auth.routes.signedIn({
        id: "signOut",
        summary: "Sign out",
        description: "Ends the session of this request at once, and clears the cookie.",
        ok: { description: "Signed out.", schema: SignedOutResponse, headers: auth.SET_COOKIE },
      }),
    )
    .get(
      "/v1/auth/me",
      async ({ person }) => auth.identityBody(person.identity),
      auth.routes.signedIn({
        id: "getMe",
        summary: "Who is signed in",
        description: "The person behind the session. The organization and its key are at `/v1/account`.",
        ok: auth.MeResponse,
      }),
    )
    .get(
      "/v1/auth/sessions",
      async ({ accounts, person }) =>
        sessionsBody(await listSessions(accounts, person), person.session?.id ?? null),
      auth.routes.signedIn({
        id: "listSessions",
        summary: "One's own sessions",
        description: "Every session of the person that is alive, and where it was begun.",
        ok: SessionsResponse,
      }),
    )
    .delete(
      "/v1/auth/sessions",
      async ({ accounts, person }) =>
        print(SessionsEndedResponse, { ended: await endOtherSessions(accounts, person) }),
      auth.routes.signedIn({
        id: "endOtherSessions",
        summary: "End all other sessions",
        description: "Ends every session of the person but the one of this request.",
        ok: SessionsEndedResponse,
      }),
    )
    .delete(
      "/v1/auth/sessions/:id",
      async ({ accounts, person, params: { id }, set }) => {
        await endSession(accounts, person, id);
        if (id === person.session?.id) set.headers["set-cookie"] = accounts.cookies.session.clear();
        return print(SessionsEndedResponse, { ended: 1 });
      },
      auth.routes.signedIn({
        params: path({ id }),
        id: "endSession",
        summary: "End one session",
        description: "Ends one of one's own sessions at once; to end this one is signing out.",
        ok: SessionsEndedResponse,
        errors: ["not_found"],
      }),
    )
    .post(
      "/v1/auth/password",
      async ({ request, accounts, person, body, set }) => {
        const device = await changePassword(accounts, person, body, { address: deps.callerOf(request) });
        const isByCookie = request.headers.get("authorization") === null;
        set.headers["set-cookie"] = auth.deviceCookies(accounts, isByCookie ? device : null);
        return auth.PASSWORD_SET;
      },
      auth.routes.signedIn({
        ...jsonBody(PasswordRequest),
        id: "changePassword",
        summary: "Change the password",
        description: "Sets a new password and ends every other session.",
        ok: auth.PASSWORD_SET_OK,
        errors: ["rate_limited", "invalid_credentials", "conflict"],
      }),
    );
