/** Buying over HTTP by key or session only, and the provider's notices, which must be signed. */

import { describe, expect, test } from "bun:test";
import { provision } from "#accounts/account/organization.ts";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import { openKeyDirectory } from "#accounts/keys/authenticate.ts";
import type { BillingRouteDeps } from "#api/billing/billing.ts";
import { newApiKey } from "#domain/account/key.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import { noBilling } from "#gateways/billing/stripe.ts";
import type { Billing } from "#ports/billing.ts";
import type { Ledger } from "#ports/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { NO_FACTS, random, unreachable } from "#test/accounts/account/fixture.ts";
import { openTestApp, post, type TestApp } from "#test/api/harness.ts";
import { openFixture, SECRET } from "#test/gateways/billing/fixture.ts";
import { signatureOf } from "#test/support/stripe/webhooks.ts";
import { openAccountApp, request, SITE } from "./account-app.ts";

const CHECKOUT = "/v1/account/checkout";
const EVENTS = "/v1/billing/stripe/events";

const stripe = await openFixture();
const people = await openAccountApp(stripe.now(), { billing: stripe.billing });
const { ledger, fixture } = people;
const app = appWith({});

function appWith(changes: { readonly ledger?: Ledger; readonly billing?: Billing }): TestApp {
  const used = changes.ledger ?? ledger;
  const { clock, forgetKeys, vault } = fixture;
  const deps = {
    ...{ ledger: used, clock, forgetKeys },
    billing: changes.billing ?? stripe.billing,
    plans: DEFAULT_PLANS,
    attempts: memoryAttempts(),
    publicUrl: SITE,
    emit: () => {},
  };
  const billing: BillingRouteDeps = {
    ...deps,
    keys: openKeyDirectory({ keys: used.keys, vault, clock, caches: new CacheBudget(1_000_000) }),
    sessionCaller: people.sessionCaller({ ledger: used }),
    notices: openBillingNotices(deps),
  };
  return openTestApp({ clock, billing });
}

let nth = 0;
/** A person with a session, and with an organization and key unless `isProvisioned` is false. */
async function newBuyer(isProvisioned = true) {
  const { identity, headers, browser } = await people.signIn(`p${nth++}@example.org`);
  const by = { at: fixture.clock.now(), actor: "system" } as const;
  const made = isProvisioned ? await provision(fixture, identity.id, NO_FACTS, by) : null;
  return {
    orgId: made?.organizationId ?? "",
    byKey: { authorization: `Bearer ${made?.key.plaintext}` },
    bySession: headers,
    byCookie: browser,
  };
}

const signed = (body: string, headers: Record<string, string> = {}) =>
  post(body, {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": signatureOf(body, [SECRET], Math.floor(stripe.now() / 1000)),
    ...headers,
  });
const lastEvent = () => JSON.stringify(stripe.stripe.account.events.at(-1), null, 2);

describe("200", () => {
  test("a plan bought by key is paid, reported by signed events, and managed from then on", async () => {
    const { byKey, orgId } = await newBuyer();
    const opened = await app.ask(CHECKOUT, post({ plan: "pro" }, byKey));
    expect(opened.status).toBe(200);
    expect(opened.headers.get("cache-control")).toBe("no-store");
    const page = await opened.json();
    expect(page).toMatchObject({ result: "success", action: "checkout", expires_at: "2026-04-01T12:00:00Z" });
    await stripe.press(page.url, "pay");
    const outcomes: unknown[] = [];
    for (const event of stripe.stripe.account.events.slice(-5)) {
      const answer = await app.ask(EVENTS, signed(JSON.stringify(event)));
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      outcomes.push((await answer.json()).outcome);
    }
    expect(outcomes).toEqual(["ignored", "applied", "applied", "ignored", "applied"]);
    expect(await ledger.organizations.byId(orgId)).toMatchObject({ tier: "pro", status: "active" });
    const again = await app.ask(EVENTS, signed(lastEvent()));
    expect(await again.json()).toEqual({ result: "success", outcome: "duplicate" });
    const portal = await app.ask(CHECKOUT, post({ plan: "basic", interval: "yearly" }, byKey));
    expect(await portal.json()).toMatchObject({ action: "manage_subscription", expires_at: null });
  });

  test("by session and from the site's own page; the identity is never read from the body", async () => {
    const { bySession, byCookie, orgId } = await newBuyer();
    for (const headers of [bySession, byCookie] as Record<string, string>[]) {
      const answer = await app.ask(CHECKOUT, post({ plan: "basic", interval: "monthly" }, headers));
      expect(answer.status).toBe(200);
    }
    const [session] = [...stripe.stripe.account.sessions.values()].slice(-1);
    expect(session).toMatchObject({ client_reference_id: orgId });
  });
});

