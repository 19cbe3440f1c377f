/** Runs one request at a time for each key: equal requests share a run, different ones wait. */

/**
 * Makes a queue. A request equal to the running or a waiting one of its key gets that one's result; any other waits
 * until those before it have ended, well or badly.
 */
export function oneAtATime<Key, Request, Result>(): (
  key: Key,
  request: Request,
  run: () => Promise<Result>,
) => Promise<Result> {
  interface Turn {
    readonly request: Request;
    readonly result: Promise<Result>;
  }
  const turns = new Map<Key, readonly Turn[]>();

  return (key, request, run) => {
    const waiting = turns.get(key) ?? [];
    const same = waiting.find((turn) => turn.request === request);
    if (same !== undefined) return same.result;
    const before = waiting.at(-1)?.result ?? Promise.resolve();
    const result = before.then(run, run);
    const turn = { request, result };
    turns.set(key, [...waiting, turn]);
    const leave = () =>
      turns.set(
        key,
        (turns.get(key) ?? []).filter((other) => other !== turn),
      );
    result.then(leave, leave);
    return result;
  };
}
