/** The dashboard without scripts: every page over the session cookie, every form from this site alone, every refusal as a sentence. */

import { describe, expect, spyOn, test } from "bun:test";
import { errorExample } from "#api/errors.ts";
import { API_KEY_PATTERN } from "#domain/account/key.ts";
import { dayAt } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { DASHBOARD_OPERATIONS, OPERATIONS } from "#test/api/openapi/valid.ts";
import { PASSWORD } from "#test/metered/client.ts";
import { NOON } from "#test/metered/history.ts";
import { startReceiver } from "#test/webhooks/receiver.ts";
import { sentenceOf, waitText } from "#web/dashboard/words.ts";
import { openDashboardServer, plainBrowser, type Shown, textOf } from "./dashboard-server.ts";

const server = await openDashboardServer({ mail: false });
const { ledger, usage } = server.crossrate.accounts as NonNullable<typeof server.crossrate.accounts>;

const KEY = new RegExp(API_KEY_PATTERN);
const PAGES = [
  "/dashboard",
  "/dashboard/keys",
  "/dashboard/plan",
  "/dashboard/webhooks",
  "/dashboard/account",
];
const HOSTILE = `"><script>alert(1)</script>'&`;

let people = 0;
/** A person with a session in a browser of their own; with a key unless `hasKey` is false. */
async function signedIn({
  hasKey = true,
  tier,
}: {
  readonly hasKey?: boolean;
  readonly tier?: "plus" | "pro";
} = {}) {
  people += 1;
  const email = `person-${people}@example.org`;
  const browser = plainBrowser(server.url);
  // With a page to go on to there is no key at the end.
  const next: Record<string, string> = hasKey ? {} : { next: "/dashboard" };
  const shown = await browser.post("/dashboard/sign-up", { email, password: PASSWORD, ...next });
  expect([shown.path, shown.status]).toEqual([hasKey ? "/dashboard/sign-up" : "/dashboard", 200]);
  const [cookie = ""] = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
  const key = KEY.exec(shown.html)?.[0] ?? "";
  const account = async () => await (await fetch(`${server.url}/v1/account`, { headers: { cookie } })).json();
  if (tier !== undefined) await server.setTier((await account()).org.id, tier);
  return { browser, email, key, account };
}

function expectShown(shown: Shown, status: number, text: string): void {
  expect([shown.status, shown.text]).toEqual([status, expect.stringContaining(text)]);
}

const works = async (key: string) =>
  (await fetch(`${server.url}/v1/currencies`, { headers: { authorization: `Bearer ${key}` } })).status;

