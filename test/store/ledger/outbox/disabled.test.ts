/** Endpoints that their owner has disabled: nothing is queued or sent, what was queued waits until they are enabled. On both databases. */

import { expect, test } from "bun:test";
import type { Ledger } from "#ports/ledger.ts";
import { by, NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { claiming, news, sender, short } from "#test/store/ledger/publications/publishing.ts";

onBothLedgers("disabled endpoints", (bench) => {
  const set = (ledger: Ledger, organizationId: string, isEnabled: boolean) =>
    ledger.endpoints.change("whe_1", organizationId, { isEnabled }, by());
  const claim = async (ledger: Ledger) =>
    [...short(await ledger.outbox.claim(claiming({ at: NOON + 9 })))].sort();

  test("what was queued before waits, what comes meanwhile is not queued, and both ends are audited", async () => {
    const ledger = bench.ledger();
    const { organizationId } = await sender(ledger, "a", ["1", "2"]);
    await ledger.outbox.publish([news("x")], NOON);
    expect(await set(ledger, organizationId, false)).toMatchObject({ id: "whe_1", isEnabled: false });
    await ledger.outbox.publish([news("y")], NOON + 1);
    expect(await ledger.outbox.backlog(NOON + 9)).toMatchObject({ due: 2 });
    expect(await claim(ledger)).toEqual(["2 x", "2 y"]);
    expect(await set(ledger, organizationId, true)).toMatchObject({ isEnabled: true });
    expect(await claim(ledger)).toEqual(["1 x"]);
    // Setting what is so already is no change.
    await set(ledger, organizationId, true);
    const audited = await ledger.audit.list({ subject: `organization:${organizationId}` }, 3);
    const changes = audited.map(({ action, detail }) => `${action} ${detail["changed"]}`);
    const changed = "webhook_endpoint.changed isEnabled";
    expect(changes).toEqual([changed, changed, "webhook_endpoint.created undefined"]);
  });
});