describe("refused checkouts", () => {
  test.each<[string, Record<string, string>, ErrorCode]>([
    ["nothing", {}, "session_required"],
    ["a key that was never issued", { authorization: `Bearer ${newApiKey(random)}` }, "invalid_api_key"],
    ["a mistyped key", { authorization: `Bearer ${newApiKey(random).slice(0, -1)}!` }, "invalid_api_key"],
    ["another scheme", { authorization: "Basic eDp5" }, "session_required"],
    ["another site's cookie", { cookie: "a=b" }, "session_required"],
  ])("401: %s", async (_, headers, code) => {
    const response = await app.refused(CHECKOUT, code, post({ plan: "pro" }, headers));
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const { message } = await response.json();
    if (Object.keys(headers).length === 0) expect(message).toContain("API key of the organization");
  });

  test("401 with a revoked key, 403 by cookie from elsewhere and for a suspended account", async () => {
    const revoked = await newBuyer();
    await ledger.keys.revokeAll(revoked.orgId, { at: fixture.clock.now(), actor: "system" });
    await app.refused(CHECKOUT, "invalid_api_key", post({ plan: "pro" }, revoked.byKey));
    const { byCookie, byKey, bySession, orgId } = await newBuyer();
    const foreign = { ...byCookie, origin: "https://evil.example" };
    await app.refused(CHECKOUT, "forbidden", post({ plan: "pro" }, foreign));
    const by = { at: fixture.clock.now(), actor: "operator" } as const;
    await ledger.organizations.change(orgId, { status: "suspended" }, by);
    await app.refused(CHECKOUT, "forbidden", post({ plan: "pro" }, byKey));
    await app.refused(CHECKOUT, "forbidden", post({ plan: "pro" }, bySession));
  });

  test("429 for an organization or an address with too many requests, before the provider is called", async () => {
    const [one, other] = [await newBuyer(), await newBuyer()];
    let orders = 0;
    const counted: Billing = {
      ...stripe.billing,
      checkout: (order) => {
        orders += 1;
        return stripe.billing.checkout(order);
      },
    };
    const busy = appWith({ billing: counted });
    const [of, from] = [ATTEMPT_LIMITS["checkout of"].most, ATTEMPT_LIMITS["checkout from"].most];
    for (let nth = 0; nth < of; nth++) {
      const headers = nth % 2 === 0 ? one.byKey : one.bySession;
      expect((await busy.ask(CHECKOUT, post({ plan: "pro" }, headers))).status).toBe(200);
    }
    const refused = await busy.refused(CHECKOUT, "rate_limited", post({ plan: "pro" }, one.byKey));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await busy.refused(CHECKOUT, "rate_limited", post({ plan: "basic" }, one.bySession));
    expect(orders).toBe(of);
    expect((await busy.ask(CHECKOUT, post({ plan: "pro" }, other.byKey))).status).toBe(200);
    // Of one address there may be many organizations; calls that were refused did not count.
    let passed = of + 1;
    for (let nth = 0; nth < from; nth++) {
      const { byKey } = await newBuyer();
      if ((await busy.ask(CHECKOUT, post({ plan: "pro" }, byKey))).status === 200) passed += 1;
    }
    expect([passed, orders]).toEqual([from, from]);
  });

  test("501 where nothing is sold, 503 while the provider is away; of events too", async () => {
    const { byKey } = await newBuyer();
    await stripe.buy();
    const calls = [
      [CHECKOUT, post({ plan: "pro" }, byKey)],
      [EVENTS, signed(lastEvent())],
    ] as const;
    for (const [path, init] of calls) {
      await appWith({ billing: noBilling() }).refused(path, "billing_not_configured", init);
      stripe.stripe.outage({ kind: "error" });
      const busy = await app.refused(path, "billing_unavailable", init);
      stripe.stripe.recover();
      expect(busy.headers.get("retry-after")).toBe("60");
      expect(await busy.text()).not.toContain("error occurred");
    }
  });

  test("503 while the ledger, its keys or its sessions cannot be reached", async () => {
    const { byKey, bySession } = await newBuyer();
    const noOrgs = appWith({ ledger: { ...ledger, organizations: unreachable(ledger.organizations) } });
    await noOrgs.refused(CHECKOUT, "service_unavailable", post({ plan: "pro" }, byKey));
    const noKeys = appWith({
      ledger: { ...ledger, keys: unreachable(ledger.keys), sessions: unreachable(ledger.sessions) },
    });
    await noKeys.refused(CHECKOUT, "auth_unavailable", post({ plan: "pro" }, byKey));
    await noKeys.refused(CHECKOUT, "auth_unavailable", post({ plan: "pro" }, bySession));
  });
});

test("refused events: 413 above 256 KiB, by the header or by the bytes, and not below", async () => {
  const padded = (length: number) => `{"object":"event","pad":"${"x".repeat(length)}"}`;
  await app.refused(EVENTS, "payload_too_large", signed(padded(256 * 1024)));
  const stream = new Response(padded(300_000)).body as ReadableStream;
  await app.refused(EVENTS, "payload_too_large", { method: "POST", body: stream });
  await app.refused(EVENTS, "invalid_request", { method: "POST", body: padded(250_000) });
});

test("pages of other sites have no access to events: neither an answer nor the preflight allows it", async () => {
  const preflight = await app.ask(EVENTS, {
    method: "OPTIONS",
    headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("allow")).toBe("POST, OPTIONS");
  await stripe.buy();
  const answers = [
    preflight,
    await app.ask(EVENTS, signed(lastEvent())),
    await app.ask(EVENTS, request("POST", {}, "{}")),
  ];
  for (const { headers } of answers) {
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
});
