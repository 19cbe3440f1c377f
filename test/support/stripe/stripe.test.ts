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

test("events list every change, newest first, by page, for thirty days", async () => {
  const since = now / 1000;
  now += 5000;
  const opened = await call("POST", "/v1/checkout/sessions", session(await customer()));
  const body = new URLSearchParams({ action: "pay" });
  await fetch(opened.body.url, { method: "POST", body, redirect: "manual" });
  const page = (given: Record<string, string>) =>
    call("GET", "/v1/events", { "created[gt]": String(since), ...given });
  const typesOf = ({ body: { data } }: Answer) => data.map(({ type }: { type: string }) => type);
  const newest = await page({ limit: "2" });
  expect(newest.body).toMatchObject({ object: "list", url: "/v1/events", has_more: true });
  expect(typesOf(newest)).toEqual(["checkout.session.completed", "invoice.payment_succeeded"]);
  const older = await page({ starting_after: newest.body.data[1].id });
  expect(typesOf(older)).toEqual(["invoice.paid", "customer.subscription.created", "customer.created"]);
  expect((await page({ starting_after: "evt_none" })).body.error.code).toBe("resource_missing");
  now += 31 * 86_400_000;
  expect(typesOf(await page({}))).not.toContain("checkout.session.completed");
});
