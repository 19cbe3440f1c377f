/** Test events, deliveries with their attempts, and replays. Part of /dashboard/api/webhooks. */

import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { ownerOf } from "#api/account/account.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { integer, path, query, segment } from "#api/parameters.ts";
import { print } from "#api/print.ts";
import * as webhook from "#domain/webhook/endpoint.ts";
import { listDeliveries, replayDelivery, sendTest } from "#webhooks/endpoints.ts";
import { endpointId, id, type OfWebhooks, routes } from "./endpoints.ts";

const EXAMPLE_DELIVERY = "whd_218_4Qm7Zc1nXs9LdKf2RtYb";

const delivery = {
  id: form.text("Id of the delivery.", EXAMPLE_DELIVERY),
  endpoint_id: endpointId,
  event_id: form.text("`id` of the event, as receivers see it.", "evt_mex_fix_2026-04-13_v1"),
  state: form.oneOf<string>(
    webhook.DELIVERY_STATES,
    "`pending`: an attempt is due or running; `delivered`: a 2xx came; `failed`: the last attempt failed; `dropped`: it ended before that, and `reason` says why.",
  ),
  reason: form.oneOfOrNull(
    "DropReason",
    webhook.DROP_REASONS,
    "Why it was dropped: `endpoint_deleted`, or `over_plan`, when the plan had no room for its endpoint any more. Null in every other state.",
    null,
  ),
  next_attempt_at: form.instantOrNull("When the next attempt is due; else null.", "2026-04-13T16:30:00Z"),
};

const AttemptModel = form.named("WebhookAttempt", "An attempt that ended.", {
  ended_at: form.instant("When it ended, UTC.", "2026-04-13T16:30:00Z"),
  succeeded: form.flag("Whether it was a 2xx.", true),
  status: form.nullable<number>("integer", {
    description: "The receiver's status; null where none came.",
    examples: [200],
  }),
  fault: form.oneOfOrNull(
    "AttemptFault",
    webhook.ATTEMPT_FAULTS,
    "Why no status came: `url` (the address is no longer allowed), `dns` (the name has no address), `address` (one of them is not public), `connect`, `tls`, `timeout` (10 seconds), `closed` (the connection ended first), `response` (not HTTP/1). Null where one came.",
    null,
  ),
  milliseconds: form.count("How long it took.", 84),
  address: form.textOrNull("The address that was connected to; null where none was.", "192.0.2.10"),
});

const DeliveryModel = form.named("WebhookDelivery", "An event on its way to an endpoint.", {
  ...delivery,
  state: { ...delivery.state, examples: ["delivered"] },
  next_attempt_at: { ...delivery.next_attempt_at, examples: [null] },
  event_type: form.oneOf<string>(webhook.EVENT_TYPES, "`type` of the event."),
  event_created_at: form.instant("`created_at` of the event, UTC.", "2026-04-13T16:30:00Z"),
  attempts: form.list(AttemptModel, "The newest 50, oldest first."),
});

export const WebhookDeliveriesResponse = field.answer("WebhookDeliveriesResponse", "What was sent to it.", {
  deliveries: form.list(DeliveryModel, "Newest event first."),
});

const QueuedDelivery = form.named("WebhookQueuedDelivery", "A delivery and its present state.", delivery);

export const WebhookQueuedResponse = field.answer("WebhookQueuedResponse", "What is going to be sent.", {
  delivery: form.meaning(QueuedDelivery, "The delivery."),
});

const QUEUED = { status: 202, description: "It is queued.", schema: WebhookQueuedResponse } as const;

export const deliveriesBody = (deliveries: readonly webhook.DeliveryWithAttempts[]) =>
  print(WebhookDeliveriesResponse, {
    deliveries: deliveries.map(({ dueAt: nextAttemptAt, event, tries, ...delivery }) => ({
      ...{ ...delivery, nextAttemptAt, eventType: event.type, eventCreatedAt: event.createdAt },
      attempts: tries.map((one) => ({ ...one, endedAt: one.at, succeeded: webhook.outcomeIsSuccess(one) })),
    })),
  });

const queuedBody = (delivery: webhook.Delivery) =>
  print(WebhookQueuedResponse, { delivery: { ...delivery, nextAttemptAt: delivery.dueAt } });

const limit = integer({
  ...{ least: 1, most: webhook.MOST_DELIVERIES, fallback: webhook.DEFAULT_DELIVERIES, example: 10 },
  description: `How many, 1 to ${webhook.MOST_DELIVERIES}; ${webhook.DEFAULT_DELIVERIES} by default.`,
  refusal: "validation_error",
});

const deliveryId = segment({
  schema: Type.String({ examples: [EXAMPLE_DELIVERY] }),
  description: "`id` of the delivery in the list.",
  example: EXAMPLE_DELIVERY,
});

export const webhookDeliveries = ({ house, webhooks }: OfWebhooks) =>
  new Elysia({ name: "webhook-deliveries" })
    .use(ownerOf(house, webhooks))
    .post(
      "/dashboard/api/webhooks/:id/test",
      async ({ accounts, ownerId, params: { id } }) =>
        status(202, queuedBody(await sendTest(accounts, ownerId, id))),
      routes.signedIn({
        params: path({ id }),
        id: "testWebhook",
        summary: "Send a test event",
        description:
          "Queues a `webhook.test` event for this endpoint alone. It usually arrives within seconds, is signed like any other and follows the same schedule.",
        ok: QUEUED,
        errors: ["conflict", "endpoint_limit_reached", "not_found", "rate_limited"],
      }),
    )
    .get(
      "/dashboard/api/webhooks/:id/deliveries",
      async ({ accounts, ownerId, params: { id }, query: { limit } }) =>
        deliveriesBody(await listDeliveries(accounts, ownerId, id, limit)),
      routes.signedIn({
        params: path({ id }),
        query: query({ limit }),
        id: "listWebhookDeliveries",
        summary: "What was sent to an endpoint",
        description: "With every attempt, newest first. Kept for 30 days after the last attempt.",
        ok: WebhookDeliveriesResponse,
        errors: ["conflict", "not_found"],
      }),
    )
    .post(
      "/dashboard/api/webhooks/deliveries/:id/replay",
      async ({ accounts, ownerId, by, params: { id } }) =>
        status(202, queuedBody(await replayDelivery(accounts, ownerId, id, by))),
      routes.signedIn({
        params: path({ id: deliveryId }),
        id: "replayWebhookDelivery",
        summary: "Send a delivery once more",
        description:
          "One more attempt at once, for a delivery that succeeded, failed finally or was dropped, with the same event id and the same bytes. One that is pending stays as it is. A replay that fails continues the schedule where it had stopped.",
        ok: QUEUED,
        errors: ["conflict", "endpoint_limit_reached", "not_found", "rate_limited"],
      }),
    );
