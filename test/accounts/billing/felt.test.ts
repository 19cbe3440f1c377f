/** A plan that was bought holds for the key at once where the notice arrived, and within five seconds everywhere else. */

import { expect, test } from "bun:test";
import { provision } from "#accounts/account/provision.ts";
import { checkout } from "#accounts/billing/checkout.ts";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import { openKeyDirectory } from "#accounts/keys/authenticate.ts";
import { signatureOf } from "#demo/stripe/webhooks.ts";
import { accountRig, byPerson, NO_FACTS } from "#test/accounts/account/rig.ts";
import { SECRET } from "#test/gateways/billing/rig.ts";
import { person } from "#test/store/ledger/ledgers.ts";
import { onSqlite } from "./on-sqlite.ts";
import { ADDRESS, openWorld } from "./rig.ts";

onSqlite("a key whose plan changed", (bench) => {
  test("has the new plan with its next call here, and elsewhere 5 s later at the latest", async () => {
    await using world = await openWorld([bench.ledger()]);
    const start = world.stripe.now();
    const rig = await accountRig(bench.ledger(), start);
    const ada = await person(bench.ledger(), "ada@example.org");
    const { plaintext } = await provision(rig, ada.id, NO_FACTS, byPerson(rig, ada));
    const key = plaintext ?? "";
    const { vault, clock } = rig;
    const [here, elsewhere] = [1, 2].map(() => openKeyDirectory({ keys: bench.ledger().keys, vault, clock }));
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
