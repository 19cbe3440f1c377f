/** The process that gets killed: a worker over the ledger of the test, which is the argument. It prints what its worker is called. */

import { writeSync } from "node:fs";
import { every, later } from "#assembly/process.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { openWebhookPost } from "#gateways/webhook/post.ts";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { MASTER, random } from "#test/accounts/account/fixture.ts";
import { keyringOf } from "#test/gateways/vault/keyrings.ts";
import { startDeliveries } from "#webhooks/deliver.ts";

const [place = ""] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const ledger = await openLedger(JSON.parse(place) as LedgerPlace, {
  emit: (event) => console.error(JSON.stringify(event)),
  newId: (prefix) => `${prefix}${crypto.randomUUID()}`,
  clock,
});

const deliveries = startDeliveries({
  outbox: ledger.outbox,
  vault: await openVault(keyringOf(MASTER), random),
  post: openWebhookPost({ allowPrivate: true }),
  random: (bytes) => new Uint8Array(bytes),
  newWorker: () => {
    const id = `wrk_${crypto.randomUUID()}`;
    writeSync(1, `worker ${id}\n`);
    return id;
  },
  clock,
  emit: (event) => console.error(JSON.stringify(event)),
  every,
  later,
});

process.on("SIGTERM", async () => {
  await deliveries.close();
  await ledger.close();
  process.exit(0);
});
