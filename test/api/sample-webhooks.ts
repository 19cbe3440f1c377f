/** The webhook endpoint of the document's examples: every call finds it as it is, and changes nothing. */

import { EXAMPLE_ORG } from "#api/account/account.ts";
import { EXAMPLE_ENDPOINT, type WebhookRouteDeps } from "#api/webhooks/endpoints.ts";
import type { WebhookEndpoint, WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { Clock } from "#ports.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { sampleAccount } from "./sample-account.ts";

const ADDED = Date.parse("2026-04-13T16:30:00Z");

const ENDPOINT: WebhookEndpoint = {
  id: EXAMPLE_ENDPOINT,
  organizationId: EXAMPLE_ORG,
  url: "https://hooks.example.com/rates",
  description: "Treasury ledger",
  events: ["official.published", "official.corrected"],
  isEnabled: true,
  createdAt: ADDED,
  secretAt: ADDED,
};

const EVENT: WebhookEvent = {
  id: "evt_mex_fix_2026-04-13_v1",
  type: "official.published",
  createdAt: ADDED,
  body: "{}",
};

const DELIVERY_ID = `whd_218_${EXAMPLE_ENDPOINT.slice(4)}`;

/** The organization of the sample account, on the plan plus. */
export function sampleWebhooks(clock: Clock): WebhookRouteDeps {
  const { ledger, plans, sessionCaller } = sampleAccount(clock);
  const queued = (eventId: string) =>
    ({
      id: DELIVERY_ID,
      endpointId: ENDPOINT.id,
      eventId,
      state: "pending",
      reason: null,
      attempts: 0,
      dueAt: clock.now(),
    }) as const;
  return {
    ledger: {
      organizations: {
        byOwner: async (ownerId) => {
          const organization = await ledger.organizations.byOwner(ownerId);
          return organization === null ? null : { ...organization, tier: "plus" };
        },
      },
      endpoints: {
        add: async () => ENDPOINT,
        list: async () => [ENDPOINT],
        find: async () => ({ ...ENDPOINT, secret: "{}" }),
        change: async () => ENDPOINT,
        remove: async () => true,
      },
      outbox: {
        publishTest: async ({ id }) => queued(id),
        replay: async () => queued(`evt_test_${clock.now()}`),
        deliveries: async () => [
          {
            ...queued(EVENT.id),
            state: "delivered",
            attempts: 1,
            dueAt: null,
            event: EVENT,
            tries: [
              {
                ...{ status: 200, fault: null, milliseconds: 84, address: "192.0.2.10" },
                ...{ head: null, at: clock.now() },
              },
            ],
          },
        ],
      },
    },
    vault: { seal: async () => ({ v: 1, kek_id: "sample", wrapped_dek: "", nonce: "", ct: "" }) },
    attempts: memoryAttempts(),
    plans,
    allowPrivate: false,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    clock,
    sessionCaller,
  };
}
