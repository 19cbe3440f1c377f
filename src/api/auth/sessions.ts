/** GET and DELETE /v1/auth/sessions, DELETE /v1/auth/sessions/{id}: one's own sessions, and the end of some. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { endOtherSessions, endSession, listSessions } from "#accounts/identity/sessions.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { type Parameter, path } from "#api/parameters.ts";
import { respondJson } from "#api/response/json.ts";
import { words } from "#api/words.ts";
import type { Session } from "#domain/account/session.ts";
import { formatInstant } from "#domain/time/day.ts";
import * as auth from "./model.ts";
import { withCookies } from "./visit.ts";

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

const SessionsResponse = form.named("SessionsResponse", "One's own sessions.", {
  result: field.result,
  sessions: form.list(SessionModel, "Those that are alive, newest first.", [SESSION]),
});

const SessionsEndedResponse = form.named("SessionsEndedResponse", "The end of sessions.", {
  result: field.result,
  ended: form.count("How many sessions ended.", 1),
});

/** `current` is the id of the session that the request came with. */
function sessionsBody(sessions: readonly Session[], current: string | null): Static<typeof SessionsResponse> {
  const printed = sessions.map(({ id, createdAt, expiresAt, lastSeenAt, userAgent, address }) => ({
    id,
    current: id === current,
    created_at: formatInstant(createdAt),
    expires_at: formatInstant(expiresAt),
    last_seen_at: formatInstant(lastSeenAt),
    client: userAgent,
    network: address,
  }));
  return { result: "success", sessions: printed };
}

function sessionsEndedBody(ended: number): Static<typeof SessionsEndedResponse> {
  return { result: "success", ended };
}

const id: Parameter<string> = {
  schema: Type.String({ maxLength: 64, examples: [auth.EXAMPLE_SESSION] }),
  description: "`id` of the session in the list.",
  example: auth.EXAMPLE_SESSION,
  parse: (text = "") => text,
};

export const sessions = (deps: auth.AuthRoutesDeps) =>
  new Elysia({ name: "sessions" })
    .use(auth.people(deps))
    .get(
      "/v1/auth/sessions",
      async ({ accounts, person }) =>
        sessionsBody(await listSessions(accounts, person), person.session?.id ?? null),
      {
        session: true,
        detail: words({
          ...auth.PERSONAL,
          id: "listSessions",
          summary: "One's own sessions",
          description: "Every session of the person that is alive, and where it was begun.",
          ok: {
            description: "The sessions.",
            schema: SessionsResponse,
            example: { result: "success", sessions: [SESSION] },
          },
          errors: auth.SESSION_ERRORS,
        }),
      },
    )
    .delete(
      "/v1/auth/sessions",
      async ({ accounts, person }) => sessionsEndedBody(await endOtherSessions(accounts, person)),
      {
        session: true,
        parse: "none",
        detail: words({
          ...auth.PERSONAL,
          id: "endOtherSessions",
          summary: "End all other sessions",
          description: "Ends every session of the person but the one of this request.",
          ok: {
            description: "The others have ended.",
            schema: SessionsEndedResponse,
            example: sessionsEndedBody(1),
          },
          errors: auth.SESSION_ERRORS,
        }),
      },
    )
    .delete(
      "/v1/auth/sessions/:id",
      async ({ request, accounts, person, params: { id } }) => {
        await endSession(accounts, person, id);
        const answer = respondJson(request, deps, sessionsEndedBody(1));
        return id === person.session?.id ? withCookies(answer, [accounts.cookies.session.clear()]) : answer;
      },
      {
        session: true,
        parse: "none",
        params: path({ id }),
        detail: words({
          ...auth.PERSONAL,
          id: "endSession",
          summary: "End one session",
          description:
            "Ends one of one's own sessions at once; ending the session of this request is signing out.",
          ok: { description: "It has ended.", schema: SessionsEndedResponse, example: sessionsEndedBody(1) },
          errors: [...auth.SESSION_ERRORS, "not_found"],
        }),
      },
    );
