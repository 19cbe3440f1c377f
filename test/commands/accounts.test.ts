import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { confirmReset } from "#accounts/identity/links.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import { makeKey } from "#accounts/keys/keys.ts";
import type { Identity } from "#domain/account/identity.ts";
import { formatInstant } from "#domain/time/day.ts";
import { openVault } from "#gateways/vault/vault.ts";
import type { Vault } from "#ports/identity.ts";
import { random } from "#test/accounts/account/fixture.ts";
import {
  codeOf,
  type IdentityFixture,
  openFixture,
  PASSWORD,
  SITE,
  VISIT,
} from "#test/accounts/identity/fixture.ts";
import { countingKey, keyringOf } from "#test/gateways/vault/keyrings.ts";
import { runInProcess } from "./process.ts";

const OLD = `old:${countingKey(1)}`;
const BOTH = `new:${countingKey(2)},${OLD}`;
const PEPPER = countingKey(9);

let fixture: IdentityFixture;
let vault: Vault;
let masterKeys: string;
beforeEach(async () => {
  fixture = await openFixture();
  vault = await openVault(keyringOf(OLD, PEPPER), random);
  masterKeys = OLD;
});

/** The command on the same ledger, beside what has it open. */
const run = (...args: string[]) =>
  runInProcess(args, {
    DATA_DIR: fixture.directory,
    MASTER_KEYS: masterKeys,
    KEY_PEPPER: PEPPER,
    PUBLIC_URL: SITE,
    NOW: formatInstant(fixture.clock.now()),
  });
const accounts = (...args: string[]) => run("accounts", ...args);
const keys = (...args: string[]) => run("admin", "keys", ...args);

async function customer(email: string): Promise<{ owner: Identity; org: string; key: string }> {
  const owner = await fixture.person(email);
  const provisioned = await fixture.ledger.organizations.provision(
    {
      ownerId: owner.id,
      attribution: null,
      marketingConsent: false,
      makeKey: (org) => makeKey({ vault, random }, org),
    },
    { at: fixture.clock.now(), actor: `identity:${owner.id}` },
  );
  if (provisioned === null) throw new Error("no owner");
  return { owner, org: provisioned.organization.id, key: provisioned.key.id };
}

