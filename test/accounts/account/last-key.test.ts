/** Which key a repeated revoking tells of, when several were current one after the other. */

import { expect, test } from "bun:test";
import { provision, revokeKeys } from "#test/accounts/account/bodies.ts";
import { NOON, onBothLedgers, person } from "#test/store/ledger/ledgers.ts";
import { accountFixture, byPerson, NO_FACTS } from "./fixture.ts";

onBothLedgers("revoking again", (bench) => {
  test("tells of the key that ended last, also of several made in one millisecond", async () => {
    const fixture = await accountFixture(bench.ledger(), NOON);
    for (let nth = 0; nth < 8; nth++) {
      const somebody = await person(bench.ledger(), `person-${nth}@example.org`);
      fixture.clock.at = NOON;
      const by = () => byPerson(fixture, somebody);
      await provision(fixture, somebody.id, NO_FACTS, by());
      await revokeKeys(fixture, somebody.id, by());
      await provision(fixture, somebody.id, NO_FACTS, by());
      fixture.clock.at = NOON + 1000;
      const ended = await revokeKeys(fixture, somebody.id, by());
      expect(ended.revoked_at).toBe("2026-11-20T12:00:01Z");
      expect(await revokeKeys(fixture, somebody.id, by())).toEqual(ended);
    }
  });
});
