/** Each verb over real HTTP on a real ledger: what it answers, what it changes, what is written down. */

import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { operatorTools } from "#accounts/account/operator-tools.ts";
import { accountsCommand } from "#commands/accounts/accounts.ts";
import { openTokens } from "#gateways/tokens.ts";
import { random } from "#test/accounts/account/fixture.ts";
import { captured } from "#test/commands/captured.ts";
import { bearer, type Json, join, type Member, post, signUp } from "#test/metered/client.ts";
import { type AdminFixture, onBothAdminServers } from "./server.ts";

setDefaultTimeout(30_000);
const encoded = encodeURIComponent;

onBothAdminServers("each verb", (server) => {
  let member: Member;
  let identityId: string;
  beforeAll(async () => {
    member = await join(server.replica.url, "ada@example.org");
    const { accounts } = await server.get("/admin/accounts/find?who=ada@example.org");
    identityId = accounts[0].identity.id;
  });

  describe("looking", () => {
    test("every person once, in pages, with organization and tier; the last page is marked", async () => {
      for (let more = 0; more < 4; more++) await signUp(server.replica.url);
      const seen: string[] = [];
      let next = "";
      do {
        const page = await server.get(`/admin/accounts?limit=2&after=${next}`);
        expect(page.result).toBe("success");
        expect(page.accounts.length).toBeLessThanOrEqual(2);
        seen.push(...page.accounts.map(({ identity }: Json) => identity.id));
        next = page.next_after;
      } while (next !== null);
      const whole = await server.get("/admin/accounts");
      expect(whole.next_after).toBeNull();
      expect(seen).toEqual(whole.accounts.map(({ identity }: Json) => identity.id));
      expect(new Set(seen).size).toBe(seen.length);
      const found = whole.accounts.find(({ identity }: Json) => identity.id === identityId);
      expect(found.organization).toMatchObject({ id: member.organizationId, owner: identityId });
      expect(whole.accounts.filter(({ organization }: Json) => organization === null)).not.toEqual([]);
    });

    test("one person by address, ids, and a key or its beginning, as the command line prints it", async () => {
      const { ledger, vault, publicUrl } = server.replica.crossrate.accounts as NonNullable<
        AdminFixture["replica"]["crossrate"]["accounts"]
      >;
      const tools = { vault, tokens: openTokens(random), publicUrl, clock: server.clock };
      for (const who of [
        "ADA@example.org",
        identityId,
        member.organizationId,
        member.key,
        member.key.slice(0, 12),
      ]) {
        const { text, context } = captured();
        const command = accountsCommand(async () =>
          operatorTools({ ledger: { ...ledger, close: async () => {} }, ...tools }),
        );
        await command.run(context(["find", who, "--json"]));
        const { accounts } = await server.get(`/admin/accounts/find?who=${encoded(who)}`);
        expect(accounts).toHaveLength(1);
        expect(accounts).toEqual(JSON.parse(text.out));
      }
    });

    test("a search without a result is an empty list", async () => {
      for (const who of ["nobody@example.org", "org_nothing", "idn_nothing", "fxk_nothing", "who"]) {
        expect(await server.get(`/admin/accounts/find?who=${who}`)).toEqual({
          result: "success",
          accounts: [],
        });
      }
    });

    test("an organization's keys, and what was done to it, newest first", async () => {
      const id = member.organizationId;
      const { keys } = await server.get(`/admin/organizations/${id}/keys`);
      expect(keys).toMatchObject([{ state: "active", organization: id, prefix: member.key.slice(0, 12) }]);
      await server.post(`/admin/organizations/${id}/tier`, { tier: "plus" });
      const { entries } = await server.get(`/admin/audit?subject=organization:${id}`);
      expect(entries.length).toBeGreaterThanOrEqual(2);
      expect(entries[0]).toMatchObject({ actor: "operator", subject: `organization:${id}` });
      expect((await server.get("/admin/audit?limit=1")).entries).toEqual([entries[0]]);
    });
  });

  describe("changing", () => {
    const last = async (subject: string) =>
      (await server.get(`/admin/audit?limit=1&subject=${subject}`)).entries[0];

    test.each(["basic", "pro", "free"])("the tier %s", async (tier) => {
      const id = member.organizationId;
      const { organization, warning } = await server.post(`/admin/organizations/${id}/tier`, { tier });
      expect(organization).toMatchObject({ id, tier, tier_in_force: tier });
      expect(warning).toBeUndefined();
      expect(await last(`organization:${id}`)).toMatchObject({
        actor: "operator",
        action: "organization.changed",
      });
    });

    test("the tier of an organization that pays by subscription is set, and answered with a warning", async () => {
      const { organizationId: id } = await join(server.replica.url);
      const by = { at: server.clock.now(), actor: "billing" } as const;
      const { ledger } = server.replica.crossrate.accounts ?? {};
      await ledger?.organizations.change(id, { billingSubscriptionId: "sub_1" }, by);
      const { organization, warning } = await server.post(`/admin/organizations/${id}/tier`, { tier: "pro" });
      expect([organization.tier, warning]).toEqual(["pro", expect.stringContaining("subscription")]);
    });

    test("resuming an organization whose payment is missing leaves it past due", async () => {
      const { organizationId: id } = await join(server.replica.url);
      const by = { at: server.clock.now(), actor: "billing" } as const;
      const { ledger } = server.replica.crossrate.accounts ?? {};
      await ledger?.organizations.change(id, { status: "past_due", pastDueSince: by.at }, by);
      const verb = async (operation: string) =>
        (await server.post(`/admin/organizations/${id}/${operation}`)).organization.status;
      expect([await verb("suspend"), await verb("resume")]).toEqual(["suspended", "past_due"]);
    });

    test("a reset link works once, is the operator's in the audit log, and its token is not", async () => {
      const { email, token } = await signUp(server.replica.url);
      const { accounts } = await server.get(`/admin/accounts/find?who=${email}`);
      const { id } = accounts[0].identity;
      const made = await server.post(`/admin/identities/${id}/reset-link`);
      expect(made).toMatchObject({ id, email, valid_hours: 1 });
      const [page, secret] = made.link.split("#token=");
      expect(page).toEndWith("/reset-password");
      expect(await last(`identity:${id}`)).toMatchObject({ actor: "operator", action: "token.issued" });
      expect(JSON.stringify(await server.get("/admin/audit"))).not.toContain(secret);
      const confirm = `${server.replica.url}/v1/auth/password-reset/confirm`;
      const set = { token: secret, new: "nine herons over the weir" };
      const statuses = [(await fetch(confirm, post(set))).status, (await fetch(confirm, post(set))).status];
      expect(statuses).toEqual([200, 422]);
      // A caller with a session has to sign in with the new password.
      const me = await fetch(`${server.replica.url}/v1/auth/me`, { headers: bearer(token) });
      expect(me.status).toBe(401);
    });

    test("a person of an identity provider has no password to set: 409", async () => {
      const { ledger } = server.replica.crossrate.accounts ?? {};
      const subject = { iss: "https://id.example.org", sub: "1" };
      const by = { at: server.clock.now(), actor: "system" } as const;
      const made = await ledger?.identities.ensureExternal(
        subject,
        { email: null, emailVerifiedAt: null },
        by,
      );
      const body = await server.post(`/admin/identities/${made?.identity.id}/reset-link`, undefined, 409);
      expect(body).toMatchObject({ result: "error", code: "conflict" });
    });
  });
});
