/** An outbox that tells the worker of this process when there is something new to send; others find it within a second. */

import type { Outbox } from "#ports/webhooks.ts";

export function waking(outbox: Outbox, wake: () => void): Outbox {
  return {
    ...outbox,
    async publish(versions, at) {
      const stored = await outbox.publish(versions, at);
      if (stored.length > 0) wake();
      return stored;
    },
    async publishTest(event, endpointId, at) {
      const queued = await outbox.publishTest(event, endpointId, at);
      wake();
      return queued;
    },
    async replay(deliveryId, organizationId, at, by) {
      const queued = await outbox.replay(deliveryId, organizationId, at, by);
      wake();
      return queued;
    },
  };
}
