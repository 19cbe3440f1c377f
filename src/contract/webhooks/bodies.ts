/** Bodies of /dashboard/api/webhooks, printed from domain values. The compiler checks each against its response schema. */

import type { Static } from "@sinclair/typebox";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type {
  AttemptOutcome,
  Delivery,
  DeliveryWithAttempts,
  EndpointWithState,
} from "#domain/webhook/endpoint.ts";
import { outcomeIsSuccess } from "#domain/webhook/rules.ts";
import type { WebhookDeliveriesResponse, WebhookQueuedResponse } from "./deliveries.ts";
import type {
  WebhookDeletedResponse,
  WebhookEndpointModel,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
} from "./fields.ts";

export function endpointsBody(list: {
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

export function endpointSecretBody({
  endpoint,
  secret,
}: {
  readonly endpoint: EndpointWithState;
  readonly secret: string;
}): Static<typeof WebhookSecretResponse> {
  return { result: "success", endpoint: printEndpoint(endpoint), secret };
}

export function endpointDeletedBody(id: string): Static<typeof WebhookDeletedResponse> {
  return { result: "success", deleted: true, id };
}

export function deliveriesBody(
  deliveries: readonly DeliveryWithAttempts[],
): Static<typeof WebhookDeliveriesResponse> {
  const printed = deliveries.map((delivery) => ({
    ...printDelivery(delivery),
    event_type: delivery.event.type,
    event_created_at: formatInstant(delivery.event.createdAt),
    attempts: delivery.tries.map(printAttempt),
  }));
  return { result: "success", deliveries: printed };
}

export function queuedBody(delivery: Delivery): Static<typeof WebhookQueuedResponse> {
  return { result: "success", delivery: printDelivery(delivery) };
}

/** Of the secret it contains only the instant since when it is in use. */
function printEndpoint({
  id,
  url,
  description,
  events,
  isEnabled,
  state,
  createdAt,
  secretAt,
}: EndpointWithState): Static<typeof WebhookEndpointModel> {
  return {
    id,
    url,
    description,
    events: [...events],
    enabled: isEnabled,
    state,
    created_at: formatInstant(createdAt),
    secret_created_at: formatInstant(secretAt),
  };
}

function printDelivery({ id, endpointId, eventId, state, reason, dueAt }: Delivery) {
  return {
    id,
    endpoint_id: endpointId,
    event_id: eventId,
    state,
    reason,
    next_attempt_at: dueAt === null ? null : formatInstant(dueAt),
  };
}

/** `status` is the receiver's, or null where `fault` says why none came. */
function printAttempt(attempt: AttemptOutcome & { readonly at: Instant }) {
  const { status, fault, milliseconds, address, at } = attempt;
  return {
    ended_at: formatInstant(at),
    succeeded: outcomeIsSuccess(attempt),
    status,
    fault,
    milliseconds,
    address,
  };
}