describe("without a session", () => {
  test("every page leads to the sign-in, and from there back to where it was asked for", async () => {
    const { email } = await signedIn({ hasKey: false });
    for (const page of PAGES) {
      const browser = plainBrowser(server.url);
      const answer = await browser.ask(`${page}?a=1`);
      expect([answer.status, answer.headers.get("location")]).toEqual([
        303,
        `/dashboard/sign-in?next=${encodeURIComponent(`${page}?a=1`)}`,
      ]);
      // The way to a page is no one else's business either.
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("referrer-policy")).toBe("same-origin");
      const entry = await browser.get(`${page}?a=1`);
      expect(entry.html).toContain(`<input type="hidden" name="next" value="${page}?a=1"`);
      expect(entry.text).toContain("Sign in to continue.");
    }
    const browser = plainBrowser(server.url);
    const back = await browser.post("/dashboard/sign-in", {
      email,
      password: PASSWORD,
      next: "/dashboard/plan",
    });
    expect(back.path).toBe("/dashboard/plan");
    expect((await browser.ask("/dashboard/sign-in?next=/docs")).headers.get("location")).toBe("/docs");
  });

  test("a form leads to the sign-in, changes nothing, and comes back to its page", async () => {
    const browser = plainBrowser(server.url);
    const answer = await browser.post("/dashboard/keys/revoke", { confirm: "yes" });
    expect(answer.path).toBe("/dashboard/sign-in?next=%2Fdashboard%2Fkeys");
    expect(answer.text).toContain("Your session had ended, so nothing was changed.");
  });

  test("only a path of this site is gone on to", async () => {
    const { email } = await signedIn({ hasKey: false });
    const elsewhere = [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "/a\nb",
      `/${"a".repeat(501)}`,
      "",
    ];
    for (const next of elsewhere) {
      const browser = plainBrowser(server.url);
      const shown = await browser.post("/dashboard/sign-in", { email, password: PASSWORD, next });
      expect(shown.path, next).toBe("/dashboard");
      expect(
        (await browser.ask(`/dashboard/sign-in?next=${encodeURIComponent(next)}`)).headers.get("location"),
      ).toBe("/dashboard");
    }
  });

  test("an API key opens no page, and a bearer token none either", async () => {
    const { key } = await signedIn();
    const answer = await plainBrowser(server.url).ask("/dashboard/keys", {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(303);
  });
});

describe("every page", () => {
  test("of a person who has no key yet is shown; all but the account's offer the first key", async () => {
    const { browser } = await signedIn({ hasKey: false });
    for (const page of PAGES)
      expectShown(await browser.get(page), 200, page.endsWith("account") ? "Sessions" : "Create the key");
  });

  test("is for one person: never stored, no referrer elsewhere, no other origin reads it, nothing inline", async () => {
    const { browser } = await signedIn();
    const mailed = [
      "/dashboard/password-reset",
      "/dashboard/verify-email",
      "/verify-email",
      "/reset-password",
    ];
    for (const page of [...PAGES, ...mailed]) {
      const { status, headers, html } = await browser.get(page);
      expect([page, status]).toEqual([page, 200]);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("content-security-policy")).toContain("form-action 'self'");
      expect(html).not.toMatch(/ style="| on[a-z]+="/);
      expect(html).toContain('<meta name="robots" content="noindex"');
      expect(html).not.toMatch(KEY);
    }
  });

  test("takes forms from its own origin alone: another one, none, or null is 403 and changes nothing", async () => {
    const { browser, key } = await signedIn();
    for (const origin of [
      "https://evil.example",
      server.url.replace("127.0.0.1", "localhost"),
      "null",
      null,
    ]) {
      for (const form of ["/dashboard/keys/revoke", "/dashboard/sign-out", "/dashboard/account/delete"]) {
        const refused = await browser.post(form, { confirm: "yes" }, origin);
        expect([form, refused.status]).toEqual([form, 403]);
      }
      const entry = await plainBrowser(server.url).post(
        "/dashboard/sign-in",
        { email: "a@example.org", password: PASSWORD },
        origin,
      );
      expect(entry.status).toBe(403);
      expect(entry.text).toContain(`open ${server.url}/dashboard`);
    }
    expect(await works(key)).toBe(200);
    expect((await browser.get("/dashboard")).path).toBe("/dashboard");
  });

  test("takes forms as forms, and in bounds", async () => {
    const { browser } = await signedIn();
    const send = async (body: string, type: string) =>
      await browser.ask("/dashboard/webhooks", {
        method: "POST",
        body,
        headers: { "content-type": type, origin: server.url },
      });
    expect((await send("{}", "application/json")).status).toBe(415);
    expect((await send(`url=${"a".repeat(100_000)}`, "application/x-www-form-urlencoded")).status).toBe(413);
  });

  test("says what a form came to on the next page, once", async () => {
    const { browser } = await signedIn();
    const rotated = await browser.post("/dashboard/keys/rotate");
    expect(rotated.text).toContain("Your new key is active.");
    expect((await browser.get("/dashboard/keys")).text).not.toContain("Your new key is active.");
  });
});

