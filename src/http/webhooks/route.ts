/** What the routes of webhook endpoints have in common: an installation with accounts, a session, a body as documented. */

import type { Credentials, SessionCaller } from "#accounts/limits/caller.ts";
import type { By } from "#domain/account/audit.ts";
import { present } from "#http/account/route.ts";
import { credentialsOf } from "#http/request/credentials.ts";
import type { Params, Route } from "#http/request/route.ts";
import { sendOnce } from "#http/response/send-once.ts";
import type { Clock } from "#ports.ts";
import type { WebhookDeps } from "#webhooks/webhook-deps.ts";

export interface WebhookRouteDeps extends WebhookDeps {
  readonly sessionCaller: (credentials: Credentials) => Promise<SessionCaller>;
}

export interface WebhookRoutesDeps {
  /** Null where the installation is open: without accounts. */
  readonly webhooks: WebhookRouteDeps | null;
  readonly clock: Clock;
  readonly simulated: boolean;
}

/** Who asks, of which endpoint or delivery, and what for. */
interface Asking<T> {
  readonly ownerId: string;
  readonly by: By;
  /** The path's parameter; empty where there is none. */
  readonly id: string;
  readonly asked: T;
}

interface Asked<T> {
  readonly status?: 201 | 202;
  read(request: Request): T | Promise<T>;
  answer(deps: WebhookRouteDeps, asking: Asking<T>): Promise<object>;
}

/** A route for whoever is signed in: syntax first, then the session. Answers are never stored by caches. */
export function webhookRoute<T>(
  deps: WebhookRoutesDeps,
  method: Route["method"],
  path: string,
  { status, read, answer }: Asked<T>,
): Route {
  return {
    method,
    path,
    handle: async (request: Request, params: Params) => {
      const webhooks = present(deps.webhooks);
      const asked = await read(request);
      const caller = await webhooks.sessionCaller(credentialsOf(request));
      const [ownerId, by] = [caller.identity.id, caller.by(webhooks.clock.now())];
      const body = await answer(webhooks, { ownerId, by, id: params["id"] ?? "", asked });
      return sendOnce(request, deps, body, status);
    },
  };
}
