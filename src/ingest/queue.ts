/** Runs one request at a time for each key: equal requests share a run, different ones wait. */

import pLimit, { type LimitFunction } from "p-limit";

/**
 * Makes a queue. A request equal to one that runs or waits for the same key shares its result. Any other waits until the earlier ones
 * have ended, successfully or not.
 */
export function oneAtATime<Key, Request, Result>(): (
  key: Key,
  request: Request,
  run: () => Promise<Result>,
) => Promise<Result> {
  const turns = new Map<
    Key,
    { readonly inTurn: LimitFunction; readonly results: Map<Request, Promise<Result>> }
  >();
  return (key, request, run) => {
    const { inTurn, results } = turns.get(key) ?? { inTurn: pLimit(1), results: new Map() };
    turns.set(key, { inTurn, results });
    const result = results.get(request) ?? inTurn(run).finally(() => results.delete(request));
    results.set(request, result);
    return result;
  };
}
