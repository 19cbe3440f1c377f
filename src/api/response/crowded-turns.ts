/** Bounds how long simultaneous requests keep one turn of the event loop: new connections and /health wait for its end. */

import { CLIENT_GONE } from "#domain/net/message.ts";
import type { ComputeTurns } from "./compute-turns.ts";

export interface CrowdedTurnsDeps {
  readonly turns: Pick<ComputeTurns, "take">;
  readonly callerOf: (request: Request) => string;
  /** Returns whether the client has left. */
  readonly isDone: (request: Request) => boolean;
  /** Such requests are always answered at once. */
  readonly isUrgent: (request: Request) => boolean;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

const MOST_MILLISECONDS = 10;

/**
 * Wraps `answer`. When a turn of the event loop has taken 10 ms, further requests take turns as long computations do,
 * callers in rotation.
 */
export function inCrowdedTurns(
  answer: (request: Request) => Response | Promise<Response>,
  { turns, callerOf, isDone, isUrgent, now = () => performance.now() }: CrowdedTurnsDeps,
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
        .take(callerOf(request), "continues")
        .then(() => (isDone(request) ? new Response(null, { status: CLIENT_GONE }) : answer(request)));
    return answer(request);
  };
}