describe("keys", () => {
  test("the first comes by one click and works; it is shown on request, and in no address", async () => {
    const { browser } = await signedIn({ hasKey: false });
    expect((await browser.get("/dashboard")).text).toContain("Create your first API key");
    const made = await browser.post("/dashboard/keys/first");
    const key = KEY.exec(made.html)?.[0] ?? "";
    expect(await works(key)).toBe(200);
    expect((await browser.get("/dashboard/keys")).html).not.toContain(key);
    const shown = await browser.post("/dashboard/keys/reveal");
    expect([shown.path, KEY.exec(shown.html)?.[0]]).toEqual(["/dashboard/keys/reveal", key]);
    // The first call is whole: it can be copied and works.
    expect(shown.text).toContain(`Bearer ${key}`);
  });

  test("a rotated one works for its grace, counted down; a second rotation within it has to be confirmed", async () => {
    const { browser, key, account } = await signedIn();
    const page = await browser.post("/dashboard/keys/rotate");
    const left = Number(/data-countdown="(\d+)"/.exec(page.html)?.[1]);
    expect(left).toBeGreaterThan(24 * 3600 - 60);
    expect(left).toBeLessThanOrEqual(24 * 3600);
    const newer = (await account()).key?.plaintext ?? "";
    expect([await works(key), await works(newer)]).toEqual([200, 200]);
    const unsure = await browser.post("/dashboard/keys/rotate");
    expect([unsure.status, await works(key)]).toEqual([422, 200]);
    await browser.post("/dashboard/keys/rotate", { confirm: "yes" });
    expect([await works(key), await works(newer)]).toEqual([401, 200]);
  });

  test("a form for rotating that is sent twice, or kept open in another window, replaces only the key that it showed", async () => {
    const { browser, key } = await signedIn();
    const { html } = await browser.get("/dashboard/keys");
    const [, shown = ""] = /name="key" value="([^"]*)"/.exec(html) ?? [];
    const form = { key: shown, confirm: "yes" };
    const rotate = () => browser.post("/dashboard/keys/rotate", form);
    const answers = await Promise.all([rotate(), rotate()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expectShown(await rotate(), 409, "This key was replaced before, so nothing was changed now");
    expect(await works(key)).toBe(200);
  });

  test("are revoked only with the box ticked, all at once, and listed as ended", async () => {
    const { browser, key } = await signedIn();
    const unsure = await browser.post("/dashboard/keys/revoke");
    expect([unsure.status, await works(key)]).toEqual([422, 200]);
    const done = await browser.post("/dashboard/keys/revoke", { confirm: "yes" });
    for (const text of [done.text, (await browser.get("/dashboard")).text])
      expect(text).toContain("You have no active key.");
    expect(done.html).toContain(`${key.slice(0, 12)}…`);
    expect(await works(key)).toBe(401);
  });
});

test("usage counts calls against the quota, and refusals by their reason", async () => {
  const { browser, key, account } = await signedIn();
  const statuses = [];
  for (let call = 0; call < 14; call++) statuses.push(await works(key));
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  const { org } = await account();
  usage.limited(org.id, "", "month");
  const text = (await browser.get("/dashboard")).text;
  expect(text).toContain("12 of 10,000 calls 9,988 left.");
  expect(text).not.toContain("You have no active key.");
  expect(text).toContain("12 requests served and 3 refused in the last 30 days");
  // Not how many a minute: the plan may have been another one on those days.
  expect(text).toMatch(/Over the calls a minute of the plan rate_limited 2 /);
  expect(text).toMatch(/Over the monthly quota quota_exceeded 1 /);

  const ownerId = (await ledger.organizations.byId(org.id))?.ownerId ?? "";
  const yesterday = { day: dayAt(NOON) - 1, served: 9_988, rateLimited: 10_000, quotaExceeded: 0 };
  const written = { organizationId: org.id, ownerId, ...yesterday, calls: 9_988 };
  await ledger.usage.apply("of yesterday", [written], NOON);
  const full = await browser.get("/dashboard");
  expect(full.text).toContain(
    "10,000 of 10,000 calls The quota is used up: calls are refused until it resets.",
  );
  expect(full.html).toContain('<progress class="quota full" max="10000" value="10000"');
  expect(full.text).toContain("13 Apr 2026 9,988 10,000 12 Apr 2026 0 0 ");
  // The bars of a day stand on each other, and the highest day is as high as the chart.
  expect(full.html).toContain(
    '<title>13 Apr 2026: 9,988 served, 10,000 refused</title><rect class="hit" x="280" y="0" width="10" height="100"></rect>',
  );
  const bars = [...full.html.matchAll(/<rect [^>]*x="2[89]0" y="([\d.]+)" width="7" height="([\d.]+)"/g)];
  expect(bars.map(([, ...place]) => place.map((number) => Math.round(Number(number))))).toEqual([
    [50, 50],
    [0, 50],
    [99, 1],
    [98, 1],
  ]);
});

