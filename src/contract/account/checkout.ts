/** POST /v1/account/checkout: the contract's CheckoutRequest and CheckoutResponse. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import { BY_SESSION, type Operation } from "#contract/operation.ts";
import { BILLING_INTERVALS, SOLD_PLANS } from "#domain/billing/prices.ts";
import { ACCOUNT_ERRORS, BODY_ERRORS } from "./fields.ts";

/** One of these words; the pattern is what a refusal names. */
function oneOf<W extends string>(words: readonly W[], options: object) {
  return Type.Unsafe<W>(Type.String({ pattern: `^(${words.join("|")})$`, enum: [...words], ...options }));
}

export const CheckoutRequest = form.named("CheckoutRequest", "What is to be bought.", {
  plan: oneOf(SOLD_PLANS, { description: "The plan to buy.", examples: ["pro"] }),
  interval: Type.Optional(
    oneOf(BILLING_INTERVALS, {
      default: "monthly",
      description: "How often it is paid; `yearly` only where the operator sells that.",
      examples: ["monthly"],
    }),
  ),
});

export const CheckoutResponse = form.named("CheckoutResponse", "Where to go.", {
  result: field.result,
  action: oneOf(["checkout", "manage_subscription"], {
    description:
      "What the page is for: `checkout` buys the plan; `manage_subscription` is the portal, where one that is running is changed or cancelled.",
    examples: ["checkout"],
  }),
  url: form.text(
    "Page of the payment provider, to be opened in a browser.",
    "https://checkout.stripe.com/c/pay/cs_test_a1b2c3",
    { format: "uri" },
  ),
  expires_at: form.instantOrNull(
    "Until when the page can be used, UTC; null where it is short-lived without a stated end.",
    "2026-04-14T16:30:00Z",
  ),
});

export const CHECKOUT_EXAMPLE = {
  result: "success",
  action: "checkout",
  url: "https://checkout.stripe.com/c/pay/cs_test_a1b2c3",
  expires_at: "2026-04-14T16:30:00Z",
} as const;

export const CHECKOUT: readonly Operation[] = [
  {
    id: "startCheckout",
    method: "post",
    path: "/v1/account/checkout",
    tag: "Billing",
    summary: "Buy or manage a plan",
    description:
      "Opens a page of the payment provider for the organization of the API key (or of the person who is signed in). Without a running subscription the page sells the plan; with one it is the portal, whatever was asked for, so that nobody pays twice. Nothing is bought by the call itself: the plan holds once it is paid, usually seconds later. The same call within an hour opens the same page.",
    body: {
      schema: CheckoutRequest,
      example: { plan: "pro", interval: "monthly" },
      description: "What is to be bought.",
    },
    security: ["apiKey", ...BY_SESSION],
    ok: { description: "Where to go.", schema: CheckoutResponse, example: CHECKOUT_EXAMPLE },
    errors: [
      ...BODY_ERRORS,
      "invalid_api_key",
      ...ACCOUNT_ERRORS,
      "conflict",
      "rate_limited",
      "billing_not_configured",
      "billing_unavailable",
    ],
  },
];
