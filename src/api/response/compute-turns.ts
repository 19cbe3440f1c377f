/**
 * Turns for long computations, with callers in rotation, so that no caller waits for all the work of another. The event loop has one
 * thread: a step that takes milliseconds waits for its turn, and each turn of the loop runs one step, with short requests in between.
 */

import { Failure } from "#domain/faults/errors.ts";

/** Calls back in a later turn of the event loop. */
export type Later = (run: () => void) => void;

export interface ComputeTurns {
  /**
   * Resolves when the caller may compute; what follows without waiting is the step. Failure `service_unavailable` when too many
   * steps wait, of all or of this caller; a step that goes on with an answer under way (`continues`) is never refused.
   */
  take(caller: string, continues?: "continues"): Promise<void>;
  /** What all steps give, each in its turn. Failure as of `take`, for the first; rejects when the caller has left. */
  run<T>(caller: string, signal: AbortSignal, steps: Iterator<unknown, T>): Promise<T>;
  /** What work gives that itself waits for others: of all callers only a few are at it at once. Failure as of `take`. */
  slot<T>(caller: string, work: () => Promise<T>): Promise<T>;
  waiting(): number;
}

const MOST_WAITING = 2048;
const MOST_OF_ONE = 128;
const RETRY_AFTER_SECONDS = 2;
const SLOTS = 2;

export function newComputeTurns(later: Later = setImmediate): ComputeTurns {
  const steps = newRotation();
  const slots = newRotation();
  let isPumping = false;
  let atWork = 0;

  const pump = () => {
    const start = steps.next();
    if (start === null) {
      isPumping = false;
      return;
    }
    start();
    later(pump);
  };
  const take = (caller: string, continues?: "continues"): Promise<void> => {
    if (continues === undefined) steps.refuseFull(caller);
    return new Promise((resolve) => {
      steps.add(caller, resolve);
      if (isPumping) return;
      isPumping = true;
      later(pump);
    });
  };
  const fill = () => {
    while (atWork < SLOTS) {
      const start = slots.next();
      if (start === null) return;
      atWork += 1;
      start();
    }
  };

  const slot: ComputeTurns["slot"] = async (caller, work) => {
    slots.refuseFull(caller);
    await new Promise<void>((resolve) => {
      slots.add(caller, resolve);
      fill();
    });
    try {
      // Work that does not wait after all must not follow on work without a break.
      await take(caller, "continues");
      return await work();
    } finally {
      atWork -= 1;
      fill();
    }
  };

  return {
    take,
    slot,
    // A computation holds what it has so far: only a few are begun at once.
    run: (caller, signal, steps) =>
      slot(caller, async () => {
        for (;;) {
          signal.throwIfAborted();
          const step = steps.next();
          if (step.done === true) return step.value;
          await take(caller, "continues");
        }
      }),
    waiting: () => steps.waiting() + slots.waiting(),
  };
}

/** What waits, by caller; the next one is of the caller whose turn is longest ago. */
function newRotation() {
  const queues = new Map<string, (() => void)[]>();
  let waiting = 0;
  return {
    waiting: () => waiting,
    add: (caller: string, start: () => void): void => {
      const queue = queues.get(caller);
      if (queue === undefined) queues.set(caller, [start]);
      else queue.push(start);
      waiting += 1;
    },
    next: (): (() => void) | null => {
      const [caller, queue] = queues.entries().next().value ?? [];
      if (caller === undefined || queue === undefined) return null;
      queues.delete(caller);
      const start = queue.shift() ?? null;
      waiting -= 1;
      if (queue.length > 0) queues.set(caller, queue);
      return start;
    },
    /** Failure `service_unavailable`. */
    refuseFull: (caller: string): void => {
      if (waiting < MOST_WAITING && (queues.get(caller)?.length ?? 0) < MOST_OF_ONE) return;
      throw new Failure("service_unavailable", {
        reason: `${waiting} computations wait for their turn; try again in ${RETRY_AFTER_SECONDS} seconds`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    },
  };
}
