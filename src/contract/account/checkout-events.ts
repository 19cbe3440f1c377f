/** POST /v1/billing/stripe/events: the members that are read of the payment provider's events, and the responses. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";

const EXAMPLE = {
  id: "evt_1SampleOfAnEvent",
  object: "event",
  created: 1_776_097_800,
  livemode: false,
  type: "customer.subscription.updated",
  data: { object: { id: "sub_1Sample", object: "subscription", customer: "cus_Sample" } },
} as const;

/** Never validated against: the signature is, and only identifiers are read. */
const StripeEvent = Type.Object(
  {
    id: form.text("Unique for ever.", EXAMPLE.id),
    object: Type.Literal("event", { description: "Always `event`." }),
    created: Type.Integer({ description: "Unix seconds.", examples: [EXAMPLE.created] }),
    livemode: form.flag("False in test mode.", false),
    type: form.text("What happened.", EXAMPLE.type),
    data: Type.Unsafe<object>({
      type: "object",
      description: "The object that it happened to; only its identifiers are read.",
      examples: [EXAMPLE.data],
    }),
  },
  { $id: "StripeEvent", description: "An event of Stripe, of any API version." },
);

export const BillingEventResponse = form.named("BillingEventResponse", "What became of the event.", {
  result: field.result,
  outcome: form.oneOf(
    ["applied", "ignored", "duplicate"],
    "`applied`: the subscriptions of its customer were read anew, and the plan is that. `ignored`: it is about no plan of an organization here. `duplicate`: it was dealt with before.",
    "applied",
  ),
});

export const CHECKOUT_EVENTS: readonly Operation[] = [
  {
    id: "receiveStripeEvent",
    method: "post",
    path: "/v1/billing/stripe/events",
    tag: "Billing",
    summary: "Events of the payment provider",
    description:
      "For Stripe alone: set it as the address of a webhook endpoint. The signature is checked over the body as received, at most 256 KiB, against every signing secret, within 300 seconds. Each event is taken once; what it is about is asked of Stripe anew, so order and repetition do not matter. A 503 asks for the event again. Not metered, and not for browsers.",
    body: { schema: StripeEvent, example: EXAMPLE, description: "The event, signed to the byte." },
    security: ["stripeSignature"],
    ok: {
      description: "The event was taken.",
      schema: BillingEventResponse,
      example: { result: "success", outcome: "applied" },
    },
    errors: [
      "invalid_request",
      "forbidden",
      "payload_too_large",
      "unsupported_media_type",
      "billing_not_configured",
      "service_unavailable",
      "billing_unavailable",
    ],
  },
];
