/**
 * Bounds how long requests keep the event loop. The runtime answers everything that has arrived in one turn of the loop, and requests
 * that a client sends in one go without waiting for answers (pipelining). Past a bound requests wait for later turns, with callers in
 * rotation. A health check does not wait.
 */

import { CLIENT_GONE } from "#domain/net/message.ts";
import { newRotation } from "./compute-turns.ts";
import type { Later } from "./loop-turns.ts";

export interface ShortTurnsDeps<Asked> {
  /** A clock that only moves forward, in milliseconds. */
  readonly now: () => number;
  /** Runs what it is given in the next turn of the event loop. */
  readonly nextTurn: Later;
  readonly callerOf: (request: Asked) => string;
  /** Never waits. */
  readonly isUrgent: (request: Asked) => boolean;
  /** Whether the client has left. */
  readonly isDone: (request: Asked) => boolean;
}

/** Of the requests of one turn. */
const MOST_MILLISECONDS = 5;
/** So long requests are answered before the next turn is asked for, which costs as much as some answers. It is a part of the bound above. */
const UNWATCHED_MILLISECONDS = 1;
/** Steps of the microtask queue in which an answer that is not there at once does the work for which it need not wait. */
const STEPS = 8;

/** What was started does its work meanwhile, so that the clock says what it took. */
async function steps(): Promise<void> {
  for (let step = 0; step < STEPS; step++) await null;
}

/**
 * `answer`, in short turns. A request past the bound is given a promise. For that the runtime closes a connection on which more requests
 * have arrived already, as it does at every answer that is not there at once; a client with one request under way waits for a turn.
 */
export function inShortTurns<Asked>(
  answer: (request: Asked) => Response | Promise<Response>,
  { now, nextTurn, callerOf, isUrgent, isDone }: ShortTurnsDeps<Asked>,
): (request: Asked) => Response | Promise<Response> {
  const waiting = newRotation<boolean>();
  /** When the turn that is watched began, or the last one that was. */
  let began = Number.NEGATIVE_INFINITY;
  let isTurning = false;

  const takeTurn = () => {
    if (isTurning) return;
    isTurning = true;
    nextTurn(() => void turn());
  };
  const turn = async () => {
    began = now();
    while (now() - began <= MOST_MILLISECONDS) {
      const start = waiting.next();
      if (start === null) break;
      if (!start()) await steps();
    }
    isTurning = false;
    if (waiting.waiting() > 0) takeTurn();
  };
  const isOver = () => {
    if (waiting.waiting() > 0) return true;
    const time = now();
    if (isTurning) return time - began > MOST_MILLISECONDS - UNWATCHED_MILLISECONDS;
    if (time - began <= UNWATCHED_MILLISECONDS) return false;
    began = time;
    takeTurn();
    return false;
  };
  const later = (request: Asked) =>
    new Promise<Response>((resolve, reject) => {
      waiting.add(callerOf(request), () => {
        if (isDone(request)) {
          resolve(new Response(null, { status: CLIENT_GONE }));
          return true;
        }
        try {
          const made = answer(request);
          resolve(made);
          return made instanceof Response;
        } catch (fault) {
          reject(fault);
          return true;
        }
      });
    });
  return (request) => (isOver() && !isUrgent(request) ? later(request) : answer(request));
}
