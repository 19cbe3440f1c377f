/** Sending of webhooks, joined: the outbox that wakes the worker, the worker, and the way out. */

import { type Config, ConfigFault } from "#config.ts";
import { systemRandom } from "#gateways/random.ts";
import { readProxy } from "#gateways/webhook/proxy.ts";
import type { Watch } from "#metrics/watch.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Vault } from "#ports/vault.ts";
import type { Outbox, WebhookPost } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import { startDeliveries } from "#webhooks/deliver.ts";
import { waking } from "#webhooks/waking.ts";
import { newAccountId } from "./account-parts.ts";
import { every, later } from "./timers.ts";

type WebhookSettings = Config["accounts"]["webhooks"];

interface DeliveringParts {
  readonly ledger: Pick<Ledger, "outbox">;
  readonly vault: Pick<Vault, "open">;
  readonly clock: Clock;
  readonly tell: Tell;
  readonly watch: Pick<Watch, "outbox">;
}

export interface Delivering {
  /** To be used in place of the ledger's own: what is queued through it is sent at once. */
  readonly outbox: Outbox;
  /** Begins no more attempts. */
  stop(): void;
  /** Resolves when those under way have ended, after some 13 s at the latest. */
  close(): Promise<void>;
}

/** Starts to send what is due. Throws ConfigFault. */
export function openDelivering(
  { accounts: { webhooks: settings } }: Config,
  { ledger, vault, clock, tell, watch }: DeliveringParts,
): Delivering {
  const post = postOf(settings);
  const watched = watch.outbox(ledger.outbox);
  const newWorker = () => newAccountId("wrk_");
  const parts = { outbox: watched, vault, post, random: systemRandom, newWorker, clock, tell, every, later };
  const { wake, stop, close } = startDeliveries(parts);
  return { outbox: waking(watched, wake), stop, close };
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
