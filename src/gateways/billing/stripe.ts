/** The billing port on Stripe's official SDK. Reads are always fresh; nothing is cached. */

import type { Stripe } from "stripe";
import { type BILLING_CALLS, BillingFault } from "#domain/billing/notice.ts";
import { type PriceList, soldPrices } from "#domain/billing/plan.ts";
import type { SoldPrice } from "#domain/billing/price-check.ts";
import type { SubscriptionState } from "#domain/billing/subscription.ts";
import type { Billing } from "#ports/billing.ts";
import type { Count } from "#telemetry.ts";
import { closeCheckouts, openCheckout, openPortal } from "./checkout.ts";
import { type ClientSettings, clientOf, faultOf, isMissing } from "./client.ts";
import { chargeOf, oldestDue, owes, stateOf, verifiedNotice } from "./events.ts";

export interface StripeSettings extends Pick<ClientSettings, "secretKey" | "apiBase"> {
  /** Signing secrets of the endpoint, whsec_…; while one is replaced both are valid. */
  readonly webhookSecrets: readonly string[];
  readonly prices: PriceList;
  readonly timeoutMilliseconds?: number;
  readonly retries?: number;
  readonly count?: Count;
}

/** Two attempts stay under the deadline of a caller's request. */
const TIMEOUT_MILLISECONDS = 8000;
const RETRIES = 1;
const PAGE = 100;
const MOST_LISTED = 10_000;

export function stripeBilling(settings: StripeSettings): Billing {
  const {
    webhookSecrets,
    prices,
    count,
    timeoutMilliseconds = TIMEOUT_MILLISECONDS,
    retries = RETRIES,
  } = settings;
  const client = clientOf({ ...settings, timeoutMilliseconds, retries });
  const live = /^[sr]k_live_/.test(settings.secretKey);
  const calling = async <T>(
    call: (typeof BILLING_CALLS)[number],
    what: string,
    work: (stripe: Stripe) => Promise<T>,
  ): Promise<T> => {
    try {
      const answer = await work(await client());
      count?.("billingCalls", { call, outcome: "ok" });
      return answer;
    } catch (error) {
      const fault = faultOf(what, error);
      count?.("billingCalls", { call, outcome: fault.kind });
      throw fault;
    }
  };

  return {
    kind: "stripe",
    checkout: (order) =>
      calling("checkout", "open a checkout", (stripe) => openCheckout(stripe, prices, order)),
    portal: (visit) => calling("portal", "open the portal", (stripe) => openPortal(stripe, visit)),

    subscription: (id) =>
      calling("subscription", `read subscription ${id}`, async (stripe) => {
        const subscription = await retrieved(stripe, id);
        return subscription === null ? null : read(stripe, subscription);
      }),

    subscriptionsOf: (customerId) =>
      calling("subscriptions", `read the subscriptions of ${customerId}`, async (stripe) => {
        try {
          const asked = { customer: customerId, status: "all", limit: PAGE } as const;
          const listed = await stripe.subscriptions.list(asked).autoPagingToArray({ limit: MOST_LISTED });
          return await Promise.all(listed.map((subscription) => read(stripe, subscription)));
        } catch (error) {
          if (isMissing(error)) return [];
          throw error;
        }
      }),

    prices: () =>
      calling("prices", "read the prices", (stripe) =>
        Promise.all(soldPrices(prices).map((entry) => priced(stripe, entry))),
      ),

    closeCheckouts: (customerId) =>
      calling("close_checkouts", `close the checkouts of ${customerId}`, (stripe) =>
        closeCheckouts(stripe, customerId),
      ),

    cancel: (id) =>
      calling("cancel", `cancel subscription ${id}`, async (stripe) => {
        try {
          await stripe.subscriptions.cancel(id);
        } catch (error) {
          // The first attempt may have been carried out and its answer lost: the present state counts.
          if (!isMissing(error)) throw error;
          // Stripe can read ended subscriptions for ever. One that it does not know is of another Stripe account, which goes on charging.
          const left = await retrieved(stripe, id);
          if (left?.status !== "canceled" && left?.status !== "incomplete_expired") throw error;
        }
      }),

    verifyEvent: (rawBody, signatureHeader, now) =>
      calling("verify", "verify an event", (stripe) =>
        verifiedNotice(stripe, { webhookSecrets, live }, rawBody, signatureHeader, now),
      ),
  };

  async function read(stripe: Stripe, subscription: Stripe.Subscription): Promise<SubscriptionState> {
    if (!owes(subscription)) return stateOf(subscription, prices, null);
    const asked = { subscription: subscription.id, status: "open", limit: PAGE } as const;
    const open = await stripe.invoices.list(asked).autoPagingToArray({ limit: MOST_LISTED });
    return stateOf(subscription, prices, oldestDue(open));
  }
}

/** Billing without a configured Stripe key: every call rejects with the reason. */
export function noBilling(): Billing {
  const refuse = async (): Promise<never> => {
    throw new BillingFault("not_configured", "billing is not configured: STRIPE_SECRET_KEY is not set");
  };
  return {
    kind: "none",
    checkout: refuse,
    portal: refuse,
    subscription: refuse,
    subscriptionsOf: refuse,
    prices: refuse,
    closeCheckouts: refuse,
    cancel: refuse,
    verifyEvent: refuse,
  };
}

async function priced(stripe: Stripe, entry: Omit<SoldPrice, "charge">): Promise<SoldPrice> {
  try {
    const price = await stripe.prices.retrieve(entry.priceId);
    return { ...entry, charge: price.active ? chargeOf(price) : null };
  } catch (error) {
    if (isMissing(error)) return { ...entry, charge: null };
    throw error;
  }
}

async function retrieved(stripe: Stripe, id: string): Promise<Stripe.Subscription | null> {
  try {
    return await stripe.subscriptions.retrieve(id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
