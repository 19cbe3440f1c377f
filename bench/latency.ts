/** How long a small request takes while nothing else happens, and while something large is under way. */

/** Between two requests: a light, steady load, so that what is measured is waiting and not queueing. */
const PAUSE_MILLISECONDS = 2;
const IDLE_MILLISECONDS = 3_000;

/** 99th percentiles in milliseconds, before `work` and during it. */
export async function idleAndBusy<T>(
  url: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly idle: number; readonly busy: number }> {
  const before = start(url);
  await Bun.sleep(IDLE_MILLISECONDS);
  const idle = percentile(await before.stop());
  const during = start(url);
  const result = await work();
  const busy = percentile(await during.stop());
  return { result, idle, busy };
}

function start(url: string) {
  const milliseconds: number[] = [];
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const began = performance.now();
      await (await fetch(url)).arrayBuffer();
      milliseconds.push(performance.now() - began);
      await Bun.sleep(PAUSE_MILLISECONDS);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      return milliseconds;
    },
  };
}

function percentile(milliseconds: number[]): number {
  const sorted = milliseconds.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
