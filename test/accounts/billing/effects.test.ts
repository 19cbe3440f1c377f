/** A plan that was bought holds for the key at once where the notice arrived, and within five seconds everywhere else. */

import { expect, test } from "bun:test";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import { openKeyDirectory } from "#accounts/keys/authenticate.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import { checkout, provision } from "#test/accounts/account/bodies.ts";
import { accountFixture, byPerson, NO_FACTS } from "#test/accounts/account/fixture.ts";
import { SECRET } from "#test/gateways/billing/fixture.ts";
import { onSqlite, person } from "#test/store/ledger/ledgers.ts";
import { signatureOf } from "#test/support/stripe/webhooks.ts";
import { ADDRESS, openWorld } from "./fixture.ts";

onSqlite("a key whose plan changed", (bench) => {
  test("has the new plan with its next call here, and elsewhere 5 s later at the latest", async () => {
    await using world = await openWorld([bench.ledger()]);
    const start = world.stripe.now();
    const fixture = await accountFixture(bench.ledger(), start);
    const ada = await person(bench.ledger(), "ada@example.org");
    const { plaintext } = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    const key = plaintext ?? "";
    const { vault, clock } = fixture;
    const [here, elsewhere] = [1, 2].map(() =>
      openKeyDirectory({ keys: bench.ledger().keys, vault, clock, caches: new CacheBudget(1_000_000) }),
    );
    if (here === undefined || elsewhere === undefined) throw new Error("two directories");
    const tierAt = async (directory: typeof here) => (await directory.find(key)).organization.tier;
    expect([await tierAt(here), await tierAt(elsewhere)]).toEqual(["free", "free"]);

    const holder = await here.find(key);
    const { url } = await checkout(
      world.first.deps,
      { holder, address: ADDRESS },
      { plan: "pro", interval: "monthly" },
    );
    await world.stripe.press(url, "pay");
    const notices = openBillingNotices({ ...world.first.deps, keyNews: { ended: here.forget } });
    const body = JSON.stringify(world.stripe.stripe.account.events.at(-1));
    const signature = signatureOf(body, [SECRET], start / 1000);
    expect(await notices.receive(new TextEncoder().encode(body), signature)).toBe("applied");
    expect([await tierAt(here), await tierAt(elsewhere)]).toEqual(["pro", "free"]);
    clock.at += 5_000;
    expect(await tierAt(elsewhere)).toBe("pro");
  });
});
