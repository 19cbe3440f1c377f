/** The objects of the API in their wire format, as far as the simulation uses their members. */

export interface Price {
  readonly id: string;
  readonly object: "price";
  readonly product: string;
  readonly recurring: { readonly interval: "month" | "year"; readonly interval_count: number };
  readonly [member: string]: unknown;
}

export interface Customer {
  readonly id: string;
  readonly object: "customer";
  readonly created: number;
  email: string | null;
  metadata: Record<string, string>;
  [member: string]: unknown;
}

export interface DeletedCustomer {
  readonly id: string;
  readonly object: "customer";
  readonly deleted: true;
}

export interface Session {
  readonly id: string;
  readonly object: "checkout.session";
  readonly created: number;
  readonly customer: string;
  readonly expires_at: number;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly line_items: { readonly data: readonly { readonly price: Price; readonly quantity: number }[] };
  readonly metadata: Record<string, string>;
  status: "open" | "complete" | "expired";
  subscription: string | null;
  url: string | null;
  [member: string]: unknown;
}

export interface SubscriptionItem {
  readonly id: string;
  readonly object: "subscription_item";
  current_period_start: number;
  current_period_end: number;
  price: Price;
  [member: string]: unknown;
}

export interface Subscription {
  readonly id: string;
  readonly object: "subscription";
  readonly created: number;
  readonly customer: string;
  readonly items: { readonly object: "list"; readonly data: SubscriptionItem[]; [member: string]: unknown };
  status:
    | "active"
    | "past_due"
    | "unpaid"
    | "paused"
    | "trialing"
    | "incomplete"
    | "incomplete_expired"
    | "canceled";
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  ended_at: number | null;
  metadata: Record<string, string>;
  [member: string]: unknown;
}

export interface Invoice {
  readonly id: string;
  readonly object: "invoice";
  readonly created: number;
  readonly customer: string;
  status: "open" | "paid" | "void" | "uncollectible";
  attempt_count: number;
  next_payment_attempt: number | null;
  readonly status_transitions: {
    finalized_at: number | null;
    paid_at: number | null;
    [member: string]: unknown;
  };
  [member: string]: unknown;
}

export interface PortalSession {
  readonly id: string;
  readonly object: "billing_portal.session";
  readonly created: number;
  readonly customer: string;
  readonly return_url: string | null;
  readonly url: string;
  [member: string]: unknown;
}

export interface Event {
  readonly id: string;
  readonly object: "event";
  readonly created: number;
  readonly type: string;
  readonly data: {
    readonly object: Readonly<Record<string, unknown>>;
    readonly previous_attributes?: object;
  };
  pending_webhooks: number;
  readonly [member: string]: unknown;
}