describe("accounts", () => {
  test("list prints every account with organization and tier in force, as a table and as JSON, and no hash", async () => {
    const { owner, org } = await customer("ada@example.com");
    const by = { at: fixture.clock.now(), actor: "billing" } as const;
    const overdue = { tier: "pro", status: "past_due", pastDueSince: by.at - 8 * 86_400_000 } as const;
    await fixture.ledger.organizations.change(org, overdue, by);
    await fixture.person("grace@example.com");
    const table = await accounts("list");
    expect(table.code).toBe(0);
    expect(table.out.split("\n")).toHaveLength(4);
    const { out } = await accounts("list", "--json");
    const rows = JSON.parse(out) as Record<string, unknown>[];
    expect(rows.find(({ id }) => id === owner.id)).toMatchObject({
      email: "ada@example.com",
      role: "user",
      organization: org,
      tier: "pro",
      tier_in_force: "free",
      status: "past_due",
      created_at: "2026-04-13T16:30:00Z",
    });
    for (const text of [table.out, out]) expect(text).not.toContain("argon2");
  });

  test("find finds a person by address, ids, and the beginning of a key; no more of a key is printed", async () => {
    const { owner, org, key } = await customer("ada@example.com");
    const [held] = await fixture.ledger.keys.list(org);
    const text = await vault.open(JSON.parse(held?.envelope ?? ""), { org, id: key, purpose: "api_key" });
    for (const who of ["ADA@example.com", owner.id, org, text.slice(0, 12), text]) {
      const { code, out } = await accounts("find", who, "--json");
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject([
        {
          identity: { id: owner.id },
          organization: { id: org, tier: "free" },
          keys: [{ id: key, state: "active" }],
        },
      ]);
      expect(out).not.toContain(text);
    }
    expect((await accounts("find", "ada@example.com")).out).toContain(org);
    expect((await accounts("find", "nobody@example.com")).code).toBe(1);
    expect((await accounts("find", "org_nothing", "--json")).out.trim()).toBe("[]");
  });

  test("create-admin makes an administrator whose printed token sets the password, once", async () => {
    const { code, out } = await accounts("create-admin", "root@example.com", "--json");
    expect(code).toBe(0);
    const { link, token, role } = JSON.parse(out);
    expect(role).toBe("admin");
    expect(link).toBe(`${SITE}/reset-password#token=${token}`);
    await confirmReset(fixture.deps, { token, password: PASSWORD }, VISIT);
    const { identity } = await signIn(fixture.deps, { email: "root@example.com", password: PASSWORD }, VISIT);
    expect(identity.role).toBe("admin");
    expect(await codeOf(confirmReset(fixture.deps, { token, password: PASSWORD }, VISIT))).toBe(
      "validation_error",
    );
  });

  test("create-admin promotes an existing account, and leaves the password unchanged", async () => {
    await fixture.person("ada@example.com");
    await accounts("create-admin", "ada@example.com");
    const { identity } = await signIn(fixture.deps, { email: "ada@example.com", password: PASSWORD }, VISIT);
    expect(identity.role).toBe("admin");
  });

  test("reset-link prints a link, for people who have a password here", async () => {
    await fixture.person("ada@example.com");
    const { out } = await accounts("reset-link", "ada@example.com");
    expect(out).toContain(`${SITE}/reset-password#token=fxo_`);
    expect(await accounts("reset-link", "nobody@example.com")).toMatchObject({ code: 1, out: "" });
    await fixture.ledger.identities.ensureExternal(
      { iss: "https://id.example.com", sub: "1" },
      { email: "ext@example.com", emailVerifiedAt: 1 },
      { at: 1, actor: "system" },
    );
    expect((await accounts("reset-link", "ext@example.com")).err).toContain("identity provider");
  });

  test("suspending a person ends their sessions; resuming lets them sign in again", async () => {
    const ada = await fixture.person("ada@example.com");
    const credentials = { email: "ada@example.com", password: PASSWORD };
    await signIn(fixture.deps, credentials, VISIT);
    expect((await accounts("suspend", ada.id)).code).toBe(0);
    const [{ identity: suspended }] = JSON.parse((await accounts("find", ada.id, "--json")).out);
    expect(suspended.suspended_at).toStartWith("2026-04-13T16:30:0");
    expect(await fixture.ledger.sessions.list(ada.id, fixture.clock.now())).toEqual([]);
    expect(await codeOf(signIn(fixture.deps, credentials, VISIT))).toBe("forbidden");
    expect((await accounts("resume", ada.id)).code).toBe(0);
    await signIn(fixture.deps, credentials, VISIT);
    expect(await accounts("suspend", "idn_nobody")).toMatchObject({ code: 1, out: "" });
  });

  test("an organization is suspended and resumed to the status of its payments, and gets a tier", async () => {
    const { org } = await customer("ada@example.com");
    const statusOf = async () => (await fixture.ledger.organizations.byId(org))?.status;
    await accounts("suspend", org);
    expect(await statusOf()).toBe("suspended");
    await accounts("resume", org);
    expect(await statusOf()).toBe("active");
    const by = { at: fixture.clock.now(), actor: "system" } as const;
    await fixture.ledger.organizations.change(org, { status: "past_due", pastDueSince: by.at }, by);
    await accounts("suspend", org);
    await accounts("resume", org);
    expect(await statusOf()).toBe("past_due");
    expect((await accounts("tier", org, "plus")).code).toBe(0);
    expect((await fixture.ledger.organizations.byId(org))?.tier).toBe("plus");
    expect((await accounts("tier", "org_nothing", "plus")).code).toBe(1);
    await fixture.ledger.organizations.change(org, { billingSubscriptionId: "sub_1" }, by);
    expect((await accounts("tier", org, "pro")).err).toContain("subscription");
  });

  test("forget-billing leaves an organization as if it had never bought, with the tier in force", async () => {
    const { org } = await customer("ada@example.com");
    const by = { at: fixture.clock.now(), actor: "billing" } as const;
    const billed = { billingCustomerId: "cus_1", billingSubscriptionId: "sub_1" };
    await fixture.ledger.organizations.change(org, { tier: "pro", status: "active", ...billed }, by);
    const { code, out, err } = await accounts("forget-billing", org, "--json");
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("sub_1 was not cancelled") });
    const forgotten = { status: "active", billing_customer: null, billing_subscription: null };
    expect(JSON.parse(out)).toMatchObject({ tier: "pro", ...forgotten });
    const overdue = { status: "past_due", pastDueSince: by.at - 8 * 86_400_000, ...billed } as const;
    await fixture.ledger.organizations.change(org, overdue, by);
    const [{ organization: late }] = JSON.parse((await accounts("find", org, "--json")).out);
    expect(late).toMatchObject({
      tier: "pro",
      tier_in_force: "free",
      past_due_since: "2026-04-05T16:30:00Z",
    });
    const again = JSON.parse((await accounts("forget-billing", org, "--json")).out);
    expect(again).toMatchObject({ tier: "free", tier_in_force: "free", past_due_since: null, ...forgotten });
    expect((await accounts("forget-billing", "org_nothing")).code).toBe(1);
  });

  test("erase leaves nothing that names a person, and ids; not while a subscription runs", async () => {
    const { owner, org } = await customer("ada@example.com");
    const { organizations, identities, sessions, audit } = fixture.ledger;
    const by = { at: fixture.clock.now(), actor: "billing" } as const;
    await signIn(fixture.deps, { email: "ada@example.com", password: PASSWORD }, VISIT);
    const billed = { billingCustomerId: "cus_1", billingSubscriptionId: "sub_1" };
    await organizations.change(org, { status: "suspended", ...billed }, by);
    expect((await accounts("erase", owner.id)).err).toContain("cancel sub_1");
    await organizations.change(org, { billingSubscriptionId: null }, by);
    const { code, err } = await accounts("erase", owner.id);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining("still has cus_1, with address and invoices: close"),
    });
    expect(await organizations.byId(org)).toBeNull();
    expect(await identities.byEmail("ada@example.com")).toBeNull();
    const nothing = { email: null, passwordHash: null, iss: null, sub: null, emailVerifiedAt: null };
    expect(await identities.byId(owner.id)).toMatchObject(nothing);
    expect(await sessions.list(owner.id, 0)).toEqual([]);
    const entries = await audit.list({ subject: `identity:${owner.id}` }, 100);
    expect(entries.find(({ action }) => action === "session.started")?.detail).toEqual({});
    // Nor do the bytes of the file that no row has any more.
    const path = join(fixture.directory, "ledger.sqlite");
    using file = new Database(path);
    file.run("PRAGMA wal_checkpoint");
    expect(readFileSync(path).includes("ada@example.com")).toBe(false);
    expect((await accounts("erase", "idn_nobody")).code).toBe(1);
    // The address is free again.
    expect((await customer("ada@example.com")).owner.id).not.toBe(owner.id);
  });

  test("a tier that is given after a paid plan has ended holds", async () => {
    const { org } = await customer("ada@example.com");
    const by = { at: fixture.clock.now(), actor: "billing" } as const;
    await fixture.ledger.organizations.change(org, { tier: "free", status: "canceled" }, by);
    const { out } = await accounts("tier", org, "plus", "--json");
    expect(JSON.parse(out)).toMatchObject({ tier: "plus", tier_in_force: "plus", status: "active" });
  });

  test("the audit log has each of these as the operator's, newest first, by subject and number", async () => {
    const { owner, org } = await customer("ada@example.com");
    fixture.clock.at += 1000;
    await accounts("tier", org, "pro");
    await accounts("suspend", owner.id);
    const all = JSON.parse((await accounts("audit", "--json")).out) as Record<string, string>[];
    expect(all.filter(({ actor }) => actor === "operator").length).toBeGreaterThanOrEqual(2);
    const one = JSON.parse(
      (await accounts("audit", "--subject", `organization:${org}`, "--limit", "1", "--json")).out,
    ) as Record<string, string>[];
    expect(one).toHaveLength(1);
    expect(one[0]).toMatchObject({ actor: "operator", action: "organization.changed" });
    expect(JSON.parse(one[0]?.["detail"] ?? "")).toMatchObject({ tier: "pro" });
  });

  test("what a person called themselves cannot steer the terminal", async () => {
    const email = "\u001b[2J@example.com";
    await fixture.ledger.identities.create(
      { email, passwordHash: null, emailVerifiedAt: null, role: "user" },
      { at: 1, actor: "system" },
    );
    for (const words of [["list"], ["find", email]]) {
      const { out } = await accounts(...words);
      expect(out).toContain("[2j@example.com");
      expect(out).not.toContain("\u001b");
    }
  });

  test.each([
    [[]],
    [["destroy"]],
    [["find"]],
    [["tier", "org_1"]],
    [["tier", "org_1", "gold"]],
    [["create-admin", "nobody"]],
    [["audit", "--limit", "0"]],
    [["list", "more"]],
  ])("%j is refused by name", async (args) => {
    expect((await accounts(...args)).code).toBe(2);
  });
});

