/** An outbox that notifies the worker of this process of something new to send; other processes find it within a second. */

import type { Outbox } from "#ports/webhooks.ts";

export function notifyWorker(outbox: Outbox, wake: () => void): Outbox {
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
