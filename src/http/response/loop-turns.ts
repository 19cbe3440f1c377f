/** Shares the turns of the event loop between those who queue work: where several wait, each has a turn of its own. */

/** Calls back in a later turn of the event loop. */
export type Later = (run: () => void) => void;

/** A `later` for all who share it: first come, first served, one callback a turn. */
export function newLoopTurns(later: Later = setImmediate): Later {
  const waiting: (() => void)[] = [];
  const turn = () => {
    const run = waiting.shift();
    if (waiting.length > 0) later(turn);
    run?.();
  };
  return (run) => {
    waiting.push(run);
    if (waiting.length === 1) later(turn);
  };
}
