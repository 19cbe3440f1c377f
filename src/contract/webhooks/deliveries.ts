/** Test events, deliveries with their attempts, and replays. Part of /dashboard/api/webhooks. */

import { Type } from "@sinclair/typebox";
import { ACCOUNT_ERRORS } from "#contract/account/fields.ts";
import * as field from "#contract/fields.ts";
import { BY_SESSION, type Operation } from "#contract/operation.ts";
import { ATTEMPT_FAULTS, DELIVERY_STATES, DROP_REASONS, EVENT_TYPES } from "#domain/webhook/endpoint.ts";
import { DEFAULT_DELIVERIES, MOST_DELIVERIES } from "#domain/webhook/rules.ts";
import { EXAMPLE_ENDPOINT, endpointId } from "./fields.ts";

const EXAMPLE_DELIVERY = "whd_218_4Qm7Zc1nXs9LdKf2RtYb";
const TEST_DELIVERY = {
  id: EXAMPLE_DELIVERY,
  endpoint_id: EXAMPLE_ENDPOINT,
  event_id: "evt_test_1776097800000",
  state: "pending",
  reason: null,
  next_attempt_at: "2026-04-13T16:30:00Z",
};
const ATTEMPT = {
  ended_at: "2026-04-13T16:30:00Z",
  succeeded: true,
  status: 200,
  fault: null,
  milliseconds: 84,
  address: "192.0.2.10",
};
const DELIVERED = {
  ...TEST_DELIVERY,
  event_id: "evt_mex_fix_2026-04-13_v1",
  state: "delivered",
  next_attempt_at: null,
  event_type: "official.published",
  event_created_at: "2026-04-13T16:30:00Z",
  attempts: [ATTEMPT],
};

const delivery = {
  id: Type.String({ description: "Id of the delivery.", examples: [EXAMPLE_DELIVERY] }),
  endpoint_id: endpointId,
  event_id: Type.String({
    description: "`id` of the event, as receivers see it.",
    examples: [DELIVERED.event_id],
  }),
  state: Type.Unsafe<string>({
    type: "string",
    enum: [...DELIVERY_STATES],
    description:
      "`pending`: an attempt is to come, or under way; `delivered`: a 2xx came; `failed`: the last attempt failed; `dropped`: it ended before that, and `reason` says why.",
  }),
  reason: field.oneOfOrNull(
    "DropReason",
    DROP_REASONS,
    "Why it was dropped: `endpoint_deleted`, or `over_plan`, when the plan had no room for its endpoint any more. Null in every other state.",
    "over_plan",
  ),
  next_attempt_at: field.nullable<string>("string", {
    format: "date-time",
    pattern: field.INSTANT_PATTERN,
    description: "When the next attempt is due, UTC; null when none is to come.",
    examples: [TEST_DELIVERY.next_attempt_at],
  }),
};

const AttemptModel = Type.Object(
  {
    ended_at: field.instant("When it ended, UTC.", ATTEMPT.ended_at),
    succeeded: Type.Boolean({ description: "Whether it was a 2xx.", examples: [true] }),
    status: field.nullable<number>("integer", {
      description: "The receiver's status; null where none came.",
      examples: [ATTEMPT.status],
    }),
    fault: field.oneOfOrNull(
      "AttemptFault",
      ATTEMPT_FAULTS,
      "Why no status came: `url` (the address is no longer allowed), `dns` (the name has no address), `address` (one of them is not public), `connect`, `tls`, `timeout` (10 seconds), `closed` (the connection ended first), `response` (not HTTP/1). Null where one came.",
      "timeout",
    ),
    milliseconds: Type.Integer({
      minimum: 0,
      description: "How long it took.",
      examples: [ATTEMPT.milliseconds],
    }),
    address: field.nullable<string>("string", {
      description: "The address that was connected to; null where none was.",
      examples: [ATTEMPT.address],
    }),
  },
  { $id: "WebhookAttempt", additionalProperties: false, description: "An attempt that ended." },
);