describe("keys", () => {
  test("list shows every key of an organization without its text; revoke ends one at once", async () => {
    const { org, key } = await customer("ada@example.com");
    expect(JSON.parse((await keys("list", org, "--json")).out)).toMatchObject([{ id: key, state: "active" }]);
    expect((await keys("list", org)).out).toContain(key);
    await fixture.ledger.keys.markUsed([{ id: key, at: fixture.clock.now() }]);
    expect((await keys("revoke", key)).code).toBe(0);
    const now = expect.stringContaining("2026-04-13T16:30:0");
    const ended = { state: "revoked", ends_at: now, last_used_at: now };
    expect(JSON.parse((await keys("list", org, "--json")).out)).toMatchObject([{ id: key, ...ended }]);
    const none = expect.stringContaining(`there is no key ${key} that still works`);
    expect(await keys("revoke", key)).toMatchObject({ code: 1, out: "", err: none });
    expect((await keys("list", "org_nothing")).code).toBe(1);
  });

  test("rewrap brings every key under the new master key, so that the old one can go", async () => {
    const { org, key } = await customer("ada@example.com");
    await customer("grace@example.com");
    const sealedFor = { org, id: key, purpose: "api_key" };
    const textOf = async () => {
      const [held] = await fixture.ledger.keys.list(org);
      return await vault.open(JSON.parse(held?.envelope ?? ""), sealedFor);
    };
    const before = await textOf();
    masterKeys = BOTH;
    for (const rewrapped of [2, 0])
      expect(JSON.parse((await keys("rewrap", "--json")).out)).toEqual({
        looked: 2,
        rewrapped,
        unreadable: 0,
      });
    vault = await openVault(keyringOf(`new:${countingKey(2)}`, PEPPER), random);
    expect(await textOf()).toBe(before);
  });

  test("a key whose master key is missing is named, left unchanged, and the exit code reports it", async () => {
    const { org, key } = await customer("ada@example.com");
    const [before] = await fixture.ledger.keys.list(org);
    masterKeys = `new:${countingKey(2)}`;
    const { code, err } = await keys("rewrap");
    expect(code).toBe(1);
    expect(err).toContain(key);
    expect(await fixture.ledger.keys.list(org)).toEqual([before as NonNullable<typeof before>]);
  });

  test.each([[[]], [["list"]], [["revoke"]], [["rewrap", "org_1"]], [["print"]]])(
    "%j is refused by name",
    async (args) => {
      expect((await keys(...args)).code).toBe(2);
    },
  );
});
