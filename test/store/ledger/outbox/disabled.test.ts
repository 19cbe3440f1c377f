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
    const audited = await ledger.audit.list({ subject: `organization:${organizationId}` }, 2);
    expect(audited.map(({ action, detail }) => [action, detail["changed"]])).toEqual([
      ["webhook_endpoint.changed", ["isEnabled"]],
      ["webhook_endpoint.changed", ["isEnabled"]],
    ]);
  });

  test("it is enabled when it is added, and setting what is so already changes nothing", async () => {
    const ledger = bench.ledger();
    const { organizationId } = await sender(ledger, "b", ["1"]);
    expect((await ledger.endpoints.list(organizationId))[0]?.isEnabled).toBe(true);
    const before = await ledger.audit.list({}, 1);
    await set(ledger, organizationId, true);
    expect(await ledger.audit.list({}, 1)).toEqual(before);
  });
});
