/**
 * Turns for the long computations of requests, with callers in rotation: no caller waits for all the work of another. The event loop has
 * one thread: a step of some milliseconds waits for its turn, and each turn of the loop runs one step, with short
 * requests in between.
 */

import { Failure } from "#domain/faults/errors.ts";
import { CLIENT_GONE } from "#domain/net/message.ts";
import { newFairQueue } from "#domain/queues/fair-queue.ts";

/** Calls back in a later turn of the event loop. */
export type Later = (run: () => void) => void;

export type ComputeTurns = ReturnType<typeof newComputeTurns>;

const RETRY_AFTER_SECONDS = 2;
const BOUNDS = {
  waiting: 2048,
  waitingEach: 128,
  refusal: (_: number, waiting: number) =>
    new Failure("service_unavailable", {
      reason: `${waiting} computations wait for their turn; try again in ${RETRY_AFTER_SECONDS} seconds`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    }),
};

/** `callerOf` returns the client's address: turns rotate among addresses. */
export function newComputeTurns(callerOf: (request: Request) => string, later: Later = setImmediate) {
  const steps = newFairQueue({ ...BOUNDS, atOnce: 1 });
  const slots = newFairQueue({ ...BOUNDS, atOnce: 2 });

  /**
   * Resolves when the request may compute; the code until its next wait is the step. Fails with `service_unavailable`
   * when too many steps wait, of all or of this caller; a step that continues an answer (`continues`) is never refused.
   */
  const take = async (request: Request, continues?: "continues"): Promise<void> => {
    const end = await steps.take(callerOf(request), null, continues !== undefined);
    await new Promise<void>(later);
    end();
  };

  /** Runs work that itself waits for others, for only a few callers at once. Fails as `take`. */
  const slot = async <T>(request: Request, work: () => Promise<T>): Promise<T> => {
    const end = await slots.take(callerOf(request));
    try {
      // Work that does not wait after all must not run without a break.
      await take(request, "continues");
      return await work();
    } finally {
      end();
    }
  };

  return {
    take,
    slot,
    /**
     * Runs each step in its turn and resolves with the result. Fails as `take`, for the first; rejects when the caller
     * has left. A computation keeps its results in memory: only a few run at once.
     */
    run: <T>(request: Request, computation: Iterator<unknown, T>): Promise<T> =>
      slot(request, async () => {
        for (;;) {
          request.signal.throwIfAborted();
          const step = computation.next();
          if (step.done === true) return step.value;
          await take(request, "continues");
        }
      }),
    waiting: (): number => steps.atWork() + steps.waiting() + slots.waiting(),
  };
}

export interface CrowdedTurnsDeps {
  readonly turns: Pick<ComputeTurns, "take">;
  readonly isDone: (request: Request) => boolean;
  /** Such requests are always answered at once. */
  readonly isUrgent: (request: Request) => boolean;
  readonly now?: () => number;
}

const MOST_MILLISECONDS = 10;

/**
 * Wraps `answer`. When a turn of the event loop has taken 10 ms, further requests take turns as long computations do,
 * callers in rotation.
 */
export function inCrowdedTurns(
  answer: (request: Request) => Response | Promise<Response>,
  { turns, isDone, isUrgent, now = () => performance.now() }: CrowdedTurnsDeps,
): typeof answer {
  let endsAt = Number.NaN;
  return (request) => {
    if (Number.isNaN(endsAt)) {
      endsAt = now() + MOST_MILLISECONDS;
      setImmediate(() => {
        endsAt = Number.NaN;
      });
    } else if (now() > endsAt && !isUrgent(request))
      return turns
        .take(request, "continues")
        .then(() => (isDone(request) ? new Response(null, { status: CLIENT_GONE }) : answer(request)));
    return answer(request);
  };
}
