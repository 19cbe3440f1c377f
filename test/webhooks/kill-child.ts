/**
 * The process that gets killed: a worker over the ledger of the test. It says on standard output what its worker is called,
 * and what it is about to note. Arguments: the ledger's place, and for both clocks a fixed instant, or "real".
 */

import { writeSync } from "node:fs";
import { every, later } from "#assembly/process.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { openWebhookPost } from "#gateways/webhook/post.ts";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { MASTER, random } from "#test/accounts/account/fixture.ts";
import { keyringOf } from "#test/gateways/vault/keyrings.ts";
import { startDeliveries } from "#webhooks/deliver.ts";

const [place = "", now = ""] = process.argv.slice(2);
const isReal = now === "real";
const clock = { now: () => (isReal ? Date.now() : Number(now)) };
const ledger = await openLedger(JSON.parse(place) as LedgerPlace, {
  emit: (event) => console.error(JSON.stringify(event)),
  newId: (prefix) => `${prefix}${crypto.randomUUID()}`,
  clock,
  ...(!isReal && { leaseClock: clock }),
});

const deliveries = startDeliveries({
  outbox: {
    ...ledger.outbox,
    complete: async (...what) => {
      if (!isReal) {
        writeSync(1, "noting\n");
        // Posted, and for ever about to note it: here it is killed.
        await new Promise(() => {});
      }
      return await ledger.outbox.complete(...what);
    },
  },
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
