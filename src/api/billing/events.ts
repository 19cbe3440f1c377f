/** POST /v1/billing/stripe/events: signed notices of the billing provider. Not metered, no cross-origin use. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { readBody } from "#api/plugins/body.ts";
import type { House } from "#api/plugins/house.ts";
import { present } from "#api/plugins/session.ts";
import { readBounded } from "#api/request/body.ts";
import { type FailureDeps, renderFailure } from "#api/response/failures.ts";
import { type JsonDeps, respondJson } from "#api/response/json.ts";
import { words } from "#api/words.ts";
import type { BillingRouteDeps } from "./checkout.ts";

/** Documentation only: the signature is checked, and only identifiers are read. */
const StripeEvent = Type.Object(
  {
    id: form.text("Unique for ever.", "evt_1SampleOfAnEvent"),
    object: Type.Literal("event", { description: "Always `event`." }),
    created: Type.Integer({ description: "Unix seconds.", examples: [1_776_097_800] }),
    livemode: form.flag("False in test mode.", false),
    type: form.text("What happened.", "customer.subscription.updated"),
    data: Type.Unsafe<object>({
      type: "object",
      description: "The object that it happened to; only its identifiers are read.",
      examples: [{ object: { id: "sub_1Sample", object: "subscription", customer: "cus_Sample" } }],
    }),
  },
  { $id: "StripeEvent", description: "An event of Stripe, of any API version." },
);

const BillingEventResponse = form.named("BillingEventResponse", "What became of the event.", {
  result: field.result,
  outcome: form.oneOf(
    ["applied", "ignored", "duplicate"],
    "`applied`: the subscriptions of its customer were read again, and the plan follows. `ignored`: it is about no plan of an organization here. `duplicate`: it was dealt with before.",
  ),
});

/** Subscriptions with many items make the largest events, of some tens of kilobytes. */
const LARGEST_EVENT_BYTES = 256 * 1024;

export interface BillingEventsDeps extends JsonDeps, FailureDeps {
  readonly house: House;
  /** Null in an open installation, which has no accounts. */
  readonly billing: Pick<BillingRouteDeps, "notices"> | null;
}

async function received(deps: Omit<BillingEventsDeps, "house">, request: Request): Promise<Response> {
  const { notices } = present(deps.billing);
  // The declared type does not matter: the signature does.
  const body = await readBounded(request, LARGEST_EVENT_BYTES);
  const outcome = await notices.receive(body, request.headers.get("stripe-signature"));
  return respondJson(request, deps, { result: "success", outcome } satisfies Static<
    typeof BillingEventResponse
  >);
}

/** Forbids browsers: no page needs this route. */
function closed(response: Response): Response {
  response.headers.delete("Access-Control-Allow-Origin");
  response.headers.delete("Access-Control-Expose-Headers");
  return response;
}

export const billingEvents = ({ house, ...deps }: BillingEventsDeps) =>
  new Elysia({ name: "billing-events" }).use(house).post(
    "/v1/billing/stripe/events",
    async ({ request }) => {
      try {
        return closed(await received(deps, request));
      } catch (thrown) {
        return closed(renderFailure(deps, request, thrown));
      }
    },
    {
      wire: { isCrossOrigin: false },
      // The signature covers the bytes: the body is not parsed by its schema.
      ...readBody(StripeEvent, (request) => request),
      detail: words({
        id: "receiveStripeEvent",
        tag: "Billing",
        summary: "Events of the payment provider",
        description:
          "For Stripe alone: set it as the address of a webhook endpoint. The signature is checked over the body as received, at most 256 KiB, against every signing secret, within 300 seconds. Each event is taken once; what it is about is asked of Stripe anew, so order and repetition do not matter. A 503 asks for the event again. Not metered, and not for browsers.",
        security: ["stripeSignature"],
        ok: { description: "The event was taken.", schema: BillingEventResponse },
        errors: ["forbidden", "billing_not_configured", "service_unavailable", "billing_unavailable"],
      }),
    },
  );
