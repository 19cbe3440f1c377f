/** The process that gets killed: a worker over the ledger of the test; it says on standard output what it is about to note. */

import { writeSync } from "node:fs";
import { openVault } from "#gateways/vault/vault.ts";
import { openWebhookPost } from "#gateways/webhook/post.ts";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { MASTER, random } from "#test/accounts/account/rig.ts";
import { keyringOf } from "#test/gateways/vault/keyrings.ts";
import { startDeliveries } from "#webhooks/deliver.ts";

const [place = "", now = "", mode = ""] = process.argv.slice(2);
const clock = { now: () => Number(now) };
const ledger = await openLedger(JSON.parse(place) as LedgerPlace, {
  tell: () => {},
  newId: (prefix) => `${prefix}${crypto.randomUUID()}`,
  clock,
});

startDeliveries({
  outbox: {
    ...ledger.outbox,
    complete: async (...what) => {
      writeSync(1, "noting\n");
      // Posted, and for ever about to note it: here it is killed.
      if (mode === "between") await new Promise(() => {});
      return await ledger.outbox.complete(...what);
    },
  },
  vault: await openVault(keyringOf(MASTER), random),
  post: openWebhookPost({ allowPrivate: true }),
  random: (bytes) => new Uint8Array(bytes),
  clock,
  tell: () => {},
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds);
    return () => clearInterval(timer);
  },
  later: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
});