test("a suspended organization is told so wherever it matters, and is offered nothing that would be refused", async () => {
  const { browser, account } = await signedIn({ tier: "plus" });
  await server.change((await account()).org.id, { status: "suspended" });
  for (const [path, said, form] of [
    ["/dashboard", "Your organization is suspended and its keys are refused.", "/dashboard/none"],
    ["/dashboard/webhooks", "Your organization is suspended: nothing is sent.", "/dashboard/webhooks"],
    ["/dashboard/account", "Only the operator of this server can delete it.", "/dashboard/account/delete"],
  ] as const) {
    const { html, text } = await browser.get(path);
    expect(text).toContain(said);
    expect(html).not.toContain(`action="${form}"`);
  }
});

describe("plans", () => {
  async function paymentMissing(organization: string, days: number): Promise<void> {
    const at = server.clock.now();
    const missing = { status: "past_due", pastDueSince: at - days * 86_400_000 } as const;
    await ledger.organizations.change(organization, missing, { at, actor: "billing" });
  }

  test("are listed with prices; an order leads to the payment provider by a page of this site", async () => {
    const { browser } = await signedIn();
    expect((await browser.get("/dashboard/plan")).text).toContain("$10 a month");
    const order = await browser.post("/dashboard/plan/checkout", { plan: "basic", interval: "monthly" });
    const url = order.headers.get("refresh")?.replace("0; url=", "") ?? "";
    expect(url).toStartWith(server.stripe.base);
    expect(order.html).toContain(`href="${url}"`);
    expect(order.status).toBe(200);
  });

  test("a button for a subscription that has ended meanwhile sells nothing: it says so", async () => {
    const { browser } = await signedIn();
    const answer = await browser.post("/dashboard/plan/portal");
    expectShown(answer, 409, "There is no subscription any more");
    expect(answer.headers.get("refresh")).toBeNull();
  });

  test("of a name or interval that is not sold are refused on the page", async () => {
    const { browser } = await signedIn();
    for (const order of [{ plan: "plus", interval: "monthly" }, { plan: "pro", interval: "daily" }, {}]) {
      const refused = await browser.post("/dashboard/plan/checkout", order as Record<string, string>);
      expect(refused.status).toBe(422);
      expect(refused.html).toContain('role="alert"');
    }
  });

  test("a missing payment is shown with its days of grace, and its end", async () => {
    const { browser, account } = await signedIn({ tier: "pro" });
    const { org } = await account();
    await paymentMissing(org.id, 2);
    const within = (await browser.get("/dashboard/plan")).text;
    expect(within).toContain("Your plan stays active for 5 more days");
    await paymentMissing(org.id, 8);
    const over = (await browser.get("/dashboard/plan")).text;
    expect(over).toContain("Your plan has ended");
    expect(over).toContain("Free until Pro is paid");
  });

  test("a payment that the provider has given up on leaves no days of grace: the page promises none", async () => {
    const { browser, account } = await signedIn();
    await paymentMissing((await account()).org.id, 2);
    for (const path of ["/dashboard", "/dashboard/plan"]) {
      const { text } = await browser.get(path);
      expect(text).toContain("Your plan has ended: the limits of the free plan apply until you pay.");
      expect(text).not.toContain("stays active");
    }
  });

  test("a subscription that has ended or is paused is said to be the reason for the free plan", async () => {
    const { browser, account } = await signedIn();
    const { org } = await account();
    const shown = async () => (await browser.get("/dashboard/plan")).text;
    expect(await shown()).not.toContain("last subscription");
    await server.change(org.id, { billingSubscriptionId: `sub_${org.id}` });
    expect(await shown()).toContain("Your subscription is paused");
    // A browser comes back from the provider before its report does.
    expect(await shown()).toContain("shown here once the provider reports it");
    await server.change(org.id, { status: "canceled", billingSubscriptionId: null });
    const ended = await shown();
    expect(ended).toContain("Your last subscription has ended: the limits of the free plan apply.");
    expect(ended).not.toContain("paused");
  });
});

