/** Billing as the accounts see it: buy, manage, cancel, and read changes. Types only; adapters in gateways/billing/. */

import type { BillingNotice } from "#domain/billing/notice.ts";
import type { BillingInterval, SoldPlan } from "#domain/billing/plan.ts";
import type { SoldPrice } from "#domain/billing/price-check.ts";
import type { SubscriptionState } from "#domain/billing/subscription.ts";
import type { Instant } from "#domain/time/day.ts";

export interface CheckoutOrder {
  readonly orgId: string;
  readonly email: string | null;
  /** The customer of an earlier purchase. A customer that was deleted meanwhile is replaced. */
  readonly customerId: string | null;
  readonly plan: SoldPlan;
  readonly interval: BillingInterval;
  /**
   * The same key with the same order answers with the same page for a day, even when that page is used up. Let it change with the
   * plan, the interval, the addresses and the hour.
   */
  readonly idempotencyKey: string;
  /** The provider repeats a failure of its own for a day, so a customer is made under another key each hour. */
  readonly hour: number;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface CheckoutPage {
  readonly action: "checkout";
  readonly url: string;
  readonly expiresAt: Instant;
  /** To be stored with the organization. */
  readonly customerId: string;
}

export interface PortalPage {
  readonly action: "manage_subscription";
  readonly url: string;
  readonly expiresAt: null;
}

/** Every method rejects with BillingFault only. Deadlines and retries are bounded inside. */
export interface Billing {
  readonly kind: "stripe" | "none";
  checkout(order: CheckoutOrder): Promise<CheckoutPage>;
  portal(visit: { readonly customerId: string; readonly returnUrl: string }): Promise<PortalPage>;
  subscription(id: string): Promise<SubscriptionState | null>;
  /** All subscriptions of a customer, also ended ones; empty for an unknown or deleted customer. */
  subscriptionsOf(customerId: string): Promise<readonly SubscriptionState[]>;
  /** What checkout sells, as the provider has it now. */
  prices(): Promise<readonly SoldPrice[]>;
  /** Closes the open pages that `checkout` gave to this customer. Safe to repeat. */
  closeCheckouts(customerId: string): Promise<void>;
  /** Cancels at once, without refund. Safe to repeat. */
  cancel(subscriptionId: string): Promise<void>;
  /** `rawBody` exactly as received, `signatureHeader` the value of Stripe-Signature. */
  verifyEvent(
    rawBody: string | Uint8Array,
    signatureHeader: string | null,
    now: Instant,
  ): Promise<BillingNotice>;
}
