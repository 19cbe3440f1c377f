/** Settles as `work` does, or rejects with the signal's reason. Promise.race with a lasting promise leaks memory. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.finally(() => signal.removeEventListener("abort", giveUp)).then(resolve, reject);
  });
}
