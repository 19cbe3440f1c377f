/** Provisioning, rotating and revoking: one key comes of any race, and at most two work. */

import { expect, test } from "bun:test";
import { provision } from "#accounts/account/organization.ts";
import { profile } from "#accounts/account/own-account.ts";
import { revokeKeys, rotateKey } from "#accounts/keys/keys.ts";
import { isApiKey, keyState } from "#domain/account/key.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { countingKey, keyringOf } from "#test/gateways/vault/keyrings.ts";
import { type Bench, HOUR, NOON, onBothLedgers, onSqlite, person } from "#test/store/ledger/ledgers.ts";
import { accountFixture, byPerson, NO_FACTS, random, unreachable } from "./fixture.ts";

const DAY = 24 * HOUR;

const startOn = async (bench: Bench) => {
  const fixture = await accountFixture(bench.ledger(), NOON);
  return { fixture, ada: await person(bench.ledger(), "ada@example.org") };
};

onBothLedgers("the keys of an account", (bench) => {
  const start = () => startOn(bench);
  type Fixture = Awaited<ReturnType<typeof accountFixture>>;
  /** What the ledger finds by a key's text. */
  const stateOf = async (fixture: Fixture, { key }: Awaited<ReturnType<typeof provision>>) => {
    const holder = await bench.ledger().keys.find(fixture.vault.lookup(key.plaintext ?? ""));
    return holder === null ? "unknown" : keyState(holder.key, fixture.clock.now());
  };

  test("provision makes an organization and a key that works, and repeated answers the same; who is gone must sign in", async () => {
    const { fixture, ada } = await start();
    const facts = { attribution: { utm_source: "docs" }, marketingConsent: true };
    const first = await provision(fixture, ada.id, facts, byPerson(fixture, ada));
    expect(isApiKey(first.key.plaintext ?? "")).toBe(true);
    expect(await stateOf(fixture, first)).toBe("active");
    const [issued] = await bench.ledger().keys.list(first.organizationId);
    await bench.ledger().keys.markUsed([{ id: issued?.id ?? "", at: NOON + 1_500 }]);
    const again = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    const used = { ...first.key, lastUsedAt: NOON + 1_500 };
    expect(again).toEqual({ ...first, created: false, key: used });
    expect(await bench.ledger().organizations.byOwner(ada.id)).toMatchObject({
      id: first.organizationId,
      attribution: '{"utm_source":"docs"}',
      marketingConsent: true,
    });
    const gone = provision(fixture, "idn_nobody", NO_FACTS, byPerson(fixture, ada));
    await expect(gone).rejects.toMatchObject({ code: "session_required" });
  });

  test("a rotated key works for exactly 24 hours, and a second rotation ends it at once", async () => {
    const { fixture, ada } = await start();
    const first = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    const second = await rotateKey(fixture, ada.id, byPerson(fixture, ada));
    expect(second).toMatchObject({ created: true, organizationId: first.organizationId });
    expect(second.key.plaintext).not.toBe(first.key.plaintext);
    fixture.clock.at = NOON + DAY - 1;
    expect(await stateOf(fixture, first)).toBe("grace");
    fixture.clock.at = NOON + DAY;
    expect(await stateOf(fixture, first)).toBe("revoked");
    expect(await stateOf(fixture, second)).toBe("active");

    fixture.clock.at = NOON + HOUR;
    const third = await rotateKey(fixture, ada.id, byPerson(fixture, ada));
    const states = [first, second, third].map((one) => stateOf(fixture, one));
    expect(await Promise.all(states)).toEqual(["revoked", "grace", "active"]);
    expect((await profile(fixture, ada)).key?.plaintext).toBe(third.key.plaintext);
  });

  test.each(["a new key", "the end of the account"])(
    "revoking reports the key that it has ended, also when %s happens in between",
    async (event) => {
      const { fixture, ada } = await start();
      const { organizationId, key } = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
      const { keys, organizations } = fixture.ledger;
      const meanwhile = async () => {
        if (event === "a new key") await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
        else await organizations.remove(organizationId, byPerson(fixture, ada));
      };
      const revokeAll: typeof keys.revokeAll = async (...args) => {
        const ended = await keys.revokeAll(...args);
        await meanwhile();
        return ended;
      };
      const beside = { ...fixture, ledger: { ...fixture.ledger, keys: { ...keys, revokeAll } } };
      const revoked = { revokedAt: NOON, prefix: key.prefix };
      expect(await revokeKeys(beside, ada.id, byPerson(fixture, ada))).toEqual(revoked);
    },
  );
});

