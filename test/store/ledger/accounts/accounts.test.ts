/** Organizations and keys: provision, rotate, revoke, remove; the promises of the port, on both databases. */

import { expect, test } from "bun:test";
import { keyState } from "#domain/account/key.ts";
import { account, audited, by, madeKey, NOON, onBothLedgers, person } from "#test/store/ledger/ledgers.ts";

onBothLedgers("organizations and keys", (bench) => {
  const provision = (ownerId: string, name: string, ledger = bench.ledger()) =>
    ledger.organizations.provision(
      {
        ownerId,
        attribution: '{"utm_source":"docs"}',
        marketingConsent: true,
        makeKey: async (organizationId) => ({ ...madeKey(name), envelope: `for ${organizationId}` }),
      },
      by(),
    );
  const live = async (organizationId: string, now: number) =>
    (await bench.ledger().keys.list(organizationId))
      .filter((key) => keyState(key, now) !== "revoked")
      .map(({ id }) => id);

  test("provision raced 16 times on two connections makes one organization and one key, created exactly once", async () => {
    const owner = await person(bench.ledger(), "a@example.org");
    const results = await bench.raced(16, (ledger, nth) => provision(owner.id, `race${nth}`, ledger));
    expect(results.filter((result) => result?.created).length).toBe(1);
    expect(new Set(results.map((result) => result?.key.id)).size).toBe(1);
    const organization = await bench.ledger().organizations.byOwner(owner.id);
    expect(new Set(results.map((result) => result?.organization.id))).toEqual(new Set([organization?.id]));
    expect(await bench.sql("SELECT id FROM api_keys")).toHaveLength(1);
    expect(results[0]?.key.envelope).toBe(`for ${organization?.id}`);
    expect(organization).toMatchObject({
      tier: "free",
      status: "active",
      attribution: '{"utm_source":"docs"}',
      marketingConsent: true,
      createdAt: NOON,
    });
    expect(await audited(bench.ledger(), `organization:${organization?.id}`)).toEqual([
      "organization.created",
      "key.created",
    ]);
  });

  test("provision makes a key alone where all are revoked, bound to the organization that there is", async () => {
    const { owner, organizationId } = await account(bench.ledger(), "a");
    await bench.ledger().keys.revokeAll(organizationId, by(NOON + 1));
    const again = await provision(owner.id, "b");
    const organization = { id: organizationId, marketingConsent: false };
    expect(again).toMatchObject({ created: true, organization });
    expect(again?.key).toMatchObject({ id: "key_b", envelope: `for ${organizationId}` });
    expect(await provision("idn_nobody", "c")).toBeNull();
  });

  test("an organization that is removed while a key is made for it does not come back by its id", async () => {
    const { owner, organizationId } = await account(bench.ledger(), "a");
    await bench.ledger().keys.revokeAll(organizationId, by(NOON + 1));
    const makeKey = async (id: string) => {
      await bench.ledger().organizations.remove(organizationId, by());
      return { ...madeKey(id), envelope: `for ${id}` };
    };
    const wanted = { ownerId: owner.id, attribution: null, marketingConsent: false, makeKey };
    const anew = await bench.ledger().organizations.provision(wanted, by());
    expect(anew?.created).toBe(true);
    expect(anew?.organization.id).not.toBe(organizationId);
    expect(anew?.key.envelope).toBe(`for ${anew?.organization.id}`);
  });

  test("a key in its grace ends for every process, also by one whose clock is ahead and says that the grace is over", async () => {
    const { keys } = bench.ledger();
    const over = by(NOON + 25 * 3_600_000);
    const ends = {
      all: (organizationId: string) => keys.revokeAll(organizationId, over),
      again: (organizationId: string) => keys.rotate(organizationId, madeKey("third"), over),
      one: () => keys.revoke("key_one", over),
    };
    for (const [name, end] of Object.entries(ends)) {
      const { organizationId } = await account(bench.ledger(), name);
      await keys.rotate(organizationId, madeKey(`${name}-next`), by());
      await end(organizationId);
      expect((await keys.find(`hmac-${name}`))?.key.revokedAt, name).toBe(over.at);
    }
  });

  test("revoking ends what works, once, and tells of it without envelopes", async () => {
    const { organizationId } = await account(bench.ledger(), "a");
    const { keys } = bench.ledger();
    await keys.rotate(organizationId, madeKey("b"), by());
    expect((await keys.revoke("key_a", by(NOON + 1)))?.revokedAt).toBe(NOON + 1);
    expect(await keys.revoke("key_a", by(NOON + 2))).toBeNull();
    const ended = await keys.revokeAll(organizationId, by(NOON + 3));
    expect(ended).toMatchObject([{ id: "key_b", revokedAt: NOON + 3 }]);
    expect(JSON.stringify(ended)).not.toContain("sealed");
    expect(await keys.revokeAll(organizationId, by(NOON + 4))).toEqual([]);
  });

  test("a key is found by its hash with its organization and its owner's status", async () => {
    const { owner, organizationId } = await account(bench.ledger(), "a");
    const { keys, identities, organizations } = bench.ledger();
    const never = { lastUsedAt: null, revokeAt: null, revokedAt: null };
    const key = { id: "key_a", organizationId, prefix: "fxk_a", createdAt: NOON, ...never };
    const organization = await organizations.byId(organizationId);
    // Nothing else: the envelope goes only where it is requested.
    expect<unknown>(await keys.find("hmac-a")).toEqual({ key, organization, ownerSuspendedAt: null });
    await identities.change(owner.id, { suspendedAt: NOON + 3 }, by());
    expect((await keys.find("hmac-a"))?.ownerSuspendedAt).toBe(NOON + 3);
    expect(await keys.find("hmac-b")).toBeNull();
    expect((await keys.byPrefix("fxk_a")).map(({ key }) => key.id)).toEqual(["key_a"]);
  });

  test("rotation raced 12 times on two connections leaves two live keys", async () => {
    const { organizationId } = await account(bench.ledger(), "a");
    await bench.raced(12, ({ keys }, nth) => keys.rotate(organizationId, madeKey(`r${nth}`), by(NOON + 1)));
    expect(await bench.ledger().keys.list(organizationId)).toHaveLength(13);
    expect(await live(organizationId, NOON + 2)).toHaveLength(2);
  });

  test("of an organization's revoked keys the last hundred stay", async () => {
    const { organizationId } = await account(bench.ledger(), "a");
    const { keys } = bench.ledger();
    for (let nth = 0; nth < 103; nth++) await keys.rotate(organizationId, madeKey(`r${nth}`), by(NOON + nth));
    const ids = (await keys.list(organizationId)).map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([102, "key_r102", "key_r1"]);
    expect(await live(organizationId, NOON + 103)).toHaveLength(2);
    expect(await keys.find("hmac-r0")).toBeNull();
  });

  test("last use is written in batches and never goes back; envelopes are walked and replaced only as read", async () => {
    const { organizationId } = await account(bench.ledger(), "a");
    const { keys } = bench.ledger();
    await keys.rotate(organizationId, madeKey("b"), by());
    const used = Array.from({ length: 1200 }, (_, nth) => ({
      id: nth % 2 ? "key_a" : `key_${nth}`,
      at: NOON + nth,
    }));
    await keys.markUsed(used);
    await keys.markUsed([{ id: "key_a", at: NOON }]);
    expect((await keys.find("hmac-a"))?.key.lastUsedAt).toBe(NOON + 1199);
    const [a] = await keys.envelopes(null, 1);
    const [b] = await keys.envelopes("key_a", 10);
    expect([a?.envelope, b?.id]).toEqual(['{"ct":"sealed a"}', "key_b"]);
    expect(await keys.rewrap("key_a", "another", "new", by())).toBe(false);
    expect(await keys.rewrap("key_a", '{"ct":"sealed a"}', "new", by())).toBe(true);
    expect((await keys.list(organizationId)).map(({ envelope }) => envelope)).toContain("new");
  });

  test("plan and billing change with what they were before; all are listed", async () => {
    const { organizationId } = await account(bench.ledger(), "a");
    await account(bench.ledger(), "b");
    const { organizations, audit } = bench.ledger();
    const patch = { tier: "pro", billingCustomerId: "cus_1", billingSubscriptionId: "sub_1" } as const;
    expect(await organizations.change(organizationId, patch, by(NOON + 1))).toMatchObject(patch);
    expect((await organizations.byBillingCustomer("cus_1"))?.id).toBe(organizationId);
    await organizations.change(organizationId, { status: "past_due", pastDueSince: NOON + 1 }, by(NOON + 2));
    await organizations.change(organizationId, { status: "past_due", pastDueSince: NOON + 1 }, by(NOON + 3));
    expect(await organizations.list(null, 10)).toHaveLength(2);
    const [last] = await audit.list({ subject: `organization:${organizationId}` }, 1);
    expect(last).toMatchObject({ at: NOON + 2, detail: { statusBefore: "active", tierBefore: "pro" } });
    expect(await organizations.change("org_none", patch, by())).toBeNull();
  });
});
