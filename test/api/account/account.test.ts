/** The account endpoints over HTTP for a signed-in caller: each answer is the documented one, and no cache stores it. */

import { describe, expect, test } from "bun:test";
import { SECURITY_SCHEMES } from "#api/words.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import { openCookies } from "#gateways/cookies.ts";
import { openAccountApp, request, SITE } from "./account-app.ts";

const app = await openAccountApp();

let people = 0;
const newPerson = () => app.signIn(`person${people++}@example.org`);
const send = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
  const response = await app.ask(path, request(method, headers, body));
  expect(`${method} ${path} ${response.status}`).toBe(`${method} ${path} 200`);
  return response;
};
// biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the document, tests read members freely
const body = async (...what: Parameters<typeof send>): Promise<any> => (await send(...what)).json();

describe("200", () => {
  test("the lifecycle of an account: provisioned, read, rotated, revoked, deleted, and provisioned anew", async () => {
    const { headers, identity } = await newPerson();
    const empty = await body(headers, "GET", "/v1/account");
    expect(empty).toEqual({
      result: "success",
      email: identity.email,
      org: null,
      key: null,
      usage: null,
    });
    const made = await body(headers, "POST", "/v1/account/provision", {
      signup_attribution: { utm_source: "docs" },
      marketing_consent: true,
    });
    expect(made).toMatchObject({ created: true, key: { last_used_at: null } });
    const kept = { attribution: `{"utm_source":"docs"}`, marketingConsent: true };
    expect(await app.ledger.organizations.byId(made.org_id)).toMatchObject(kept);
    const profile = await body(headers, "GET", "/v1/account");
    expect(profile).toEqual({
      result: "success",
      email: identity.email,
      org: { id: made.org_id, tier: "free", status: "active" },
      key: made.key,
      usage: { calls_this_month: 0, limit: 10_000, resets_on: "2026-05-01" },
    });
    expect(profile.key.plaintext).toBe(made.plaintext);

    const rotated = await body(headers, "POST", "/v1/keys/rotate");
    expect(rotated.plaintext).not.toBe(made.plaintext);
    const revoked = await body(headers, "DELETE", "/v1/keys");
    expect(revoked).toEqual({
      result: "success",
      revoked: true,
      revoked_at: "2026-04-13T16:30:00Z",
      prefix: rotated.key.prefix,
    });
    expect(await body(headers, "DELETE", "/v1/keys")).toEqual(revoked);
    expect((await body(headers, "GET", "/v1/account")).key).toBeNull();

    expect(await body(headers, "DELETE", "/v1/account")).toEqual({
      result: "success",
      deleted: true,
      org_id: made.org_id,
      subscription_cancelled: false,
    });
    // The session ended with it.
    await app.refused("/v1/account", "session_required", { headers });
  });

  test.each([
    ["no body", {}, undefined],
    ["no body, declared as JSON", { "content-type": "application/json" }, undefined],
    ["an empty text", { "content-type": "text/plain" }, ""],
    ["an empty object", { "content-type": "application/json" }, "{}"],
    ["members that are not known", { "content-type": "application/json" }, '{"plan":"pro"}'],
  ])("provision takes %s", async (_, declared, text) => {
    const { headers } = await newPerson();
    const init = {
      method: "POST",
      headers: { ...declared, ...headers },
      ...(text === undefined ? {} : { body: text }),
    };
    const response = await app.ask("/v1/account/provision", init);
    expect(await response.json()).toMatchObject({ result: "success", created: true });
  });

  test("a browser does all of it by cookie from the site's own pages", async () => {
    const { browser } = await newPerson();
    const { org_id } = await body(browser, "POST", "/v1/account/provision");
    await body(browser, "POST", "/v1/keys/rotate");
    await body(browser, "POST", "/v1/consent", { policy_version: "2026-01" });
    await body(browser, "DELETE", "/v1/keys");
    // Reading needs no Origin: browsers send none.
    expect((await body({ cookie: browser.cookie }, "GET", "/v1/account")).org.id).toBe(org_id);
    expect((await body(browser, "DELETE", "/v1/account")).deleted).toBe(true);
  });

  test.each([
    ["", 30, "2026-03-15"],
    ["?days=1", 1, "2026-04-13"],
    ["?days=90", 90, "2026-01-14"],
    ["?days=%207&other=x", 7, "2026-04-07"],
  ])("usage/daily%s has %i days from %s to today", async (query, days, first) => {
    const { headers } = await newPerson();
    const answer = await body(headers, "GET", `/v1/account/usage/daily${query}`);
    expect(answer.days).toBe(days);
    expect(answer.rows).toHaveLength(days);
    expect(answer.rows[0].date).toBe(first);
    expect(answer.rows.at(-1)).toEqual({ date: "2026-04-13", served: 0, rate_limited: 0 });
  });
});

