/** Trials, first payments that fail, refunds and disputes: the plan at each step, by Stripe's notices, and by the hourly job where all were lost. */

import { expect, test } from "bun:test";
import { checkout } from "#accounts/billing/checkout.ts";
import { reconcileBilling } from "#accounts/billing/reconcile.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import {
  type AfterTrial,
  createCustomer,
  giveBack,
  resume,
  type Subscription,
  subscribe,
} from "#test/support/stripe/account.ts";
import { openWorld, type World } from "./fixture.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PRO = "price_pro_monthly";

interface Scene {
  readonly world: World;
  readonly account: World["stripe"]["stripe"]["account"];
  readonly customer: string;
  /** The one that the operator made. */
  made: Subscription | null;
}

/** What is done, and the plan in force with the status of the account after it. */
type Step = readonly [act: (scene: Scene) => unknown, expected: string];

const trial = (end: AfterTrial, hasCard = false): Step => [
  (scene) => {
    if (!hasCard) scene.account.cardless.add(scene.customer);
    scene.made = subscribe(scene.account, scene.customer, PRO, { days: 14, end });
  },
  "pro active",
];
const after = (milliseconds: number, expected: string): Step => [
  ({ world }) => world.later(milliseconds),
  expected,
];
const button = (name: string, expected: string): Step => [({ world }) => world.manage(name), expected];
const declined: Step = [
  (scene) => {
    scene.account.declining.add(scene.customer);
    scene.made = subscribe(scene.account, scene.customer, PRO, null);
  },
  "free active",
];
const paid: Step = [
  (scene) => {
    scene.made = subscribe(scene.account, scene.customer, PRO, null);
  },
  "pro active",
];
const given = (type: "refund" | "dispute"): Step => [
  ({ account, made }) => made !== null && giveBack(account, made, type),
  "pro active",
];

const CASES: Readonly<Record<string, readonly Step[]>> = {
  "a trial that is paid at its end": [
    trial("cancel", true),
    after(14 * DAY - 1, "pro active"),
    after(1, "pro active"),
  ],
  "a trial without a card, cancelled by Stripe": [
    trial("cancel"),
    after(14 * DAY - 1, "pro active"),
    after(1, "free canceled"),
  ],
  "a trial without a card, paused by Stripe, and resumed with one": [
    trial("pause"),
    after(14 * DAY, "free active"),
    after(30 * DAY, "free active"),
    button("card-good", "free active"),
    [({ account, made }) => made !== null && resume(account, made), "pro active"],
  ],
  "a trial without a card, billed: the days of grace, then free until it is paid": [
    trial("create_invoice"),
    after(14 * DAY, "pro past_due"),
    after(7 * DAY - 1, "pro past_due"),
    after(1, "free past_due"),
    button("card-good:sub", "pro active"),
  ],
  "a trial that the customer cancels: until its end": [
    trial("create_invoice", true),
    button("cancel-later:sub", "pro active"),
    after(14 * DAY, "free canceled"),
  ],
  "a first payment that fails, and is made within the day": [
    declined,
    after(22 * HOUR, "free active"),
    button("card-good:sub", "pro active"),
  ],
  "a first payment that is never made": [declined, after(23 * HOUR, "free active")],
  "a trial beside a plan that is paid for takes nothing away": [
    [({ world }) => world.buy(), "basic active"],
    [(scene) => trial("pause")[0](scene), "basic active"],
    after(14 * DAY, "basic active"),
  ],
  "a refund of all, then the cancellation": [
    paid,
    given("refund"),
    button("cancel-now:sub", "free canceled"),
  ],
  "a dispute that is lost": [paid, given("dispute")],
};

onSqlite("what the operator does in Stripe's dashboard", (bench) => {
  test.each(
    Object.keys(CASES).flatMap((name) => [
      [name, "each notice"],
      [name, "no notice"],
    ]),
  )("%s: %s arrives", async (name, heard) => {
    await using world = await openWorld([bench.ledger()]);
    if (heard === "each notice") world.listen();
    // Looked at and left: the customer is known here.
    await checkout(world.first.deps, world.buyer, { plan: "basic", interval: "monthly" });
    const { account } = world.stripe.stripe;
    const scene: Scene = {
      world,
      account,
      customer: (await world.organization()).billingCustomerId ?? "",
      made: null,
    };
    const seen: string[] = [];
    for (const [act] of CASES[name] ?? []) {
      await act(scene);
      await world.stripe.stripe.webhooks.settled();
      if (heard === "no notice") await reconcileBilling(world.first.deps);
      const { tier, status } = await world.accountStatus();
      seen.push(`${tier} ${status}`);
    }
    expect(seen).toEqual((CASES[name] ?? []).map(([, expected]) => expected));
    expect(await world.outcomes()).not.toContain("open");
  });

  test("a trial for an organization that Stripe does not know yet names it; beside it nothing is sold", async () => {
    await using world = await openWorld([bench.ledger()]);
    world.listen();
    const { account } = world.stripe.stripe;
    const { id } = createCustomer(account, null, {});
    account.cardless.add(id);
    subscribe(account, id, PRO, { days: 14, end: "cancel" }, { org_id: world.buyer.orgId });
    await world.later(0);
    expect(await world.accountStatus()).toEqual({ tier: "pro", status: "active" });
    const buy = () => checkout(world.first.deps, world.buyer, { plan: "pro", interval: "monthly" });
    expect((await buy()).action).toBe("manage_subscription");
    await world.later(14 * DAY);
    expect((await buy()).action).toBe("checkout");
  });
});
