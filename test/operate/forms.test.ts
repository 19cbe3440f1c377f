/**
 * The operators' pages over real HTTP on a real ledger: what a search and the overview show, what a form changes, what is written
 * down; and HEAD of every page.
 */

import { expect, test } from "bun:test";
import { renderToString } from "preact-render-to-string";
import { dayAt } from "#domain/time/day.ts";
import { assertSameHead } from "#test/api/head.ts";
import { bearer, join, post, signUp } from "#test/metered/client.ts";
import { NOON } from "#test/metered/history.ts";
import { Failing } from "#web/operator/overview.tsx";
import { type Fields, openAdminFixture } from "./server.ts";

const server = await openAdminFixture();
const personOf = async (organizationId: string) =>
  `/operator/people/${(await server.ledger().organizations.byId(organizationId))?.ownerId}`;
const page = async (path: string) => {
  const answer = await server.open(path);
  expect(`${path} ${answer.status}`).toBe(`${path} 200`);
  return (await answer.text()).replaceAll("&amp;", "&");
};
const text = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const people = (html: string) =>
  [...html.matchAll(/href="\/operator\/people\/(\w+)"/g)].map(([, id]) => id ?? "");

test("every person once, in pages, those without an organization too", async () => {
  const by = { at: server.clock.now(), actor: "system" } as const;
  const made: string[] = [];
  for (let nth = 0; nth < 55; nth++) {
    const facts = { email: `p${nth}@example.net`, passwordHash: null, emailVerifiedAt: null, role: "user" };
    const identity = await server.ledger().identities.create(facts as never, by);
    if (identity !== "email_taken") made.push(identity.id);
  }
  const first = await page("/operator");
  const next = /href="(\/operator\?after=[^"]+)"/.exec(first)?.[1] ?? "";
  const second = await page(next);
  const shown = [...people(first), ...people(second)];
  expect(new Set(shown).size).toBe(shown.length);
  expect(made.filter((id) => !shown.includes(id))).toEqual([]);
});

test("the plan of an organization that pays by subscription is given, with a warning", async () => {
  const { organizationId: id } = await join(server.replica.url);
  const by = { at: server.clock.now(), actor: "billing" } as const;
  await server.ledger().organizations.change(id, { billingSubscriptionId: "sub_1" }, by);
  const answer = await server.submit(`${await personOf(id)}/organization/tier`, { tier: "pro" });
  expect(await page(answer.headers.get("location") ?? "")).toContain(
    "This organization pays by subscription",
  );
  expect((await server.ledger().organizations.byId(id))?.tier).toBe("pro");
});

test("a reset link works once, is the operator's in the audit log, and its token is not", async () => {
  const { email, token } = await signUp(server.replica.url);
  const id = (await server.ledger().identities.byEmail(email))?.id;
  const html = await (await server.submit(`/operator/people/${id}/reset-link`)).text();
  const [, secret = ""] = /\/reset-password#token=([^<\s]+)/.exec(html) ?? [];
  expect(secret).not.toBe("");
  expect(await page(`/operator/people/${id}`)).not.toContain(secret);
  const entries = await server.audit(`identity:${id}`);
  expect(entries[0]).toMatchObject({ actor: "operator", action: "token.issued" });
  expect(JSON.stringify(entries)).not.toContain(secret);
  const confirm = `${server.replica.url}/v1/auth/password-reset/confirm`;
  const set = { token: secret, new: "nine herons over the weir" };
  const statuses = [(await fetch(confirm, post(set))).status, (await fetch(confirm, post(set))).status];
  expect(statuses).toEqual([200, 422]);
  // A caller with a session has to sign in with the new password.
  const me = await fetch(`${server.replica.url}/v1/auth/me`, { headers: bearer(token) });
  expect(me.status).toBe(401);
});

test("a person of an identity provider has no password to set: 409", async () => {
  const subject = { iss: "https://id.example.org", sub: "1" };
  const by = { at: server.clock.now(), actor: "system" } as const;
  const facts = { email: null, emailVerifiedAt: null };
  const { identity } = await server.ledger().identities.ensureExternal(subject, facts, by);
  expect((await server.submit(`/operator/people/${identity.id}/reset-link`)).status).toBe(409);
});

/** A person with a key that has been used: the server remembers it. */
async function caller() {
  const member = await join(server.replica.url);
  expect((await server.called(member.key)).status).toBe(200);
  const { organizationId } = member;
  const identityId = (await server.ledger().organizations.byId(organizationId))?.ownerId ?? "";
  const keyId = (await server.ledger().keys.list(organizationId))[0]?.id ?? "";
  const act = async (form: string, fields: Fields = {}) =>
    (await server.submit(`/operator/people/${identityId}/${form}`, { confirm: "yes", ...fields })).status;
  return { ...member, keyId, identityId, act };
}

test("a revoked key is 401, and stays so", async () => {
  const { key, keyId, organizationId, act } = await caller();
  for (const form of ["revoke", "suspend", "organization/suspend"])
    expect(await act(form, { key: keyId, confirm: "" })).toBe(422);
  expect((await server.called(key)).status).toBe(200);
  expect(await act("revoke", { key: keyId })).toBe(303);
  expect((await server.called(key)).status).toBe(401);
  expect(await act("revoke", { key: keyId })).toBe(404);
  expect((await server.called(key)).status).toBe(401);
  expect((await server.audit(`organization:${organizationId}`))[0]).toMatchObject({
    actor: "operator",
    action: "key.revoked",
    detail: { key: keyId },
  });
});