test("the document names the cookie that browsers have", () => {
  expect(SECURITY_SCHEMES.sessionCookie.name).toBe(openCookies(SITE).session.name as never);
});

// What the account endpoints refuse, by status, and nothing is half done; who is not admitted: session-refusals.test.ts.
const ada = await app.signIn("ada@example.org");

test("404 and 409: no such resource below the account, and rotating before provisioning", async () => {
  await app.refused("/v1/account/key", "not_found", { headers: ada.headers });
  await app.refused("/v1/keys/rotate/all", "not_found", { method: "POST", headers: ada.headers });
  const { headers } = await newPerson();
  const reason = await app.reason("/v1/keys/rotate", "conflict", { method: "POST", headers });
  expect(reason).toContain("/v1/account/provision");
});

test.each([
  ["/v1/keys/rotate", "rotation of"],
  ["/v1/account/provision", "provision of"],
] as const)(
  "429: one person's new keys are limited, other persons' are not, and a revocation never is: %s",
  async (path, limit) => {
    const [{ headers }, other] = [await newPerson(), await newPerson()];
    for (const one of [headers, other.headers]) {
      await app.ask("/v1/account/provision", { method: "POST", headers: one });
    }
    const first = limit === "provision of" ? 1 : 0;
    for (let nth = first; nth < ATTEMPT_LIMITS[limit].most; nth++) {
      expect((await app.ask(path, { method: "POST", headers })).status).toBe(200);
    }
    const refused = await app.refused(path, "rate_limited", { method: "POST", headers });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_600);
    expect((await app.ask(path, { method: "POST", headers: other.headers })).status).toBe(200);
    expect((await app.ask("/v1/keys", { method: "DELETE", headers })).status).toBe(200);
  },
);

test("429: one person's acceptances are limited, since each version leaves a row for good", async () => {
  const [{ headers, identity }, other] = [await newPerson(), await newPerson()];
  const accept = (version: number) => request("POST", headers, { policy_version: `v${version}` });
  const { most } = ATTEMPT_LIMITS["consent of"];
  for (let nth = 0; nth < most; nth++) expect((await app.ask("/v1/consent", accept(nth))).status).toBe(200);
  const refused = await app.refused("/v1/consent", "rate_limited", accept(most));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await app.ledger.consents.list(identity.id)).toHaveLength(most);
  const consent = request("POST", other.headers, { policy_version: "v1" });
  expect((await app.ask("/v1/consent", consent)).status).toBe(200);
});

/** Members whose value is of another shape: test/api/request/bodies.test.ts. */
describe("422 names each member", () => {
  const long = "x".repeat(201);
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [`a${nth}`, ""]));
  test.each<[string, unknown, string]>([
    ["/v1/consent", { policy_version: "x".repeat(65) }, "/policy_version"],
    ["/v1/account/provision", { signup_attribution: { source: 1 } }, "/signup_attribution/source"],
    ["/v1/account/provision", { signup_attribution: { source: long } }, "/signup_attribution/source"],
    ["/v1/account/provision", { signup_attribution: many }, "/signup_attribution"],
    ["/v1/account/provision", { signup_attribution: { "": "x" } }, "/signup_attribution/"],
  ])("%s %j → %p", async (path, body, at) => {
    const text = JSON.stringify(body);
    const response = await app.refused(path, "validation_error", request("POST", ada.headers, text));
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
    expect(errors.map((issue) => issue.path)).toContain(at);
  });

  test.each(["", "0", "91", "-1", "1.5", "ten", "1e1", "0x10", "1,2", "999999999999"])(
    "days=%s, before it is known who asks",
    async (days) => {
      const path = `/v1/account/usage/daily?days=${days}`;
      const response = await app.refused(path, "validation_error");
      expect(await response.json()).toMatchObject({
        message: "days must be a whole number from 1 to 90",
        errors: [{ path: "days", message: "a whole number from 1 to 90" }],
      });
    },
  );
});
