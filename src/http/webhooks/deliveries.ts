/** Test events, what was sent to an endpoint, and sending it once more. Part of /dashboard/api/webhooks. */

import { Failure } from "#domain/faults/errors.ts";
import { DEFAULT_DELIVERIES, MOST_DELIVERIES } from "#domain/webhook/rules.ts";
import { readNothing } from "#http/account/route.ts";
import { queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import { listDeliveries } from "#webhooks/list-deliveries.ts";
import { replayDelivery } from "#webhooks/replay-delivery.ts";
import { sendTest } from "#webhooks/send-test.ts";
import { type WebhookRoutesDeps, webhookRoute } from "./route.ts";

export function webhookDeliveriesRoutes(deps: WebhookRoutesDeps): Route[] {
  return [
    webhookRoute(deps, "POST", "/dashboard/api/webhooks/:id/test", {
      status: 202,
      read: readNothing,
      answer: (webhooks, { ownerId, id }) => sendTest(webhooks, ownerId, id),
    }),
    webhookRoute(deps, "GET", "/dashboard/api/webhooks/:id/deliveries", {
      read: deliveriesAsked,
      answer: (webhooks, { ownerId, id, asked }) => listDeliveries(webhooks, ownerId, id, asked),
    }),
    webhookRoute(deps, "POST", "/dashboard/api/webhooks/deliveries/:id/replay", {
      status: 202,
      read: readNothing,
      answer: (webhooks, { ownerId, by, id }) => replayDelivery(webhooks, ownerId, id, by),
    }),
  ];
}

function deliveriesAsked(request: Request): number {
  const text = queryOf(request)("limit");
  if (text === undefined) return DEFAULT_DELIVERIES;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST_DELIVERIES) return limit;
  const message = `a whole number from 1 to ${MOST_DELIVERIES}`;
  throw new Failure("validation_error", {
    wording: `limit must be ${message}`,
    members: { errors: [{ path: "limit", message }] },
  });
}
