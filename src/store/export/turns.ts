/** Turns at a scarce thing: a bounded number at once, a bounded queue, and callers in rotation so that none starves the others. */

import { Failure } from "#domain/faults/errors.ts";

export interface Limits {
  readonly atOnce: number;
  readonly waiting: number;
  /** Of one caller. */
  readonly waitingEach: number;
}

const RETRY_AFTER_SECONDS = 5;

export function createTurns({ atOnce, waiting, waitingEach }: Limits) {
  /** Callers in order of their next turn; each has its own queue. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;
  let queued = 0;

  const next = () => {
    const [caller, queue] = queues.entries().next().value ?? [];
    if (caller === undefined || queue === undefined) return;
    queues.delete(caller);
    const start = queue.shift() as () => void;
    queued -= 1;
    if (queue.length > 0) queues.set(caller, queue);
    start();
  };
  const begin = () => {
    running += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      running -= 1;
      next();
    };
  };

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queued;
    },
    /**
     * Resolves with the function that ends the turn. Failure `service_unavailable` when the queue is full; rejects with
     * the signal's reason when the caller leaves while waiting.
     */
    async take(caller: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (running < atOnce) return begin();
      const own = queues.get(caller) ?? [];
      if (queued >= waiting || own.length >= waitingEach) {
        throw new Failure("service_unavailable", {
          reason: `${running} exports are under way and ${queued} wait; try again in ${RETRY_AFTER_SECONDS} seconds`,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      return await new Promise<() => void>((resolve, reject) => {
        const start = () => {
          signal.removeEventListener("abort", leave);
          resolve(begin());
        };
        const leave = () => {
          const queue = queues.get(caller) ?? [];
          const at = queue.indexOf(start);
          if (at < 0) return;
          queue.splice(at, 1);
          queued -= 1;
          if (queue.length === 0) queues.delete(caller);
          reject(signal.reason);
        };
        own.push(start);
        queued += 1;
        queues.set(caller, own);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
