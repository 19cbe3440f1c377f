/** Provisioning, rotating and revoking: one key comes of any race, and at most two work. */

import { expect, test } from "bun:test";
import { isApiKey, keyState } from "#domain/account/key.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { profile, provision, revokeKeys, rotateKey } from "#test/accounts/account/bodies.ts";
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
  const stateOf = async (fixture: Fixture, text: string | null) => {
    const holder = await bench.ledger().keys.find(fixture.vault.lookup(text ?? ""));
    return holder === null ? "unknown" : keyState(holder.key, fixture.clock.now());
  };

  test("provision makes an organization and a key that works, and repeated answers the same", async () => {
    const { fixture, ada } = await start();
    const facts = { attribution: { utm_source: "docs" }, marketingConsent: true };
    const first = await provision(fixture, ada.id, facts, byPerson(fixture, ada));
    expect(first).toMatchObject({ result: "success", created: true });
    expect(isApiKey(first.plaintext ?? "")).toBe(true);
    expect(first.key).toEqual({
      prefix: first.plaintext?.slice(0, 12) as string,
      plaintext: first.plaintext,
      created_at: "2026-11-20T12:00:00Z",
      last_used_at: null,
    });
    expect(await stateOf(fixture, first.plaintext)).toBe("active");
    fixture.clock.at += HOUR;
    const [issued] = await bench.ledger().keys.list(first.org_id);
    await bench.ledger().keys.markUsed([{ id: issued?.id ?? "", at: NOON + 1_500 }]);
    const again = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    const used = { ...first.key, last_used_at: "2026-11-20T12:00:01.500Z" };
    expect(again).toEqual({ ...first, created: false, key: used });
    expect(await bench.ledger().organizations.byOwner(ada.id)).toMatchObject({
      id: first.org_id,
      attribution: '{"utm_source":"docs"}',
      marketingConsent: true,
    });
  });

  test("a rotated key works for exactly 24 hours, and a second rotation ends it at once", async () => {
    const { fixture, ada } = await start();
    const first = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    const second = await rotateKey(fixture, ada.id, byPerson(fixture, ada));
    expect(second).toMatchObject({ created: true, org_id: first.org_id });
    expect(second.plaintext).not.toBe(first.plaintext);
    fixture.clock.at = NOON + DAY - 1;
    expect(await stateOf(fixture, first.plaintext)).toBe("grace");
    fixture.clock.at = NOON + DAY;
    expect(await stateOf(fixture, first.plaintext)).toBe("revoked");
    expect(await stateOf(fixture, second.plaintext)).toBe("active");

    fixture.clock.at = NOON + HOUR;
    const third = await rotateKey(fixture, ada.id, byPerson(fixture, ada));
    const states = [first, second, third].map(({ plaintext }) => stateOf(fixture, plaintext));
    expect(await Promise.all(states)).toEqual(["revoked", "grace", "active"]);
    expect((await profile(fixture, ada)).key?.plaintext).toBe(third.plaintext);
  });

  test.each(["a new key", "the end of the account"])(
    "revoking reports the key that it has ended, also when %s happens in between",
    async (event) => {
      const { fixture, ada } = await start();
      const { org_id, key } = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
      const { keys, organizations } = fixture.ledger;
      const meanwhile = async () => {
        if (event === "a new key") await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
        else await organizations.remove(org_id, byPerson(fixture, ada));
      };
      const revokeAll: typeof keys.revokeAll = async (...args) => {
        const ended = await keys.revokeAll(...args);
        await meanwhile();
        return ended;
      };
      const beside = { ...fixture, ledger: { ...fixture.ledger, keys: { ...keys, revokeAll } } };
      const revoked = { result: "success", revoked: true, revoked_at: "2026-11-20T12:00:00Z" } as const;
      expect(await revokeKeys(beside, ada.id, byPerson(fixture, ada))).toEqual({
        ...revoked,
        prefix: key.prefix,
      });
    },
  );
});

onSqlite("what owners and caches are told of keys", (bench) => {
  const start = () => startOn(bench);

  test("an identity that is deleted must sign in again", async () => {
    const { fixture } = await start();
    const bySystem = { at: NOON, actor: "system" } as const;
    await expect(provision(fixture, "idn_nobody", NO_FACTS, bySystem)).rejects.toMatchObject({
      code: "session_required",
    });
  });

  test("the cache forgets the organization's keys with a rotation and with a revocation", async () => {
    const { fixture, ada } = await start();
    const { org_id } = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    expect(fixture.forgotten).toEqual([]);
    await rotateKey(fixture, ada.id, byPerson(fixture, ada));
    expect(fixture.forgotten).toEqual([org_id]);
    await revokeKeys(fixture, ada.id, byPerson(fixture, ada));
    expect(fixture.forgotten).toEqual([org_id, org_id]);
  });

  test("a key whose master key is missing is listed without its text, and the log names the master key", async () => {
    const { fixture, ada } = await start();
    await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    const other = await openVault(keyringOf(`other:${countingKey(70)}`), random);
    const answer = await profile({ ...fixture, vault: other }, ada);
    expect(answer.key).toMatchObject({ plaintext: null, prefix: expect.stringMatching(/^fxk_/) });
    expect(fixture.emitted.join()).toContain("no master key has the id first");
    expect(
      (await provision({ ...fixture, vault: other }, ada.id, NO_FACTS, byPerson(fixture, ada))).plaintext,
    ).toBeNull();
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
      fixture.clock.at = NOON + 1000;
      const ended = await revokeKeys(fixture, owner.id, by());
      expect(ended.revoked_at).toBe("2026-11-20T12:00:01Z");
      expect(await revokeKeys(fixture, owner.id, by())).toEqual(ended);
    }
  });
});
