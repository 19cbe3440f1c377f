/** /dashboard/api/webhooks: endpoints listed, added, changed and deleted, their secrets rotated; test events, deliveries and replays. */

import {
  deliveriesBody,
  endpointBody,
  endpointDeletedBody,
  endpointSecretBody,
  endpointsBody,
  queuedBody,
} from "#contract/webhooks/bodies.ts";
import { WebhookChangeRequest, WebhookRequest } from "#contract/webhooks/fields.ts";
import { Failure } from "#domain/faults/errors.ts";
import { DEFAULT_DELIVERIES, MOST_DELIVERIES } from "#domain/webhook/rules.ts";
import { readNothing, shaped } from "#http/account/route.ts";
import { readJson } from "#http/request/body.ts";
import { queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import { listDeliveries, replayDelivery, sendTest } from "#webhooks/deliveries.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateSecret,
} from "#webhooks/endpoints.ts";
import { type WebhookRoutesDeps, webhookRoute } from "./route.ts";

export function webhooksRoutes(deps: WebhookRoutesDeps): Route[] {
  return [
    webhookRoute(deps, "GET", "/dashboard/api/webhooks", {
      read: readNothing,
      answer: async (webhooks, { ownerId }) => endpointsBody(await listEndpoints(webhooks, ownerId)),
    }),
    webhookRoute(deps, "POST", "/dashboard/api/webhooks", {
      status: 201,
      read: async (request) => shaped(WebhookRequest, await readJson(request)),
      answer: async (webhooks, { ownerId, by, query }) =>
        endpointSecretBody(await createEndpoint(webhooks, ownerId, query, by)),
    }),
    webhookRoute(deps, "POST", "/dashboard/api/webhooks/:id", {
      read: async (request) => shaped(WebhookChangeRequest, await readJson(request)),
      answer: async (webhooks, { ownerId, by, id, query }) =>
        endpointBody(await changeEndpoint(webhooks, ownerId, id, query, by)),
    }),
    webhookRoute(deps, "DELETE", "/dashboard/api/webhooks/:id", {
      read: readNothing,
      answer: async (webhooks, { ownerId, by, id }) => {
        await deleteEndpoint(webhooks, ownerId, id, by);
        return endpointDeletedBody(id);
      },
    }),
    webhookRoute(deps, "POST", "/dashboard/api/webhooks/:id/rotate", {
      read: readNothing,
      answer: async (webhooks, { ownerId, by, id }) =>
        endpointSecretBody(await rotateSecret(webhooks, ownerId, id, by)),
    }),
    ...webhookDeliveriesRoutes(deps),
  ];
}

function webhookDeliveriesRoutes(deps: WebhookRoutesDeps): Route[] {
  return [
    webhookRoute(deps, "POST", "/dashboard/api/webhooks/:id/test", {
      status: 202,
      read: readNothing,
      answer: async (webhooks, { ownerId, id }) => queuedBody(await sendTest(webhooks, ownerId, id)),
    }),
    webhookRoute(deps, "GET", "/dashboard/api/webhooks/:id/deliveries", {
      read: limitOf,
      answer: async (webhooks, { ownerId, id, query }) =>
        deliveriesBody(await listDeliveries(webhooks, ownerId, id, query)),
    }),
    webhookRoute(deps, "POST", "/dashboard/api/webhooks/deliveries/:id/replay", {
      status: 202,
      read: readNothing,
      answer: async (webhooks, { ownerId, by, id }) =>
        queuedBody(await replayDelivery(webhooks, ownerId, id, by)),
    }),
  ];
}

function limitOf(request: Request): number {
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
