/** GET and DELETE /v1/auth/sessions, DELETE /v1/auth/sessions/{id}, POST /v1/auth/password. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { inPath } from "#contract/parameters.ts";
import * as auth from "./fields.ts";

const SESSION = {
  id: auth.EXAMPLE_SESSION,
  current: true,
  created_at: "2026-04-13T16:30:00Z",
  expires_at: "2026-05-13T16:30:00Z",
  last_seen_at: "2026-04-13T16:30:00Z",
  client: "Firefox on Linux",
  network: "192.0.2.0/24",
};

const SessionModel = form.named("Session", "A living session.", {
  id: form.text("Names the session; it opens nothing.", SESSION.id),
  current: form.flag("True for the session of this request.", true),
  created_at: form.instant("When it began, UTC.", SESSION.created_at),
  expires_at: form.instant("When it ends, UTC.", SESSION.expires_at),
  last_seen_at: form.instant("When it was last used, UTC, up to a minute behind.", SESSION.last_seen_at),
  client: form.textOrNull(
    "The program, as it called itself at the sign-in; null when it did not.",
    SESSION.client,
  ),
  network: form.textOrNull("The network that the sign-in came from: /24, or /48 of IPv6.", SESSION.network),
});

export const SessionsResponse = form.named("SessionsResponse", "One's own sessions.", {
  result: field.result,
  sessions: form.list(SessionModel, "Those that are alive, newest first.", [SESSION]),
});

export const SessionsEndedResponse = form.named("SessionsEndedResponse", "The end of sessions.", {
  result: field.result,
  ended: form.count("How many sessions ended.", 1),
});

export const PasswordRequest = form.named("PasswordRequest", "A new password.", {
  current: auth.password("The present password."),
  new: auth.password("The new one: 10 to 200 characters of any kind."),
});

export const PasswordSetResponse = form.named("PasswordSetResponse", "The password is set.", {
  result: field.result,
  password_set: form.flag("The new password counts from now on.", true),
});

const ENDED = { result: "success", ended: 1 };

export const AUTH_SESSIONS: readonly Operation[] = [
  {
    ...auth.PERSONAL,
    id: "listSessions",
    method: "get",
    path: "/v1/auth/sessions",
    summary: "One's own sessions",
    description: "Every session of the person that is alive, and where it was begun.",
    ok: {
      description: "The sessions.",
      schema: SessionsResponse,
      example: { result: "success", sessions: [SESSION] },
    },
    errors: auth.SESSION_ERRORS,
  },
  {
    ...auth.PERSONAL,
    id: "endOtherSessions",
    method: "delete",
    path: "/v1/auth/sessions",
    summary: "End all other sessions",
    description: "Ends every session of the person but the one of this request.",
    ok: { description: "The others have ended.", schema: SessionsEndedResponse, example: ENDED },
    errors: auth.SESSION_ERRORS,
  },
  {
    ...auth.PERSONAL,
    id: "endSession",
    method: "delete",
    path: "/v1/auth/sessions/{id}",
    summary: "End one session",
    description: "Ends one of one's own sessions at once; ending the session of this request is signing out.",
    parameters: [
      inPath("id", {
        schema: Type.String({ maxLength: 64, examples: [auth.EXAMPLE_SESSION] }),
        description: "`id` of the session in the list.",
        example: auth.EXAMPLE_SESSION,
      }),
    ],
    ok: { description: "It has ended.", schema: SessionsEndedResponse, example: ENDED },
    errors: [...auth.SESSION_ERRORS, "not_found"],
  },
  {
    ...auth.PERSONAL,
    id: "changePassword",
    method: "post",
    path: "/v1/auth/password",
    summary: "Change the password",
    description: "Sets a new password and ends every other session.",
    body: {
      schema: PasswordRequest,
      example: { current: "seven kites above Delft", new: "eleven kites over Gouda" },
      description: "The present password and the new one.",
    },
    ok: {
      description: "The new password counts.",
      schema: PasswordSetResponse,
      example: { result: "success", password_set: true },
    },
    errors: [...auth.AUTH_BODY_ERRORS, "session_required", "invalid_credentials", "conflict"],
  },
];
