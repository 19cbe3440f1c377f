/** /dashboard/api/webhooks: lists, adds, changes and deletes endpoints, and rotates their secrets. */

import type { Static } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { BODY_ERRORS, ownerOf } from "#api/account/model.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { path } from "#api/parameters.ts";
import { jsonBody } from "#api/plugins/body.ts";
import { words } from "#api/words.ts";
import { CHOSEN_TYPES, type EndpointWithState } from "#domain/webhook/endpoint.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateSecret,
} from "#webhooks/endpoints.ts";
import {
  ENDPOINT_EXAMPLE,
  EXAMPLE_ENDPOINT,
  EXAMPLE_SECRET,
  endpointId,
  id,
  printEndpoint,
  SHARED,
  WEBHOOK_ERRORS,
  WebhookChangeRequest,
  WebhookEndpointModel,
  WebhookRequest,
  type WebhookRoutesDeps,
} from "./model.ts";

const endpoint = form.meaning(WebhookEndpointModel, "The endpoint.", ENDPOINT_EXAMPLE);

const WebhookResponse = form.named("WebhookResponse", "An endpoint after the call.", {
  result: field.result,
  endpoint,
});

const WebhookSecretResponse = form.named(
  "WebhookSecretResponse",
  "An endpoint with its new secret. Not to be stored by caches.",
  {
    result: field.result,
    endpoint,
    secret: form.text(
      "The signing secret, whole, `whsec_` included. It is shown in this answer and never again; rotating gives another one.",
      EXAMPLE_SECRET,
      { pattern: "^whsec_[0-9A-Za-z]{32}$" },
    ),
  },
);

export const WebhooksResponse = form.named("WebhooksResponse", "One's webhook endpoints.", {
  result: field.result,
  endpoints: form.list(WebhookEndpointModel, "Oldest first.", [ENDPOINT_EXAMPLE]),
  limit: form.count("Endpoints that the plan has room for.", 5),
  delivering: form.flag(
    "Whether events are sent at present: false while the plan has no webhook endpoints or the organization is suspended. Endpoints are kept, and nothing new is queued. `state` of an endpoint says which, and holds for it alone.",
    true,
  ),
});

const WebhookDeletedResponse = form.named("WebhookDeletedResponse", "The end of an endpoint.", {
  result: field.result,
  deleted: form.flag("Nothing is sent to it any more.", true),
  id: endpointId,
});

function endpointsBody(list: {
  readonly endpoints: readonly EndpointWithState[];
  readonly limit: number;
  readonly delivering: boolean;
}): Static<typeof WebhooksResponse> {
  const { endpoints, limit, delivering } = list;
  return { result: "success", endpoints: endpoints.map(printEndpoint), limit, delivering };
}

export function endpointBody(endpoint: EndpointWithState): Static<typeof WebhookResponse> {
  return { result: "success", endpoint: printEndpoint(endpoint) };
}

function endpointSecretBody(made: {
  readonly endpoint: EndpointWithState;
  readonly secret: string;
}): Static<typeof WebhookSecretResponse> {
  return { result: "success", endpoint: printEndpoint(made.endpoint), secret: made.secret };
}

function endpointDeletedBody(id: string): Static<typeof WebhookDeletedResponse> {
  return { result: "success", deleted: true, id };
}

const SECRET_EXAMPLE = { result: "success", endpoint: ENDPOINT_EXAMPLE, secret: EXAMPLE_SECRET };

