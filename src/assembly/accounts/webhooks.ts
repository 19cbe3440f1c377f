/** Connects the sending of webhooks: the outbox that notifies the worker, the worker, and the gateway. */

import { every, later } from "#assembly/timers.ts";
import { type Config, ConfigFault } from "#config.ts";
import { systemRandom } from "#gateways/random.ts";
import { readProxy } from "#gateways/webhook/proxy.ts";
import type { Watch } from "#metrics/watch.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Vault } from "#ports/vault.ts";
import type { WebhookPost } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { notifyWorker, startDeliveries } from "#webhooks/deliver.ts";
import { newAccountId } from "./parts.ts";

type WebhookSettings = Config["accounts"]["webhooks"];

interface DeliveringParts {
  readonly ledger: Pick<Ledger, "outbox">;
  readonly vault: Pick<Vault, "open">;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly watch: Pick<Watch, "outbox">;
}

/**
 * Starts to send what is due. `outbox` is to be used in place of the ledger's own: what is queued through it is sent at once.
 * `stop` begins no more attempts; `close` resolves when those under way have ended, after some 13 s at the latest. Throws
 * ConfigFault.
 */
export function openDelivering(
  { accounts: { webhooks: settings } }: Config,
  { ledger, vault, clock, emit, watch }: DeliveringParts,
) {
  const post = postOf(settings);
  const watched = watch.outbox(ledger.outbox);
  const newWorker = () => newAccountId("wrk_");
  const parts = { outbox: watched, vault, post, random: systemRandom, newWorker, clock, emit, every, later };
  const { wake, stop, close } = startDeliveries(parts);
  return { outbox: notifyWorker(watched, wake), stop, close };
}

/** The way out is loaded with the first attempt: it costs a start some 15 ms. */
function postOf({ allowPrivate, egressProxy: proxy, ownAddresses }: WebhookSettings): WebhookPost {
  if (proxy !== null && readProxy(proxy) === null)
    throw new ConfigFault(["WEBHOOK_EGRESS_PROXY=…: http://[user:password@]host[:port] is needed"]);
  const open = async (): Promise<WebhookPost> => {
    const { openWebhookPost } = await import("#gateways/webhook/post.ts");
    const { machineAddresses } = await import("#gateways/webhook/resolve.ts");
    const own = () => [...machineAddresses(), ...ownAddresses];
    return openWebhookPost({ allowPrivate, proxy, ownAddresses: own });
  };
  let opened: Promise<WebhookPost> | null = null;
  return async (...attempt) => {
    opened ??= open();
    return await (await opened)(...attempt);
  };
}
