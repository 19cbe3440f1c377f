/** POST /v1/account/checkout, by an API key of the organization or by a signed-in person; POST /v1/billing/stripe/events, signed notices of the billing provider. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type CheckoutDeps, checkout as openCheckout } from "#accounts/billing/checkout.ts";
import type { BillingNotices } from "#accounts/billing/notice.ts";
import type { Credentials, SessionCaller } from "#accounts/identity/sessions.ts";
import type { KeyDirectory } from "#accounts/keys/authenticate.ts";
import { ownerOf } from "#api/account/account.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { credentialsOf, type OfAccounts, present, routesOf } from "#api/plugins/session.ts";
import { print, printer } from "#api/print.ts";
import { jsonBody, readBody, readBounded } from "#api/request/body.ts";
import type { CallerDeps } from "#api/request/metering.ts";
import { BY_SESSION, operation } from "#api/words.ts";
import { BILLING_INTERVALS, SOLD_PLANS } from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";

export interface BillingRouteDeps extends CheckoutDeps {
  readonly notices: BillingNotices;
  readonly keys: Pick<KeyDirectory, "find">;
  readonly sessionCaller: (credentials: Credentials) => Promise<SessionCaller>;
}

export const CheckoutRequest = form.named("CheckoutRequest", "What is to be bought.", {
  plan: form.word(SOLD_PLANS, { description: "The plan to buy.", examples: ["pro"] }),
  interval: Type.Optional(
    form.word(BILLING_INTERVALS, {
      default: "monthly",
      description: "How often it is paid; `yearly` only where the operator sells that.",
      examples: ["monthly"],
    }),
  ),
});

const CheckoutResponse = field.answer("CheckoutResponse", "Where to go.", {
  action: form.word(["checkout", "manage_subscription"], {
    description:
      "What the page is for: `checkout` buys the plan; `manage_subscription` is the portal, where one that is running is changed or cancelled.",
    examples: ["checkout"],
  }),
  url: form.text(
    "Page of the payment provider, to be opened in a browser.",
    "https://checkout.stripe.com/c/pay/cs_test_a1b2c3",
    { format: "uri" },
  ),
  expires_at: form.instantOrNull("Until when the page works, UTC; null: not stated.", "2026-04-14T16:30:00Z"),
});

const checkoutBody = printer(CheckoutResponse);

const API_KEY = /^Bearer +(fxk_\S*) *$/i;

/** Returns the key's holder or the signed-in caller. Fails as KeyDirectory.find or sessionCaller does. */
async function buyerOf({ keys, sessionCaller }: BillingRouteDeps, credentials: Credentials) {
  const { authorization, cookie } = credentials;
  const key = API_KEY.exec(authorization ?? "")?.[1];
  if (key !== undefined) return { holder: await keys.find(key) };
  if (authorization === null && cookie === null) {
    const wording =
      "send Authorization: Bearer with the API key of the organization that is to have the plan";
    throw new Failure("session_required", { wording });
  }
  return { caller: await sessionCaller(credentials) };
}

type OfBilling<Deps> = OfAccounts<"billing", Deps>;

export const checkout = ({ house, billing, callerOf }: OfBilling<BillingRouteDeps> & CallerDeps) =>
  new Elysia({ name: "checkout" }).use(ownerOf(house, billing)).post(
    "/v1/account/checkout",
    async ({ request, accounts, body: { plan, interval = "monthly" } }) => {
      const buyer = await buyerOf(accounts, credentialsOf(request));
      const from = { ...buyer, address: callerOf(request) };
      return checkoutBody(await openCheckout(accounts, from, { plan, interval }));
    },
    routesOf("Billing", "service_unavailable").open({
      ...jsonBody(CheckoutRequest),
      id: "startCheckout",
      summary: "Buy or manage a plan",
      description:
        "Opens a page of the payment provider for the organization of the API key (or of the person who is signed in). Without a running subscription the page sells the plan; with one it is the portal, whatever was asked for: no one pays twice. Nothing is bought by the call itself: the plan holds once it is paid, usually seconds later. The same call within an hour opens the same page.",
      security: ["apiKey", ...BY_SESSION],
      ok: CheckoutResponse,
      errors: [
        "invalid_api_key",
        "session_required",
        "conflict",
        "rate_limited",
        "billing_not_configured",
        "billing_unavailable",
      ],
    }),
  );

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

const BillingEventResponse = field.answer("BillingEventResponse", "What became of the event.", {
  outcome: form.oneOf(
    ["applied", "ignored", "duplicate"],
    "`applied`: the subscriptions of its customer were read again, and the plan follows. `ignored`: it is about no plan of an organization here. `duplicate`: it was dealt with before.",
  ),
});

/** Subscriptions with many items make the largest events, of some tens of kilobytes. */
const LARGEST_EVENT_BYTES = 256 * 1024;

export const billingEvents = ({ house, billing }: OfBilling<Pick<BillingRouteDeps, "notices">>) =>
  new Elysia({ name: "billing-events" }).use(house).post(
    "/v1/billing/stripe/events",
    async ({ request }) => {
      const { notices } = present(billing);
      // The declared type does not matter: the signature does.
      const body = await readBounded(request, LARGEST_EVENT_BYTES);
      return print(BillingEventResponse, {
        outcome: await notices.receive(body, request.headers.get("stripe-signature")),
      });
    },
    operation({
      reply: "no-store",
      wire: { isCrossOrigin: false },
      // The signature covers the bytes: the body is not parsed by its schema.
      ...readBody(StripeEvent, (request) => request),
      id: "receiveStripeEvent",
      tag: "Billing",
      summary: "Events of the payment provider",
      description:
        "For Stripe alone: set it as the address of a webhook endpoint. The signature is checked over the body as received, at most 256 KiB, against every signing secret, within 300 seconds. Each event is taken once; what it is about is read from Stripe again, so order and repetition do not matter. A 503 asks for the event again. Not metered, and not for browsers.",
      security: ["stripeSignature"],
      ok: BillingEventResponse,
      errors: ["forbidden", "billing_not_configured", "service_unavailable", "billing_unavailable"],
    }),
  );