export const webhookEndpoints = ({ house, webhooks }: WebhookRoutesDeps) =>
  new Elysia({ name: "webhook-endpoints" })
    .use(ownerOf(house, webhooks))
    .get(
      "/dashboard/api/webhooks",
      async ({ accounts, ownerId }) => endpointsBody(await listEndpoints(accounts, ownerId)),
      {
        session: true,
        detail: words({
          ...SHARED,
          id: "listWebhooks",
          summary: "One's webhook endpoints",
          description:
            "Every endpoint of the organization, without its secret, and how many the plan has room for.",
          ok: {
            description: "The endpoints.",
            schema: WebhooksResponse,
            example: { result: "success", endpoints: [ENDPOINT_EXAMPLE], limit: 5, delivering: true },
          },
          errors: WEBHOOK_ERRORS,
        }),
      },
    )
    .post(
      "/dashboard/api/webhooks",
      async ({ accounts, ownerId, by, body }) =>
        status(201, endpointSecretBody(await createEndpoint(accounts, ownerId, body, by))),
      {
        session: true,
        ...jsonBody(WebhookRequest),
        detail: words({
          ...SHARED,
          id: "createWebhook",
          summary: "Add a webhook endpoint",
          description:
            "Adds an endpoint and makes its signing secret, which is shown in this answer and never again. If the answer was lost, look at the list first: a repeated call adds another endpoint.",
          body: {
            example: {
              url: ENDPOINT_EXAMPLE.url,
              description: ENDPOINT_EXAMPLE.description,
              events: [...CHOSEN_TYPES],
            },
            description: "Where to send, and what.",
          },
          ok: {
            status: 201,
            description: "The endpoint with its secret.",
            schema: WebhookSecretResponse,
            example: SECRET_EXAMPLE,
          },
          errors: [...BODY_ERRORS, ...WEBHOOK_ERRORS, "endpoint_limit_reached", "rate_limited"],
        }),
      },
    )
    .post(
      "/dashboard/api/webhooks/:id",
      async ({ accounts, ownerId, by, params, body: { enabled, ...rest } }) => {
        const wish = enabled === undefined ? rest : { ...rest, isEnabled: enabled };
        return endpointBody(await changeEndpoint(accounts, ownerId, params.id, wish, by));
      },
      {
        session: true,
        params: path({ id }),
        ...jsonBody(WebhookChangeRequest),
        detail: words({
          ...SHARED,
          id: "changeWebhook",
          summary: "Change a webhook endpoint",
          description:
            "Changes address, description, choice of events, or whether it is enabled; the secret stays. What is queued goes to the new address from its next attempt on; another choice holds for events to come.",
          body: {
            example: { description: ENDPOINT_EXAMPLE.description },
            description: "What is to change.",
          },
          ok: {
            description: "The endpoint as it is now.",
            schema: WebhookResponse,
            example: { result: "success", endpoint: ENDPOINT_EXAMPLE },
          },
          errors: [...BODY_ERRORS, ...WEBHOOK_ERRORS, "not_found", "rate_limited"],
        }),
      },
    )
    .delete(
      "/dashboard/api/webhooks/:id",
      async ({ accounts, ownerId, by, params: { id } }) => {
        await deleteEndpoint(accounts, ownerId, id, by);
        return endpointDeletedBody(id);
      },
      {
        session: true,
        parse: "none",
        params: path({ id }),
        detail: words({
          ...SHARED,
          id: "deleteWebhook",
          summary: "Delete a webhook endpoint",
          description:
            "Stops all deliveries to it; what was still to be sent is dropped. What was sent can be seen as long as deliveries are kept.",
          ok: {
            description: "It is gone.",
            schema: WebhookDeletedResponse,
            example: { result: "success", deleted: true, id: EXAMPLE_ENDPOINT },
          },
          errors: [...WEBHOOK_ERRORS, "not_found"],
        }),
      },
    )
    .post(
      "/dashboard/api/webhooks/:id/rotate",
      async ({ accounts, ownerId, by, params: { id } }) =>
        endpointSecretBody(await rotateSecret(accounts, ownerId, id, by)),
      {
        session: true,
        parse: "none",
        params: path({ id }),
        detail: words({
          ...SHARED,
          id: "rotateWebhookSecret",
          summary: "Rotate the signing secret",
          description:
            "Makes a new secret, shown in this answer and never again. The old one stops being used at once, for retries of earlier events too: let the receiver accept both before, and the old one no more afterwards.",
          ok: {
            description: "The endpoint with its new secret.",
            schema: WebhookSecretResponse,
            example: SECRET_EXAMPLE,
          },
          errors: [...WEBHOOK_ERRORS, "not_found", "rate_limited"],
        }),
      },
    );
