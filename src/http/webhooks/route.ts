/** What the routes of webhook endpoints have in common: an installation with accounts, a session, a body as documented. */

import type { Credentials, SessionCaller } from "#accounts/limits/caller.ts";
import type { By } from "#domain/account/audit.ts";
import { present } from "#http/account/route.ts";
import { credentialsOf } from "#http/request/credentials.ts";
import type { Params, Route } from "#http/request/route.ts";
import { respondJson } from "#http/response/json.ts";
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

/** One request: whose it is, which endpoint or delivery it names, and its body or query. */
interface WebhookCall<T> {
  readonly ownerId: string;
  readonly by: By;
  /** The path's parameter; empty where there is none. */
  readonly id: string;
  readonly query: T;
}

interface WebhookRoute<T> {
  readonly status?: 201 | 202;
  read(request: Request): T | Promise<T>;
  answer(deps: WebhookRouteDeps, call: WebhookCall<T>): Promise<object>;
}

/** A route for a person who is signed in: syntax first, then the session. Caches never store its answers. */
export function webhookRoute<T>(
  deps: WebhookRoutesDeps,
  method: Route["method"],
  path: string,
  { status, read, answer }: WebhookRoute<T>,
): Route {
  return {
    method,
    path,
    handle: async (request: Request, params: Params) => {
      const webhooks = present(deps.webhooks);
      const query = await read(request);
      const caller = await webhooks.sessionCaller(credentialsOf(request));
      const [ownerId, by] = [caller.identity.id, caller.by(webhooks.clock.now())];
      const body = await answer(webhooks, { ownerId, by, id: params["id"] ?? "", query });
      return respondJson(request, deps, body, status);
    },
  };
}
