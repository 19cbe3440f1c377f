/** Which key a repeated revocation reports when several were current one after the other. */

import { expect, test } from "bun:test";
import { provision, revokeKeys } from "#test/accounts/account/bodies.ts";
import { NOON, onSqlite, person } from "#test/store/ledger/ledgers.ts";
import { accountFixture, byPerson, NO_FACTS } from "./fixture.ts";

onSqlite("revoking again", (bench) => {
  test("reports the key that ended last, also among several made in one millisecond", async () => {
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