describe("webhooks", () => {
  const form = (url: string, description = "") => [
    ["url", url],
    ["description", description],
    ["events", "official.published"],
    ["events", "official.corrected"],
  ];
  const addressIn = (html: string) => /data-address="(\/dashboard\/webhooks\/whe_\w+)"/.exec(html)?.[1] ?? "";

  test("an endpoint's secret is shown once; a test event shows its attempt; it is replayed, disabled, enabled, deleted", async () => {
    const receiver = startReceiver();
    const { browser } = await signedIn({ tier: "plus" });
    const made = await browser.post("/dashboard/webhooks", form(`${receiver.url}/hook`, "Ledger"));
    const address = addressIn(made.html);
    const secret = /whsec_\w{32}/.exec(made.html)?.[0];
    expect([made.status, secret]).toEqual([201, expect.any(String)]);
    expect((await browser.get(address)).html).not.toContain(secret);
    const rotated = await browser.post(`${address}/rotate`);
    expect(/whsec_\w{32}/.exec(rotated.html)?.[0]).not.toBe(secret as string);

    expect((await browser.post(`${address}/test`)).path).toBe(address);
    await receiver.came(1);
    const delivered = async () => {
      for (let look = 0; look < 100; look++) {
        const { html, text } = await browser.get(address);
        if (html.includes('data-pending="no"')) return text;
        await Bun.sleep(10);
      }
      throw new Error("the test event stays under way");
    };
    expect(await delivered()).toMatch(/Test event delivered evt_test_\d+ .* status 200 \d+ ms, 127\.0\.0\.1/);
    const [, delivery = ""] =
      /name="delivery" value="(whd_\w+)"/.exec((await browser.get(address)).html) ?? [];
    await browser.post(`${address}/replay`, { delivery });
    await receiver.came(2);

    const disabled = await browser.post(`${address}/disable`);
    expect(disabled.text).toContain("disabled Nothing is sent to it until you enable it again");
    const refused = await browser.post(`${address}/test`);
    expectShown(refused, 409, "The endpoint is disabled");
    // Saving the settings of this page must not take away what was not changed.
    expect(refused.html).toContain('value="Ledger"');
    expect((await browser.post(`${address}/enable`)).text).toContain("active Events are sent to it");

    const changed = await browser.post(address, form(`${receiver.url}/other`, "Books"));
    expect(changed.text).toContain(`${receiver.url}/other`);
    expect((await browser.post(`${address}/delete`)).status).toBe(422);
    expect((await browser.post(`${address}/delete`, { confirm: "yes" })).path).toBe("/dashboard/webhooks");
    const gone = await browser.get(address);
    expectShown(gone, 404, "The page may have been removed.");
    expect(receiver.received).toHaveLength(2);
  });

  const tickedIn = (html: string) =>
    [...html.matchAll(/<input[^>]*name="events" value="([\w.]+)" checked/g)].map(([, type]) => type);

  test("a wrong address is refused with what is wrong, at its field, with what was typed and ticked", async () => {
    const { browser } = await signedIn({ tier: "plus" });
    const refused = await browser.post("/dashboard/webhooks", [
      ["url", "ftp://x"],
      ["description", "Ledger"],
    ]);
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/Address: .*\. Events: Choose at least one\./);
    expect(refused.html).toMatch(/<input[^>]*id="url"[^>]*value="ftp:\/\/x"[^>]*aria-invalid="true"/);
    expect(refused.html).toContain('value="Ledger"');
    expect(tickedIn(refused.html)).toEqual([]);
    const address = addressIn((await browser.post("/dashboard/webhooks", form("http://127.0.0.1:9/a"))).html);
    for (const path of ["/dashboard/webhooks", address]) {
      const wrong = await browser.post(path, { url: "ftp://x", events: "official.corrected" });
      expect(tickedIn(wrong.html)).toEqual(["official.corrected"]);
    }
  });

  test("beyond the plan are shown as such, and a plan without room offers no form", async () => {
    const { browser, account } = await signedIn({ tier: "plus" });
    await browser.post("/dashboard/webhooks", form("http://127.0.0.1:9/a"));
    await server.setTier((await account()).org.id, "free");
    const { html, text } = await browser.get("/dashboard/webhooks");
    expect(text).toContain("The Free plan has no webhook endpoints.");
    expect(text).toContain("over the plan's limit");
    expect(html).not.toContain('action="/dashboard/webhooks"');
  });

  test("those of another person do not exist", async () => {
    const [one, other] = [await signedIn({ tier: "plus" }), await signedIn({ tier: "plus" })];
    const address = addressIn(
      (await one.browser.post("/dashboard/webhooks", form("http://127.0.0.1:9/a"))).html,
    );
    for (const verb of ["", "/test", "/rotate", "/disable", "/delete"])
      expect(
        (await other.browser.post(address + verb, [...form("http://127.0.0.1:9/b"), ["confirm", "yes"]]))
          .status,
      ).toBe(404);
    expect((await other.browser.get(address)).status).toBe(404);
  });
});

