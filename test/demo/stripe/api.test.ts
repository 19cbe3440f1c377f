/** The simulated Stripe on the wire: what the real API answers to credentials, versions, parameters, keys and lists. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type FaultyStripe, startFaultyStripe } from "./faulty-stripe.ts";

const START = Date.UTC(2026, 0, 15, 9);
let now = START;
let stripe: FaultyStripe;

beforeAll(async () => {
  stripe = await startFaultyStripe({ now: () => now });
});
afterAll(() => stripe.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
  readonly body: any;
}

async function call(
  method: string,
  path: string,
  form: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = new URLSearchParams(form).toString();
  const response = await fetch(`${stripe.base}${path}${method === "GET" && text !== "" ? `?${text}` : ""}`, {
    method,
    headers: {
      authorization: `Bearer ${stripe.secretKey}`,
      ...(method === "GET" ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      ...headers,
    },
    ...(method === "GET" ? {} : { body: text }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const customer = async (): Promise<string> =>
  (await call("POST", "/v1/customers", { email: "a@b.example" })).body.id;
const session = (id: string) => ({
  mode: "subscription",
  customer: id,
  "line_items[0][price]": "price_pro_monthly",
  "line_items[0][quantity]": "1",
  "subscription_data[metadata][org_id]": "org_1",
  success_url: "https://rates.example/done",
});

test("without a key and with a wrong one: 401, the key masked, a request id in header and log address", async () => {
  const none = await call("GET", "/v1/prices", {}, { authorization: "" });
  expect(none.status).toBe(401);
  expect(none.body.error).toMatchObject({ type: "invalid_request_error" });
  const wrong = await call("GET", "/v1/prices", {}, { authorization: "Bearer sk_test_aaaaaaaabbbb1234" });
  expect(wrong.body.error.message).toBe("Invalid API Key provided: sk_test_************1234");
  expect(wrong.headers.get("request-id")).toMatch(/^req_\w{14}$/);
  expect(wrong.body.error.request_log_url).toEndWith(wrong.headers.get("request-id") ?? "none");
});

test("another version is refused", async () => {
  const old = await call("GET", "/v1/prices", {}, { "stripe-version": "2020-01-01" });
  expect(old.status).toBe(400);
  expect(old.body.error.message).toContain("2020-01-01");
});

test("nested brackets become objects and lists; integers, booleans and required ones are checked by name", async () => {
  const id = await customer();
  const opened = await call("POST", "/v1/checkout/sessions", session(id));
  expect(opened.body).toMatchObject({
    object: "checkout.session",
    livemode: false,
    customer: id,
    amount_total: 3000,
    payment_status: "unpaid",
    status: "open",
    expires_at: now / 1000 + 86_400,
  });
  expect(opened.body.id).toMatch(/^cs_test_\w{58}$/);
  expect(opened.body).not.toHaveProperty("line_items");
  const faults: [Record<string, string>, string, string | undefined][] = [
    [{ "line_items[0][count]": "1" }, "line_items[0][count]", "parameter_unknown"],
    [{ colour: "red" }, "colour", "parameter_unknown"],
    [{ success_url: "" }, "success_url", "parameter_missing"],
    [{ success_url: "javascript:alert(1)" }, "success_url", "url_invalid"],
    [{ "line_items[0][quantity]": "one" }, "line_items[0][quantity]", undefined],
    [{ "line_items[0][price]": "price_none" }, "line_items[0][price]", "resource_missing"],
    [{ customer: "cus_none" }, "customer", "resource_missing"],
    [{ metadata: "x" }, "metadata", undefined],
  ];
  for (const [change, param, code] of faults) {
    const refused = await call("POST", "/v1/checkout/sessions", { ...session(id), ...change });
    expect(refused.status).toBe(400);
    expect(refused.body.error.param).toBe(param);
    expect(refused.body.error.code).toBe(code);
  }
});

test("names that would reach an object's prototype are data like others", async () => {
  const made = await call("POST", "/v1/customers", {
    "metadata[__proto__]": "x",
    "metadata[constructor]": "y",
  });
  expect(made.status).toBe(200);
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  const nested = await call("POST", "/v1/customers", { "__proto__[polluted]": "x" });
  expect(nested.status).toBe(400);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("the same idempotency key: the same answer; with another body or path 400; after a day again", async () => {
  const headers = { "idempotency-key": "once" };
  const first = await call("POST", "/v1/customers", { email: "x@y.example" }, headers);
  const again = await call("POST", "/v1/customers", { email: "x@y.example" }, headers);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  const other = await call("POST", "/v1/customers", { email: "z@y.example" }, headers);
  expect(other.status).toBe(400);
  expect(other.body.error.type).toBe("idempotency_error");
  now += 86_400_000;
  const later = await call("POST", "/v1/customers", { email: "z@y.example" }, headers);
  expect(later.status).toBe(200);
  expect(later.body.id).not.toBe(first.body.id);
});

test("a request with wrong parameters leaves its idempotency key free", async () => {
  const headers = { "idempotency-key": "second-try" };
  expect((await call("POST", "/v1/customers", { colour: "red" }, headers)).status).toBe(400);
  expect((await call("POST", "/v1/customers", { email: "c@d.example" }, headers)).status).toBe(200);
});

test("lists are newest first, by page, after and before an object", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift(await customer());
  const page = (given: Record<string, string>) =>
    call("GET", "/v1/customers", { email: "a@b.example", ...given });
  const first = await page({ limit: "2" });
  expect(first.body).toMatchObject({ object: "list", url: "/v1/customers", has_more: true });
  const idsOf = ({ body }: Answer) => body.data.map(({ id }: { id: string }) => id);
  expect(idsOf(first)).toEqual(ids.slice(0, 2));
  expect(idsOf(await page({ limit: "2", starting_after: ids[1] ?? "" }))).toEqual(ids.slice(2, 4));
  expect(idsOf(await page({ limit: "2", ending_before: ids[3] ?? "" }))).toEqual(ids.slice(1, 3));
  expect(idsOf(await page({ "created[gt]": String(now / 1000) }))).toEqual([]);
  expect((await page({ starting_after: "cus_none" })).body.error.code).toBe("resource_missing");
});

test("expand fills in objects, in lists too, and refuses what is none", async () => {
  const id = await customer();
  const opened = await call("POST", "/v1/checkout/sessions", session(id));
  await fetch(opened.body.url, {
    method: "POST",
    body: new URLSearchParams({ action: "pay" }),
    redirect: "manual",
  });
  const list = await call("GET", "/v1/subscriptions", { customer: id, "expand[0]": "data.latest_invoice" });
  expect(list.body.data[0].latest_invoice).toMatchObject({
    object: "invoice",
    status: "paid",
    amount_paid: 3000,
  });
  expect(list.body.data[0].metadata).toEqual({ org_id: "org_1" });
  const wrong = await call("GET", "/v1/subscriptions", { customer: id, "expand[0]": "data.colour" });
  expect(wrong.body.error.param).toBe("expand");
});

test("events list every change, in order, for thirty days", async () => {
  const since = now / 1000;
  now += 5000;
  const id = await customer();
  const opened = await call("POST", "/v1/checkout/sessions", session(id));
  await fetch(opened.body.url, {
    method: "POST",
    body: new URLSearchParams({ action: "pay" }),
    redirect: "manual",
  });
  const { body } = await call("GET", "/v1/events", { "created[gt]": String(since), limit: "100" });
  expect(body.data.map(({ type }: { type: string }) => type).toReversed()).toEqual([
    "customer.created",
    "customer.subscription.created",
    "invoice.paid",
    "invoice.payment_succeeded",
    "checkout.session.completed",
  ]);
  const one = await call("GET", `/v1/events/${body.data[0].id}`);
  expect(one.body).toMatchObject({
    object: "event",
    livemode: false,
    data: { object: { payment_status: "paid" } },
  });
  now += 31 * 86_400_000;
  const later = await call("GET", "/v1/events", {
    type: "checkout.session.completed",
    "created[lte]": String(since + 9),
  });
  expect(later.body.data).toEqual([]);
});

test("a subscription is updated and canceled; a canceled one is read, and not canceled again", async () => {
  const id = await customer();
  const opened = await call("POST", "/v1/checkout/sessions", session(id));
  await fetch(opened.body.url, {
    method: "POST",
    body: new URLSearchParams({ action: "pay" }),
    redirect: "manual",
  });
  const [held] = (await call("GET", "/v1/subscriptions", { customer: id })).body.data;
  const path = `/v1/subscriptions/${held.id}`;
  const changed = await call("POST", path, {
    "items[0][id]": held.items.data[0].id,
    "items[0][price]": "price_basic_monthly",
    cancel_at_period_end: "true",
  });
  expect(changed.body).toMatchObject({
    cancel_at_period_end: true,
    cancel_at: held.items.data[0].current_period_end,
  });
  expect(changed.body.items.data[0].price.id).toBe("price_basic_monthly");
  const event = stripe.account.events.at(-1);
  expect(event).toMatchObject({ type: "customer.subscription.updated" });
  expect(event?.data.previous_attributes).toMatchObject({ cancel_at_period_end: false });
  expect((await call("DELETE", path)).body.status).toBe("canceled");
  expect((await call("GET", path)).body.status).toBe("canceled");
  const again = await call("DELETE", path);
  expect(again.status).toBe(404);
  expect(again.body.error).toMatchObject({ code: "resource_missing", param: "id" });
  expect((await call("POST", path, { cancel_at_period_end: "false" })).status).toBe(400);
  expect((await call("GET", "/v1/subscriptions", { customer: id })).body.data).toEqual([]);
  expect((await call("GET", "/v1/subscriptions", { customer: id, status: "all" })).body.data).toHaveLength(1);
});

test("what is not an operation is not found", async () => {
  expect((await call("GET", "/v1/charges")).status).toBe(404);
  expect((await call("DELETE", "/v1/prices/price_pro_monthly")).status).toBe(404);
});
