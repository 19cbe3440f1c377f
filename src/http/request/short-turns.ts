/** Bounds how long requests that arrive together hold up the others: past the bound they are answered in a later turn. */

export interface ShortTurnsDeps {
  /** A clock that only moves forward, in milliseconds. */
  readonly now: () => number;
  /** Runs what it is given in the next turn of the event loop. */
  readonly nextTurn: (run: () => void) => void;
}

/** A health check is answered within a few turns: each may take this long, and one request. */
const MOST_MILLISECONDS = 10;
/** So many requests are answered before the clock is read: ordinary traffic never has more of them in a turn. */
const UNTIMED = 16;

/**
 * The runtime answers everything that has arrived in one turn of the event loop, and requests that a client sends in one go
 * without waiting for answers (pipelining) as long as each is answered at once. A request past the bound is given a promise.
 * For that the runtime closes a connection on which more requests have arrived already, as it does at every answer that is
 * not there at once; a client with one request under way waits for a turn.
 */
export function inShortTurns<Asked>(
  answer: (request: Asked) => Response | Promise<Response>,
  { now, nextTurn }: ShortTurnsDeps,
): (request: Asked) => Response | Promise<Response> {
  let answered = 0;
  let began = 0;
  const begin = () => {
    answered = 0;
  };
  const isOver = () => {
    answered += 1;
    if (answered < UNTIMED) return false;
    if (answered > UNTIMED) return now() - began > MOST_MILLISECONDS;
    began = now();
    nextTurn(begin);
    return false;
  };
  const later = (request: Asked) =>
    new Promise<Response>((resolve, reject) => {
      nextTurn(() => {
        try {
          resolve(isOver() ? later(request) : answer(request));
        } catch (fault) {
          reject(fault);
        }
      });
    });
  return (request) => (isOver() ? later(request) : answer(request));
}
