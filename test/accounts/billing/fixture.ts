/** Billing whole: the official SDK, the simulated Stripe with its signed notices over HTTP, real ledgers, on one clock. */

import type { BillingNoticeDeps } from "#accounts/billing/apply.ts";
import { type CheckoutDeps, checkout, type Purchase } from "#accounts/billing/checkout.ts";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import { tierInForce } from "#domain/account/organization.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Billing } from "#ports/billing.ts";
import type { Ledger } from "#ports/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import {
  openFixture as openStripe,
  SECRET,
  type Fixture as StripeFixture,
} from "#test/gateways/billing/fixture.ts";
import { account } from "#test/store/ledger/ledgers.ts";
import { signatureOf } from "#test/support/stripe/webhooks.ts";

export const SITE = "https://rates.example";

/** With the whole ledger and provider: a test breaks some of it. */
export interface WorldDeps extends Omit<BillingNoticeDeps & CheckoutDeps, "ledger" | "billing"> {
  readonly ledger: Ledger;
  readonly billing: Billing;
}

let buyers = 0;
export const ADDRESS = "192.0.2.7";

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(
  ledgers: readonly Ledger[],
  changes: {
    readonly billing?: (stripe: StripeFixture) => Billing;
    readonly deps?: Partial<WorldDeps>;
  } = {},
) {
  const stripe = await openStripe();
  const emitted: string[] = [];
  const forgotten: string[] = [];
  const billing = changes.billing?.(stripe) ?? stripe.billing;
  const replicas = ledgers.map((ledger) => {
    const deps = {
      ledger,
      billing,
      forgetKeys: (id: string) => void forgotten.push(id),
      plans: DEFAULT_PLANS,
      attempts: memoryAttempts(),
      publicUrl: SITE,
      clock: { now: stripe.now },
      emit: (event: object) => void emitted.push(JSON.stringify(event)),
      ...changes.deps,
    };
    return receiver(deps);
  });
  const [first] = replicas;
  if (first === undefined) throw new Error("a world needs a ledger");
  const { ledger } = first.deps;

  const newBuyer = async (name = `buyer${buyers++}`) => {
    const { owner, organizationId } = await account(ledger, name, stripe.now());
    const holder = await ledger.keys.find(`hmac-${name}`);
    if (holder === null) throw new Error("no key");
    return { orgId: organizationId, ownerId: owner.id, keyId: holder.key.id, holder, address: ADDRESS };
  };
  /** Whose account is meant where no other buyer is named. */
  const buyer = await newBuyer();
  const organization = async ({ orgId } = buyer) => {
    const found = await ledger.organizations.byId(orgId);
    if (found === null) throw new Error(`${orgId} is gone`);
    return found;
  };
  return {
    stripe,
    emitted,
    /** Ids of keys whose plan changed, in order. */
    forgotten,
    replicas,
    first,
    organization,
    buyer,
    newBuyer,
    async accountStatus(of = buyer) {
      const found = await organization(of);
      return { tier: tierInForce(found, stripe.now()), status: found.status };
    },
    /** Buys a plan by key and page, as a person would; notices go where they go. */
    async buy(wanted: Partial<Purchase> = {}, by = buyer) {
      const page = await checkout(first.deps, by, { plan: "basic", interval: "monthly", ...wanted });
      if (page.action !== "checkout") throw new Error(`there is a ${page.action}`);
      await stripe.press(page.url, "pay");
      await stripe.stripe.webhooks.settled();
    },
    /** Presses a button of the portal, `sub` is replaced by the running subscription's id. */
    async manage(action: string, of = buyer) {
      const { billingCustomerId: customerId } = await organization(of);
      const { url } = await stripe.billing.portal({ customerId: customerId ?? "", returnUrl: SITE });
      const all = await stripe.billing.subscriptionsOf(customerId ?? "");
      const running = all.find(({ status }) => status !== "canceled");
      await stripe.press(url, action.replace("sub", running?.id ?? ""));
      await stripe.stripe.webhooks.settled();
    },
    /** From now on notices arrive at the first replica as they come about; resolves when all of them have. */
    listen: () => stripe.stripe.webhooks.endpoint({ url: first.address, secrets: [SECRET] }),
    async later(milliseconds: number) {
      stripe.later(milliseconds);
      await stripe.stripe.webhooks.settled();
    },
    async outcomes() {
      const { events } = stripe.stripe.account;
      const kept = await Promise.all(events.map(({ id }) => ledger.billingEvents.byId(id)));
      return kept.flatMap((event) => (event === null ? [] : [event.outcome ?? "open"]));
    },
    async [Symbol.asyncDispose]() {
      await stripe[Symbol.asyncDispose]();
      for (const { stop } of replicas) await stop();
    },
  };
}

function receiver(deps: WorldDeps) {
  const notices = openBillingNotices(deps);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      try {
        return Response.json({
          outcome: await notices.receive(await request.bytes(), request.headers.get("stripe-signature")),
        });
      } catch (fault) {
        if (fault instanceof Failure) return new Response(fault.message, { status: fault.status });
        throw fault;
      }
    },
  });
  /** `address`: where it takes notices over HTTP. */
  return { deps, notices, address: server.url.href, stop: () => server.stop(true) };
}

export const PRO = { tier: "pro", status: "active" } as const;

/** What the provider would send of its events, as bytes. */
export function signed(world: World, nth = -1): readonly [Uint8Array, string] {
  const event = world.stripe.stripe.account.events.at(nth);
  const body = JSON.stringify(event);
  const header = signatureOf(body, [SECRET], Math.floor(world.stripe.now() / 1000));
  return [new TextEncoder().encode(body), header];
}
