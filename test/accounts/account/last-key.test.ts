/** Which key a repeated revoking tells of, when several were current one after the other. */

import { expect, test } from "bun:test";
import { provision } from "#accounts/account/provision.ts";
import { revokeKeys } from "#accounts/keys/revoke-key.ts";
import { NOON, onBothLedgers, person } from "#test/store/ledger/ledgers.ts";
import { accountRig, byPerson, NO_FACTS } from "./rig.ts";

onBothLedgers("revoking again", (bench) => {
  test("tells of the key that ended last, also of several made in one millisecond", async () => {
    const rig = await accountRig(bench.ledger(), NOON);
    for (let nth = 0; nth < 8; nth++) {
      const somebody = await person(bench.ledger(), `person-${nth}@example.org`);
      rig.clock.at = NOON;
      const by = () => byPerson(rig, somebody);
      await provision(rig, somebody.id, NO_FACTS, by());
      await revokeKeys(rig, somebody.id, by());
      await provision(rig, somebody.id, NO_FACTS, by());
      rig.clock.at = NOON + 1000;
      const ended = await revokeKeys(rig, somebody.id, by());
      expect(ended.revoked_at).toBe("2026-11-20T12:00:01Z");
      expect(await revokeKeys(rig, somebody.id, by())).toEqual(ended);
    }
  });
});
