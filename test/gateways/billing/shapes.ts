/** Notices in the shapes that Stripe sends: of an API version of 2022 and of one of 2025, objects by id or in full. */

export interface ShapedNotice {
  readonly what: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** The envelope around an object, as every version has it. */
function eventOf(
  type: string,
  object: unknown,
  change: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id: "evt_1MoS6tLgUG5tbmjc",
    object: "event",
    api_version: "2022-11-15",
    created: 1_679_493_231,
    data: { object },
    livemode: false,
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null },
    type,
    ...change,
  };
}

/** Of 2022; its periods are the items' own since. */
const SUBSCRIPTION_2022 = {
  id: "sub_1MoqxH",
  object: "subscription",
  application: null,
  cancel_at_period_end: false,
  collection_method: "charge_automatically",
  created: 1_679_588_735,
  currency: "usd",
  current_period_end: 1_682_267_135,
  current_period_start: 1_679_588_735,
  customer: "cus_NZbFQ",
  items: { object: "list", data: [], has_more: false, url: "/v1/subscription_items?subscription=sub_1MoqxH" },
  latest_invoice: null,
  livemode: false,
  metadata: { org_id: "org_9" },
  status: "active",
};

const session = {
  id: "cs_test_a1vvp1",
  object: "checkout.session",
  client_reference_id: "org_9",
  customer: "cus_NZbFQ",
  livemode: false,
  metadata: {},
  mode: "subscription",
  payment_status: "paid",
  status: "complete",
  subscription: "sub_1MoqxH",
  url: null,
};

const invoice = { id: "in_1MoqxG", object: "invoice", customer: "cus_NZbFQ", livemode: false, metadata: {} };

/** All of them about subscription sub_1MoqxH of customer cus_NZbFQ. */
export const SHAPED_NOTICES: readonly ShapedNotice[] = [
  {
    what: "a subscription changed, 2022",
    event: eventOf("customer.subscription.updated", SUBSCRIPTION_2022),
  },
  {
    what: "a subscription ended, its customer in full",
    event: eventOf("customer.subscription.deleted", {
      ...SUBSCRIPTION_2022,
      customer: { id: "cus_NZbFQ", object: "customer", email: null, livemode: false },
    }),
  },
  { what: "a checkout was paid", event: eventOf("checkout.session.completed", session) },
  {
    what: "an invoice was paid, 2022",
    event: eventOf("invoice.paid", { ...invoice, subscription: "sub_1MoqxH" }),
  },
  {
    what: "an invoice was not paid, since 2025",
    event: eventOf(
      "invoice.payment_failed",
      {
        ...invoice,
        parent: {
          quote_details: null,
          subscription_details: { metadata: {}, subscription: "sub_1MoqxH" },
          type: "subscription_details",
        },
      },
      { api_version: "2025-03-31.basil" },
    ),
  },
];
