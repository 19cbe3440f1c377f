/** The account endpoints over HTTP for a signed-in caller: each answer is the documented one, and no cache stores it. */

import { describe, expect, test } from "bun:test";
import { SECURITY_SCHEMES } from "#api/words.ts";
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