describe("the account", () => {
  test("sessions are listed and ended, one or all others", async () => {
    const { browser, email } = await signedIn({ hasKey: false });
    const others = [plainBrowser(server.url), plainBrowser(server.url), plainBrowser(server.url)];
    for (const other of others) await other.post("/dashboard/sign-in", { email, password: PASSWORD });
    const { html } = await browser.get("/dashboard/account");
    const [, session = ""] = /name="session" value="(ses_\w+)"/.exec(html) ?? [];
    expect((await browser.post("/dashboard/account/sessions/end", { session })).text).toContain(
      "The session has ended.",
    );
    await browser.post("/dashboard/account/sessions/end-others");
    for (const other of others)
      expect((await other.get("/dashboard")).path).toStartWith("/dashboard/sign-in");
    expect((await browser.get("/dashboard")).path).toBe("/dashboard");
  });

  test("the password is changed with the present one, which is never shown again", async () => {
    const { browser, email } = await signedIn({ hasKey: false });
    const wrong = await browser.post("/dashboard/account/password", {
      current: "not this one at all",
      new: `${PASSWORD}!`,
    });
    expectShown(wrong, 401, "The current password is wrong.");
    expect(wrong.html).not.toContain("not this one at all");
    const weak = await browser.post("/dashboard/account/password", { current: PASSWORD, new: "short" });
    expectShown(weak, 422, "New password: too short");
    await browser.post("/dashboard/account/password", { current: PASSWORD, new: `${PASSWORD}!` });
    const again = await plainBrowser(server.url).post("/dashboard/sign-in", {
      email,
      password: `${PASSWORD}!`,
    });
    expect(again.path).toBe("/dashboard");
  });

  test("the operator's policy is accepted once", async () => {
    const { browser } = await signedIn({ hasKey: false });
    expect((await browser.get("/dashboard/account")).text).toContain("version 2026-01 , not accepted yet");
    const { html, text } = await browser.post("/dashboard/account/policy", { policy_version: "2026-01" });
    expect(text).toContain("Version 2026-01, accepted 14 Apr 2026");
    expect(html).not.toContain("Accept version");
  });

  test("is deleted only with its address typed; then nothing of it opens anything", async () => {
    const { browser, email, key } = await signedIn();
    const unsure = await browser.post("/dashboard/account/delete", { confirm: "yes" });
    expect([unsure.status, await works(key)]).toEqual([422, 200]);
    const done = await browser.post("/dashboard/account/delete", { confirm: email.toUpperCase() });
    expect([done.path, done.text]).toEqual(["/dashboard/sign-in", expect.stringContaining("was deleted")]);
    expect(await works(key)).toBe(401);
    expect((await browser.get("/dashboard")).path).toStartWith("/dashboard/sign-in");
  });

  test("signing out ends the session for good", async () => {
    const { browser } = await signedIn({ hasKey: false });
    const before = new Map(browser.cookies);
    expect((await browser.post("/dashboard/sign-out")).path).toBe("/dashboard/sign-in");
    for (const [name, value] of before) browser.cookies.set(name, value);
    const { path, text } = await browser.get("/dashboard");
    expect(path).toStartWith("/dashboard/sign-in");
    expect(text).toContain("Your session has ended. Sign in again to return to your page.");
  });
});

