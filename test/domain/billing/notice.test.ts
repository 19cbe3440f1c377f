/** What a notice is about, in the shapes that Stripe sends: of several API versions, with objects in full or by id. */

import { describe, expect, test } from "bun:test";
import { BillingFault, readNotice, recordOf } from "#domain/billing/notice.ts";
import { eventOf as event, SHAPED_NOTICES, SUBSCRIPTION_2022 as subscription } from "./shapes.ts";

describe("the subscription a notice is about", () => {
  for (const { what, event: shaped } of SHAPED_NOTICES) {
    test(what, () => {
      const notice = readNotice(shaped);
      expect(notice).toMatchObject({
        subscriptionId: "sub_1MoqxH",
        customerId: "cus_NZbFQ",
        relevant: true,
        live: false,
      });
      expect(recordOf(notice)).toEqual({ id: notice.id, type: notice.type, objectId: "sub_1MoqxH" });
    });
  }

  test("none: a deleted customer, a payment of something else", () => {
    const deleted = readNotice(event("customer.deleted", { id: "cus_1", object: "customer" }));
    expect(deleted).toMatchObject({ subscriptionId: null, customerId: "cus_1", relevant: true });
    const other = readNotice(
      event("payment_intent.created", { id: "pi_1", object: "payment_intent", customer: null }),
    );
    expect(other).toMatchObject({ subscriptionId: null, customerId: null, relevant: false });
    expect(recordOf(deleted).objectId).toBe("cus_1");
  });
});

describe("what is not an event is refused, never guessed at", () => {
  const broken: Record<string, unknown> = {
    nothing: null,
    "a list": [],
    "a text": "text",
    "a thin event of the second API": { object: "v2.core.event", id: "evt_1", type: "x" },
    "no type": event("", subscription),
    "an id that is a number": event("a", subscription, { id: 7 }),
    "no data": event("a", subscription, { data: null }),
    "a list for an object": event("a", subscription, { data: { object: [] } }),
  };
  for (const [what, json] of Object.entries(broken)) {
    test(what, () => {
      expect(() => readNotice(json)).toThrow(BillingFault);
    });
  }
});
