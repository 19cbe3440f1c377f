/** A metered server's metrics, scraped as Prometheus does: they count answers to callers, and name no caller. */

import { beforeEach, expect, test } from "bun:test";
import { RECONCILED_MARK } from "#accounts/billing/reconcile.ts";
import { parseExposition, sampleOf } from "#test/metrics/exposition.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { CATALOG_SETTING } from "#test/support/stripe/catalog.ts";
import { signatureOf } from "#test/support/stripe/webhooks.ts";
import { until } from "#test/support/until.ts";
import { batchOf, bearer, from, join, json, post, statusOf } from "./client.ts";
import { NOON } from "./history.ts";
import { fixedClock, openReplica, type Replica, runningClock } from "./replica.ts";

const WEBHOOK_SECRET = "whsec_of_these_tests";

/** No provider is there: the notices of these tests are about nothing that would have to be fetched. */
const BILLING_SETTINGS = {
  STRIPE_SECRET_KEY: "sk_test_of_these_tests",
  STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
  STRIPE_PRICES: CATALOG_SETTING,
  STRIPE_API_BASE: "http://127.0.0.1:1",
};

const clock = fixedClock();
const settings = { METRICS_PORT: "0", STREAM_SUBSCRIBERS: "1", ...BILLING_SETTINGS };
const replica = await openReplica({ clock, settings });
const member = await join(replica.url);

async function scrape({ emitted } = replica): Promise<string> {
  const url = /"metrics","url":"(http:\/\/[\w.:]+\/metrics)/.exec(JSON.stringify(emitted))?.[1];
  return await (await fetch(url ?? "")).text();
}

/** How much each series rises by what is done; those that stay are left out. */
async function risesBy(work: () => Promise<unknown>, names: RegExp): Promise<Record<string, number>> {
  const read = async () => {
    const families = [...parseExposition(await scrape()).values()].filter(({ name }) => names.test(name));
    const samples = families.flatMap((family) => family.samples);
    return new Map(
      samples.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(" "), value]),
    );
  };
  const before = await read();
  await work();
  const after = [...(await read())].map(([series, value]) => [series, value - (before.get(series) ?? 0)]);
  return Object.fromEntries(after.filter(([, rise]) => rise !== 0));
}

/** A notice as the billing provider sends it, about a thing that changes no plan. */
async function notify(id: string): Promise<void> {
  const created = NOON / 1000;
  const about = { object: "event", type: "charge.succeeded", api_version: null, livemode: false, created };
  const body = JSON.stringify({ id, ...about, data: { object: { id: "ch_1", object: "charge" } } });
  const headers = { "stripe-signature": signatureOf(body, [WEBHOOK_SECRET], created) };
  await json(await fetch(`${replica.url}/v1/billing/stripe/events`, { method: "POST", headers, body }));
}

const status = (path: string, init: RequestInit = {}) => statusOf(`${replica.url}${path}`, init);

test("limits: granted and refused, by caller and reason", async () => {
  const keyed = bearer(member.key);
  const rises = await risesBy(async () => {
    expect(await status("/v1/latest", { headers: keyed })).toBe(200);
    expect(await status("/v1/convert", batchOf(5, keyed))).toBe(200);
    expect(await status("/v1/convert", batchOf(13, keyed))).toBe(400);
    // Beyond the plan's history: charged, then given back.
    expect(await status("/v1/2020-01-02", { headers: keyed })).toBe(403);
    for (let nth = 0; nth < 13; nth++) await status("/v1/currencies", { headers: from("192.0.2.7") });
    const wrong = { ...bearer(`${member.key.slice(0, -1)}?`), ...from("192.0.2.8") };
    expect(await status("/v1/latest", { headers: wrong })).toBe(401);
  }, /^crossrate_limit_\w+_total/);
  expect(rises).toEqual({
    "crossrate_limit_granted_calls_total key process": 7,
    "crossrate_limit_refusals_total key too_large": 1,
    // The wrong key counts to its address.
    "crossrate_limit_granted_calls_total address process": 13,
    "crossrate_limit_refusals_total address minute": 1,
  });
});

test("keys: a ledger lookup for the first call, the cache for the others, and refusals", async () => {
  const { key } = await join(replica.url);
  const rises = await risesBy(async () => {
    for (let nth = 0; nth < 5; nth++) expect(await status("/v1/latest", { headers: bearer(key) })).toBe(200);
    expect(await status("/v1/latest", { headers: { ...bearer("fxk_wrong"), ...from("192.0.2.9") } })).toBe(
      401,
    );
  }, /^crossrate_key_checks/);
  // A request may check its key more than once.
  expect(rises["crossrate_key_checks_total looked_up"]).toBeGreaterThanOrEqual(1);
  expect(rises["crossrate_key_checks_total remembered"]).toBeGreaterThanOrEqual(4);
  expect(rises["crossrate_key_checks_total refused"]).toBeGreaterThanOrEqual(1);
  expect(rises["crossrate_key_checks_total unavailable"]).toBeUndefined();
});

