/** POST /v1/account/checkout: called with an API key of the organization, or by a signed-in person. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type CheckoutDeps, checkout as openCheckout } from "#accounts/billing/checkout.ts";
import type { BillingNotices } from "#accounts/billing/notice.ts";
import type { Credentials, SessionCaller } from "#accounts/identity/sessions.ts";
import type { KeyDirectory } from "#accounts/keys/authenticate.ts";
import { instantOrNull, ownerOf } from "#api/account/model.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { jsonBody } from "#api/plugins/body.ts";
import type { House } from "#api/plugins/house.ts";
import { credentialsOf } from "#api/plugins/session.ts";
import { BY_SESSION, words } from "#api/words.ts";
import { BILLING_INTERVALS, SOLD_PLANS } from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";

export interface BillingRouteDeps extends CheckoutDeps {
  readonly notices: BillingNotices;
  readonly keys: Pick<KeyDirectory, "find">;
  readonly sessionCaller: (credentials: Credentials) => Promise<SessionCaller>;
}

/** Accepts one of these texts; a refusal names the pattern. */
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

const CheckoutResponse = form.named("CheckoutResponse", "Where to go.", {
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

export function checkoutBody(page: {
  readonly action: Static<typeof CheckoutResponse>["action"];
  readonly url: string;
  readonly expiresAt: Instant | null;
}): Static<typeof CheckoutResponse> {
  const { action, url, expiresAt } = page;
  return { result: "success", action, url, expires_at: instantOrNull(expiresAt) };
}

const API_KEY = /^Bearer +(fxk_\S*) *$/i;

/** Fails as KeyDirectory.find for a key, and as sessionCaller for anything else. */
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

export interface CheckoutRouteDeps {
  readonly house: House;
  /** Null in an open installation, which has no accounts. */
  readonly billing: BillingRouteDeps | null;
  /** Identifies the sender as limits count callers. */
  readonly callerOf: (request: Request) => string;
}

export const checkout = ({ house, billing, callerOf }: CheckoutRouteDeps) =>
  new Elysia({ name: "checkout" }).use(ownerOf(house, billing)).post(
    "/v1/account/checkout",
    async ({ request, accounts, body: { plan, interval = "monthly" } }) => {
      const buyer = await buyerOf(accounts, credentialsOf(request));
      const from = { ...buyer, address: callerOf(request) };
      return checkoutBody(await openCheckout(accounts, from, { plan, interval }));
    },
    {
      accounts: true,
      ...jsonBody(CheckoutRequest),
      detail: words({
        id: "startCheckout",
        tag: "Billing",
        summary: "Buy or manage a plan",
        description:
          "Opens a page of the payment provider for the organization of the API key (or of the person who is signed in). Without a running subscription the page sells the plan; with one it is the portal, whatever was asked for, so that nobody pays twice. Nothing is bought by the call itself: the plan holds once it is paid, usually seconds later. The same call within an hour opens the same page.",
        security: ["apiKey", ...BY_SESSION],
        ok: { description: "Where to go.", schema: CheckoutResponse },
        errors: [
          "invalid_api_key",
          "session_required",
          "conflict",
          "rate_limited",
          "billing_not_configured",
          "billing_unavailable",
        ],
      }),
    },
  );
