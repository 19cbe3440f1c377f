/** Ends what is costly to keep when it was idle for a while. */

/** DuckDB and its rows take some 80 MB: they are freed when nothing was asked for so long. */
const IDLE_MILLISECONDS = 15_000;

export type Later = (milliseconds: number, run: () => void) => () => void;

/** Calls `run` once after some milliseconds, unless the returned function is called before. The timer does not keep the process alive. */
export function runLater(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Returns a function that runs work; when no work was done for a while, `end` is called. */
export function endingWhenIdle(end: () => void, later: Later = runLater) {
  let working = 0;
  let stay = () => {};
  return async <T>(work: () => Promise<T>): Promise<T> => {
    working += 1;
    try {
      return await work();
    } finally {
      working -= 1;
      stay();
      stay = later(IDLE_MILLISECONDS, () => {
        if (working === 0) end();
      });
    }
  };
}
