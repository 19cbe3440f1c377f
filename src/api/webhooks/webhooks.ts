/** /dashboard/api/webhooks: lists, adds, changes and deletes endpoints, rotates secrets; test events, deliveries and replays. */

import { type AccountRouteDeps, personalRoutes, readNothing, wholeNumber } from "#api/account/route.ts";
import { readJson } from "#api/request/body.ts";
import type { Route } from "#api/request/route.ts";
import type { JsonDeps } from "#api/response/json.ts";
import { shaped } from "#contract/issues.ts";
import {
  deliveriesBody,
  endpointBody,
  endpointDeletedBody,
  endpointSecretBody,
  endpointsBody,
  queuedBody,
} from "#contract/webhooks/bodies.ts";
import { WebhookChangeRequest, WebhookRequest } from "#contract/webhooks/fields.ts";
import { DEFAULT_DELIVERIES, MOST_DELIVERIES } from "#domain/webhook/rules.ts";
import { listDeliveries, replayDelivery, sendTest } from "#webhooks/deliveries.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateSecret,
} from "#webhooks/endpoints.ts";
import type { WebhookDeps } from "#webhooks/webhook-deps.ts";

export interface WebhookRouteDeps extends WebhookDeps {
  readonly sessionCaller: AccountRouteDeps["sessionCaller"];
}

export interface WebhookRoutesDeps extends JsonDeps {
  /** Null where the installation is open: without accounts. */
  readonly webhooks: WebhookRouteDeps | null;
}

export function webhooksRoutes(deps: WebhookRoutesDeps): Route[] {
  const route = personalRoutes(deps, deps.webhooks);
  return [
    route("GET", "/dashboard/api/webhooks", {
      read: readNothing,
      answer: async (webhooks, { ownerId }) => endpointsBody(await listEndpoints(webhooks, ownerId)),
    }),
    route("POST", "/dashboard/api/webhooks", {
      status: 201,
      read: async (request) => shaped(WebhookRequest, await readJson(request)),
      answer: async (webhooks, { ownerId, by, query }) =>
        endpointSecretBody(await createEndpoint(webhooks, ownerId, query, by)),
    }),
    route("POST", "/dashboard/api/webhooks/:id", {
      read: async (request) => {
        const { enabled, ...wish } = shaped(WebhookChangeRequest, await readJson(request));
        return { ...wish, ...(enabled === undefined ? {} : { isEnabled: enabled }) };
      },
      answer: async (webhooks, { ownerId, by, id, query }) =>
        endpointBody(await changeEndpoint(webhooks, ownerId, id, query, by)),
    }),
    route("DELETE", "/dashboard/api/webhooks/:id", {
      read: readNothing,
      answer: async (webhooks, { ownerId, by, id }) => {
        await deleteEndpoint(webhooks, ownerId, id, by);
        return endpointDeletedBody(id);
      },
    }),
    route("POST", "/dashboard/api/webhooks/:id/rotate", {
      read: readNothing,
      answer: async (webhooks, { ownerId, by, id }) =>
        endpointSecretBody(await rotateSecret(webhooks, ownerId, id, by)),
    }),
    route("POST", "/dashboard/api/webhooks/:id/test", {
      status: 202,
      read: readNothing,
      answer: async (webhooks, { ownerId, id }) => queuedBody(await sendTest(webhooks, ownerId, id)),
    }),
    route("GET", "/dashboard/api/webhooks/:id/deliveries", {
      read: wholeNumber("limit", MOST_DELIVERIES, DEFAULT_DELIVERIES),
      answer: async (webhooks, { ownerId, id, query }) =>
        deliveriesBody(await listDeliveries(webhooks, ownerId, id, query)),
    }),
    route("POST", "/dashboard/api/webhooks/deliveries/:id/replay", {
      status: 202,
      read: readNothing,
      answer: async (webhooks, { ownerId, by, id }) =>
        queuedBody(await replayDelivery(webhooks, ownerId, id, by)),
    }),
  ];
}
