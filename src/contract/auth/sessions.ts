/** GET and DELETE /v1/auth/sessions, DELETE /v1/auth/sessions/{id}, POST /v1/auth/password. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { BY_SESSION, type Operation } from "#contract/operation.ts";
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

const SessionModel = Type.Object(
  {
    id: Type.String({ description: "Names the session; it opens nothing.", examples: [SESSION.id] }),
    current: Type.Boolean({ description: "True for the session of this request.", examples: [true] }),
    created_at: field.instant("When it began, UTC.", SESSION.created_at),
    expires_at: field.instant("When it ends, UTC.", SESSION.expires_at),
    last_seen_at: field.instant("When it was last used, UTC, up to a minute behind.", SESSION.last_seen_at),
    client: field.nullable<string>("string", {
      description: "The program, as it called itself at the sign-in; null when it did not.",
      examples: [SESSION.client],
    }),
    network: field.nullable<string>("string", {
      description: "The network that the sign-in came from: /24, or /48 of IPv6.",
      examples: [SESSION.network],
    }),
  },
  { $id: "Session", additionalProperties: false, description: "A living session." },
);

export const SessionsResponse = Type.Object(
  {
    result: field.result,
    sessions: Type.Array(SessionModel, {
      description: "Those that are alive, newest first.",
      examples: [[SESSION]],
    }),
  },
  { $id: "SessionsResponse", additionalProperties: false, description: "One's own sessions." },
);

export const SessionsEndedResponse = Type.Object(
  {
    result: field.result,
    ended: Type.Integer({ minimum: 0, description: "How many sessions ended.", examples: [1] }),
  },
  { $id: "SessionsEndedResponse", additionalProperties: false, description: "The end of sessions." },
);

export const PasswordRequest = Type.Object(
  {
    current: auth.password("The present password."),
    new: auth.password("The new one: 10 to 200 characters of any kind."),
  },
  { $id: "PasswordRequest", additionalProperties: false, description: "A new password." },
);

export const PasswordSetResponse = Type.Object(
  {
    result: field.result,
    password_set: Type.Boolean({ description: "The new password counts from now on.", examples: [true] }),
  },
  { $id: "PasswordSetResponse", additionalProperties: false, description: "The password is set." },
);

const ENDED = { result: "success", ended: 1 };

export const AUTH_SESSIONS: readonly Operation[] = [
  {
    id: "listSessions",
    method: "get",
    path: "/v1/auth/sessions",
    tag: "Sign-in",
    summary: "One's own sessions",
    description: "Every session of the person that is alive, and where it was begun.",
    parameters: [],
    security: BY_SESSION,
    ok: {
      description: "The sessions.",
      schema: SessionsResponse,
      example: { result: "success", sessions: [SESSION] },
      conditional: false,
    },
    errors: [...auth.AUTH_ERRORS, "session_required"],
  },
  {
    id: "endOtherSessions",
    method: "delete",
    path: "/v1/auth/sessions",
    tag: "Sign-in",
    summary: "End all other sessions",
    description: "Ends every session of the person but the one of this request.",
    parameters: [],
    security: BY_SESSION,
    ok: {
      description: "The others have ended.",
      schema: SessionsEndedResponse,
      example: ENDED,
      conditional: false,
    },
    errors: [...auth.AUTH_ERRORS, "session_required"],
  },
  {
    id: "endSession",
    method: "delete",
    path: "/v1/auth/sessions/{id}",
    tag: "Sign-in",
    summary: "End one session",
    description: "Ends one of one's own sessions at once; ending the session of this request is signing out.",
    parameters: [
      {
        name: "id",
        in: "path",
        required: true,
        schema: Type.String({ maxLength: 64, examples: [auth.EXAMPLE_SESSION] }),
        description: "`id` of the session in the list.",
        example: auth.EXAMPLE_SESSION,
      },
    ],
    security: BY_SESSION,
    ok: {
      description: "It has ended.",
      schema: SessionsEndedResponse,
      example: ENDED,
      conditional: false,
    },
    errors: [...auth.AUTH_ERRORS, "session_required", "not_found"],
  },
  {
    id: "changePassword",
    method: "post",
    path: "/v1/auth/password",
    tag: "Sign-in",
    summary: "Change the password",
    description: "Sets a new password and ends every other session.",
    parameters: [],
    security: BY_SESSION,
    body: {
      schema: PasswordRequest,
      example: { current: "seven kites above Delft", new: "eleven kites over Gouda" },
      description: "The present password and the new one.",
    },
    ok: {
      description: "The new password counts.",
      schema: PasswordSetResponse,
      example: { result: "success", password_set: true },
      conditional: false,
    },
    errors: [...auth.AUTH_BODY_ERRORS, "session_required", "invalid_credentials", "conflict"],
  },
];