test("a page of a person has the plan in force, also where another is set, the calls of the month against its quota, and what is suspended", async () => {
  const { organizationId, identityId, act } = await caller();
  const at = server.clock.now();
  const overdue = { tier: "pro", status: "past_due", pastDueSince: at - 8 * 86_400_000 } as const;
  const by = { at, actor: "billing" } as const;
  await server.ledger().organizations.change(organizationId, overdue, by);
  const used = { day: dayAt(at), served: 1233, rateLimited: 0, quotaExceeded: 0, calls: 1233 };
  await server.ledger().usage.apply("used", [{ organizationId, ownerId: identityId, ...used }], at);
  await server.replica.crossrate.accounts?.usage.flush();
  const own = async () => text(await page(`/operator/people/${identityId}`));
  expect(await own()).toContain(
    "Plan pro, limited to free Status past due Payment overdue since 6 Apr 2026, 12:00:00 UTC Calls this month 1,234 of 10,000",
  );
  const given = await server.submit(`/operator/people/${identityId}/organization/tier`, { tier: "plus" });
  const after = text(await page(given.headers.get("location") ?? ""));
  expect(after).toContain("The plan is set, and not in force until the missing payment is made.");
  expect(after).toContain("Plan plus, limited to free");
  await server.ledger().organizations.change(organizationId, overdue, by);
  const row = async () => text(await page(`/operator?who=${identityId}`));
  expect(await row()).toContain("pro, limited to free past due");
  await act("suspend");
  expect(await row()).toContain("pro, limited to free person suspended");
  expect(await own()).toMatch(/Suspended 14 Apr 2026, .* End the suspension/);
});

test("a key is revoked on the page of its owner alone", async () => {
  const [{ act }, other] = [await caller(), await caller()];
  expect(await act("revoke", { key: other.keyId })).toBe(404);
  expect((await server.called(other.key)).status).toBe(200);
});

test("another tier is another limit, up and down again", async () => {
  const { key, act } = await caller();
  const limits = [(await server.called(key)).limit];
  for (const tier of ["pro", "free"]) {
    expect(await act("organization/tier", { tier })).toBe(303);
    limits.push((await server.called(key)).limit);
  }
  expect(limits[1]).not.toBe(limits[0]);
  expect(Number(limits[1])).toBeGreaterThan(Number(limits[0]));
  expect(limits[2]).toBe(limits[0]);
});

test("a suspended person's key and session are refused; after the resumption the key works, and the session has ended", async () => {
  const { key, token, identityId, act } = await caller();
  const session = async () =>
    (await fetch(`${server.replica.url}/v1/auth/me`, { headers: bearer(token) })).status;
  const suspendedAt = async () => (await server.ledger().identities.byId(identityId))?.suspendedAt;
  expect(await session()).toBe(200);
  expect(await act("suspend")).toBe(303);
  expect(await suspendedAt()).toBe(server.clock.at);
  expect([(await server.called(key)).status, await session()]).toEqual([403, 403]);
  expect(await act("resume")).toBe(303);
  expect(await suspendedAt()).toBeNull();
  expect([(await server.called(key)).status, await session()]).toEqual([200, 401]);
});

test("the overview has the calls and the refusals of each day, and the sources with their last result", async () => {
  const { organizationId } = await join(server.replica.url);
  const ownerId = (await server.ledger().organizations.byId(organizationId))?.ownerId ?? "";
  const day = dayAt(server.clock.now()) - 1;
  const counts = { served: 1234, rateLimited: 50, quotaExceeded: 20, calls: 1234 };
  await server.ledger().usage.apply("overview", [{ organizationId, ownerId, day, ...counts }], 0);
  const shown = text(await page("/operator/overview"));
  expect(shown).toContain("13 Apr 2026 1,234 30 20");
  expect(shown).toContain("None: every event was delivered.");
  expect(shown).toMatch(/European Central Bank .* never .* Collect now/);
});

test("a collection is refused where this process does not collect, and for an unknown source", async () => {
  const answer = await server.submit("/operator/overview/collect", { source: "ecb_daily" });
  expect([answer.status, text(await answer.text())]).toEqual([
    409,
    expect.stringContaining("this process does not collect"),
  ]);
  expect((await server.submit("/operator/overview/collect", { source: "nothing" })).status).toBe(404);
  expect(await server.audit("source:ecb_daily")).toEqual([]);
});

test("the audit log has addresses and times, not ids and milliseconds", async () => {
  const { email } = await join(server.replica.url);
  const id = (await server.ledger().identities.byEmail(email))?.id ?? "";
  await server.submit(`/operator/people/${id}/suspend`, { confirm: "yes" });
  const shown = text(await page(`/operator/audit?subject=identity:${id}`));
  expect(shown).toContain(`identity of ${email}`);
  expect(shown).not.toMatch(/\d{13}/);
});

test("an endpoint that fails is shown with its owner and when it is tried next", () => {
  const failing = [
    {
      ...{
        endpointId: "whe_1",
        url: "https://hooks.example.com/a",
        ownerId: "idn_1",
        owner: "a@example.org",
      },
      ...{ deliveries: 12, lastAt: NOON, nextAt: null },
    },
  ];
  const page = renderToString(Failing({ failing }));
  expect(text(page)).toContain("https://hooks.example.com/a a@example.org 12 14 Apr 2026");
  expect(page).toContain('href="/operator/people/idn_1"');
  expect(text(page)).toContain("none, gave up");
});

const PATHS = [
  ...["/", "/operator", "/operator/", "/operator/sign-in", "/operator/audit", "/operator/figures"],
  ...["/operator/nowhere", "/operator/people/idn_none", "/site/site.css", "/favicon.ico", "/nowhere"],
];

test.each(PATHS)("HEAD of %s, signed in or not", async (path) => {
  await assertSameHead(`${server.url}${path}`, {});
  await assertSameHead(`${server.url}${path}`, { cookie: await server.signIn() });
});
