/**
 * Asks /health every 20 ms on a new connection, whether the last answer has come or not, as a process of its own:
 * `bun health.ts URL`. Prints a line `number` when it asks and a line `number milliseconds` when the answer is there, until it is
 * ended. What takes longer than five seconds, or fails, counts as five seconds.
 */

const EVERY_MILLISECONDS = 20;
const LONGEST_MILLISECONDS = 5000;

if (import.meta.main) {
  const url = `${process.argv[2]}/health`;
  for (let number = 0; ; number++) {
    console.log(`${number}`);
    void ask(url).then((milliseconds) => console.log(`${number} ${milliseconds.toFixed(1)}`));
    await Bun.sleep(EVERY_MILLISECONDS);
  }
}

async function ask(url: string): Promise<number> {
  const began = performance.now();
  try {
    const answer = await fetch(url, { keepalive: false, signal: AbortSignal.timeout(LONGEST_MILLISECONDS) });
    await answer.text();
    return answer.ok ? performance.now() - began : LONGEST_MILLISECONDS;
  } catch {
    // A failure is the figure here: no answer came.
    return LONGEST_MILLISECONDS;
  }
}
