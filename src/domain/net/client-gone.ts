/** A client that goes away before its answer is there: nothing is wrong on our side, and nobody reads the answer. */

/**
 * The status by which such a request is counted and settled, as nginx names it; it is never sent. It is no 5xx, and the
 * calls that it was granted stay used: the work was asked for.
 */
export const CLIENT_GONE = 499;

/** Whether this was thrown because the client of the request left. Other faults stay what they are, also after it left. */
export function isClientGone(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted && thrown instanceof Error && thrown.name === "AbortError";
}
