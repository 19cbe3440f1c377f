/** /dashboard/api/webhooks: endpoints listed, added, changed and deleted, their secrets rotated. */

import { WebhookChangeRequest, WebhookRequest } from "#contract/webhooks/fields.ts";
import { readNothing, shaped } from "#http/account/route.ts";
import { readJson } from "#http/request/body.ts";
import type { Route } from "#http/request/route.ts";
import { changeEndpoint } from "#webhooks/change-endpoint.ts";
import { createEndpoint } from "#webhooks/create-endpoint.ts";
import { deleteEndpoint } from "#webhooks/delete-endpoint.ts";
import { listEndpoints } from "#webhooks/list-endpoints.ts";
import { rotateSecret } from "#webhooks/rotate-secret.ts";
import { webhookDeliveriesRoutes } from "./deliveries.ts";
import { type WebhookRoutesDeps, webhookRoute } from "./route.ts";

export function webhooksRoutes(deps: WebhookRoutesDeps): Route[] {
  return [
    webhookRoute(deps, "GET", "/dashboard/api/webhooks", {
      read: readNothing,
      answer: (webhooks, { ownerId }) => listEndpoints(webhooks, ownerId),
    }),
    webhookRoute(deps, "POST", "/dashboard/api/webhooks", {
      status: 201,
      read: async (request) => shaped(WebhookRequest, await readJson(request)),
      answer: (webhooks, { ownerId, by, asked }) => createEndpoint(webhooks, ownerId, asked, by),
    }),
    webhookRoute(deps, "POST", "/dashboard/api/webhooks/:id", {
      read: async (request) => shaped(WebhookChangeRequest, await readJson(request)),
      answer: (webhooks, { ownerId, by, id, asked }) => changeEndpoint(webhooks, ownerId, id, asked, by),
    }),
    webhookRoute(deps, "DELETE", "/dashboard/api/webhooks/:id", {
      read: readNothing,
      answer: (webhooks, { ownerId, by, id }) => deleteEndpoint(webhooks, ownerId, id, by),
    }),
    webhookRoute(deps, "POST", "/dashboard/api/webhooks/:id/rotate", {
      read: readNothing,
      answer: (webhooks, { ownerId, by, id }) => rotateSecret(webhooks, ownerId, id, by),
    }),
    ...webhookDeliveriesRoutes(deps),
  ];
}
