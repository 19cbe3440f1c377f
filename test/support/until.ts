/** Waits for what can be observed, never for a time. */

const GIVE_UP_MILLISECONDS = 25_000;

/** Resolves when the condition holds; rejects with `what` when it does not for far longer than it ever should take. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + GIVE_UP_MILLISECONDS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
    await Bun.sleep(2);
  }
}
