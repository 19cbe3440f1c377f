/**
 * The worker of bench/deliveries.ts, in a process of its own: sends what is due, and says when it has begun. A line on standard
 * input is answered with the processor time that it has used so far, in milliseconds.
 */

import { every, later, systemRandom } from "#assembly/process.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { openWebhookPost } from "#gateways/webhook/post.ts";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { MASTER } from "#test/accounts/account/fixture.ts";
import { keyringOf } from "#test/gateways/vault/keyrings.ts";
import { startDeliveries } from "#webhooks/deliver.ts";

const place = JSON.parse(process.argv[2] ?? "") as LedgerPlace;
const clock = { now: () => Date.now() };
const emit = (event: unknown) => console.error(JSON.stringify(event));
const ledger = await openLedger(place, {
  emit,
  newId: (prefix) => `${prefix}${crypto.randomUUID()}`,
  clock,
});
const deliveries = startDeliveries({
  outbox: ledger.outbox,
  vault: await openVault(keyringOf(MASTER), systemRandom),
  post: openWebhookPost({ allowPrivate: true }),
  random: systemRandom,
  newWorker: () => `wrk_${crypto.randomUUID()}`,
  clock,
  emit,
  every,
  later,
});
console.log("ready");
process.on("SIGTERM", async () => {
  await deliveries.close();
  await ledger.close();
  process.exit(0);
});
for await (const _ of console) {
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1000);
}