describe("entry", () => {
  test("of a browser that keeps no cookies says so, instead of the same form again", async () => {
    const { email } = await signedIn();
    const browser = plainBrowser(server.url);
    const answer = await browser.ask("/dashboard/sign-in", {
      ...{ method: "POST", body: new URLSearchParams({ email, password: PASSWORD }) },
      headers: { origin: server.url },
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard"]);
    browser.cookies.clear();
    const headers = { referer: `${server.url}/dashboard/sign-in` };
    const back = await browser.ask("/dashboard", { headers });
    const shown = await browser.ask(back.headers.get("location") ?? "", { headers });
    expect(textOf(await shown.text())).toContain("your browser did not keep the cookie of this site");
    // Its own link "Sign in" is no such sign.
    const again = await browser.ask("/dashboard/sign-in", { headers });
    expect(await again.text()).not.toContain("did not keep");
  });

  test("a wrong password, a taken address and a weak password are sentences with the address still typed", async () => {
    const { email } = await signedIn({ hasKey: false });
    const browser = plainBrowser(server.url);
    const wrong = await browser.post("/dashboard/sign-in", { email, password: "wrong wrong wrong" });
    expectShown(wrong, 401, "The e-mail address or the password is wrong.");
    expect(wrong.html).toContain(`value="${email}"`);
    expect(wrong.html).not.toContain("wrong wrong wrong");
    const taken = await browser.post("/dashboard/sign-up", { email, password: PASSWORD });
    expectShown(taken, 409, "This e-mail address has an account");
    const weak = await browser.post("/dashboard/sign-up", {
      email: "new@example.org",
      password: "1234567890",
    });
    expectShown(weak, 422, "Password: too common");
  });

  test("too many attempts say how long to wait", async () => {
    const browser = plainBrowser(server.url);
    const tried = { email: "nobody@example.org", password: PASSWORD };
    for (let attempt = 0; attempt < 10; attempt++) await browser.post("/dashboard/sign-in", tried);
    const refused = await browser.post("/dashboard/sign-in", tried);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(refused.text).toMatch(/Too many attempts\. Try again in \d+ (minutes|seconds)\./);
  });
});

test("secrets are in no line of the log", async () => {
  const { browser, key } = await signedIn({ tier: "plus" });
  await browser.post("/dashboard/webhooks", { url: HOSTILE });
  const log = JSON.stringify(server.emitted);
  expect(log).not.toContain(key);
  expect(log).not.toContain(PASSWORD);
  for (const [, value] of browser.cookies) expect(log).not.toContain(value);
});

test("while the ledger is away a page says so, with 503 and when to come back", async () => {
  const { browser } = await signedIn();
  const { byOwner } = ledger.organizations;
  const { LedgerUnavailable } = await import("#domain/account/ledger.ts");
  ledger.organizations.byOwner = async () => {
    throw new LedgerUnavailable("a test");
  };
  try {
    const { status, headers, text } = await browser.get("/dashboard");
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(text).toContain("Accounts cannot be reached at the moment");
    // Nobody who may be signed in is asked to sign in.
    const look = spyOn(ledger.sessions, "find").mockRejectedValue(new LedgerUnavailable("a test"));
    expect((await browser.ask("/dashboard/sign-in")).status).toBe(503);
    look.mockRestore();
  } finally {
    ledger.organizations.byOwner = byOwner;
  }
});

test("nothing of it exists where access is open, and no page leads there", async () => {
  const open = openTestApp({ identity: null });
  for (const path of [
    ...PAGES,
    "/dashboard/sign-in",
    "/dashboard/sign-up",
    "/account",
    "/verify-email",
    "/reset-password",
  ]) {
    expect([path, (await open.visit(path)).status]).toEqual([path, 404]);
    expect((await open.visit(path, { method: "POST" })).status).toBe(404);
  }
  expect(await (await open.visit("/")).text()).not.toContain("/dashboard");
});

const BEHIND = OPERATIONS.filter(
  ({ tag, id }) => ["Account", "Sign-in", "Billing"].includes(tag) && id !== "receiveBillingEvent",
);
const CODES = [...new Set([...BEHIND, ...DASHBOARD_OPERATIONS].flatMap(({ refusals }) => refusals))];

describe("sentences", () => {
  test("each begins with a capital, ends with a full stop, and names no operation, status or placeholder", () => {
    expect(CODES.length).toBeGreaterThan(15);
    for (const code of CODES) {
      const { message } = errorExample(code);
      const sentence = sentenceOf({ code, message, retryAfterSeconds: 90, issues: [] });
      expect(sentence).toMatch(/^[A-Z].*[.!?]$/);
      expect(sentence, code).not.toMatch(/[{}]|_/);
      if (code !== "conflict") expect(sentence, code).not.toMatch(/\/v1|POST|GET/);
    }
  });

  test("a wait is in words", () => {
    expect([1, 59.2, 119, 120, 3599, 7200, 86_400].map(waitText)).toEqual([
      "1 second",
      "60 seconds",
      "119 seconds",
      "2 minutes",
      "60 minutes",
      "2 hours",
      "24 hours",
    ]);
  });
});