onSqlite("what owners and caches are told of keys", (bench) => {
  const start = () => startOn(bench);

  test("the cache forgets the organization's keys with a rotation and with a revocation", async () => {
    const { fixture, ada } = await start();
    const { organizationId } = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    expect(fixture.forgotten).toEqual([]);
    await rotateKey(fixture, ada.id, byPerson(fixture, ada));
    expect(fixture.forgotten).toEqual([organizationId]);
    await revokeKeys(fixture, ada.id, byPerson(fixture, ada));
    expect(fixture.forgotten).toEqual([organizationId, organizationId]);
  });

  test("a key whose master key is missing is listed without its text, and the log names the master key", async () => {
    const { fixture, ada } = await start();
    await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    const other = await openVault(keyringOf(`other:${countingKey(70)}`), random);
    const answer = await profile({ ...fixture, vault: other }, ada);
    expect(answer.key).toMatchObject({ plaintext: null, prefix: expect.stringMatching(/^fxk_/) });
    expect(fixture.emitted.join()).toContain("no master key has the id first");
    const again = await provision({ ...fixture, vault: other }, ada.id, NO_FACTS, byPerson(fixture, ada));
    expect(again.key.plaintext).toBeNull();
  });

  test("an envelope that was moved to another's row does not open there", async () => {
    const { fixture, ada } = await start();
    const bob = await person(bench.ledger(), "bob@example.org");
    for (const { id } of [ada, bob]) await provision(fixture, id, NO_FACTS, byPerson(fixture, ada));
    const [row] = await bench.sql(
      `SELECT envelope FROM api_keys JOIN organizations ON organizations.id = organization_id WHERE owner_id = '${ada.id}'`,
    );
    await bench.sql(`UPDATE api_keys SET envelope = '${row?.["envelope"]}'`);
    expect((await profile(fixture, ada)).key?.plaintext).toMatch(/^fxk_/);
    expect((await profile(fixture, bob)).key?.plaintext).toBeNull();
  });

  test("a rotation whose outcome is unknown says to read the account before another one, which would end the key in use", async () => {
    const { fixture, ada } = await start();
    await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    const lost = { ...fixture, ledger: { ...fixture.ledger, keys: unreachable(fixture.ledger.keys) } };
    await expect(rotateKey(lost, ada.id, byPerson(fixture, ada))).rejects.toMatchObject({
      code: "service_unavailable",
      message: expect.stringMatching(/before rotating again see GET \/v1\/account/),
    });
  });

  test("revoking again reports the key that ended last, also among several made in one millisecond", async () => {
    const fixture = await accountFixture(bench.ledger(), NOON);
    for (let nth = 0; nth < 8; nth++) {
      const owner = await person(bench.ledger(), `person-${nth}@example.org`);
      fixture.clock.at = NOON;
      const by = () => byPerson(fixture, owner);
      await provision(fixture, owner.id, NO_FACTS, by());
      await revokeKeys(fixture, owner.id, by());
      await provision(fixture, owner.id, NO_FACTS, by());
      const { key } = await rotateKey(fixture, owner.id, by());
      fixture.clock.at = NOON + 1000;
      const ended = await revokeKeys(fixture, owner.id, by());
      expect(ended).toEqual({ revokedAt: NOON + 1000, prefix: key.prefix });
      expect(await revokeKeys(fixture, owner.id, by())).toEqual(ended);
    }
  });
});
