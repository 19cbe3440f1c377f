/** The demo's webhook endpoint: the receiver that was started with it, so that events can be seen to arrive. */

import type { By } from "#domain/account/audit.ts";
import { createEndpoint } from "#webhooks/create-endpoint.ts";
import { sendTest } from "#webhooks/send-test.ts";
import type { Accounts } from "./accounts.ts";

/** Where events of the demo's account go. */
export interface DemoReceiver {
  readonly url: string;
  /** Told the signing secret before the first event can arrive. */
  trust(secret: string): void;
}

const DESCRIPTION = "the demo's own receiver";

/**
 * The receiver has another port at every start, so that the endpoint of the start before makes room. Then a test event,
 * for on the same data nothing new may be published for hours.
 */
export async function openDemoEndpoint(
  { webhooks, ledger }: Pick<Accounts, "webhooks" | "ledger">,
  owner: { readonly id: string; readonly organizationId: string },
  receiver: DemoReceiver,
  by: By,
): Promise<void> {
  for (const { id, description } of await ledger.endpoints.list(owner.organizationId)) {
    if (description === DESCRIPTION) await ledger.endpoints.remove(id, owner.organizationId, by);
  }
  const wish = { url: receiver.url, description: DESCRIPTION };
  const { endpoint, secret } = await createEndpoint(webhooks, owner.id, wish, by);
  receiver.trust(secret);
  await sendTest(webhooks, owner.id, endpoint.id);
}
