/** The process that gets killed: mixed writes without pause, each printed on standard output once the ledger has acknowledged it. */

import { writeSync } from "node:fs";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { by, counted, madeKey, NOON } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";

const [place = "", ownerId = "", organizationId = "", round = ""] = process.argv.slice(2);
const ledger = await openLedger(JSON.parse(place) as LedgerPlace, {
  emit: () => {},
  newId: (prefix) => `${prefix}${crypto.randomUUID()}`,
  clock: { now: () => NOON },
});
const say = (line: string) => writeSync(1, `${line}\n`);
say("ready");

await Promise.all([
  repeat("consent", (name) => ledger.consents.accept(ownerId, name, by())),
  repeat("key", (name) => ledger.keys.rotate(organizationId, madeKey(name), by())),
  repeat("event", (name) =>
    ledger.billingEvents.receive({ id: name, type: "invoice.paid", objectId: null }, NOON),
  ),
  repeat("settled", async (name) => {
    await ledger.billingEvents.receive({ id: name, type: "invoice.paid", objectId: null }, NOON);
    const from = await ledger.organizations.byId(organizationId);
    if (from === null) throw new Error("the organization is gone");
    const change = { from, patch: { billingCustomerId: name } };
    await ledger.billingEvents.settle(name, "applied", change, NOON);
  }),
  repeat("publication", (name) =>
    ledger.outbox.publish([news(name), news(name, 2), news(`${name}-b`)], NOON),
  ),
  repeat("batch", (name) =>
    ledger.usage.apply(name, [counted({ owner: { id: ownerId }, organizationId })], NOON),
  ),
]);

async function repeat(kind: string, write: (name: string) => Promise<unknown>): Promise<void> {
  for (let nth = 0; ; nth++) {
    const name = `${kind}-${round}-${nth}`;
    await write(name);
    say(`ack ${name}`);
    await Bun.sleep(0);
  }
}