test("people: every status of sign-in, of checkout and of notices", async () => {
  const rises = await risesBy(async () => {
    const signIn = (password: string) =>
      status("/v1/auth/sign-in", post({ email: member.email, password }, from("198.51.100.251")));
    expect(await signIn("wrong kites above the harbour")).toBe(401);
    expect(await status("/v1/account/checkout", post({ plan: "pro" }, bearer(member.key)))).toBe(503);
    await notify("evt_metrics");
    await notify("evt_metrics");
    expect(await status("/v1/billing/stripe/events", post({}, { "stripe-signature": "t=1,v1=0" }))).toBe(400);
    // Others are not counted by status.
    expect(await status("/v1/latest", { headers: bearer(member.key) })).toBe(200);
  }, /^crossrate_(account_answers|billing_(calls|notices_total))/);
  expect(rises).toEqual({
    "crossrate_account_answers_total /v1/auth/sign-in 401": 1,
    "crossrate_account_answers_total /v1/account/checkout 503": 1,
    "crossrate_account_answers_total /v1/billing/stripe/events 200": 2,
    "crossrate_account_answers_total /v1/billing/stripe/events 400": 1,
    "crossrate_billing_calls_total checkout unavailable": 1,
    "crossrate_billing_calls_total verify ok": 2,
    "crossrate_billing_calls_total verify bad_signature": 1,
    "crossrate_billing_notices_total new": 1,
    "crossrate_billing_notices_total duplicate": 1,
  });
});

test("the stores: the ledger answers, usage is written within seconds, billing was never reconciled", async () => {
  expect(await status("/v1/latest", { headers: bearer(member.key) })).toBe(200);
  await until("all usage is written", async () => {
    return sampleOf(parseExposition(await scrape()), "crossrate_usage_waiting_calls") === 0;
  });
  const families = parseExposition(await scrape());
  expect(sampleOf(families, "crossrate_usage_waiting_seconds")).toBe(0);
  expect(sampleOf(families, "crossrate_ledger_ok", { kind: "sqlite" })).toBe(1);
  expect(sampleOf(families, "crossrate_ledger_answer_seconds")).toBeGreaterThan(0);
  expect(sampleOf(families, "crossrate_limits_ok", { kind: "memory" })).toBe(1);
  expect(sampleOf(families, "crossrate_billing_notices_waiting")).toBe(0);
  expect(sampleOf(families, "crossrate_billing_reconciled_age_seconds")).toBeUndefined();
  const errors = families.get("crossrate_scrape_errors_total")?.samples ?? [];
  expect(errors.filter(({ value }) => value !== 0)).toEqual([]);
});

test("billing: how long ago it was reconciled, and which notices were taken and not dealt with since a minute", async () => {
  const { installation, billingEvents } = replica.crossrate.accounts?.ledger ?? {};
  await installation?.write(RECONCILED_MARK, String(clock.at - 7_200_000));
  const about = { type: "customer.subscription.updated", objectId: "sub_1" };
  await billingEvents?.receive({ id: "evt_old", ...about }, clock.at - 61_000);
  await billingEvents?.receive({ id: "evt_fresh", ...about }, clock.at - 59_000);
  const families = parseExposition(await scrape());
  expect(sampleOf(families, "crossrate_billing_reconciled_age_seconds")).toBe(7_200);
  expect(sampleOf(families, "crossrate_billing_notices_waiting")).toBe(1);
});

test("no caller is named: no key, address, e-mail, id or path that was requested", async () => {
  const text = await scrape();
  const known = [member.key.slice(4), member.token, member.email, member.organizationId, "192.0.2", "evt_"];
  for (const secret of known) expect(text).not.toContain(secret);
  expect(text).not.toContain("2020-01-02");
});

onBreakableRedis("metrics of limits that replicas share", (redis) => {
  let shared: Replica;
  beforeEach(async () => {
    const settings = { METRICS_PORT: "0", REDIS_URL: redis.url };
    shared = await openReplica({ clock: runningClock(), settings });
  });

  test("each grant is counted by its origin: the store, a lease on it, or the local fallback while the store is down", async () => {
    const granted = async (by: string) =>
      sampleOf(parseExposition(await scrape(shared)), "crossrate_limit_granted_calls_total", {
        caller: "key",
        by,
      }) ?? 0;
    const isShared = async () =>
      sampleOf(parseExposition(await scrape(shared)), "crossrate_limits_ok", { kind: "redis" });
    await until("the limits are shared", async () => (await isShared()) === 1);
    const { key, organizationId } = await join(shared.url);
    await shared.setTier(organizationId, "pro");
    const call = async () => {
      const answer = await fetch(`${shared.url}/v1/latest`, { headers: bearer(key) });
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
    };
    for (let nth = 0; nth < 60; nth++) await call();
    const [store, lease] = [await granted("store"), await granted("lease")];
    expect([store + lease, await granted("process")]).toEqual([60, 0]);
    // The first call of a caller is charged in the store; further calls are mostly charged to its lease.
    expect(Math.min(store, lease)).toBeGreaterThan(0);
    await redis.kill();
    await until("the limits are no longer shared", async () => (await isShared()) === 0);
    for (let nth = 0; nth < 5; nth++) await call();
    expect(await granted("process")).toBe(5);
  });
});
