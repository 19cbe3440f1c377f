/** /dashboard/api/webhooks: the operations on an organization's endpoints, and the events that endpoints receive. */

import { type TSchema, Type } from "@sinclair/typebox";
import { ACCOUNT_ERRORS, BODY_ERRORS } from "#contract/account/fields.ts";
import * as form from "#contract/forms.ts";
import { EXAMPLE_EVENT, OfficialEventModel } from "#contract/official/changes.ts";
import type { Operation } from "#contract/operation.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { CHOSEN_TYPES, type EventType } from "#domain/webhook/endpoint.ts";
import { WEBHOOK_DELIVERIES } from "./deliveries.ts";
import {
  ENDPOINT_EXAMPLE,
  EXAMPLE_ENDPOINT,
  EXAMPLE_SECRET,
  endpointId,
  endpointParameter,
  SHARED,
  WebhookChangeRequest,
  WebhookDeletedResponse,
  WebhookRequest,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
} from "./fields.ts";

const WEBHOOK_ERRORS = [...ACCOUNT_ERRORS, "conflict"] as const satisfies readonly ErrorCode[];

const SECRET_EXAMPLE = { result: "success", endpoint: ENDPOINT_EXAMPLE, secret: EXAMPLE_SECRET };

const ONE = { ...SHARED, parameters: [endpointParameter] } as const;

export const WEBHOOKS: readonly Operation[] = [
  {
    ...SHARED,
    id: "listWebhooks",
    method: "get",
    path: "/dashboard/api/webhooks",
    summary: "One's webhook endpoints",
    description:
      "Every endpoint of the organization, without its secret, and how many the plan has room for.",
    ok: {
      description: "The endpoints.",
      schema: WebhooksResponse,
      example: { result: "success", endpoints: [ENDPOINT_EXAMPLE], limit: 5, delivering: true },
    },
    errors: WEBHOOK_ERRORS,
  },
  {
    ...SHARED,
    id: "createWebhook",
    method: "post",
    path: "/dashboard/api/webhooks",
    summary: "Add a webhook endpoint",
    description:
      "Adds an endpoint and makes its signing secret, which is shown in this answer and never again. If the answer was lost, look at the list first: a repeated call adds another endpoint.",
    body: {
      schema: WebhookRequest,
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
  },
  {
    ...ONE,
    id: "changeWebhook",
    method: "post",
    path: "/dashboard/api/webhooks/{id}",
    summary: "Change a webhook endpoint",
    description:
      "Changes address, description, choice of events, or whether it is enabled; the secret stays. What is queued goes to the new address from its next attempt on; another choice holds for events to come.",
    body: {
      schema: WebhookChangeRequest,
      example: { description: ENDPOINT_EXAMPLE.description },
      description: "What is to change.",
    },
    ok: {
      description: "The endpoint as it is now.",
      schema: WebhookResponse,
      example: { result: "success", endpoint: ENDPOINT_EXAMPLE },
    },
    errors: [...BODY_ERRORS, ...WEBHOOK_ERRORS, "not_found", "rate_limited"],
  },
  {
    ...ONE,
    id: "deleteWebhook",
    method: "delete",
    path: "/dashboard/api/webhooks/{id}",
    summary: "Delete a webhook endpoint",
    description:
      "Stops all deliveries to it; what was still to be sent is dropped. What was sent can be seen as long as deliveries are kept.",
    ok: {
      description: "It is gone.",
      schema: WebhookDeletedResponse,
      example: { result: "success", deleted: true, id: EXAMPLE_ENDPOINT },
    },
    errors: [...WEBHOOK_ERRORS, "not_found"],
  },
  {
    ...ONE,
    id: "rotateWebhookSecret",
    method: "post",
    path: "/dashboard/api/webhooks/{id}/rotate",
    summary: "Rotate the signing secret",
    description:
      "Makes a new secret, shown in this answer and never again. The old one stops being used at once, for retries of earlier events too: let the receiver accept both before, and the old one no more afterwards.",
    ok: {
      description: "The endpoint with its new secret.",
      schema: WebhookSecretResponse,
      example: SECRET_EXAMPLE,
    },
    errors: [...WEBHOOK_ERRORS, "not_found", "rate_limited"],
  },
  ...WEBHOOK_DELIVERIES,
];

export interface SentEvent {
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
  readonly example: object;
}

const TEST = {
  id: "evt_test_1776097800000",
  type: "webhook.test",
  created_at: "2026-04-13T16:30:00Z",
  data: { endpoint: EXAMPLE_ENDPOINT },
};

const TestEventModel = form.named("WebhookTestEvent", "An event to try an endpoint.", {
  id: form.text("`evt_test_` and Unix milliseconds.", TEST.id),
  type: Type.Unsafe<string>({ type: "string", const: "webhook.test", description: "`webhook.test`." }),
  created_at: form.instant("When it was requested, UTC.", TEST.created_at),
  data: form.closed("To whom it goes.", { endpoint: endpointId }),
});

/** By its type, each that is sent. */
export const SENT_EVENTS: Readonly<Record<EventType, SentEvent>> = {
  "official.published": {
    summary: "A publication of an authority was collected",
    description: "The first version of a publication. Fetch its rates by the names in `data`.",
    schema: OfficialEventModel,
    example: EXAMPLE_EVENT,
  },
  "official.corrected": {
    summary: "An authority corrected a publication",
    description:
      "The same `publication` with a higher `version`. Events may overtake each other: the highest is the newest.",
    schema: OfficialEventModel,
    example: {
      ...EXAMPLE_EVENT,
      id: "evt_mex_fix_2026-04-13_v2",
      type: "official.corrected",
      data: { ...EXAMPLE_EVENT.data, version: 2 },
    },
  },
  "webhook.test": {
    summary: "A test that the owner of the endpoint requested",
    description: "Sent to one endpoint only, signed and retried like any other.",
    schema: TestEventModel,
    example: TEST,
  },
};
