/** How long the event loop was blocked: a timer on a beat, and by how much it came late. Used by process-gauges.ts. */

/** Longest delay in a window that slides in halves, so that reading it changes nothing and two scrapers see the same. */
export interface DelayMeter {
  /** A beat that was due `every` milliseconds after the one before has come, at this monotonic instant in milliseconds. */
  beat(at: number): void;
  /** Longest delay in milliseconds of the last half to whole window; null before the second beat. */
  longest(): number | null;
}

export function delayMeter(every: number, windowMilliseconds: number): DelayMeter {
  let last: number | null = null;
  let halfBegan = 0;
  let current: number | null = null;
  let previous: number | null = null;
  return {
    beat(at) {
      if (last === null) halfBegan = at;
      else {
        if (at - halfBegan >= windowMilliseconds / 2) {
          previous = current;
          current = null;
          halfBegan = at;
        }
        current = Math.max(current ?? 0, at - last - every, 0);
      }
      last = at;
    },
    longest: () => (current === null ? previous : Math.max(current, previous ?? 0)),
  };
}

const BEAT_MILLISECONDS = 100;
const WINDOW_MILLISECONDS = 120_000;

/** Measures this process until stopped; does not keep it alive. */
export function watchEventLoop(): { readonly longest: () => number | null; readonly stop: () => void } {
  const meter = delayMeter(BEAT_MILLISECONDS, WINDOW_MILLISECONDS);
  let timer: Timer | undefined;
  // Each beat is due from the one before it: a block is counted once, and not caught up with.
  const beat = () => {
    meter.beat(performance.now());
    timer = setTimeout(beat, BEAT_MILLISECONDS);
    timer.unref();
  };
  beat();
  return { longest: meter.longest, stop: () => clearTimeout(timer) };
}
