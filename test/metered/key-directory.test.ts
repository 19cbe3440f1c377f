/** How long a key is trusted without a query: from the beginning of a lookup, never across a revocation, and without waiting for a ledger that is down. */

import { afterAll, beforeEach, expect, test } from "bun:test";
import { provision } from "#accounts/account/organization.ts";
import { type KeyDirectory, openKeyDirectory } from "#accounts/keys/authenticate.ts";
import { revokeKeys } from "#accounts/keys/keys.ts";
import { systemRandom } from "#assembly/process.ts";
import { type KeyHolder, newApiKey } from "#domain/account/key.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { type AccountFixture, accountFixture, byPerson, NO_FACTS } from "#test/accounts/account/fixture.ts";
import { NOON, optionsOf, person } from "#test/store/ledger/ledgers.ts";
import { newCount } from "#test/support/counted.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const ledger: Ledger = await openLedger({ directory: temporaryDirectory() }, optionsOf());
afterAll(() => ledger.close());

/** Between the directory and the ledger: a lookup reads at once, and its answer arrives when the test releases it. */
let held: PromiseWithResolvers<void> | null = null;
let isAway = false;
let lookups = 0;
const { count, counted } = newCount();
const slowKeys = {
  find: async (lookup: string): Promise<KeyHolder | null> => {
    lookups += 1;
    const found = await ledger.keys.find(lookup);
    await held?.promise;
    if (isAway) throw new LedgerUnavailable("no answer in time");
    return found;
  },
};

let fixture: AccountFixture;
let keys: KeyDirectory;
let caches: CacheBudget;
let key = "";
let revoke: () => Promise<unknown>;
/** As an operator's command does: this process is not told. */
let revokeElsewhere: () => Promise<unknown>;
let people = 0;
beforeEach(async () => {
  [held, isAway, lookups] = [null, false, 0];
  counted.length = 0;
  people += 1;
  const owner = await person(ledger, `p${people}@example.org`);
  fixture = await accountFixture(ledger, NOON);
  const { clock, vault } = fixture;
  caches = new CacheBudget(1_000_000);
  keys = openKeyDirectory({ keys: slowKeys, vault, clock, caches, count });
  const deps = { ...fixture, forgetKeys: keys.forget };
  key = (await provision(deps, owner.id, NO_FACTS, byPerson(fixture, owner))).key.plaintext ?? "";
  revoke = () => revokeKeys(deps, owner.id, byPerson(fixture, owner));
  revokeElsewhere = () => revokeKeys({ ...deps, forgetKeys: () => {} }, owner.id, byPerson(fixture, owner));
});

const refused = (found: () => KeyHolder | Promise<KeyHolder>, code: string) =>
  expect((async () => found())()).rejects.toMatchObject({ code });

test("a lookup that read before a revocation does not validate the key after it", async () => {
  held = Promise.withResolvers();
  const { resolve } = held;
  const before = keys.find(key);
  await Bun.sleep(0);
  await revoke();
  held = null;
  // Called after the revocation, while the lookup from before it is pending.
  await refused(() => keys.find(key), "invalid_api_key");
  resolve();
  await before;
  await refused(() => keys.find(key), "invalid_api_key");
});

test("a key that was looked up under a clock an hour ahead is looked up again once that is right", async () => {
  fixture.clock.at += 3_600_000;
  await keys.find(key);
  fixture.clock.at -= 3_600_000;
  await revokeElsewhere();
  fixture.clock.at += 5_000;
  await refused(() => keys.find(key), "invalid_api_key");
});

test("five seconds count from the beginning of a lookup, however long it took", async () => {
  held = Promise.withResolvers();
  const slow = keys.find(key);
  fixture.clock.at += 2_000;
  held.resolve();
  await slow;
  fixture.clock.at += 2_999;
  expect(keys.find(key)).not.toBeInstanceOf(Promise);
  fixture.clock.at += 1;
  const anew = keys.find(key);
  expect(anew).toBeInstanceOf(Promise);
  await anew;
  expect(lookups).toBe(2);
});

test("once a lookup has failed, known keys are accepted at once for 60 s while lookups continue in the background", async () => {
  await keys.find(key);
  isAway = true;
  fixture.clock.at += 5_000;
  // The first one finds out.
  await keys.find(key);
  held = Promise.withResolvers();
  for (let nth = 0; nth < 20; nth++) expect(keys.find(key)).not.toBeInstanceOf(Promise);
  expect(lookups).toBe(3);
  fixture.clock.at = NOON + 59_999;
  expect(keys.find(key)).not.toBeInstanceOf(Promise);
  fixture.clock.at += 1;
  const tooOld = keys.find(key);
  held.resolve();
  await refused(() => tooOld, "auth_unavailable");
  isAway = false;
  expect((await keys.find(key)).key.id).toBeString();
  fixture.clock.at += 5_000;
  // The ledger is back: its answer is waited for.
  expect(keys.find(key)).toBeInstanceOf(Promise);
});

test("calls that share a lookup do not share its failure: each has its own quota status", async () => {
  isAway = true;
  const found = await Promise.allSettled([keys.find(key), keys.find(key), keys.find(key)]);
  expect(lookups).toBe(1);
  const failures = found.map((one) => (one.status === "rejected" ? one.reason : null));
  for (const failure of failures) expect(failure).toMatchObject({ code: "auth_unavailable", quota: null });
  expect(new Set(failures).size).toBe(3);
  expect(counted).toEqual(Array(3).fill("keyChecks unavailable 1"));
});

test("guessed keys are cached within the budget of all caches, and do not displace one that is used", async () => {
  const bytes = () => caches.uses().find(({ name }) => name === "api_keys")?.bytes ?? 0;
  await keys.find(key);
  for (let nth = 0; nth < 3_000; nth++) {
    await refused(() => keys.find(newApiKey(systemRandom)), "invalid_api_key");
    if (nth % 100 === 0) expect(keys.find(key)).not.toBeInstanceOf(Promise);
  }
  expect(lookups).toBe(3_001);
  expect(bytes()).toBeWithin(200_000, 250_001);
  expect(keys.find(key)).not.toBeInstanceOf(Promise);
  // What another's revocation does not concern stays cached.
  const guess = newApiKey(systemRandom);
  await refused(() => keys.find(guess), "invalid_api_key");
  await revoke();
  await refused(() => keys.find(guess), "invalid_api_key");
  expect(lookups).toBe(3_002);
});
