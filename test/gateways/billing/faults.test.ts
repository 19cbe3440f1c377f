/** Every way of failing has its name, its bound in attempts and bytes, and no secret in its text. */

import { expect, test } from "bun:test";
import type { BillingFault } from "#domain/billing/notice.ts";
import { noBilling, stripeBilling } from "#gateways/billing/stripe.ts";
import { run } from "#test/clients/process.ts";
import { openFixture } from "./fixture.ts";

async function faultOf(call: Promise<unknown>): Promise<BillingFault> {
  return call.then(
    () => Promise.reject(new Error("it should have failed")),
    (fault) => fault,
  );
}

function answeredBy(fetch: () => Response) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  const settings = { secretKey: "sk_test_of_these_tests", webhookSecrets: [], prices: [], retries: 0 };
  const billing = stripeBilling({ ...settings, apiBase: server.url.href.replace(/\/$/, "") });
  return { billing, url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) };
}

test("without a provider every call fails with that reason", async () => {
  const calls = Object.values(noBilling()).filter((call) => typeof call === "function");
  expect(calls).toHaveLength(8);
  for (const call of calls as (() => Promise<unknown>)[])
    expect(await faultOf(call())).toMatchObject({ name: "BillingFault", kind: "not_configured" });
});

test("a wrong key is named as such, without the key", async () => {
  await using fixture = await openFixture();
  const secretKey = "sk_test_thisIsTheWrongKey1234";
  const fault = await faultOf(fixture.open({ secretKey }).subscription("sub_1"));
  expect(fault.kind).toBe("refused_credentials");
  expect(fault.message).toContain("request req_");
  expect(Bun.inspect(fault)).not.toMatch(/sk_test_|1234/);
});

test.each([
  ["error", 2, 10_000],
  ["garbage", 1, 10_000],
  ["hang", 2, 100],
  ["half", 2, 100],
] as const)("out of order (%s), it is tried %i times", async (kind, attempts, timeoutMilliseconds) => {
  await using fixture = await openFixture();
  fixture.stripe.outage({ kind });
  const billing = fixture.open({ retries: 1, timeoutMilliseconds });
  expect((await faultOf(billing.cancel("sub_1"))).kind).toBe("unavailable");
  expect(fixture.stripe.requests()).toHaveLength(attempts);
});

test("a request for a pause is passed on", async () => {
  const error = { type: "invalid_request_error", code: "rate_limit", message: "slow down sk_live_abc" };
  const init = { status: 429, headers: { "retry-after": "7" } };
  await using provider = answeredBy(() => Response.json({ error }, init));
  const fault = await faultOf(provider.billing.subscription("sub_1"));
  expect(fault).toMatchObject({ kind: "unavailable", retryAfterSeconds: 7 });
  expect(fault.message).not.toContain("sk_live");
});

test("a redirect is not followed: the key would go with it", async () => {
  let hits = 0;
  await using elsewhere = answeredBy(() => new Response(String(hits++)));
  await using provider = answeredBy(() => Response.redirect(elsewhere.url));
  expect((await faultOf(provider.billing.subscription("sub_1"))).kind).toBe("unavailable");
  expect(hits).toBe(0);
});

test.each([
  ["without end is cut off", "unavailable", () => new Response(`{"x":"${"y".repeat(5 * 1024 * 1024)}"}`)],
  ["of another shape is not interpreted", "unreadable", () => Response.json({ id: "sub_1" })],
] as const)("an answer %s: %s", async (_, kind, answer) => {
  await using provider = answeredBy(answer);
  expect((await faultOf(provider.billing.subscription("sub_1"))).kind).toBe(kind);
});

test("a subscription in a status that this version does not have is not interpreted", async () => {
  await using fixture = await openFixture();
  const { subscriptionId } = await fixture.buy();
  const held = fixture.stripe.account.subscriptions.get(subscriptionId);
  Object.assign(held ?? {}, { status: "hibernating" });
  expect((await faultOf(fixture.billing.subscription(subscriptionId))).kind).toBe("unreadable");
});

test("nothing is loaded until billing is used", async () => {
  const script = `
    const { stripeBilling } = await import("#gateways/billing/stripe.ts");
    stripeBilling({ secretKey: "sk_test_x", apiBase: null, webhookSecrets: [], prices: [] });
    const loaded = Object.keys(require.cache).some((path) => path.includes("/stripe/esm/") || path.includes("/stripe/cjs/"));
    process.stdout.write(String(loaded));`;
  expect(await run([process.execPath, "-e", script])).toBe("false");
});