const DeliveryModel = Type.Object(
  {
    ...delivery,
    event_type: Type.Unsafe<string>({
      type: "string",
      enum: [...EVENT_TYPES],
      description: "`type` of the event.",
    }),
    event_created_at: field.instant("`created_at` of the event, UTC.", DELIVERED.event_created_at),
    attempts: Type.Array(AttemptModel, { description: "Oldest first.", examples: [[ATTEMPT]] }),
  },
  { $id: "WebhookDelivery", additionalProperties: false, description: "An event on its way to an endpoint." },
);

export const WebhookDeliveriesResponse = Type.Object(
  {
    result: field.result,
    deliveries: Type.Array(DeliveryModel, { description: "Newest event first.", examples: [[DELIVERED]] }),
  },
  {
    $id: "WebhookDeliveriesResponse",
    additionalProperties: false,
    description: "What was sent to an endpoint.",
  },
);

const QueuedDelivery = Type.Object(delivery, {
  $id: "WebhookQueuedDelivery",
  additionalProperties: false,
  description: "A delivery and its present state.",
});

export const WebhookQueuedResponse = Type.Object(
  { result: field.result, delivery: field.meaning(QueuedDelivery, "The delivery.", TEST_DELIVERY) },
  { $id: "WebhookQueuedResponse", additionalProperties: false, description: "What is going to be sent." },
);

const OF_ENDPOINT = {
  name: "id",
  in: "path",
  required: true,
  schema: endpointId,
  description: "`id` of the endpoint in the list.",
  example: EXAMPLE_ENDPOINT,
} as const;

const FORM = { security: BY_SESSION, tag: "Webhooks" } as const;

export const WEBHOOK_DELIVERIES: readonly Operation[] = [
  {
    ...FORM,
    id: "testWebhook",
    method: "post",
    path: "/dashboard/api/webhooks/{id}/test",
    summary: "Send a test event",
    description:
      "Queues a `webhook.test` event for this endpoint alone. It usually arrives within seconds, is signed like any other and follows the same schedule.",
    parameters: [OF_ENDPOINT],
    ok: {
      status: 202,
      description: "It is queued.",
      schema: WebhookQueuedResponse,
      example: { result: "success", delivery: TEST_DELIVERY },
      conditional: false,
    },
    errors: [...ACCOUNT_ERRORS, "conflict", "endpoint_limit_reached", "not_found", "rate_limited"],
  },
  {
    ...FORM,
    id: "listWebhookDeliveries",
    method: "get",
    path: "/dashboard/api/webhooks/{id}/deliveries",
    summary: "What was sent to an endpoint",
    description:
      "The newest deliveries with every attempt. They are kept for 30 days after their last attempt.",
    parameters: [
      OF_ENDPOINT,
      {
        name: "limit",
        in: "query",
        required: false,
        schema: Type.Integer({
          minimum: 1,
          maximum: MOST_DELIVERIES,
          default: DEFAULT_DELIVERIES,
          examples: [10],
        }),
        description: `How many, 1 to ${MOST_DELIVERIES}; ${DEFAULT_DELIVERIES} by default.`,
        example: 10,
      },
    ],
    ok: {
      description: "The deliveries.",
      schema: WebhookDeliveriesResponse,
      example: { result: "success", deliveries: [DELIVERED] },
      conditional: false,
    },
    errors: [...ACCOUNT_ERRORS, "conflict", "not_found", "validation_error"],
  },
  {
    ...FORM,
    id: "replayWebhookDelivery",
    method: "post",
    path: "/dashboard/api/webhooks/deliveries/{id}/replay",
    summary: "Send a delivery once more",
    description:
      "One more attempt at once of what was delivered, failed for good or was dropped, with the same event id and the same bytes. One that is pending stays as it is. A replay that fails goes on in the schedule where it stood.",
    parameters: [
      {
        name: "id",
        in: "path",
        required: true,
        schema: Type.String({ examples: [EXAMPLE_DELIVERY] }),
        description: "`id` of the delivery in the list.",
        example: EXAMPLE_DELIVERY,
      },
    ],
    ok: {
      status: 202,
      description: "It is queued.",
      schema: WebhookQueuedResponse,
      example: { result: "success", delivery: TEST_DELIVERY },
      conditional: false,
    },
    errors: [...ACCOUNT_ERRORS, "conflict", "endpoint_limit_reached", "not_found", "rate_limited"],
  },
];
